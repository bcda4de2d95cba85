/**
 * Signing in: a browser goes to the issuer and comes back with a code, or a person opens an address on another device
 * while the command line waits. Either ends in a session of one tenant. Nothing is kept of a sign-in under way: state,
 * nonce and PKCE verifier follow from the secret the browser was given, and each secret makes one session at most.
 */

import { createHash, createHmac } from 'node:crypto'
import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { isSameSecret } from '../platform/digest.js'
import { AppError } from '../platform/errors.js'
import { randomBase62 } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { networkOf } from '../platform/network.js'
import { createShares, takeShare } from '../platform/shares.js'
import type { Database } from '../store/server/database.js'
import type { SessionRow } from '../store/tenants/sessions.js'
import type { Audit } from './audit.js'
import { createIssuer, type DeviceAuthorization, failed } from './issuer.js'
import { createOncePerMinute, type OncePerMinute } from './once-per-minute.js'
import { type Claims, type Grant, grantOf } from './person-mapping.js'
import { openSession, type Way } from './sessions.js'

/** What a browser brings back. */
export interface Returned {
  secret: string | undefined
  code: string
  state: string
  iss: string | undefined
  /** The token of the session this browser has had until now. */
  session: string | undefined
}

/** Which tenant is wanted, and who asks, for the audit. */
export interface Asked {
  tenantId: string | undefined
  requestId: string
  address: string
}

export interface SignedIn {
  session: SessionRow
  token: string
}

export interface SignInDeps {
  db: Database
  clock: Clock
  logger: Logger
  audit: Audit
  config: Config
  hints: Pick<Hints, 'notify'>
}

const attemptMs = 10 * 60_000
/** Sign-ins that ask the issuer at the same moment, shared between addresses. */
const atOnce = 32

export type SignIn = NonNullable<ReturnType<typeof createSignIn>>

/** Null where no issuer is set. */
export function createSignIn(deps: SignInDeps) {
  const { config, clock, logger } = deps
  const { oidcIssuer, oidcClientId, oidcRedirectUrl: redirectUrl } = config
  if (oidcIssuer === undefined || oidcClientId === undefined || redirectUrl === undefined) return null
  const issuer = createIssuer({
    clock,
    logger,
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    timeoutMs: config.oidcTimeoutMs,
  })
  const oncePerMinute = createOncePerMinute(clock)
  const admit = async (claims: Claims & { sub: string }, way: Way, asked: Asked): Promise<SignedIn> => {
    const grant = grantOf(claims, { rules: config.oidcMapping, personClaim: config.oidcPersonClaim }, asked.tenantId)
    const action = way.kind === 'desk' ? 'createSession' : 'createDeviceSession'
    const entry = { action, asked, subject: claims.sub, oncePerMinute }
    if ('refused' in grant) return refuse(deps, entry, grant.refused)
    return open(deps, { ...entry, grant, way, issuer: oidcIssuer })
  }
  const within = createPlaces()
  return {
    name: config.oidcName,
    /** The secret goes into a cookie of the browser, the browser to the address. */
    begin: (address: string) =>
      within(address, async () => {
        const begun = clock.now().getTime()
        const secret = `${begun.toString(36)}.${randomBase62(43)}`
        const challenge = createHash('sha256').update(derived(secret, 'verifier')).digest('base64url')
        const url = await issuer.authorizationUrl({
          redirect_uri: redirectUrl,
          state: derived(secret, 'state'),
          nonce: derived(secret, 'nonce'),
          code_challenge: challenge,
          code_challenge_method: 'S256',
        })
        return { secret, url, expiresAt: new Date(begun + attemptMs).toISOString() }
      }),
    async complete({ secret, code, state, iss, session }: Returned, asked: Asked): Promise<SignedIn> {
      if (secret === undefined) throw failed('This sign-in was not started in this browser, or has ended.')
      if (!isSameSecret(state, derived(secret, 'state'))) throw failed('The answer belongs to another sign-in.')
      if (!isFresh(secret, clock)) throw failed('This sign-in took more than ten minutes.')
      // Named by issuers that answer to several services, so that none can pass for another.
      if (iss !== undefined && iss !== oidcIssuer) throw failed('The answer comes from another issuer.')
      const verifier = derived(secret, 'verifier')
      return within(asked.address, async () => {
        const answer = await issuer.token({ grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifier })
        if ('error' in answer) throw failed(`The issuer rejected the code (${answer.error}).`)
        const claims = await issuer.verify(answer.idToken, derived(secret, 'nonce'))
        return admit(claims, { kind: 'desk', attempt: secret, replaces: session }, asked)
      })
    },
    async beginDevice(address: string): Promise<DeviceAuthorization> {
      const begun = await within(address, () => issuer.device())
      if (begun === undefined) throw new AppError('SIGN_IN_DISABLED', { detail: 'The issuer does not support the device flow.' })
      return begun
    },
    /** How long to wait while the person has not signed in yet. */
    completeDevice: (deviceCode: string, asked: Asked) =>
      within(asked.address, async (): Promise<SignedIn | { waitSeconds: number }> => {
        const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
        const answer = await issuer.token({ grant_type: grantType, device_code: deviceCode })
        if ('idToken' in answer) {
          return admit(await issuer.verify(answer.idToken, null), { kind: 'device', attempt: deviceCode }, asked)
        }
        if (answer.error === 'authorization_pending') return { waitSeconds: 1 }
        if (answer.error === 'slow_down') return { waitSeconds: 10 }
        throw failed(`The issuer refused the device sign-in (${answer.error}).`)
      }),
  }
}

const words = { full: 'Too many people sign in at once.', over: 'Too many people sign in from this address at once.' }

/** An issuer that is slow makes those who ask it hold their places; no address may hold what all others need. */
function createPlaces() {
  const shares = createShares(atOnce)
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const leave = takeShare(shares, { tenant: networkOf(address), key: address }, 1, words)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

interface Entry {
  action: string
  asked: Asked
  subject: string
  oncePerMinute: OncePerMinute
}

/** Refusals of people the issuer knows are audited: someone will ask why they cannot get in. Those who keep trying are counted. */
async function refuse({ audit }: SignInDeps, entry: Entry, detail: string): Promise<never> {
  const { action, asked, subject } = entry
  const row = { ...draft(entry, null), actor: 'nobody', outcome: 'refused', detail: { subject } } as const
  const who = { network: networkOf(asked.address), name: subject }
  if (!(await entry.oncePerMinute(who, () => audit.begin(row, 403))))
    audit.count({ tier: 'public', action, status: 403, address: networkOf(asked.address) })
  throw new AppError('SIGN_IN_REFUSED', { detail })
}

interface Opening extends Entry {
  grant: Grant
  way: Way
  issuer: string
}

/** How long sessions last, whatever they were opened with. */
export function timesOf(config: Pick<Config, 'sessionIdleMinutes' | 'sessionLongestMinutes'>) {
  return { minutes: config.sessionLongestMinutes, idleMinutes: config.sessionIdleMinutes }
}

async function open(deps: SignInDeps, { grant, way, issuer, ...entry }: Opening): Promise<SignedIn> {
  const { subject } = entry
  const opened = await openSession(deps.db, { ...grant, ...way, keyId: null, issuer, subject, ...timesOf(deps.config) })
  if (opened === 'no-tenant') {
    deps.logger.error({ tenant_id: grant.tenantId }, 'OIDC_MAPPING names a tenant that does not exist')
    return refuse(deps, entry, 'You are mapped to a tenant that does not exist.')
  }
  if (opened === 'used') throw failed('A session was already created from this sign-in.')
  const { session_id: sessionId, person } = opened.session
  const detail = { session: sessionId, person, subject, ...(opened.replaced === null ? {} : { replaced: opened.replaced }) }
  if (opened.replaced !== null) deps.hints.notify('keys')
  await deps.audit.begin({ ...draft(entry, grant.tenantId), actor: `session:${sessionId}`, outcome: 'allowed', detail }, 201)
  return opened
}

function draft({ action, asked }: Entry, tenantId: string | null) {
  return { tier: 'public', action, tenantId, scopeId: null, requestId: asked.requestId, address: asked.address }
}

function derived(secret: string, name: string): string {
  return createHmac('sha256', secret).update(name).digest('base64url')
}

function isFresh(secret: string, clock: Clock): boolean {
  const age = clock.now().getTime() - Number.parseInt(secret, 36)
  return age >= -60_000 && age <= attemptMs
}
