/** People who sign in with an issuer: what they get, and when it ends. */

import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificateLines } from '../../src/client/certificate-lines.js'
import { clientId } from '../support/issuer.js'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService } from '../support/service.js'
import {
  ada,
  type Brought,
  cookieFrom,
  pairOf,
  redirectUrl,
  type SignInService,
  sessionAt,
  signInAt,
  signInFailure,
  startSignInService,
} from '../support/sign-in-service.js'

let at: SignInService
beforeAll(async () => {
  at = await startSignInService()
})
afterAll(() => at.stop())

const signIn = (claims?: JWTPayload, change?: Brought) => signInAt(at, claims, change)
const session = (claims?: JWTPayload) => sessionAt(at, claims)

describe('signing in at the desk', () => {
  it('is offered under the name of the issuer, with PKCE, state and nonce', async () => {
    expect((await at.service.call('GET', '/api/sign-in')).body).toEqual({ oidc: { name: 'Example ID' }, has_session: false })
    const { url } = await signIn()
    expect(url.origin + url.pathname).toBe(`${at.issuer.url}/authorize`)
    const query = Object.fromEntries(url.searchParams)
    expect(query).toMatchObject({ response_type: 'code', client_id: clientId, redirect_uri: redirectUrl, code_challenge_method: 'S256' })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name], name).toMatch(/^[\w-]{43}$/)
  })

  it('gives a cookie no script can read, and a session that is the person’s alone', async () => {
    const { answer, cookie, csrf } = await session()
    const sent = cookieFrom(answer, 'concord_session')
    expect(sent).toMatch(/; Path=\/; Max-Age=36000; HttpOnly; SameSite=Strict$/)
    expect(answer.text).not.toContain(pairOf(sent).split('=')[1])
    expect(cookieFrom(answer, 'concord_sign_in')).toMatch(/Max-Age=0/)
    expect(answer.body).toMatchObject({
      tenant_id: at.tenant.tenant_id,
      person: 'ada@example.com',
      rights: ['read', 'decide'],
      kind: 'desk',
    })
    expect(Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at)).toBe(36_000_000)
    const me = await at.service.call('GET', '/api/me', { headers: { cookie } })
    expect(me.body).toMatchObject({ person: 'ada@example.com', speak_for: false, session: { csrf_token: csrf['x-csrf-token'] } })
    expect((await at.service.call('GET', '/api/scopes', { headers: { cookie } })).status).toBe(200)
    const ingest = await at.service.call('POST', '/api/ingest', { headers: csrf, body: { scope_id: 'a', name: 'n', text: 't' } })
    expect(ingest).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
  })

  it('acts as a bound person: nobody else can be named, and the audit says who it was', async () => {
    const { csrf, id } = await session()
    const review = (by: string) =>
      at.service.call('POST', '/api/decisions/dec_0000000000000000000000/review', {
        headers: csrf,
        body: { verdict: 'approve', reason: 'r', by },
      })
    expect(await review('bob')).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
    expect(await review('ada@example.com')).toMatchObject({ status: 404, body: { code: 'DECISION_NOT_FOUND' } })
    const asOperator = { authorization: `Bearer ${at.service.adminKey}`, ...csrf }
    expect((await at.service.call('GET', '/admin/scopes', { headers: asOperator })).status).toBe(200)
    const { body } = await at.service.admin('GET', `/admin/audit?tenant_id=${at.tenant.tenant_id}`)
    const details = body.items.map(({ action, detail }: { action: string; detail: object }) => ({ action, detail }))
    expect(details).toContainEqual({ action: 'listScopes', detail: { session: id, person: 'ada@example.com' } })
    expect(details).toContainEqual({ action: 'createSession', detail: { session: id, person: 'ada@example.com', subject: 'u-1' } })
  })

  it('vouches for the name on a sign-off, where a key only gives one', async () => {
    const key = { 'x-tenant-api-key': at.tenant.api_key }
    for (const [id, text] of [
      ['contract', 'The contract sum of Harbour Tower is EUR 4.2M.'],
      ['letter', 'The site manager of Harbour Tower is Anna Weber.'],
    ] as const) {
      const body = { scope_id: 'signed', document_id: id, name: id, text }
      expect((await at.service.call('POST', '/api/ingest', { headers: key, body })).status).toBe(202)
      await at.service.call('GET', `/api/documents/${id}?scope_id=signed&wait=30`, { headers: key })
    }
    const { csrf } = await session()
    const sign = (headers: Record<string, string>, by: string) =>
      at.service.call('POST', '/api/scopes/signed/sign-off', { headers, body: { by, reason: 'I read both.' } })
    expect(await sign(csrf, 'bob')).toMatchObject({ status: 403, body: { code: 'RIGHTS_INSUFFICIENT' } })
    expect((await sign(key, 'R. Roe')).body).toMatchObject({ by: 'R. Roe', vouched: false })
    expect((await sign(csrf, 'ada@example.com')).body).toMatchObject({ by: 'ada@example.com', vouched: true, finality: 'resolved' })
    const { body } = await at.service.call('GET', '/api/scopes/signed/certificate', { headers: key })
    expect(certificateLines(body)?.map(line => line.text.replace(/ on .*/, ''))).toEqual(
      expect.arrayContaining(['Signed off by ada@example.com (own key or sign-in)', 'Signed off by R. Roe (name given with a key)']),
    )
  })

  let finding: string | undefined
  it.each(['people', 'all', 'off'])('leaves one row for what somebody read in an hour, however they came: AUDIT_READS=%s', async reads => {
    const node =
      reads === 'people'
        ? at.service
        : await startTestService({ ...at.settings, AUDIT_READS: reads, ROLE: 'api' }, { database: at.database })
    const who = (kind: string) => ({ ...ada, sub: `${kind}-${reads}`, email: `${kind}-${reads}@example.com` })
    const { api_key: key, key_id } = (await at.service.admin('POST', `/admin/tenants/${at.tenant.tenant_id}/keys`, { rights: ['read'] }))
      .body
    const { device_code, user_code } = (await at.service.call('POST', '/api/sign-in/device')).body
    at.issuer.approveDevice(user_code, who('device'))
    const device = await at.service.call('POST', '/api/session/device', { body: { device_code } })
    finding ??= await addPossible(at.service, at.tenant.tenant_id, 'signed')
    const paths = {
      '/api/documents/contract/text?scope_id=signed': 'document signed contract',
      [`/api/possible-conflicts/${finding}`]: `finding signed ${finding}`,
      '/api/scopes/signed/overview': 'findings signed ',
      '/api/scopes/signed/certificate': 'certificate signed ',
      '/api/scopes/signed/schedule': 'report signed ',
      '/api/scopes/signed/bundle': 'report signed ',
    }
    const readers: [string, Record<string, string>][] = [
      [`desk-${reads}@example.com`, { cookie: (await session(who('desk'))).cookie }],
      [`device-${reads}@example.com`, { 'x-tenant-api-key': device.body.token }],
      [`key:${key_id}`, { 'x-tenant-api-key': key }],
    ]
    try {
      for (const [reader, headers] of readers) {
        for (const path of [...Object.keys(paths), ...Object.keys(paths)])
          expect((await node.call('GET', path, { headers })).status, `${reader} ${path}`).toBe(200)
        const { rows } = await at.database.owner.query(
          'select object, count(*)::int as rows, count(distinct hour)::int as hours from audit_log where reader = $1 group by object',
          [reader],
        )
        expect(rows.every(row => row.rows === row.hours)).toBe(true)
        const isKept = reads === 'all' || (reads === 'people' && !reader.startsWith('key:'))
        expect(rows.map(row => row.object).sort(), reader).toEqual(isKept ? expect.arrayContaining([...new Set(Object.values(paths))]) : [])
      }
    } finally {
      if (node !== at.service) await node.stop()
    }
  })

  it('maps nested claims and scopes, and takes the tenant that is asked for among those mapped', async () => {
    const clerk = { ...ada, groups: [], realm: { role: 'clerk' } }
    expect((await signIn(clerk)).answer.body).toMatchObject({ rights: ['ingest'], scopes: ['case-1'] })
    expect((await signIn(ada, { tenant_id: at.other.tenant_id })).answer.body).toMatchObject({
      tenant_id: at.other.tenant_id,
      rights: ['read'],
    })
    expect((await signIn(clerk, { tenant_id: at.other.tenant_id })).answer).toMatchObject({
      status: 403,
      body: { code: 'SIGN_IN_REFUSED' },
    })
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

describe('somebody who is refused', () => {
  it('is written down once a minute, and counted after that', async () => {
    const nobody = { ...ada, sub: 'u-refused', groups: [] }
    for (let n = 0; n < 4; n++) expect((await signIn(nobody)).answer).toMatchObject({ status: 403, body: { code: 'SIGN_IN_REFUSED' } })
    const { body } = await at.service.admin('GET', '/admin/audit?action=createSession&limit=200')
    const rows = body.items.filter((row: { detail: { subject?: string } }) => row.detail.subject === 'u-refused')
    // A minute may end in between.
    expect([1, 2]).toContain(rows.length)
  })
})

describe('a session', () => {
  it('changes nothing without the token of its page', async () => {
    const { cookie } = await session()
    const foreign = await session()
    for (const token of [undefined, '', 'x', foreign.csrf['x-csrf-token']]) {
      const headers = { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) }
      const answer = await at.service.call('DELETE', '/api/session', { headers })
      expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
    }
    expect((await at.service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(200)
  })

  it('refused without it beside an operator’s key is a refusal of that operator', async () => {
    const { cookie } = await session()
    const headers = { authorization: `Bearer ${at.service.adminKey}`, cookie }
    const answer = await at.service.call('POST', '/admin/scopes/case-1/reset', { headers })
    expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
    const { body } = await at.service.admin('GET', '/admin/audit?action=resetScope')
    expect(body.items[0]).toMatchObject({ actor: expect.stringMatching(/^admin:/), outcome: 'refused', status: 403 })
  })

  it('ends when its browser signs in again', async () => {
    const first = await session()
    const begun = await at.service.call('POST', '/api/sign-in', { headers: { cookie: first.cookie } })
    const cookie = `${pairOf(cookieFrom(begun, 'concord_sign_in'))}; ${first.cookie}`
    const brought = at.issuer.approve(begun.body.authorization_url, ada)
    const refused = await at.service.call('POST', '/api/session', { headers: { cookie }, body: { ...brought, code: 'another' } })
    expect(refused.status).toBe(401)
    const me = () => at.service.call('GET', '/api/me', { headers: { cookie: first.cookie } })
    expect((await me()).status).toBe(200)
    const again = at.issuer.approve(begun.body.authorization_url, ada)
    expect((await at.service.call('POST', '/api/session', { headers: { cookie }, body: again })).status).toBe(201)
    await expect.poll(me).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
    const { body } = await at.service.admin('GET', '/admin/audit?action=createSession')
    expect(body.items[0].detail).toMatchObject({ replaced: first.id })
  })

  it('is of one tenant', async () => {
    const { cookie } = await session()
    const answer = await at.service.call('GET', '/api/scopes', { headers: { cookie, 'x-tenant-id': at.other.tenant_id } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_MISMATCH' } })
  })

  it('gives way to a key, and does not narrow what an operator asks of all tenants', async () => {
    const { cookie } = await session()
    const me = await at.service.call('GET', '/api/me', { headers: { cookie, 'x-tenant-api-key': at.other.api_key } })
    expect(me.body).toMatchObject({ tenant_id: at.other.tenant_id, session: null })
    const asOperator = { authorization: `Bearer ${at.service.adminKey}`, cookie }
    expect((await at.service.call('GET', '/admin/quarantine', { headers: asOperator })).status).toBe(200)
    const { body } = await at.service.admin('GET', '/admin/audit?action=listQuarantine')
    expect(body.items[0]).toMatchObject({ tenant_id: null, detail: {} })
  })

  it('ends when the person signs out, and its cookie is dropped', async () => {
    const { cookie, csrf, id } = await session()
    const ended = await at.service.call('DELETE', '/api/session', { headers: csrf })
    expect(ended.body).toMatchObject({ session_id: id, revoked_at: expect.any(String) })
    expect(cookieFrom(ended, 'concord_session')).toMatch(/^concord_session=; .*Max-Age=0/)
    expect(await at.service.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_INVALID' },
    })
    const withKey = await at.service.call('DELETE', '/api/session', { headers: { 'x-tenant-api-key': at.tenant.api_key } })
    expect(withKey).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  })

  it('is listed for operators, who can end it', async () => {
    const { cookie, id } = await session()
    const path = `/admin/tenants/${at.tenant.tenant_id}/sessions`
    const { body } = await at.service.admin('GET', `${path}?limit=200`)
    expect(body.items).toContainEqual(expect.objectContaining({ session_id: id, person: 'ada@example.com', subject: 'u-1' }))
    expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1])
    const elsewhere = await at.service.admin('DELETE', `/admin/tenants/${at.other.tenant_id}/sessions/${id}`)
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } })
    expect((await at.service.admin('DELETE', `${path}/${id}`)).body.revoked_at).not.toBeNull()
    expect((await at.service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
  })

  it('is known to every node, and ends on each of them with its streams', async () => {
    const { cookie, csrf } = await session()
    const second = await startTestService(at.settings, { database: at.database })
    try {
      const stream = await fetch(`${second.url}/api/scopes/case-1/events`, { headers: { cookie } })
      expect(stream.status).toBe(200)
      expect((await at.service.call('DELETE', '/api/session', { headers: csrf })).status).toBe(200)
      await stream.text()
      const after = await second.call('GET', '/api/me', { headers: { cookie } })
      expect(after).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
    } finally {
      await second.stop()
    }
  })

  it('counts as a person of its own where policy asks for two, in decisions as in policies', async () => {
    const policies = `permit (principal, action, resource);
@id("second") @outcome("hold") @reason("A second person looks.")
forbid (principal, action == Action::"resolution", resource);
@id("two-people") @outcome("reject") @reason("Two different people.")
forbid (principal, action == Action::"review", resource)
unless { principal.bound && context.proposed_by_bound && principal.name != context.proposed_by };`
    expect((await at.service.admin('PUT', '/admin/scopes/case-1/policies', { policies }, at.tenant.api_key)).status).toBe(200)
    const report = { scope_id: 'case-1', claim_a: 'It rained.', claim_b: 'It did not.', source_a: 'a', source_b: 'b', severity: 'low' }
    const made = await at.service.call('POST', '/api/contradictions', { headers: { 'x-tenant-api-key': at.tenant.api_key }, body: report })
    const [first, second] = [await session(), await session({ ...ada, sub: 'u-2', email: 'bob@example.com' })]
    const said = { reason: 'It is in the diary.' }
    const resolution = { ...said, verdict: 'a', by: 'ada@example.com' }
    const resolve = `/api/contradictions/${made.body.contradiction_id}/resolution`
    expect((await at.service.call('POST', resolve, { headers: first.csrf, body: resolution })).status).toBe(409)
    const held = await at.service.call('GET', '/api/scopes/case-1/decisions?review=pending', { headers: { cookie: first.cookie } })
    const review = (headers: Record<string, string>, by: string) =>
      at.service.call('POST', `/api/decisions/${held.body.items[0].decision_id}/review`, {
        headers,
        body: { ...said, verdict: 'approve', by },
      })
    expect((await review(first.csrf, 'ada@example.com')).status).toBe(409)
    expect((await review({ 'x-tenant-api-key': at.tenant.api_key }, 'bob@example.com')).status).toBe(409)
    expect((await review(second.csrf, 'bob@example.com')).status).toBe(200)
  })

  it('is gone with its tenant', async () => {
    const gone = await at.service.createTenant()
    const rule = { claim: 'sub', value: 'u-1', tenant_id: gone.tenant_id, rights: ['read'] }
    const own = await startTestService({ ...at.settings, OIDC_MAPPING: JSON.stringify([rule]) }, { database: at.database })
    try {
      const begun = await own.call('POST', '/api/sign-in')
      const cookie = pairOf(cookieFrom(begun, 'concord_sign_in'))
      const body = at.issuer.approve(begun.body.authorization_url, ada)
      const answer = await own.call('POST', '/api/session', { headers: { cookie }, body })
      const headers = { cookie: pairOf(cookieFrom(answer, 'concord_session')) }
      expect((await own.call('GET', '/api/scopes', { headers })).status).toBe(200)
      expect((await own.admin('DELETE', `/admin/tenants/${gone.tenant_id}`)).status).toBe(200)
      expect((await own.call('GET', '/api/scopes', { headers })).status).toBe(401)
      const left = await at.database.owner.query('select 1 from sessions where tenant_id = $1', [gone.tenant_id])
      expect(left.rowCount).toBe(0)
    } finally {
      await own.stop()
    }
  })

  it('ends by itself, by the clock of the database', async () => {
    const { cookie, id } = await session()
    await at.service.database.owner.query(
      "update sessions set created_at = created_at - interval '30 minutes', expires_at = clock_timestamp() where session_id = $1",
      [id],
    )
    await at.service.admin('PUT', `/admin/tenants/${at.tenant.tenant_id}/limits`, {})
    expect(await at.service.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_INVALID' },
    })
    await expect(
      at.service.database.owner.query("update sessions set expires_at = created_at + interval '25 hours' where session_id = $1", [id]),
    ).rejects.toThrow(/check constraint/)
  })
})

describe('signing in with another device', () => {
  const begin = async () => (await at.service.call('POST', '/api/sign-in/device')).body
  const ask = (device_code: string) => at.service.call('POST', '/api/session/device', { body: { device_code } })

  it('waits for the person, then gives a token that is used like a key, once', async () => {
    const begun = await begin()
    expect(begun).toMatchObject({ verification_uri: `${at.issuer.url}/activate`, interval: 1 })
    const waiting = await ask(begun.device_code)
    expect(waiting.status).toBe(202)
    expect(waiting.headers.get('retry-after')).toBe('1')
    at.issuer.approveDevice(begun.user_code, ada)
    const { status, body } = await ask(begun.device_code)
    expect({ status, ...body }).toMatchObject({
      status: 201,
      kind: 'device',
      person: 'ada@example.com',
      token: expect.stringMatching(/^cns_/),
    })
    const me = await at.service.call('GET', '/api/me', { headers: { authorization: `Bearer ${body.token}` } })
    expect(me.body).toMatchObject({ person: 'ada@example.com', speak_for: false, session: { csrf_token: null } })
    expect(await ask(begun.device_code)).toMatchObject(signInFailure(/already created from this sign-in/))
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await at.service.call('DELETE', '/api/session', { headers })).status).toBe(200)
    expect(await at.service.call('GET', '/api/me', { headers })).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
  })

  it('refuses codes it did not give, and people who are not mapped', async () => {
    expect(await ask('nonsense')).toMatchObject(signInFailure(/expired_token/))
    const begun = await begin()
    at.issuer.approveDevice(begun.user_code, { ...ada, groups: [] })
    expect(await ask(begun.device_code)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_REFUSED' } })
  })
})

describe('without an issuer', () => {
  it('nobody signs in with one, and sessions of before do not count', async () => {
    const { cookie } = await session()
    const plain = await startTestService({}, { database: at.database })
    try {
      expect((await plain.call('GET', '/api/sign-in')).body).toEqual({ oidc: null, has_session: false })
      for (const path of ['/api/sign-in', '/api/sign-in/device']) {
        expect(await plain.call('POST', path)).toMatchObject({ status: 404, body: { code: 'SIGN_IN_DISABLED' } })
      }
      expect(await plain.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({ status: 401, body: { code: 'SESSION_INVALID' } })
      const token = cookie.split('=')[1] as string
      expect((await plain.call('GET', '/api/me', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    } finally {
      await plain.stop()
    }
  })
})
