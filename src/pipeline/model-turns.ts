/**
 * Who may ask the model next: so many leases at a time, and a line of the scopes that were turned away. A scope that was turned
 * away rests before it tries again, so a place that comes free is kept for those in line; else the one that left it would take
 * it again each time. The tenant served longest ago goes first, then who waits longest. Who does not come back loses its place.
 */

export interface ModelTurn {
  /** Another scope is waiting: the rest of the lease yields until its next turn. */
  isWanted(): boolean
  end(): void
}

export interface ScopeKey {
  tenantId: string
  scopeNo: number
}

export interface ModelTurns {
  /** Null when all places are taken, or kept for others. */
  begin(scope: ScopeKey): ModelTurn | null
}

/** How long a scope rests that was turned away. */
export const turnWaitMs = 500
/** Time enough to rest, to be leased again and to ask. */
const keptMs = 4 * turnWaitMs
const mostTenants = 10_000

export function createModelTurns({ places, now }: { places: number; now: () => number }): ModelTurns {
  let asking = 0
  let count = 0
  const served = new Map<string, number>()
  const line = new Map<string, { tenantId: string; arrived: number; untilMs: number }>()

  const prune = (): void => {
    for (const [key, { untilMs }] of line) if (untilMs <= now()) line.delete(key)
  }
  const isAhead = (one: { tenantId: string; arrived: number }, other: { tenantId: string; arrived: number }): boolean => {
    const [first, second] = [served.get(one.tenantId) ?? 0, served.get(other.tenantId) ?? 0]
    return first < second || (first === second && one.arrived < other.arrived)
  }

  return {
    begin({ tenantId, scopeNo }) {
      prune()
      const key = `${tenantId} ${scopeNo}`
      const own = { tenantId, arrived: line.get(key)?.arrived ?? ++count, untilMs: now() + keptMs }
      const ahead = [...line].filter(([other, each]) => other !== key && isAhead(each, own)).length
      if (ahead >= places - asking) {
        line.set(key, own)
        return null
      }
      line.delete(key)
      if (served.size >= mostTenants) served.clear()
      served.set(tenantId, ++count)
      asking++
      return {
        isWanted: () => {
          prune()
          return line.size > 0
        },
        end: () => {
          asking--
        },
      }
    },
  }
}
