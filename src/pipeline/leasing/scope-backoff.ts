/**
 * Backoff of scopes that fail for a reason that is no document's: this process does not lease them until it has run out,
 * longer each time, so that one failing scope stops neither its worker nor other scopes. When several scopes fail in a
 * row and none succeeds in between, the fault is not theirs: the error is thrown, and the supervisor of the workers decides.
 * A scope that somebody else is long at work in has not failed: it is in backoff for a moment, always the same.
 */

import type { Clock } from '../../platform/clock.js'
import type { Logger } from '../../platform/logger.js'
import type { ScopeKey } from '../../store/scopes/scopes.js'

export interface ScopeBackoff {
  /** The scopes in backoff, and those that were busy a moment ago. */
  avoided(): ScopeKey[]
  /** Throws the error when it is not this scope's alone. */
  failed(scope: ScopeKey, error: unknown): void
  succeeded(scope: ScopeKey): void
  /** Its lock was not to be had in time. */
  busy(scope: ScopeKey): void
  /** Failing scopes remembered. */
  size(): number
}

export interface ScopeBackoffOptions {
  clock: Clock
  logger: Logger
  longestPauseMs?: number
}

interface Backoff {
  scope: ScopeKey
  failures: number
  untilMs: number
}

/** Most failing scopes remembered; with more of them failing, the fault is not the scopes'. */
const remembered = 1000
const firstPauseMs = 1000
/** Shorter than the wait for the lock (`concord_lock_soon`): somebody waits most of the time, or others would always come first. */
const busyPauseMs = 250
/** Different scopes that fail in a row before the error is thrown. */
const inARow = 5

export function createScopeBackoff(options: ScopeBackoffOptions): ScopeBackoff {
  const { clock, logger, longestPauseMs = 60_000 } = options
  const failing = new Map<number, Backoff>()
  const row = new Set<number>()
  const busy = new Map<number, Pick<Backoff, 'scope' | 'untilMs'>>()

  const note = (scope: ScopeKey): Backoff => {
    const { scopeNo } = scope
    const failures = (failing.get(scopeNo)?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20))
    const backoff = { scope, failures, untilMs: clock.monotonicMs() + pauseMs }
    failing.delete(scopeNo)
    failing.set(scopeNo, backoff)
    const oldest = failing.size > remembered ? failing.keys().next().value : undefined
    if (oldest !== undefined) failing.delete(oldest)
    return backoff
  }

  return {
    avoided: () => {
      const nowMs = clock.monotonicMs()
      for (const [scopeNo, { untilMs }] of busy) if (untilMs <= nowMs) busy.delete(scopeNo)
      return [...failing.values(), ...busy.values()].flatMap(({ scope, untilMs }) => (untilMs > nowMs ? [scope] : []))
    },
    failed: (scope, error) => {
      const { tenantId, scopeNo } = scope
      const { failures } = note({ tenantId, scopeNo })
      logger.error({ err: error, tenant_id: tenantId, scope_no: scopeNo, failures }, 'scope failed, backing off')
      row.add(scopeNo)
      if (row.size < inARow) return
      row.clear()
      throw error
    },
    succeeded: ({ scopeNo }) => {
      failing.delete(scopeNo)
      row.clear()
    },
    busy: ({ tenantId, scopeNo }) => {
      busy.set(scopeNo, { scope: { tenantId, scopeNo }, untilMs: clock.monotonicMs() + busyPauseMs })
    },
    size: () => failing.size,
  }
}
