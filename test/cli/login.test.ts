/** `concord login`: a key or a person after signing in, kept in a profile. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from '../support/issuer.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-login-'))
const profiles = join(folder, 'concord', 'profiles.json')
const ada = { sub: 'u-1', email: 'ada@example.com', email_verified: true, groups: ['reviewers'] }
let database: TestDatabase
let issuer: TestIssuer
let service: TestService
let tenant: { tenant_id: string; api_key: string }
let env: Record<string, string>

beforeAll(async () => {
  issuer = await startTestIssuer()
  database = await cloneDatabase({ tenantPool: 6, enginePool: 8 })
  const before = await startTestService({}, { database })
  tenant = await before.createTenant()
  await before.stop()
  const rule = { claim: 'groups', value: 'reviewers', tenant_id: tenant.tenant_id, rights: ['read', 'decide'] }
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_TIMEOUT_MS: '20000' }
  const where = { OIDC_REDIRECT_URL: 'http://127.0.0.1:9/desk', OIDC_MAPPING: JSON.stringify([rule]) }
  service = await startTestService({ ...oidc, ...where }, { database })
  env = { XDG_CONFIG_HOME: folder, DATA_DIR: join(folder, 'none'), CONCORD_URL: service.url, USER: 'tester' }
})
afterAll(async () => {
  await service.stop()
  await database.close()
  await issuer.close()
  rmSync(folder, { recursive: true, force: true })
})

const kept = () => JSON.parse(readFileSync(profiles, 'utf8')).profiles
const report = async () => {
  const body = { scope_id: 'case-1', claim_a: 'It rained.', claim_b: 'It did not.', source_a: 'a', source_b: 'b', severity: 'low' }
  return (await service.call('POST', '/api/contradictions', { headers: { 'x-tenant-api-key': tenant.api_key }, body })).body
}

describe('concord login', () => {
  it('waits for a person who signs in elsewhere, and decides in their name until they log out', async () => {
    issuer.behaviour.device = ada
    const login = await runConcord(env, 'login', '--oidc', '--json')
    expect(login, login.err).toMatchObject({
      code: 0,
      json: { tenant_id: tenant.tenant_id, person: 'ada@example.com', profile: 'default' },
    })
    expect(login.err).toMatch(/Open http:\S+\/activate and check or type in the code USER-\d+\./)
    const { tenantKey } = kept().default
    expect(tenantKey).toMatch(/^cns_/)
    expect(login.out + login.err).not.toContain(tenantKey)
    expect(statSync(profiles).mode & 0o777).toBe(0o600)

    const { contradiction_id: id } = await report()
    const resolved = await runConcord(env, 'resolve', id, 'a', '--reason', 'It is in the diary.', '--json')
    expect(resolved, resolved.err).toMatchObject({ code: 0, json: { resolution: { by: 'ada@example.com' } } })
    const asBob = await runConcord(env, 'resolve', id, 'b', '--reason', 'r', '--by', 'bob')
    expect(asBob).toMatchObject({ code: 1, err: expect.stringContaining('RIGHTS_INSUFFICIENT') })

    expect(await runConcord(env, 'logout')).toMatchObject({ code: 0 })
    expect(kept().default).not.toHaveProperty('tenantKey')
    const ended = await runConcord({ ...env, CONCORD_TENANT_KEY: tenantKey }, 'scopes')
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('concord login --oidc') })
    expect(await runConcord(env, 'logout')).toMatchObject({ code: 1, err: expect.stringContaining('not logged in') })
    expect(await runConcord(env, 'logout', '--profile', 'typo')).toMatchObject({ code: 1, err: expect.stringContaining('no profile typo') })
  })

  it('can be undone by an operator', async () => {
    issuer.behaviour.device = ada
    expect(await runConcord(env, 'login', '--oidc')).toMatchObject({ code: 0 })
    const operator = { ...env, CONCORD_ADMIN_KEY: service.adminKey }
    const { json: sessions } = await runConcord(operator, 'sessions', 'list', tenant.tenant_id, '--json')
    const mine = sessions.find((session: { revoked_at: string | null }) => session.revoked_at === null)
    expect(mine).toMatchObject({ person: 'ada@example.com', kind: 'device', rights: ['read', 'decide'] })
    const ended = await runConcord(operator, 'sessions', 'revoke', tenant.tenant_id, mine.session_id, '--yes')
    expect(ended).toMatchObject({ code: 0, out: 'The session of ada@example.com has ended.\n' })
    expect(await runConcord(env, 'scopes')).toMatchObject({ code: 1, err: expect.stringContaining('SESSION_INVALID') })
  })

  it('opens no session where its token cannot be kept', async () => {
    issuer.behaviour.device = ada
    const operator = { ...env, CONCORD_ADMIN_KEY: service.adminKey }
    const sessions = async () => (await runConcord(operator, 'sessions', 'list', tenant.tenant_id, '--json')).json.length
    const before = await sessions()
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    symlinkSync(join(folder, 'nowhere', 'at', 'all'), join(closed, 'concord'))
    const login = await runConcord({ ...env, XDG_CONFIG_HOME: closed }, 'login', '--oidc')
    expect(login).toMatchObject({ code: 1, err: expect.stringContaining('profiles.json cannot be written (E') })
    expect(await sessions()).toBe(before)
  })

  it('ends the session where its token cannot be kept after all', async () => {
    const operator = { ...env, CONCORD_ADMIN_KEY: service.adminKey }
    const lasting = async () => {
      const { json } = await runConcord(operator, 'sessions', 'list', tenant.tenant_id, '--json')
      return json.filter((session: { revoked_at: string | null }) => session.revoked_at === null).length
    }
    const before = await lasting()
    const spoilt = mkdtempSync(join(folder, 'spoilt-'))
    issuer.behaviour.device = ada
    issuer.behaviour.answer = () => {
      mkdirSync(join(spoilt, 'concord', 'profiles.json'), { recursive: true })
      return false
    }
    const login = await runConcord({ ...env, XDG_CONFIG_HOME: spoilt }, 'login', '--oidc')
    issuer.behaviour.answer = undefined
    expect(login).toMatchObject({ code: 1, err: expect.stringContaining('profiles.json cannot be read (EISDIR)') })
    expect(await lasting()).toBe(before)
  })

  it('keeps a token before it asks anything else', async () => {
    issuer.behaviour.device = ada
    const { fetch } = globalThis
    const failing = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname
      return path === '/api/me' ? Promise.resolve(new Response('{}', { status: 500 })) : fetch(input, init)
    })
    const login = await runConcord(env, 'login', '--oidc', '--as', 'early')
    failing.mockRestore()
    expect(login, login.err).toMatchObject({ code: 0, out: expect.stringContaining('as ada@example.com') })
    expect(kept().early).toMatchObject({ url: service.url, tenantId: tenant.tenant_id, tenantKey: expect.stringMatching(/^cns_/) })
    expect((await runConcord(env, 'logout', '--profile', 'early')).code).toBe(0)
  })

  it('says why a person is not let in', async () => {
    issuer.behaviour.device = { ...ada, groups: [] }
    expect(await runConcord(env, 'login', '--oidc')).toMatchObject({ code: 1, err: expect.stringContaining('SIGN_IN_REFUSED') })
  })

  it('keeps a key that is given, once the server knows it', async () => {
    const login = await runConcord(env, 'login', '--tenant-key', tenant.api_key, '--as', 'work', '--json')
    expect(login, login.err).toMatchObject({ code: 0, json: { tenant_id: tenant.tenant_id, person: null, profile: 'work' } })
    expect(kept().work).toEqual({ url: service.url, tenantId: tenant.tenant_id, tenantKey: tenant.api_key })
    const { DATA_DIR: _none, ...bare } = env
    const data = join(folder, 'data')
    expect((await runConcord(bare, 'login', '--tenant-key', tenant.api_key, '--as', 'work', '--data-dir', data)).code).toBe(0)
    expect(kept().work).toMatchObject({ tenantKey: tenant.api_key, dataDir: data })
    // Commands beside the service find its data by the profile; the environment wins.
    expect((await runConcord(bare, 'verify', '--profile', 'work')).err).toContain(`${data} holds no database`)
    expect((await runConcord(env, 'verify', '--profile', 'work')).err).toContain(`${env['DATA_DIR']} holds no database`)
    const wrong = await runConcord(env, 'login', '--tenant-key', 'cnk_nonsense', '--as', 'wrong')
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('TENANT_KEY_INVALID') })
    expect(kept()).not.toHaveProperty('wrong')
    expect(await runConcord(env, 'login')).toMatchObject({ code: 2, err: expect.stringContaining('--tenant-key') })
  })
})
