/** The audit log: a row for every act of a valid key, a counter for the rest, and a chain over all of it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainAuditLog, verifyAuditChain } from '../../src/tenancy/audit.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' })
})
afterAll(() => service.stop())

const entries = async (query = '') => (await service.admin('GET', `/admin/audit?limit=200${query}`)).body.items

describe('the audit log', () => {
  it('records acts with who, what, whom and how it ended', async () => {
    const tenant = await service.createTenant()
    const ofTenant = `&action=createScope&tenant_id=${tenant.tenant_id}`
    await service.admin('POST', '/admin/scopes', { scope_id: 'audited' }, tenant.api_key)
    await service.admin('POST', '/admin/scopes', { scope_id: 'audited' }, tenant.api_key)
    await expect
      .poll(async () => (await entries(ofTenant)).map((entry: { status: number; outcome: string }) => [entry.status, entry.outcome]))
      .toEqual([
        [409, 'refused'],
        [201, 'allowed'],
      ])
    const [latest] = await entries(ofTenant)
    expect(latest).toMatchObject({ tier: 'admin', tenant_id: tenant.tenant_id, scope_id: 'audited', address: '127.0.0.1' })
    expect(JSON.stringify(latest)).not.toContain(service.internalsKey)
    expect(JSON.stringify(latest)).not.toContain(tenant.api_key)
  })

  it('records what a valid key was refused', async () => {
    await service.call('POST', '/internals/kernel/runtime/stop', { headers: { authorization: `Bearer ${service.adminKey}` } })
    await service.admin('POST', '/admin/tenants', { wrong: 1 })
    const refused = async () =>
      (await entries())
        .filter((entry: { outcome: string }) => entry.outcome === 'refused')
        .map((entry: { action: string; status: number }) => [entry.action, entry.status])
    await expect.poll(refused).toEqual(
      expect.arrayContaining([
        ['stopInternalsRuntime', 403],
        ['createTenant', 400],
      ]),
    )
  })

  it('records names cut between characters, and loses no row over them', async () => {
    const tenant = await service.createTenant()
    const long = encodeURIComponent(`${'a'.repeat(199)}😀`)
    const asked = await service.admin('GET', `/admin/scopes/${long}/summary`, undefined, tenant.api_key)
    expect(asked.status).toBe(404)
    const refused = await service.admin('DELETE', `/admin/tenants/${'t'.repeat(99)}${encodeURIComponent('😀')}/keys/${long}`)
    expect(refused.status).toBe(404)
    const recorded = async (action: string) => (await entries(`&action=${action}`))[0]
    await expect.poll(() => recorded('getSummary')).toMatchObject({ scope_id: 'a'.repeat(199), status: 404 })
    await expect.poll(() => recorded('revokeTenantKey')).toMatchObject({ tenant_id: 't'.repeat(99), detail: { key_id: 'a'.repeat(100) } })
  })

  it('does not record health reads', async () => {
    await service.admin('GET', '/admin/health')
    expect(await entries('&action=getAdminHealth')).toEqual([])
  })

  it('is chained, and a changed row is found', async () => {
    await expect.poll(() => chainAuditLog(service.database.db)).toBe(0)
    expect(await verifyAuditChain(service.database.db)).toMatchObject({ ok: true })
    const { rows } = await service.database.owner.query(
      "update audit_log set actor = actor || 'x' where id = (select min(id) from audit_log where hash is not null) returning id",
    )
    const changed = await verifyAuditChain(service.database.db)
    await service.database.owner.query('update audit_log set actor = left(actor, -1) where id = $1', [rows[0].id])
    expect(changed).toEqual({ ok: false, id: Number(rows[0].id) })
    expect(await verifyAuditChain(service.database.db)).toMatchObject({ ok: true })
  })
})
