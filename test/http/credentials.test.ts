/** Every credential case for every route: a route without an entry fails, because the cases are made from all operations. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/contract/operation.js'
import { operations } from '../../src/contract/operations.js'
import { newTenantKey } from '../../src/platform/ids.js'
import { startTestService, type TestService } from '../support/service.js'

let service: TestService
let revokedKey: string
let tenant: { tenant_id: string; api_key: string }
let other: { tenant_id: string; api_key: string }

beforeAll(async () => {
  service = await startTestService()
  tenant = await service.createTenant()
  other = await service.createTenant()
  const extra = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, {})
  revokedKey = extra.body.api_key
  await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/keys/${extra.body.key_id}`)
})
afterAll(() => service.stop())

const all = Object.values(operations)
const pathOf = (operation: Operation) => operation.path.replaceAll(/\{\w+\}/g, 'some-id')

async function refusal(
  operation: Operation,
  headers: Record<string, string>,
): Promise<{ status: number; code: string; challenge: string | null }> {
  const answer = await service.call(operation.method, pathOf(operation), { headers })
  return { status: answer.status, code: answer.body?.code, challenge: answer.headers.get('www-authenticate') }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('routes of a tier', () => {
  const tiered = all.filter(operation => operation.credential.startsWith('tier'))

  it.each(tiered.map(operation => [operation.id, operation] as const))('%s asks for the bearer first', async (_id, operation) => {
    expect(await refusal(operation, {})).toMatchObject({ status: 401, code: 'AUTH_MISSING', challenge: expect.stringContaining('Bearer') })
    expect(await refusal(operation, { 'x-tenant-api-key': tenant.api_key })).toMatchObject({ status: 401, code: 'AUTH_MISSING' })
    expect(await refusal(operation, bearer('x'.repeat(40)))).toMatchObject({ status: 401, code: 'AUTH_INVALID' })
    expect(await refusal(operation, { authorization: 'Basic abc' })).toMatchObject({ status: 401, code: 'AUTH_INVALID' })
    expect(await refusal(operation, bearer(revokedKey))).toMatchObject({ status: 401, code: 'AUTH_INVALID' })
    expect(await refusal(operation, bearer(newTenantKey()))).toMatchObject({ status: 401, code: 'AUTH_INVALID' })
    expect(await refusal(operation, bearer(tenant.api_key))).toMatchObject({ status: 403, code: 'TIER_INSUFFICIENT' })
  })

  it.each(tiered.filter(o => o.tier === 'internals').map(operation => [operation.id, operation] as const))(
    '%s refuses an admin key',
    async (_id, operation) => {
      expect(await refusal(operation, bearer(service.adminKey))).toMatchObject({ status: 403, code: 'TIER_INSUFFICIENT' })
    },
  )

  it.each(tiered.filter(o => o.credential === 'tier+tenant-key').map(operation => [operation.id, operation] as const))(
    '%s asks for the tenant key next',
    async (_id, operation) => {
      const internals = bearer(service.internalsKey)
      expect(await refusal(operation, internals)).toMatchObject({ status: 400, code: 'TENANT_KEY_MISSING' })
      for (const key of ['nonsense', '', revokedKey, newTenantKey()]) {
        expect(await refusal(operation, { ...internals, 'x-tenant-api-key': key })).toMatchObject({
          status: 401,
          code: 'TENANT_KEY_INVALID',
        })
      }
    },
  )

  it.each(tiered.filter(o => o.credential === 'tier+optional-tenant-key').map(operation => [operation.id, operation] as const))(
    '%s refuses a tenant key that is not valid',
    async (_id, operation) => {
      for (const key of [newTenantKey(), '', ' ']) {
        const headers = { ...bearer(service.internalsKey), 'x-tenant-api-key': key }
        expect(await refusal(operation, headers)).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
      }
    },
  )

  it('pause nothing with a tenant key that is empty', async () => {
    const headers = { ...bearer(service.adminKey), 'x-tenant-api-key': '' }
    expect((await service.call('POST', '/admin/runtime/pause', { headers, body: {} })).body.code).toBe('TENANT_KEY_INVALID')
    const { rows } = await service.database.owner.query("select state from runtime_states where tenant_id = '-'")
    expect(rows).toEqual([{ state: 'running' }])
  })
})

describe('routes of a tenant', () => {
  it.each(all.filter(o => o.credential === 'tenant').map(operation => [operation.id, operation] as const))(
    '%s asks for the tenant, and checks a key that is presented first',
    async (_id, operation) => {
      const id = { 'x-tenant-id': tenant.tenant_id }
      expect(await refusal(operation, {})).toMatchObject({ status: 400, code: 'TENANT_ID_MISSING' })
      expect(await refusal(operation, { 'x-tenant-id': 'ten_0000000000000000000000' })).toMatchObject({
        status: 401,
        code: 'TENANT_UNKNOWN',
      })
      expect(await refusal(operation, { 'x-tenant-id': 'nobody' })).toMatchObject({ status: 401, code: 'TENANT_UNKNOWN' })
      for (const key of ['nonsense', revokedKey, newTenantKey(), service.adminKey]) {
        expect(await refusal(operation, { ...id, ...bearer(key) })).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
        expect(await refusal(operation, { ...id, 'x-tenant-api-key': key })).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
      }
      for (const empty of ['x-tenant-api-key', 'authorization'])
        expect(await refusal(operation, { ...id, [empty]: '' })).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
      const besideKey = { ...bearer(tenant.api_key), 'x-tenant-api-key': '' }
      expect(await refusal(operation, besideKey)).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
      expect(await refusal(operation, { 'x-tenant-id': '' })).toMatchObject({ status: 400, code: 'TENANT_ID_MISSING' })
      expect(await refusal(operation, { ...id, ...bearer(other.api_key) })).toMatchObject({ status: 403, code: 'TENANT_MISMATCH' })
      const missing = { 'x-tenant-id': 'ten_0000000000000000000000', ...bearer(other.api_key) }
      expect(await refusal(operation, missing)).toMatchObject({ status: 403, code: 'TENANT_MISMATCH' })
      const two = { ...id, ...bearer(tenant.api_key), 'x-tenant-api-key': other.api_key }
      expect(await refusal(operation, two)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      // With the right credential the next check is the body.
      expect(await refusal(operation, id)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(await refusal(operation, { ...id, ...bearer(tenant.api_key) })).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      // A key names its tenant.
      expect(await refusal(operation, bearer(tenant.api_key))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(await refusal(operation, bearer(newTenantKey()))).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
    },
  )

  it.each(
    all.filter(o => o.credential === 'tenant-key' || o.credential === 'any-key').map(operation => [operation.id, operation] as const),
  )('%s asks for a tenant key', async (_id, operation) => {
    expect(await refusal(operation, {})).toMatchObject({ status: 401, code: 'AUTH_MISSING' })
    expect(await refusal(operation, { 'x-tenant-id': tenant.tenant_id })).toMatchObject({ status: 401, code: 'AUTH_MISSING' })
    for (const key of ['nonsense', revokedKey, newTenantKey()]) {
      expect(await refusal(operation, bearer(key))).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
    }
    expect(await refusal(operation, { 'x-tenant-api-key': '' })).toMatchObject({ status: 401, code: 'TENANT_KEY_INVALID' })
    const mismatch = { 'x-tenant-id': other.tenant_id, ...bearer(tenant.api_key) }
    expect(await refusal(operation, mismatch)).toMatchObject({ status: 403, code: 'TENANT_MISMATCH' })
  })
})

describe('keys', () => {
  it('reach down but not up, and health tells the tier of the key', async () => {
    const admin = await service.call('GET', '/admin/health', { headers: bearer(service.adminKey) })
    expect(admin.body).toMatchObject({ status: 'ok', tier: 'admin', authTier: 'admin' })
    const higher = await service.call('GET', '/admin/health', { headers: bearer(service.internalsKey) })
    expect(higher.body).toMatchObject({ tier: 'admin', authTier: 'internals' })
    const internals = await service.call('GET', '/internals/health', { headers: bearer(service.internalsKey) })
    expect(internals.body).toMatchObject({ tier: 'internals', authTier: 'internals' })
  })

  it('of every tier may ask what they are', async () => {
    const me = (key: string) => service.call('GET', '/api/me', { headers: bearer(key) })
    const limits = { text_characters: 100_000, body_bytes: 2_097_152, file_bytes: 26_214_400, documents: null, requests_per_second: null }
    expect((await me(service.adminKey)).body).toMatchObject({ tenant_id: null, tier: 'admin', rights: [], limits, usage: null })
    expect((await me(service.internalsKey)).body).toMatchObject({ tenant_id: null, tier: 'internals' })
    await service.admin('PUT', `/admin/tenants/${other.tenant_id}/limits`, { documents: 7 })
    expect((await me(other.api_key)).body).toMatchObject({
      tenant_id: other.tenant_id,
      tier: 'public',
      rights: ['read', 'ingest', 'decide', 'erase', 'manage', 'hold'],
      limits: { ...limits, documents: 7 },
      usage: { documents: 0, bytes: 0, scopes: 0 },
    })
    expect(await me('x'.repeat(40))).toMatchObject({ status: 401, body: { code: 'TENANT_KEY_INVALID' } })
  })

  it('stop working when they are revoked', async () => {
    const made = await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, { label: 'short-lived' })
    expect(made.status).toBe(201)
    const before = await service.call('GET', '/api/scopes', { headers: bearer(made.body.api_key) })
    expect(before.status).toBe(200)
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/keys/${made.body.key_id}`)
    const after = await service.call('GET', '/api/scopes', { headers: bearer(made.body.api_key) })
    expect(after.status).toBe(401)
  })
})
