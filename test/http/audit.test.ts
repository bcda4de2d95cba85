/** The audit log: a row for every act of a valid key, a counter for the rest, and a chain over all of it. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAuditHead } from '../../src/store/tenants/audit.js'
import { verifyAnchors } from '../../src/tenancy/anchors.js'
import { chainAuditLog, verifyAuditChain } from '../../src/tenancy/audit.js'
import { createAnchoring } from '../../src/webhooks/anchoring.js'
import { runConcord } from '../cli/run-concord.js'
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

  it('is not waited for by what is wrong: concord status says it also when the database takes no rows', async () => {
    const { owner } = service.database
    await owner.query(`create function refuse_row() returns trigger language plpgsql as $$ begin raise sqlstate '53100' using message = 'No space left on device'; end $$;
      create trigger full_disk before insert on audit_log for each row execute function refuse_row()`)
    try {
      expect((await service.admin('GET', '/admin/tenants')).status).toBe(503)
      const env = { CONCORD_URL: service.url, CONCORD_INTERNALS_KEY: service.internalsKey }
      expect(await runConcord(env, 'status', '--json')).toMatchObject({
        code: 0,
        json: { troubles: { items: expect.any(Array) }, scopes: null },
      })
    } finally {
      await owner.query('drop trigger full_disk on audit_log; drop function refuse_row()')
    }
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

  it('is anchored outside once a day, tried again when that fails, and a rewritten log is found', async () => {
    const { db, owner } = service.database
    const taken: { length: number; head: string; statement: string }[] = []
    let status = 500
    const receiver = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', piece => pieces.push(piece))
      request.on('end', () => {
        if (status === 200) taken.push(JSON.parse(Buffer.concat(pieces).toString()))
        response.writeHead(status).end()
      })
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    let nowMs = Date.now()
    const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs }
    const { port } = receiver.address() as AddressInfo
    const config = { anchorUrl: `http://127.0.0.1:${port}/`, webhookAllowPrivate: true, webhookTimeoutMs: 20_000 }
    const checkpoint = async () => ({ ...(await db.engine(headOf)), statement: 'signed' })
    const headOf = async (tx: Parameters<typeof findAuditHead>[0]) => {
      const { chain_no: length, hash: head } = await findAuditHead(tx)
      return { length, head }
    }
    try {
      await expect.poll(() => chainAuditLog(db)).toBe(0)
      const anchor = createAnchoring({ db, clock, config, checkpoint })
      await expect(anchor()).rejects.toThrow('status 500')
      status = 200
      expect(await anchor()).toBe(false)
      nowMs += 60_001
      expect(await anchor()).toBe(true)
      expect(await anchor()).toBe(false)
      expect(taken).toMatchObject([{ length: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{64}$/), statement: 'signed' }])
      expect(await verifyAnchors(db)).toMatchObject({ anchors: 1, last: { length: taken[0]?.length, authority: null }, faults: [] })
      const walled = createAnchoring({ db, clock, config: { ...config, webhookAllowPrivate: false }, checkpoint })
      nowMs += 25 * 3_600_000
      await service.createTenant()
      await expect
        .poll(() =>
          chainAuditLog(db)
            .then(() => db.engine(headOf))
            .then(head => head.length),
        )
        .toBeGreaterThan(taken[0]?.length ?? 0)
      await expect(walled()).rejects.toThrow('not public')
      expect(await createAnchoring({ db, clock, config: { ...config, anchorUrl: undefined }, checkpoint })()).toBe(false)
      await owner.query("update audit_log set hash = repeat('0', 64) where chain_no = $1", [taken[0]?.length])
      expect((await verifyAnchors(db)).faults).toEqual([{ anchor: 1, fault: expect.stringContaining('had another hash') }])
      // As when the retention has just taken the row that was anchored: its hash is where the log begins.
      await owner.query('delete from audit_log where chain_no <= $1', [taken[0]?.length])
      await owner.query('insert into audit_cut (chain_no, hash) values ($1, $2)', [taken[0]?.length, taken[0]?.head])
      expect((await verifyAnchors(db)).faults).toEqual([])
      expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
    } finally {
      receiver.close()
    }
  })
})
