/**
 * Answers who a tenant id, a tenant key or the token of a session belongs to. What was found is remembered, and
 * one row says that nothing was taken away since: a node asks for it twice a second, however many keys it serves, and a revoked key
 * stops working within a second. A failing database is an
 * error here, never a "no".
 */

import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import { sha256 } from '../platform/digest.js'
import { AppError } from '../platform/errors.js'
import { isSessionToken, isWellFormedSessionToken, isWellFormedTenantId, isWellFormedTenantKey } from '../platform/ids.js'
import type { Database } from '../store/server/database.js'
import { findSessionOwners } from '../store/tenants/sessions.js'
import { findKeyOwners, findTenantRates, type KeyOwner, readCredentialGeneration } from '../store/tenants/tenants.js'
import { createGeneration, createLookup, type Lookup } from './lookup.js'

export interface TenantRate {
  requests_per_second: number | null
}

/** `known`: only names found before may cost a query; a new one is `RATE_LIMITED`. For addresses that guess. */
export type Admitted = 'all' | 'known'

interface DirectoryDeps {
  db: Database
  clock: Clock
  hints: Pick<Hints, 'subscribe'>
  /** Whether people sign in with an issuer here; otherwise only sessions count that a key was exchanged for. */
  sessions?: boolean
}

export type Directory = ReturnType<typeof createDirectory>

export function createDirectory(deps: DirectoryDeps) {
  const { db, clock } = deps
  const isWellFormed = (key: string) => isWellFormedTenantKey(key) || isWellFormedSessionToken(key)
  const generation = createGeneration({ clock, read: () => readCredentialGeneration(db) })
  const tenants = createLookup<TenantRate>({ clock, generation, ask: names => findTenantRates(db, names) })
  const owners = createLookup<KeyOwner>({
    clock,
    generation,
    ask: keys => ownersOf(db, keys, deps.sessions === true),
    lastsMs: owner => owner.expires_in_ms ?? Number.POSITIVE_INFINITY,
  })
  const unsubscribe = deps.hints.subscribe('keys', () => {
    generation.doubt()
    tenants.forgetMissing()
    owners.forgetMissing()
  })
  return {
    tenant: (tenantId: string, admitted: Admitted = 'all') =>
      isWellFormedTenantId(tenantId) ? find(tenants, tenantId, admitted) : undefined,
    owner: (key: string, admitted: Admitted = 'all') => (isWellFormed(key) ? find(owners, key, admitted) : undefined),
    close: unsubscribe,
  }
}

function find<T>(lookup: Lookup<T>, name: string, admitted: Admitted): T | undefined | Promise<T | undefined> {
  if (admitted === 'known' && !lookup.wasFound(name)) throw tooManyFailures()
  return lookup.find(name)
}

export function tooManyFailures(): AppError {
  return new AppError('RATE_LIMITED', { detail: 'Too many failed authentications from this address.' })
}

async function ownersOf(db: Database, keys: string[], ofIssuer: boolean): Promise<Map<string, KeyOwner>> {
  const hashes = keys.map(sha256)
  const [ofKeys, ofSessions] = [false, true].map(wanted => hashes.filter((_hash, n) => isSessionToken(keys[n] as string) === wanted))
  const rows = [
    ...(await findKeyOwners(db, ofKeys ?? [])),
    ...(ofSessions?.length ? await findSessionOwners(db, ofSessions, { ofIssuer }) : []),
  ]
  const keyOf = new Map(keys.map((key, n) => [hashes[n]?.toString('hex'), key]))
  return new Map(rows.map(({ key_hash: hash, ...owner }) => [keyOf.get(hash.toString('hex')) as string, owner]))
}
