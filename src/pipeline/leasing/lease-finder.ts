/**
 * Finds scopes to lease for all workers of a process. One list of candidates in fair order serves several leases, since
 * looking for them costs more than taking one; it is short-lived, and every candidate is checked again when taken.
 * A failing scope does not block the others (see `scope-backoff`), and one worker at a time waits for a scope that is busy.
 */

import type { Clock } from '../../platform/clock.js'
import { pause } from '../../platform/deadline.js'
import { isAppError } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { type CandidateFilter, findCandidates, type Lease, takeLease } from '../../store/leases/leases.js'
import type { ScopeKey } from '../../store/scopes/scopes.js'
import type { Database } from '../../store/server/database.js'
import { createScopeBackoff, type ScopeBackoff } from './scope-backoff.js'

export interface LeaseFinder {
  /** Undefined when nothing can be leased right now. */
  take(owner: string, filter?: CandidateFilter): Promise<Lease | undefined>
  /** Nothing can be leased: waits until it is worth looking again, or the signal fires. Those that wait take turns, so that together they look as often as one alone. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** The work on a lease is over, however it ended. */
  release(lease: Lease): void
  /** How the work on a lease ended, as far as the scope is concerned. */
  readonly backoff: Pick<ScopeBackoff, 'failed' | 'succeeded'>
}

export interface LeaseFinderOptions {
  db: Database
  clock: Clock
  logger: Logger
  leaseMs: number
  batch: number
  /** Leases of one tenant at a time in this process: the workers beyond are for others. */
  leasesPerTenant?: number
}

const listed = 32
/** How long a list of candidates is used. */
const freshMs = 100

interface CandidateList {
  candidates: ScopeKey[]
  isFresh(): boolean
  refresh(): Promise<void>
}

export function createLeaseFinder(options: LeaseFinderOptions): LeaseFinder {
  const { db, clock, logger, leaseMs, batch, leasesPerTenant = Number.POSITIVE_INFINITY } = options
  const backoff = createScopeBackoff({ clock, logger })
  /** Leases by tenant, those being taken included. */
  const held = new Map<string, number>()
  /** A list offers these, for their lease is not written yet: each further worker would wait for the same lock, with a connection of its own. */
  const taking = new Set<number>()
  let waiting = 0
  const lists = { all: createList({ unasked: false }), unasked: createList({ unasked: true }) }

  function createList(filter: CandidateFilter): CandidateList {
    let readAtMs = Number.NEGATIVE_INFINITY
    let reading: Promise<void> | undefined
    const list: CandidateList = {
      candidates: [],
      isFresh: () => list.candidates.length > 0 && clock.monotonicMs() - readAtMs <= freshMs,
      refresh: () => {
        reading ??= (async () => {
          const startedMs = clock.monotonicMs()
          list.candidates = await findCandidates(db, listed, backoff.avoided(), filter)
          readAtMs = startedMs
        })().finally(() => {
          reading = undefined
        })
        return reading
      },
    }
    return list
  }

  const count = (tenantId: string, step: number): void => {
    const leases = (held.get(tenantId) ?? 0) + step
    if (leases > 0) held.set(tenantId, leases)
    else held.delete(tenantId)
  }

  const takeListed = async (list: CandidateList, owner: string): Promise<Lease | undefined> => {
    for (let next = list.candidates.shift(); next !== undefined; next = list.candidates.shift()) {
      const scope = next
      if (taking.has(scope.scopeNo) || (held.get(scope.tenantId) ?? 0) >= leasesPerTenant) continue
      count(scope.tenantId, 1)
      taking.add(scope.scopeNo)
      try {
        const lease = await takeLease(db, scope, { owner, leaseMs, batch, onBusy: () => backoff.busy(scope) })
        if (lease !== undefined) return lease
        count(scope.tenantId, -1)
      } catch (error) {
        count(scope.tenantId, -1)
        if (isAppError(error, 'STORAGE_UNAVAILABLE')) throw error
        backoff.failed(scope, error)
      } finally {
        taking.delete(scope.scopeNo)
      }
    }
    return undefined
  }

  return {
    backoff,
    release: ({ tenantId }) => count(tenantId, -1),
    async wait(ms, signal) {
      waiting++
      await pause(ms * waiting, signal).finally(() => waiting--)
    },
    async take(owner, { unasked } = { unasked: false }) {
      const list = unasked ? lists.unasked : lists.all
      const fresh = list.isFresh()
      if (!fresh) await list.refresh()
      const lease = await takeListed(list, owner)
      if (lease !== undefined || !fresh) return lease
      await list.refresh()
      return takeListed(list, owner)
    },
  }
}
