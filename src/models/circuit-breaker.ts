/**
 * Stops asking a model that keeps failing. States and what moves it between them:
 * closed, where every call is let through, opens after so many failures in a row; open, where none is, becomes half-open after a while;
 * half-open lets one call through: its success closes, its failure opens again.
 */

/** A failure is told for so long after it would be asked again. */
const reportedMs = 600_000

export type BreakerState = 'closed' | 'open' | 'half-open'

/** So many failures in a row open it. */
export function circuitBreaker(options: { failures: number; openMs: number; now: () => number }) {
  let failuresInRow = 0
  let openedAt: number | null = null
  /** Since it opened first: a probe that fails is the same outage. */
  let downSince: number | null = null
  let failedAt = 0
  let isProbing = false
  const state = (): BreakerState => {
    if (openedAt === null) return 'closed'
    return options.now() - openedAt < options.openMs ? 'open' : 'half-open'
  }
  return {
    state,
    /** As if nothing had ever been asked. */
    isFresh: (): boolean => failuresInRow === 0 && openedAt === null,
    /** Null once it has not failed for a while: nobody asked since, and the model may answer again. */
    downSince: (): number | null => (downSince !== null && options.now() - failedAt < reportedMs + options.openMs ? downSince : null),
    /** True when a call may be made; in half-open state that is true once until its outcome is reported. */
    admits(): boolean {
      const current = state()
      if (current === 'open' || (current === 'half-open' && isProbing)) return false
      isProbing = current === 'half-open'
      return true
    },
    succeeded(): void {
      failuresInRow = 0
      openedAt = null
      downSince = null
      isProbing = false
    },
    failed(): void {
      failuresInRow++
      failedAt = options.now()
      // Calls let through before it opened may fail while it is open: they do not prolong it.
      if (state() === 'half-open' || (state() === 'closed' && failuresInRow >= options.failures)) openedAt = options.now()
      downSince ??= openedAt
      isProbing = false
    },
    /** The call ended without saying anything about the model: it was cancelled, or never made. */
    withdrawn(): void {
      isProbing = false
    },
  }
}

/** A breaker for each tenant: what one tenant's questions bring about stops the questions of nobody else. */
export function tenantBreakers(options: Parameters<typeof circuitBreaker>[0]) {
  const breakers = new Map<string, ReturnType<typeof circuitBreaker>>()
  /** Those with nothing to remember go, so that there are never more than tenants in trouble and questions under way. */
  const forget = (): void => {
    for (const [tenantId, breaker] of breakers) if (breaker.isFresh()) breakers.delete(tenantId)
  }
  return {
    of(tenantId: string): ReturnType<typeof circuitBreaker> {
      const known = breakers.get(tenantId)
      if (known !== undefined) return known
      if (breakers.size >= 64) forget()
      const breaker = circuitBreaker(options)
      breakers.set(tenantId, breaker)
      return breaker
    },
    /** Whose questions are not asked, or failed a while ago, and since when; null when everybody's are. */
    down(): { tenantIds: string[]; sinceMs: number } | null {
      const down = [...breakers].flatMap(([tenantId, breaker]) => {
        const sinceMs = breaker.downSince()
        return sinceMs === null ? [] : [{ tenantId, sinceMs }]
      })
      if (down.length === 0) return null
      return { tenantIds: down.map(({ tenantId }) => tenantId), sinceMs: Math.min(...down.map(({ sinceMs }) => sinceMs)) }
    },
    states(): Record<'open' | 'half-open', number> {
      const states = { open: 0, 'half-open': 0 }
      for (const breaker of breakers.values()) {
        const state = breaker.state()
        if (state !== 'closed') states[state]++
      }
      return states
    },
  }
}
