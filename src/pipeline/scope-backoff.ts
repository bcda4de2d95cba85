/**
 * Backoff of scopes that fail for a reason that is no document's: this process does not lease them until it has run out,
 * longer each time, so that one failing scope stops neither its worker nor other scopes. When several scopes fail in a
 * row and none succeeds in between, the fault is not theirs: the error is thrown, and the supervisor of the workers decides.
 */

import type { Clock } from '../platform/clock.js'
import type { Logger } from '../platform/logger.js'
import type { LeaseCandidate } from '../store/leases/leases.js'

export interface ScopeBackoff {
  /** Numbers of the scopes in backoff. */
  avoided(): number[]
  /** Throws the error when it is not this scope's alone. */
  failed(scope: LeaseCandidate, error: unknown): void
  succeeded(scope: LeaseCandidate): void
  /** Nothing is wrong with it, but there is nothing to do for it before so many milliseconds. */
  rest(scope: LeaseCandidate, ms: number): void
}

export interface ScopeBackoffOptions {
  clock: Clock
  logger: Logger
  firstPauseMs?: number
  longestPauseMs?: number
  /** Different scopes that fail in a row before the error is thrown. */
  inARow?: number
}

interface Backoff {
  failures: number
  untilMs: number
}

/** Most scopes remembered; with more of them failing, the fault is not the scopes'. */
const remembered = 1000

export function createScopeBackoff(options: ScopeBackoffOptions): ScopeBackoff {
  const { clock, logger, firstPauseMs = 1000, longestPauseMs = 60_000, inARow = 5 } = options
  const scopes = new Map<number, Backoff>()
  const row = new Set<number>()

  const note = (scopeNo: number): Backoff => {
    const failures = (scopes.get(scopeNo)?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20))
    const backoff = { failures, untilMs: clock.monotonicMs() + pauseMs }
    scopes.delete(scopeNo)
    scopes.set(scopeNo, backoff)
    const oldest = scopes.size > remembered ? scopes.keys().next().value : undefined
    if (oldest !== undefined) scopes.delete(oldest)
    return backoff
  }

  return {
    avoided: () => {
      const nowMs = clock.monotonicMs()
      return [...scopes].flatMap(([scopeNo, { untilMs }]) => (untilMs > nowMs ? [scopeNo] : []))
    },
    failed: ({ tenantId, scopeNo }, error) => {
      const { failures } = note(scopeNo)
      logger.error({ err: error, tenant_id: tenantId, scope_no: scopeNo, failures }, 'scope failed, backing off')
      row.add(scopeNo)
      if (row.size < inARow) return
      row.clear()
      throw error
    },
    rest: ({ scopeNo }, ms) => {
      scopes.set(scopeNo, { failures: 0, untilMs: clock.monotonicMs() + ms })
    },
    succeeded: ({ scopeNo }) => {
      scopes.delete(scopeNo)
      row.clear()
    },
  }
}
