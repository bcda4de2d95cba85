/** Signing in against the hostile: forged tokens, answers that belong to others, issuers that fail. */

import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clientId, clientSecret, type TestIssuer } from '../support/issuer.js'
import { startTestService } from '../support/service.js'
import {
  ada,
  type Brought,
  redirectUrl,
  type SignInService,
  signInAt,
  signInFailure,
  startSignInService,
} from '../support/sign-in-service.js'

let at: SignInService
beforeAll(async () => {
  at = await startSignInService()
})
afterEach(() => {
  at.issuer.behaviour.token = undefined
  at.issuer.behaviour.answer = undefined
  at.issuer.behaviour.forgetful = false
})
afterAll(() => at.stop())

const signIn = (claims?: JWTPayload, change?: Brought) => signInAt(at, claims, change)

describe('what is not fallen for', () => {
  const withToken = async (token: TestIssuer['behaviour']['token']) => {
    at.issuer.behaviour.token = token
    return (await signIn()).answer
  }
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = (alg: string, claims: JWTPayload, signature: (signed: string) => string) => {
    const now = Math.floor(Date.now() / 1000)
    const signed = `${encoded({ alg, kid: 'k1' })}.${encoded({ iss: at.issuer.url, aud: clientId, iat: now, exp: now + 300, ...claims })}`
    return `${signed}.${signature(signed)}`
  }

  it('a token without a signature, or one signed with the public key as a secret', async () => {
    expect(await withToken(claims => forged('none', claims, () => ''))).toMatchObject(signInFailure(/not acceptable/))
    const hmac = (signed: string) => createHmac('sha256', at.issuer.publicKeyPem).update(signed).digest('base64url')
    expect(await withToken(claims => forged('HS256', claims, hmac))).toMatchObject(signInFailure(/ALG_NOT_ALLOWED/))
    expect(await withToken(claims => forged('ES256', claims, () => 'A'.repeat(86)))).toMatchObject(signInFailure(/SIGNATURE/))
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
    expect(await withToken(claims => at.issuer.sign({ ...claims, ...change }))).toMatchObject(signInFailure(/ID token/))
  })

  it('an answer to a sign-in of another browser, or of none', async () => {
    const mine = await signIn()
    expect((await signIn(ada, { state: mine.body.state })).answer).toMatchObject(signInFailure(/another sign-in/))
    expect((await signIn(ada, { cookie: mine.signInCookie })).answer).toMatchObject(signInFailure(/another sign-in/))
    expect((await signIn(ada, { cookie: 'x=y' })).answer).toMatchObject(signInFailure(/not started in this browser/))
    expect((await signIn(ada, { iss: 'https://elsewhere.example' })).answer).toMatchObject(signInFailure(/another issuer/))
    expect((await signIn(ada, { code: mine.body.code })).answer).toMatchObject(signInFailure(/invalid_grant/))
  })

  it('a code that is used twice, even where the issuer does not notice', async () => {
    at.issuer.behaviour.forgetful = true
    const { answer, body, signInCookie } = await signIn()
    expect(answer.status).toBe(201)
    const again = await at.service.call('POST', '/api/session', { headers: { cookie: signInCookie }, body })
    expect(again).toMatchObject(signInFailure(/already created from this sign-in/))
  })

  it('a place to be sent to: the address of the desk is the operator’s alone', async () => {
    const begun = await at.service.call('POST', '/api/sign-in?redirect_uri=https://evil.example&return_to=//evil.example')
    expect(new URL(begun.body.authorization_url).searchParams.get('redirect_uri')).toBe(redirectUrl)
    const { body, signInCookie } = await signIn()
    const sent = await at.service.call('POST', '/api/session', {
      headers: { cookie: signInCookie },
      body: { ...body, return_to: '//evil' },
    })
    expect(sent).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('an issuer', () => {
  const startFresh = (settings = {}) =>
    startTestService({
      OIDC_ISSUER: at.issuer.url,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_REDIRECT_URL: redirectUrl,
      OIDC_TIMEOUT_MS: '500',
      OIDC_MAPPING: JSON.stringify([{ claim: 'groups', value: 'x', tenant_id: at.tenant.tenant_id, rights: ['read'] }]),
      ...settings,
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
        at.issuer.behaviour.answer = answer
        const begun = await fresh.call('POST', '/api/sign-in')
        expect(begun, name).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
        expect(begun.headers.get('retry-after')).toBe('5')
      }
      at.issuer.behaviour.answer = undefined
      await expect.poll(async () => (await fresh.call('POST', '/api/sign-in')).status).toBe(200)
    } finally {
      await fresh.stop()
    }
  })

  it('that has a fault of its own is not the fault of the person', async () => {
    const fresh = await startFresh()
    const faults: [what: string, path: string, status: number, body: string, retryAfter: string][] = [
      ['asked too often', '/token', 429, '{"error":"slow_down"}', '40'],
      ['a fault it names', '/token', 400, '{"error":"server_error"}', ''],
      ['forbidden without a reason', '/token', 403, '{}', ''],
      ['no ID token', '/token', 200, '{"access_token":"a"}', ''],
      ['no keys just now', '/keys', 404, '{}', ''],
    ]
    try {
      for (const [what, where, status, body, retryAfter] of faults) {
        at.issuer.behaviour.answer = (path, response) =>
          path === where && Boolean(response.writeHead(status, retryAfter === '' ? {} : { 'retry-after': retryAfter }).end(body))
        const { answer } = await signInAt({ service: fresh, issuer: at.issuer })
        expect(answer, what).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
        expect(answer.headers.get('retry-after'), what).toBe(retryAfter || '5')
      }
    } finally {
      await fresh.stop()
    }
  })

  it('that is slow leaves room for other addresses', async () => {
    const fresh = await startFresh({ TRUSTED_PROXIES: '127.0.0.1', OIDC_TIMEOUT_MS: '20000', AUTH_FAILURES_PER_SECOND: '1000' })
    const from = (address: string) => fresh.call('POST', '/api/sign-in/device', { headers: { 'x-forwarded-for': address } })
    try {
      expect((await from('198.51.100.1')).status).toBe(200)
      const held: ServerResponse[] = []
      at.issuer.behaviour.answer = (path, response) => path === '/device' && held.push(response) > 0
      const crowd = Array.from({ length: 40 }, (_, n) => from(`2001:db8::${n}`))
      const refused = new Set((await firstOf(crowd, 10)).map(answer => answer.status))
      at.issuer.behaviour.answer = undefined
      expect((await from('198.51.100.1')).status).toBe(200)
      expect(refused).toEqual(new Set([429]))
      for (const response of held) response.writeHead(404).end('{}')
      await Promise.all(crowd)
    } finally {
      await fresh.stop()
    }
  })

  it('that does not know the service any more is a problem of the service, not of the person', async () => {
    at.issuer.behaviour.answer = (path, response) => path === '/token' && Boolean(response.writeHead(401).end('{"error":"invalid_client"}'))
    expect((await signIn()).answer).toMatchObject({ status: 503, body: { code: 'ISSUER_UNAVAILABLE' } })
  })
})

/** The first so many that are there, in the order they come. */
function firstOf<T>(all: readonly Promise<T>[], count: number): Promise<T[]> {
  const there: T[] = []
  return new Promise((resolve, reject) => {
    for (const each of all) each.then(value => there.push(value) === count && resolve([...there]), reject)
  })
}
