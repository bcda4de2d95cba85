/**
 * The OpenID Connect issuer: what it says of itself, the exchange of codes, and the ID tokens it signs. Its description
 * and keys are remembered for a while. A token counts when it is signed by one of its keys with an asymmetric
 * algorithm, for this service, about now, and answers the nonce of the sign-in.
 */

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Static } from 'typebox'
import type { DeviceSignIn } from '../contract/sign-in.js'
import type { Clock } from '../platform/clock.js'
import { AppError } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import { isEndpointOf } from '../platform/oidc-settings.js'
import { cut } from '../platform/storable-text.js'
import { type AskIssuer, createIssuerRequests, unavailable } from './issuer-requests.js'
import type { Claims } from './person-mapping.js'

export interface Issuer {
  /** Where a browser goes to sign in. */
  authorizationUrl(query: Record<string, string>): Promise<string>
  /** Asks for tokens. `error` is the issuer's word for why there are none. */
  token(grant: Record<string, string>): Promise<{ idToken: string } | { error: string }>
  /** Begins a sign-in on another device; undefined when the issuer has no such thing. */
  device(): Promise<DeviceAuthorization | undefined>
  /** The claims of an ID token. `nonce` is null where the flow has none. */
  verify(idToken: string, nonce: string | null): Promise<Claims & { sub: string }>
}

export type DeviceAuthorization = Static<typeof DeviceSignIn>

export interface IssuerOptions {
  clock: Clock
  logger: Logger
  issuer: string
  clientId: string
  clientSecret: string | undefined
  scopes: string
  timeoutMs: number
}

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const rememberMs = 10 * 60_000
const clockToleranceSeconds = 30
const maxAgeSeconds = 600

/** Why a code or a device gets no token, as the standards name it. Everything else is the issuer's fault, or this service's. */
const faultsOfPeople = new Set([
  ...['invalid_grant', 'invalid_request', 'access_denied', 'expired_token', 'authorization_pending', 'slow_down'],
  // Of Entra ID.
  ...['authorization_declined', 'bad_verification_code'],
])
const unknownService = new Set(['invalid_client', 'unauthorized_client'])

export function createIssuer(options: IssuerOptions): Issuer {
  const ask = createIssuerRequests(options)
  const described = rememberDescription(options, ask)
  const askToken = async (endpoint: string, form: Record<string, string>) => {
    const { headers, fields } = authentication(options, (await described()).authMethods)
    const body = new URLSearchParams({ ...form, ...fields }).toString()
    return ask(endpoint, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body })
  }
  return {
    async authorizationUrl(query) {
      const url = new URL((await described()).authorizationEndpoint)
      const all = { response_type: 'code', client_id: options.clientId, scope: options.scopes, ...query }
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
      return url.href
    },
    async token(grant) {
      const { status, body } = await askToken((await described()).tokenEndpoint, grant)
      if (status === 200 && typeof body['id_token'] === 'string') return { idToken: body['id_token'] }
      const error = cut(String(body['error'] ?? 'no_id_token'), 100)
      if (faultsOfPeople.has(error)) return { error }
      options.logger.error(
        { status, reason: error },
        unknownService.has(error)
          ? 'OIDC issuer rejected the client: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'
          : 'OIDC issuer returned no ID token',
      )
      throw unavailable()
    },
    async device() {
      const { deviceEndpoint } = await described()
      if (deviceEndpoint === undefined) return undefined
      const { status, body } = await askToken(deviceEndpoint, { scope: options.scopes })
      if (status !== 200) throw unavailable()
      return deviceAuthorization(body, options.issuer)
    },
    async verify(idToken, nonce) {
      const { keys } = await described()
      return verified(idToken, keys, nonce, options)
    },
  }
}

interface Description {
  authorizationEndpoint: string
  tokenEndpoint: string
  deviceEndpoint: string | undefined
  authMethods: readonly unknown[]
  keys: JWTVerifyGetKey
}

/** Those who ask at the same time share one request; a failed one is forgotten. */
function rememberDescription(options: IssuerOptions, ask: AskIssuer): () => Promise<Description> {
  let known: { description: Promise<Description>; until: number } | undefined
  return () => {
    const now = options.clock.monotonicMs()
    if (known !== undefined && known.until > now) return known.description
    const asked = { description: describe(options, ask), until: now + rememberMs }
    known = asked
    asked.description.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.description
  }
}

async function describe({ issuer, logger, timeoutMs }: IssuerOptions, ask: AskIssuer): Promise<Description> {
  const { status, body } = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (status !== 200 || body['issuer'] !== issuer) {
    logger.error({ status, named: body['issuer'] }, status === 200 ? 'OIDC discovery: issuer mismatch' : 'OIDC discovery failed')
    throw unavailable()
  }
  const endpoint = (name: string): string => {
    const value = body[name]
    if (isEndpointOf(issuer, value)) return value
    logger.error({ name }, 'OIDC discovery document contains an unusable endpoint')
    throw unavailable()
  }
  const fetchKeys = async (url: string) => {
    const keys = await ask(url)
    if (keys.status !== 200) throw unavailable()
    return new Response(JSON.stringify(keys.body), { status: keys.status })
  }
  const { token_endpoint_auth_methods_supported: methods } = body
  return {
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    deviceEndpoint: body['device_authorization_endpoint'] === undefined ? undefined : endpoint('device_authorization_endpoint'),
    authMethods: Array.isArray(methods) ? methods : [],
    keys: createRemoteJWKSet(new URL(endpoint('jwks_uri')), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: rememberMs,
      [customFetch]: fetchKeys,
    }),
  }
}

interface Authentication {
  headers: Record<string, string>
  fields: Record<string, string>
}

/** By Basic as the standard has it for a start, in the form where the issuer takes nothing else. */
function authentication({ clientId, clientSecret }: IssuerOptions, methods: readonly unknown[]): Authentication {
  if (clientSecret === undefined) return { headers: {}, fields: { client_id: clientId } }
  if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic')) {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  }
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: { client_id: clientId } }
}

function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2)
}

/** People open its addresses: nothing but a page of the web. */
function deviceAuthorization(body: Record<string, unknown>, issuer: string): DeviceAuthorization {
  const { device_code, user_code, verification_uri, verification_uri_complete: complete, expires_in, interval = 5 } = body
  const isUsable = [device_code, user_code].every(text => typeof text === 'string') && isEndpointOf(issuer, verification_uri)
  if (!isUsable || typeof expires_in !== 'number' || typeof interval !== 'number') throw unavailable()
  return {
    device_code: device_code as string,
    user_code: user_code as string,
    verification_uri: verification_uri as string,
    verification_uri_complete: isEndpointOf(issuer, complete) ? complete : null,
    expires_in,
    interval: Math.max(1, interval),
  }
}

async function verified(idToken: string, keys: JWTVerifyGetKey, nonce: string | null, { clock, issuer, clientId }: IssuerOptions) {
  const payload = await payloadOf(idToken, keys, { clock, issuer, clientId })
  if (payload.azp !== undefined ? payload['azp'] !== clientId : Array.isArray(payload.aud) && payload.aud.length > 1) {
    throw failed('The ID token was issued for another client.')
  }
  if (nonce !== null && payload['nonce'] !== nonce) throw failed('The ID token does not belong to this sign-in.')
  return { ...payload, sub: payload.sub as string }
}

async function payloadOf(
  idToken: string,
  keys: JWTVerifyGetKey,
  { clock, issuer, clientId }: Pick<IssuerOptions, 'clock' | 'issuer' | 'clientId'>,
) {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: maxAgeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: clock.now(),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw unavailable(error)
    if (error instanceof errors.JOSEError) throw failed(`The ID token is not acceptable (${error.code}).`, error)
    throw error
  }
}

export function failed(detail: string, cause?: unknown): AppError {
  return new AppError('SIGN_IN_FAILED', { detail, cause })
}
