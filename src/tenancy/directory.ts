/**
 * Answers who a tenant id or a tenant key belongs to. What was found is remembered for a moment, so that a busy
 * tenant costs two queries a second and a revoked key still stops working within one; what was not found is asked for
 * again each time. A failing database is an error here, never a "no".
 */

import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import { isWellFormedTenantId, isWellFormedTenantKey } from '../platform/ids.js'
import type { Database } from '../store/database.js'
import { findKeyOwner, findTenantRate, type KeyOwner } from '../store/tenants.js'
import { sha256 } from './tier-keys.js'

export interface TenantRate {
  requests_per_second: number | null
}

export interface Directory {
  /** Answered without waiting when it is remembered: the hot path of ingest stays synchronous. */
  tenant(tenantId: string): TenantRate | undefined | Promise<TenantRate | undefined>
  owner(key: string): KeyOwner | undefined | Promise<KeyOwner | undefined>
  close(): void
}

const rememberMs = 400
const maxRemembered = 20_000

export function createDirectory(deps: { db: Database; clock: Clock; hints: Pick<Hints, 'subscribe'> }): Directory {
  const tenants = createMemory<TenantRate>(deps.clock)
  const owners = createMemory<KeyOwner>(deps.clock)
  const forget = deps.hints.subscribe('keys', () => {
    tenants.clear()
    owners.clear()
  })
  return {
    tenant(tenantId) {
      if (!isWellFormedTenantId(tenantId)) return undefined
      return tenants.get(tenantId) ?? tenants.load(tenantId, () => findTenantRate(deps.db, tenantId))
    },
    owner(key) {
      if (!isWellFormedTenantKey(key)) return undefined
      return owners.get(key) ?? owners.load(key, () => findKeyOwner(deps.db, sha256(key)))
    },
    close: forget,
  }
}

function createMemory<T>(clock: Clock) {
  const known = new Map<string, { value: T; until: number }>()
  const loading = new Map<string, Promise<T | undefined>>()
  return {
    get(name: string): T | undefined {
      const entry = known.get(name)
      if (entry === undefined) return undefined
      if (entry.until > clock.monotonicMs()) return entry.value
      known.delete(name)
      return undefined
    },
    /** Whoever asks while the answer is on its way waits for the same query. */
    load(name: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
      const running = loading.get(name)
      if (running) return running
      // The time of asking counts, not that of the answer: a revocation in between must not be outlived.
      const until = clock.monotonicMs() + rememberMs
      const asked = ask()
        .then(value => {
          if (value !== undefined) {
            if (known.size >= maxRemembered) known.clear()
            known.set(name, { value, until })
          }
          return value
        })
        .finally(() => loading.delete(name))
      loading.set(name, asked)
      return asked
    },
    clear(): void {
      known.clear()
      loading.clear()
    },
  }
}
