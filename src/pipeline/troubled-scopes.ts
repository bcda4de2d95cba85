/**
 * Scopes that fail for a reason that is no document's: nobody of this process leases them for a while, longer each time,
 * so that one bad scope costs neither its worker nor other scopes. When one scope after the other fails and none goes
 * well in between, the fault is not theirs: then the error is thrown, and whoever supervises the workers decides.
 */

import type { Clock } from '../platform/clock.js'
import type { Logger } from '../platform/logger.js'
import type { LeaseCandidate } from '../store/leases.js'

export interface TroubledScopes {
  /** Numbers of the scopes that are to be left alone now. */
  avoided(): number[]
  /** Throws the error when it is not this scope's alone. */
  failed(scope: LeaseCandidate, error: unknown): void
  wentWell(scope: LeaseCandidate): void
  /** Nothing is wrong with it, but there is nothing to do for it before so many milliseconds. */
  rest(scope: LeaseCandidate, ms: number): void
}

export interface TroubledScopesOptions {
  clock: Clock
  logger: Logger
  firstPauseMs?: number
  longestPauseMs?: number
  /** Different scopes that fail in a row before it is nobody's fault but ours. */
  inARow?: number
}

interface Trouble {
  failures: number
  untilMs: number
}

/** More than so many are not remembered; by then far more than scopes is wrong. */
const remembered = 1000

export function createTroubledScopes(options: TroubledScopesOptions): TroubledScopes {
  const { clock, logger, firstPauseMs = 1000, longestPauseMs = 60_000, inARow = 5 } = options
  const troubles = new Map<number, Trouble>()
  const row = new Set<number>()

  const note = (scopeNo: number): Trouble => {
    const failures = (troubles.get(scopeNo)?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20))
    const trouble = { failures, untilMs: clock.monotonicMs() + pauseMs }
    troubles.delete(scopeNo)
    troubles.set(scopeNo, trouble)
    const oldest = troubles.size > remembered ? troubles.keys().next().value : undefined
    if (oldest !== undefined) troubles.delete(oldest)
    return trouble
  }

  return {
    avoided: () => {
      const nowMs = clock.monotonicMs()
      return [...troubles].flatMap(([scopeNo, { untilMs }]) => (untilMs > nowMs ? [scopeNo] : []))
    },
    failed: ({ tenantId, scopeNo }, error) => {
      const { failures } = note(scopeNo)
      logger.error(
        { err: error, tenant_id: tenantId, scope_no: scopeNo, failures },
        'a scope cannot be worked on and is left alone for a while',
      )
      row.add(scopeNo)
      if (row.size < inARow) return
      row.clear()
      throw error
    },
    rest: ({ scopeNo }, ms) => {
      troubles.set(scopeNo, { failures: 0, untilMs: clock.monotonicMs() + ms })
    },
    wentWell: ({ scopeNo }) => {
      troubles.delete(scopeNo)
      row.clear()
    },
  }
}
