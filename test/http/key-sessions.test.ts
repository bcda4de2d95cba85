import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

const operator = 'an-admin-key-of-this-test-0123456789'
let service: TestService
beforeAll(async () => {
  service = await startTestService({ SESSION_IDLE_MINUTES: '30', SESSION_LONGEST_MINUTES: '120', ADMIN_API_KEY: operator })
})
afterAll(() => service.stop())

/** A browser that exchanged a key. */
async function exchange(key: string, cookie?: string) {
  const headers = { 'x-tenant-api-key': key, ...(cookie === undefined ? {} : { cookie }) }
  const answer = await service.call('POST', '/api/session/key', { headers })
  const set = answer.headers.get('set-cookie') ?? ''
  const held = set.split(';')[0] as string
  return { answer, set, cookie: held, csrf: { cookie: held, 'x-csrf-token': answer.body.csrf_token as string } }
}

const me = (cookie: string) => service.call('GET', '/api/me', { headers: { cookie } })
const forget = (tenantId: string) => service.admin('PUT', `/admin/tenants/${tenantId}/limits`, {})

describe('a session that a key was exchanged for', () => {
  it('is a cookie no script can read, with what the key may do, and no token in the answer', async () => {
    const tenant = await service.createTenant()
    const { answer, set, cookie, csrf } = await exchange(tenant.api_key)
    expect(answer.status, answer.text).toBe(201)
    expect(set).toMatch(/^concord_session=cns_\w+; Path=\/; Max-Age=7200; HttpOnly; SameSite=Strict$/)
    expect(answer.text).not.toContain(cookie.split('=')[1])
    expect(answer.body).toMatchObject({ tenant_id: tenant.tenant_id, kind: 'desk', person: null, key_id: expect.any(String), scopes: null })
    expect((await me(cookie)).body).toMatchObject({ tenant_id: tenant.tenant_id, speak_for: true, person: null })
    const document = { scope_id: 'a', name: 'n', text: 't' }
    expect((await service.call('POST', '/api/ingest', { headers: csrf, body: document })).status).toBe(202)
    expect((await service.call('POST', '/api/ingest', { headers: { cookie }, body: document })).body.code).toBe('CSRF_INVALID')
    expect((await service.call('GET', '/api/sign-in', { headers: { cookie } })).body).toEqual({ oidc: null, has_session: true })
  })

  it('has the rights, scopes, person and end of the key, and ends with it', async () => {
    const tenant = await service.createTenant()
    const wanted = {
      label: 'r',
      rights: ['read', 'decide'],
      scopes: ['case-1'],
      person: 'ada',
      speak_for: false,
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    }
    const key = (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)).body
    const { cookie, csrf } = await exchange(key.api_key)
    expect((await me(cookie)).body).toMatchObject({
      rights: ['read', 'decide'],
      reach: ['case-1'],
      person: 'ada',
      speak_for: false,
      expires_at: wanted.expires_at,
    })
    expect((await service.call('POST', '/api/ingest', { headers: csrf, body: { scope_id: 'case-1', name: 'n', text: 't' } })).status).toBe(
      403,
    )
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/keys/${key.key_id}`)
    await expect.poll(async () => (await me(cookie)).body.code).toBe('SESSION_INVALID')
  })

  it('says the end of its key where that comes first, and is listed until then', async () => {
    const tenant = await service.createTenant()
    const end = new Date(Date.now() + 600_000).toISOString()
    const wanted = { label: 'short', expires_at: end }
    const key = (await service.admin('POST', `/admin/tenants/${tenant.tenant_id}/keys`, wanted)).body
    const { answer, set } = await exchange(key.api_key)
    expect(answer.body.expires_at).toBe(end)
    expect(Number(/Max-Age=(\d+);/.exec(set)?.[1])).toBeLessThanOrEqual(600)
    const listed = async () => (await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/sessions`)).body.items
    expect(await listed()).toMatchObject([{ session_id: answer.body.session_id, expires_at: end, revoked_at: null }])
    await service.database.owner.query('update tenant_keys set expires_at = clock_timestamp() where key_id = $1', [key.key_id])
    expect(await listed()).toEqual([])
  })

  it('ends when it is not used, and at its longest whatever happens', async () => {
    const tenant = await service.createTenant()
    const { answer, cookie } = await exchange(tenant.api_key)
    const age = async (change: string) => {
      await service.database.owner.query(`update sessions set ${change} where session_id = $1`, [answer.body.session_id])
      await forget(tenant.tenant_id)
      return (await me(cookie)).status
    }
    expect(await age("used_at = clock_timestamp() - interval '29 minutes'")).toBe(200)
    expect(await age("used_at = clock_timestamp() - interval '31 minutes'")).toBe(401)
    expect(
      await age("used_at = clock_timestamp(), created_at = clock_timestamp() - interval '2 hours', expires_at = clock_timestamp()"),
    ).toBe(401)
  })

  it.each([
    ['alone', '/api/me', {}],
    ['beside the key of an operator', '/admin/scopes/none', { authorization: `Bearer ${operator}` }],
  ] as const)('is noted as used by requests %s', async (_how, path, beside) => {
    const tenant = await service.createTenant()
    const { answer, cookie } = await exchange(tenant.api_key)
    await service.database.owner.query("update sessions set used_at = clock_timestamp() - interval '20 minutes' where session_id = $1", [
      answer.body.session_id,
    ])
    expect((await service.call('GET', path, { headers: { ...beside, cookie } })).status).toBe(path === '/api/me' ? 200 : 404)
    const usedAgo = async () =>
      (
        await service.database.owner.query(
          'select extract(epoch from clock_timestamp() - used_at)::float8 as ago from sessions where session_id = $1',
          [answer.body.session_id],
        )
      ).rows[0].ago as number
    await expect.poll(usedAgo).toBeLessThan(600)
  })

  it('takes the place of the one the browser had, and is exchanged for no other', async () => {
    const tenant = await service.createTenant()
    const first = await exchange(tenant.api_key)
    const second = await exchange(tenant.api_key, first.cookie)
    await expect.poll(async () => (await me(first.cookie)).status).toBe(401)
    expect((await me(second.cookie)).status).toBe(200)
    const token = second.cookie.split('=')[1] as string
    expect((await exchange(token)).answer.body.code).toBe('KEY_NEEDED')
    expect((await exchange('cnk_unknown')).answer.status).toBe(401)
    expect((await service.call('POST', '/api/session/key', { headers: second.csrf })).body.code).toBe('KEY_NEEDED')
  })

  it('is listed for operators and ended by them, and is in the audit log', async () => {
    const tenant = await service.createTenant()
    const { answer, cookie } = await exchange(tenant.api_key)
    const listed = (await service.admin('GET', `/admin/tenants/${tenant.tenant_id}/sessions`)).body.items
    expect(listed).toMatchObject([{ session_id: answer.body.session_id, key_id: answer.body.key_id }])
    await service.admin('DELETE', `/admin/tenants/${tenant.tenant_id}/sessions/${answer.body.session_id}`)
    await expect.poll(async () => (await me(cookie)).status).toBe(401)
    const rows = await service.database.owner.query("select actor from audit_log where tenant_id = $1 and action = 'createKeySession'", [
      tenant.tenant_id,
    ])
    expect(rows.rows).toEqual([{ actor: `key:${answer.body.key_id}` }])
  })
})
