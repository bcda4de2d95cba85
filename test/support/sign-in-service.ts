/** A service with an issuer and two tenants that people are mapped to, and people who sign in with a browser. */

import type { JWTPayload } from 'jose'
import { expect } from 'vitest'
import { cloneDatabase, type TestDatabase } from './clone-database.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from './issuer.js'
import { startTestService, type TestAnswer, type TestService } from './service.js'

export const redirectUrl = 'http://127.0.0.1:9/desk'
export const ada: JWTPayload = { sub: 'u-1', email: 'ada@example.com', email_verified: true, groups: ['staff', 'reviewers'] }

/** What a browser brings back, where it is not what the issuer gave it. */
export interface Brought {
  code?: string
  state?: string
  iss?: string
  tenant_id?: string
  cookie?: string
}

interface Tenant {
  tenant_id: string
  api_key: string
}

export interface SignInService {
  issuer: TestIssuer
  database: TestDatabase
  service: TestService
  /** Of the service, for another node. */
  settings: Record<string, string>
  tenant: Tenant
  other: Tenant
  stop(): Promise<void>
}

export async function startSignInService(): Promise<SignInService> {
  const issuer = await startTestIssuer()
  // The mapping names tenants, so they are made before the service that maps to them.
  const database = await cloneDatabase({ tenantPool: 6, enginePool: 8 })
  const before = await startTestService({}, { database })
  const [tenant, other] = [await before.createTenant(), await before.createTenant()]
  await before.admin('POST', '/admin/scopes', { scope_id: 'case-1' }, tenant.api_key)
  await before.stop()
  const settings = settingsOf(issuer, tenant, other)
  const service = await startTestService(settings, { database })
  const stop = async () => {
    await service.stop()
    await database.close()
    await issuer.close()
  }
  return { issuer, database, service, settings, tenant, other, stop }
}

function settingsOf(issuer: TestIssuer, tenant: Tenant, other: Tenant): Record<string, string> {
  return {
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
  }
}

export function cookieFrom(answer: Pick<TestAnswer, 'headers'>, name: string): string {
  return answer.headers.getSetCookie().find(cookie => cookie.startsWith(`${name}=`)) as string
}

/** What a browser sends of a cookie it was given. */
export function pairOf(cookie: string): string {
  return cookie.split(';', 1)[0] as string
}

/** Begins in one browser, lets the person in at the issuer, and comes back. */
export async function signInAt({ service, issuer }: Pick<SignInService, 'service' | 'issuer'>, claims = ada, change: Brought = {}) {
  const begun = await service.call('POST', '/api/sign-in')
  expect(begun.status, begun.text).toBe(200)
  const { cookie = pairOf(cookieFrom(begun, 'concord_sign_in')), ...sent } = change
  const body = { ...issuer.approve(begun.body.authorization_url, claims), ...sent }
  const answer = await service.call('POST', '/api/session', { headers: { cookie }, body })
  return { answer, body, signInCookie: cookie, url: new URL(begun.body.authorization_url) }
}

export async function sessionAt(at: Pick<SignInService, 'service' | 'issuer'>, claims = ada) {
  const { answer } = await signInAt(at, claims)
  expect(answer.status, answer.text).toBe(201)
  const cookie = pairOf(cookieFrom(answer, 'concord_session'))
  const csrf = { cookie, 'x-csrf-token': answer.body.csrf_token as string }
  return { cookie, csrf, id: answer.body.session_id as string, answer }
}

export function signInFailure(detail: RegExp) {
  return { status: 401, body: { code: 'SIGN_IN_FAILED', detail: expect.stringMatching(detail) } }
}
