/** People who sign in with an issuer: what they get, and what the service does not fall for. */

import { createHmac } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from '../support/issuer.js'
import { startTestService, type TestService } from '../support/service.js'

const redirectUrl = 'http://127.0.0.1:9/desk'
let issuer: TestIssuer
let database: TestDatabase
let service: TestService
let tenant: { tenant_id: string; api_key: string }
let other: { tenant_id: string; api_key: string }

beforeAll(async () => {
  issuer = await startTestIssuer()
  // The mapping names tenants, so they are made before the service that maps to them.
  database = await cloneDatabase({ tenantPool: 6, enginePool: 8 })
  const before = await startTestService({}, { database })
  tenant = await before.createTenant()
  other = await before.createTenant()
  await before.stop()
  service = await startTestService(
    {
      PUBLIC_AUTH: 'key',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_REDIRECT_URL: redirectUrl,
      OIDC_NAME: 'Example ID',
      OIDC_TIMEOUT_MS: '20000',
      OIDC_MAPPING: JSON.stringify([
        { claim: 'groups', value: 'reviewers', tenant_id: tenant.tenant_id, rights: ['read', 'decide'] },
        { claim: 'realm.role', value: 'clerk', tenant_id: tenant.tenant_id, rights: ['ingest'], scopes: ['case-1'] },
        { claim: 'groups', value: 'reviewers', tenant_id: other.tenant_id, rights: ['read'] },
        { claim: 'groups', value: 'lost', tenant_id: 'ten_0000000000000000000000', rights: ['read'] },
      ]),
    },
    { database },
  )
})
afterEach(() => {
  issuer.behaviour.token = undefined
  issuer.behaviour.answer = undefined
  issuer.behaviour.forgetful = false
})
afterAll(async () => {
  await service.stop()
  await database.close()
  await issuer.close()
})

const ada: JWTPayload = { sub: 'u-1', email: 'ada@example.com', email_verified: true, groups: ['staff', 'reviewers'] }
const cookieFrom = (answer: { headers: Headers }, name: string) =>
  answer.headers.getSetCookie().find(cookie => cookie.startsWith(`${name}=`)) as string
const pairOf = (cookie: string) => cookie.split(';', 1)[0] as string

interface Sent {
  code?: string
  state?: string
  iss?: string
  tenant_id?: string
  cookie?: string
}

/** Begins in one browser, lets the person in at the issuer, and comes back. */
async function signIn(claims: JWTPayload = ada, change: Sent = {}) {
  const begun = await service.call('POST', '/api/sign-in')
  expect(begun.status, begun.text).toBe(200)
  const { cookie = pairOf(cookieFrom(begun, 'concord_sign_in')), ...sent } = change
  const body = { ...issuer.approve(begun.body.authorization_url, claims), ...sent }
  const answer = await service.call('POST', '/api/session', { headers: { cookie }, body })
  return { answer, body, signInCookie: cookie, url: new URL(begun.body.authorization_url) }
}

async function session(claims: JWTPayload = ada) {
  const { answer } = await signIn(claims)
  expect(answer.status, answer.text).toBe(201)
  const cookie = pairOf(cookieFrom(answer, 'concord_session'))
  const csrf = { cookie, 'x-csrf-token': answer.body.csrf_token as string }
  return { cookie, csrf, id: answer.body.session_id as string, answer }
}

const failure = (detail: RegExp) => ({ status: 401, body: { code: 'SIGN_IN_FAILED', detail: expect.stringMatching(detail) } })

describe('signing in at the desk', () => {
  it('is offered under the name of the issuer, with PKCE, state and nonce', async () => {
    expect((await service.call('GET', '/api/sign-in')).body).toEqual({ oidc: { name: 'Example ID' }, has_session: false })
    const { url } = await signIn()
    expect(url.origin + url.pathname).toBe(`${issuer.url}/authorize`)
    const query = Object.fromEntries(url.searchParams)
    expect(query).toMatchObject({ response_type: 'code', client_id: clientId, redirect_uri: redirectUrl, code_challenge_method: 'S256' })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name], name).toMatch(/^[\w-]{43}$/)
  })

  it('gives a cookie no script can read, and a session that is the person’s alone', async () => {
    const { answer, cookie, csrf } = await session()
    const sent = cookieFrom(answer, 'concord_session')
    expect(sent).toMatch(/; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/)
    expect(answer.text).not.toContain(pairOf(sent).split('=')[1])
    expect(cookieFrom(answer, 'concord_sign_in')).toMatch(/Max-Age=0/)
    expect(answer.body).toMatchObject({ tenant_id: tenant.tenant_id, person: 'ada@example.com', rights: ['read', 'decide'], kind: 'desk' })
    expect(Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at)).toBe(3_600_000)
    const me = await service.call('GET', '/api/me', { headers: { cookie } })
    expect(me.body).toMatchObject({ person: 'ada@example.com', speak_for: false, session: { csrf_token: csrf['x-csrf-token'] } })
    expect((await service.call('GET', '/api/scopes', { headers: { cookie } })).status).toBe(200)
    const ingest = await service.call('POST', '/api/ingest', { headers: csrf, body: { scope_id: 'a', name: 'n', text: 't' } })
    expect(ingest).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
  })

  it('acts as a bound person: nobody else can be named, and the audit says who it was', async () => {
    const { csrf, id } = await session()
    const review = (by: string) =>
      service.call('POST', '/api/decisions/dec_0000000000000000000000/review', {
        headers: csrf,
        body: { verdict: 'approve', reason: 'r', by },
      })
    expect(await review('bob')).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
    expect(await review('ada@example.com')).toMatchObject({ status: 404, body: { code: 'DECISION_NOT_FOUND' } })
    const asOperator = { authorization: `Bearer ${service.adminKey}`, ...csrf }
    expect((await service.call('GET', '/admin/scopes', { headers: asOperator })).status).toBe(200)
    const { body } = await service.admin('GET', `/admin/audit?tenant_id=${tenant.tenant_id}`)
    const details = body.items.map(({ action, detail }: { action: string; detail: object }) => ({ action, detail }))
    expect(details).toContainEqual({ action: 'listScopes', detail: { session: id, person: 'ada@example.com' } })
    expect(details).toContainEqual({ action: 'createSession', detail: { session: id, person: 'ada@example.com', subject: 'u-1' } })
  })

  it('maps nested claims and scopes, and takes the tenant that is asked for among those mapped', async () => {
    const clerk = { ...ada, groups: [], realm: { role: 'clerk' } }
    expect((await signIn(clerk)).answer.body).toMatchObject({ rights: ['ingest'], scopes: ['case-1'] })
    expect((await signIn(ada, { tenant_id: other.tenant_id })).answer.body).toMatchObject({ tenant_id: other.tenant_id, rights: ['read'] })
    expect((await signIn(clerk, { tenant_id: other.tenant_id })).answer).toMatchObject({ status: 403, body: { code: 'SIGN_IN_REFUSED' } })
  })

  it.each<[string, JWTPayload]>([
    ['no rule names', { ...ada, groups: ['staff'] }],
    ['have an address nobody verified', { ...ada, email_verified: false }],
    ['have no name', { sub: 'u-1', groups: ['reviewers'] }],
    ['have a name that cannot be written down', { ...ada, email: 'ada\u0000@example.com' }],
    ['are mapped to a tenant that is gone', { ...ada, groups: ['lost'] }],
  ])('refuses people who %s', async (_who, claims) => {
    expect((await signIn(claims)).answer).toMatchObject({ status: 403, body: { code: 'SIGN_IN_REFUSED' } })
  })
})

describe('what is not fallen for', () => {
  const withToken = async (token: TestIssuer['behaviour']['token']) => {
    issuer.behaviour.token = token
    return (await signIn()).answer
  }
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = (alg: string, claims: JWTPayload, signature: (signed: string) => string) => {
    const now = Math.floor(Date.now() / 1000)
    const signed = `${encoded({ alg, kid: 'k1' })}.${encoded({ iss: issuer.url, aud: clientId, iat: now, exp: now + 300, ...claims })}`
    return `${signed}.${signature(signed)}`
  }

  it('a token without a signature, or one signed with the public key as a secret', async () => {
    expect(await withToken(claims => forged('none', claims, () => ''))).toMatchObject(failure(/not acceptable/))
    const hmac = (signed: string) => createHmac('sha256', issuer.publicKeyPem).update(signed).digest('base64url')
    expect(await withToken(claims => forged('HS256', claims, hmac))).toMatchObject(failure(/ALG_NOT_ALLOWED/))
    expect(await withToken(claims => forged('ES256', claims, () => 'A'.repeat(86)))).toMatchObject(failure(/SIGNATURE/))
  })

  const hour = Math.floor(Date.now() / 1000) + 3600
  it.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['another service', { aud: 'another' }],
    ['several services', { aud: [clientId, 'another'] }],
    ['another party', { azp: 'another' }],
    ['the past', { exp: hour - 4000 }],
    ['long ago', { iat: hour - 7200, exp: hour }],
    ['the future', { nbf: hour }],
    ['another sign-in', { nonce: 'another' }],
    ['no sign-in', { nonce: undefined }],
  ])('a token for or from %s', async (_what, change) => {
    expect(await withToken(claims => issuer.sign({ ...claims, ...change }))).toMatchObject(failure(/ID token/))
  })

  it('an answer to a sign-in of another browser, or of none', async () => {
    const mine = await signIn()
    expect((await signIn(ada, { state: mine.body.state })).answer).toMatchObject(failure(/another sign-in/))
    expect((await signIn(ada, { cookie: mine.signInCookie })).answer).toMatchObject(failure(/another sign-in/))
    expect((await signIn(ada, { cookie: 'x=y' })).answer).toMatchObject(failure(/not begun in this browser/))
    expect((await signIn(ada, { iss: 'https://elsewhere.example' })).answer).toMatchObject(failure(/another issuer/))
    expect((await signIn(ada, { code: mine.body.code })).answer).toMatchObject(failure(/invalid_grant/))
  })

  it('a code that is used twice, even where the issuer does not notice', async () => {
    issuer.behaviour.forgetful = true
    const { answer, body, signInCookie } = await signIn()
    expect(answer.status).toBe(201)
    const again = await service.call('POST', '/api/session', { headers: { cookie: signInCookie }, body })
    expect(again).toMatchObject(failure(/made its session already/))
  })

  it('a place to be sent to: the address of the desk is the operator’s alone', async () => {
    const begun = await service.call('POST', '/api/sign-in?redirect_uri=https://evil.example&return_to=//evil.example')
    expect(new URL(begun.body.authorization_url).searchParams.get('redirect_uri')).toBe(redirectUrl)
    const { body, signInCookie } = await signIn()
    const sent = await service.call('POST', '/api/session', { headers: { cookie: signInCookie }, body: { ...body, return_to: '//evil' } })
    expect(sent).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('a session', () => {
  it('changes nothing without the token of its page', async () => {
    const { cookie } = await session()
    const foreign = await session()
    for (const token of [undefined, '', 'x', foreign.csrf['x-csrf-token']]) {
      const headers = { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) }
      const answer = await service.call('DELETE', '/api/session', { headers })
      expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
    }
    expect((await service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(200)
  })

  it('is of one tenant', async () => {
    const { cookie } = await session()
    const answer = await service.call('GET', '/api/scopes', { headers: { cookie, 'x-tenant-id': other.tenant_id } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_MISMATCH' } })
  })

  it('gives way to a key, and does not narrow what an operator asks of all tenants', async () => {
    const { cookie } = await session()
    const me = await service.call('GET', '/api/me', { headers: { cookie, 'x-tenant-api-key': other.api_key } })
    expect(me.body).toMatchObject({ tenant_id: other.tenant_id, session: null })
    const asOperator = { authorization: `Bearer ${service.adminKey}`, cookie }
    expect((await service.call('GET', '/admin/quarantine', { headers: asOperator })).status).toBe(200)
    const { body } = await service.admin('GET', '/admin/audit?action=listQuarantine')
    expect(body.items[0]).toMatchObject({ tenant_id: null, detail: {} })
  })

  it('ends when the person signs out, and its cookie is dropped', async () => {
    const { cookie, csrf, id } = await session()
    const ended = await service.call('DELETE', '/api/session', { headers: csrf })
    expect(ended.body).toMatchObject({ session_id: id, revoked_at: expect.any(String) })
    expect(cookieFrom(ended, 'concord_session')).toMatch(/^concord_session=; .*Max-Age=0/)
    expect(await service.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
    const withKey = await service.call('DELETE', '/api/session', { headers: { 'x-tenant-api-key': tenant.api_key } })
    expect(withKey).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  })

  it('is listed for operators, who can end it', async () => {
    const { cookie, id } = await session()
    const path = `/admin/tenants/${tenant.tenant_id}/sessions`
    const { body } = await service.admin('GET', `${path}?limit=200`)
    expect(body.items).toContainEqual(expect.objectContaining({ session_id: id, person: 'ada@example.com', subject: 'u-1' }))
    expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1])
    const elsewhere = await service.admin('DELETE', `/admin/tenants/${other.tenant_id}/sessions/${id}`)
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } })
    expect((await service.admin('DELETE', `${path}/${id}`)).body.revoked_at).not.toBeNull()
    expect((await service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
  })

  it('ends by itself, by the clock of the database', async () => {
    const { cookie, id } = await session()
    await service.database.owner.query(
      "update sessions set created_at = created_at - interval '30 minutes', expires_at = clock_timestamp() where session_id = $1",
      [id],
    )
    await service.admin('PUT', `/admin/tenants/${tenant.tenant_id}/limits`, {})
    expect(await service.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
    await expect(
      service.database.owner.query("update sessions set expires_at = created_at + interval '61 minutes' where session_id = $1", [id]),
    ).rejects.toThrow(/check constraint/)
  })
})

describe('an issuer', () => {
  const startFresh = () =>
    startTestService({
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: clientId,
      OIDC_REDIRECT_URL: redirectUrl,
      OIDC_TIMEOUT_MS: '500',
      OIDC_MAPPING: JSON.stringify([{ claim: 'groups', value: 'x', tenant_id: tenant.tenant_id, rights: ['read'] }]),
    })

  it('that is silent, broken, endless or somebody else is a clear problem, and is asked again', async () => {
    const fresh = await startFresh()
    const hostile: [string, NonNullable<TestIssuer['behaviour']['answer']>][] = [
      ['silent', () => true],
      ['broken', (_path, response) => Boolean(response.writeHead(500).end('<html>'))],
      ['no JSON', (_path, response) => Boolean(response.end('hello'))],
      ['elsewhere', (_path, response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())],
      ['endless', (_path, response) => Boolean(response.end(JSON.stringify({ issuer: 'x'.repeat(600_000) })))],
      ['another', (_path, response) => Boolean(response.end(JSON.stringify({ issuer: 'https://elsewhere.example' })))],
    ]
    try {
      for (const [name, answer] of hostile) {
        issuer.behaviour.answer = answer
        const begun = await fresh.call('POST', '/api/sign-in')
        expect(begun, name).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
        expect(begun.headers.get('retry-after')).toBe('5')
      }
      issuer.behaviour.answer = undefined
      await expect.poll(async () => (await fresh.call('POST', '/api/sign-in')).status, { timeout: 20_000 }).toBe(200)
    } finally {
      await fresh.stop()
    }
  })

  it('that does not know the service any more is a problem of the service, not of the person', async () => {
    issuer.behaviour.answer = (path, response) => path === '/token' && Boolean(response.writeHead(401).end('{"error":"invalid_client"}'))
    expect((await signIn()).answer).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
  })
})

describe('signing in with another device', () => {
  const begin = async () => (await service.call('POST', '/api/sign-in/device')).body
  const ask = (device_code: string) => service.call('POST', '/api/session/device', { body: { device_code } })

  it('waits for the person, then gives a token that is used like a key, once', async () => {
    const begun = await begin()
    expect(begun).toMatchObject({ verification_uri: `${issuer.url}/activate`, interval: 1 })
    const waiting = await ask(begun.device_code)
    expect(waiting.status).toBe(202)
    expect(waiting.headers.get('retry-after')).toBe('1')
    issuer.approveDevice(begun.user_code, ada)
    const { status, body } = await ask(begun.device_code)
    expect({ status, ...body }).toMatchObject({
      status: 201,
      kind: 'device',
      person: 'ada@example.com',
      token: expect.stringMatching(/^cns_/),
    })
    const me = await service.call('GET', '/api/me', { headers: { authorization: `Bearer ${body.token}` } })
    expect(me.body).toMatchObject({ person: 'ada@example.com', speak_for: false, session: { csrf_token: null } })
    expect(await ask(begun.device_code)).toMatchObject(failure(/made its session already/))
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await service.call('DELETE', '/api/session', { headers })).status).toBe(200)
    expect(await service.call('GET', '/api/me', { headers })).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
  })

  it('refuses codes it did not give, and people who are not mapped', async () => {
    expect(await ask('nonsense')).toMatchObject(failure(/expired_token/))
    const begun = await begin()
    issuer.approveDevice(begun.user_code, { ...ada, groups: [] })
    expect(await ask(begun.device_code)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_REFUSED' } })
  })
})

describe('without an issuer', () => {
  it('nobody signs in, and sessions of before do not count', async () => {
    const { cookie } = await session()
    const plain = await startTestService({}, { database })
    try {
      expect((await plain.call('GET', '/api/sign-in')).body).toEqual({ oidc: null, has_session: false })
      for (const path of ['/api/sign-in', '/api/sign-in/device']) {
        expect(await plain.call('POST', path)).toMatchObject({ status: 404, body: { code: 'SIGN_IN_DISABLED' } })
      }
      expect(await plain.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({ status: 401, body: { code: 'AUTH_MISSING' } })
      const token = cookie.split('=')[1] as string
      expect((await plain.call('GET', '/api/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    } finally {
      await plain.stop()
    }
  })
})
