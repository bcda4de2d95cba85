/**
 * Who is calling. Order: the bearer credential, then the tenant key, then a browser's session, then the tenant's name;
 * each refusal has its own code. Answers without waiting when everything is remembered, because every request passes here.
 */

import type { FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.js'
import { AppError, isAppError } from '../platform/errors.js'
import { isSessionToken } from '../platform/ids.js'
import { networkOf } from '../platform/network.js'
import type { KeyOwner } from '../store/tenants/tenants.js'
import type { Admitted, Directory } from '../tenancy/directory.js'
import type { KeyTier, TierKeys } from '../tenancy/tier-keys.js'
import type { SessionCookies } from './session-cookie.js'
import { validationFailed } from './validation.js'

export interface Caller {
  /** Tier of the bearer key; null on the public tier. */
  tier: KeyTier | null
  /** A fingerprint of the bearer key, for the audit log. */
  fingerprint: string
  tenantId: string | null
  /** The tenant key or token of a session presented, for streams that must end with it. */
  tenantKey: string | null
  /** The session came as a cookie. */
  hasCookie: boolean
  /** What requests are counted by. */
  credential: string
  requestsPerSecond: number | null
  /** What the tenant key may do; null where none was presented, which limits nothing. */
  permission: Permission | null
}

export type Permission = Pick<KeyOwner, 'key_id' | 'rights' | 'scopes' | 'person' | 'speak_for' | 'expires_at'>

export type Authenticator = (operation: Operation, request: FastifyRequest, admitted: Admitted) => Caller | Promise<Caller>

interface AuthDeps {
  directory: Directory
  tierKeys: TierKeys
  publicAuth: 'id' | 'key'
  cookies?: SessionCookies | undefined
  /** Told that a session was used by its holder. */
  noteUse?: (sessionId: string) => void
}

interface Asking extends AuthDeps {
  admitted: Admitted
}

const nobody: Caller = {
  tier: null,
  fingerprint: 'nobody',
  tenantId: null,
  tenantKey: null,
  hasCookie: false,
  credential: '',
  requestsPerSecond: null,
  permission: null,
}

export function createAuthenticator(deps: AuthDeps): Authenticator {
  return (operation, request, admitted) => {
    switch (operation.credential) {
      case 'none':
        return { ...nobody, credential: networkOf(request.ip) }
      case 'tenant':
      case 'tenant-key':
        return authenticateTenant({ ...deps, admitted }, operation, request)
      case 'any-key':
        return authenticateAny({ ...deps, admitted }, operation, request)
      default:
        return authenticateTier({ ...deps, admitted }, operation, request)
    }
  }
}

function authenticateTenant(deps: Asking, operation: Operation, request: FastifyRequest): Caller | Promise<Caller> {
  const ownKey = presentedKey(request)
  const key = ownKey ?? deps.cookies?.sessionOf(request)
  const tenantId = header(request, 'x-tenant-id') || undefined
  const needsId = operation.credential === 'tenant'
  if (key === undefined) {
    if (!needsId || deps.publicAuth === 'key') throw new AppError('AUTH_MISSING', { detail: 'This route needs a tenant key.' })
    if (tenantId === undefined) throw new AppError('TENANT_ID_MISSING')
    return when(deps.directory.tenant(tenantId, deps.admitted), known => {
      if (known === undefined) throw new AppError('TENANT_UNKNOWN')
      return { ...nobody, tenantId, credential: tenantId, requestsPerSecond: known.requests_per_second }
    })
  }
  return when(ownerOf(deps, key), owner => {
    if (owner === undefined) throw new AppError(ownKey === undefined ? 'SESSION_INVALID' : invalidCode(ownKey))
    if (tenantId !== undefined && tenantId !== owner.tenant_id) throw new AppError('TENANT_MISMATCH')
    noteUse(deps, operation, key, owner)
    return ownedBy(owner, key, { ...nobody, hasCookie: ownKey === undefined })
  })
}

function authenticateAny(deps: Asking, operation: Operation, request: FastifyRequest): Caller | Promise<Caller> {
  const known = deps.tierKeys.recognise(/^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
  return known === undefined ? authenticateTenant(deps, operation, request) : ofTier(known)
}

function ofTier({ tier, fingerprint }: { tier: KeyTier; fingerprint: string }): Caller {
  return { ...nobody, tier, fingerprint, credential: fingerprint }
}

function authenticateTier(deps: Asking, operation: Operation, request: FastifyRequest): Caller | Promise<Caller> {
  const wanted = operation.tier as KeyTier
  if (!deps.tierKeys.enabled(wanted)) throw new AppError('TIER_DISABLED')
  const key = bearer(request)
  if (key === undefined) throw new AppError('AUTH_MISSING')
  const known = deps.tierKeys.recognise(key)
  if (known === undefined) return refuseTenantKey(deps, key)
  const caller = ofTier(known)
  if (wanted === 'internals' && known.tier !== 'internals') throw refusedTo(caller, 'TIER_INSUFFICIENT')
  if (operation.credential === 'tier') return caller
  const ownKey = header(request, 'x-tenant-api-key')
  const tenantKey = ownKey ?? (operation.credential === 'tier+tenant-key' ? sessionFor(caller, deps, request) : undefined)
  if (tenantKey === undefined) {
    if (operation.credential === 'tier+tenant-key') throw refusedTo(caller, 'TENANT_KEY_MISSING')
    return caller
  }
  return when(ownerOf(deps, tenantKey), owner => {
    if (owner === undefined) throw refusedTo(caller, ownKey === undefined ? 'SESSION_INVALID' : invalidCode(ownKey))
    noteUse(deps, operation, tenantKey, owner)
    return { ...ownedBy(owner, tenantKey, caller), credential: caller.credential }
  })
}

/** A stream that is followed is no use of a session: nobody may sit there. */
function noteUse(deps: Asking, { stream }: Operation, key: string, owner: KeyOwner): void {
  if (isSessionToken(key) && !stream) deps.noteUse?.(owner.key_id)
}

/** The session beside a tier key. When it may not act, that is a refusal of the key's holder. */
function sessionFor(caller: Caller, deps: Asking, request: FastifyRequest): string | undefined {
  try {
    return deps.cookies?.sessionOf(request)
  } catch (error) {
    if (isAppError(error)) refusedCallers.set(error, caller)
    throw error
  }
}

/** A valid tenant key gets TIER_INSUFFICIENT; anything else is not a key. */
function refuseTenantKey(deps: Asking, key: string): Caller | Promise<Caller> {
  return when(ownerOf(deps, key), owner => {
    throw new AppError(owner === undefined ? 'AUTH_INVALID' : 'TIER_INSUFFICIENT')
  })
}

/** Refusals of a valid key are acts of its holder and are audited: the error carries who it was. */
const refusedCallers = new WeakMap<AppError, Caller>()

export function refusedCaller(error: AppError): Caller | undefined {
  return refusedCallers.get(error)
}

function refusedTo(caller: Caller, code: 'TIER_INSUFFICIENT' | 'TENANT_KEY_MISSING' | 'TENANT_KEY_INVALID' | 'SESSION_INVALID'): AppError {
  const error = new AppError(code)
  refusedCallers.set(error, caller)
  return error
}

/** Of one that opens nothing, whatever the reason: a session's token and a key are told apart by their shape. */
export function invalidCode(key: string): 'SESSION_INVALID' | 'TENANT_KEY_INVALID' {
  return isSessionToken(key) ? 'SESSION_INVALID' : 'TENANT_KEY_INVALID'
}

function ownerOf(deps: Asking, key: string): KeyOwner | undefined | Promise<KeyOwner | undefined> {
  return deps.directory.owner(key, deps.admitted)
}

function ownedBy(owner: KeyOwner, key: string, caller: Caller): Caller {
  const { tenant_id: tenantId, requests_per_second: requestsPerSecond, expires_in_ms: _expires, ...permission } = owner
  return { ...caller, tenantId, tenantKey: key, credential: owner.key_id, requestsPerSecond, permission }
}

/** On the public tier the key may stand in either header; two that differ are a mistake. */
function presentedKey(request: FastifyRequest): string | undefined {
  const own = header(request, 'x-tenant-api-key')
  const borne = request.headers.authorization === undefined ? undefined : (bearer(request, 'TENANT_KEY_INVALID') as string)
  // An empty one is no key, and is refused as such, whatever is borne beside it.
  if (own && borne !== undefined && own !== borne) {
    throw validationFailed([{ pointer: '/headers/x-tenant-api-key', detail: 'must match the key in Authorization' }])
  }
  return own ?? borne
}

function bearer(request: FastifyRequest, malformed: 'AUTH_INVALID' | 'TENANT_KEY_INVALID' = 'AUTH_INVALID'): string | undefined {
  const value = request.headers.authorization
  if (value === undefined) return undefined
  const key = /^Bearer +(\S+) *$/i.exec(value)?.[1]
  if (key === undefined) throw new AppError(malformed, { detail: 'Authorization must be `Bearer <key>`.' })
  return key
}

/** An empty one is there: a key that a caller meant to present and lost would otherwise make an act on one tenant one on all. */
function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function when<T, R>(value: T | Promise<T>, then: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}
