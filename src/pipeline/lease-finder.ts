/**
 * Finds scopes to lease for all workers of a process. One list of candidates in fair order serves several leases, since
 * looking for them costs more than taking one; it is short-lived, and every candidate is checked again when taken.
 */

import type { Clock } from '../platform/clock.js'
import type { Database } from '../store/database.js'
import { findCandidates, type Lease, type LeaseCandidate, takeLease } from '../store/leases.js'

export interface LeaseFinder {
  /** Undefined when nothing can be leased right now. */
  take(owner: string): Promise<Lease | undefined>
}

export interface LeaseFinderOptions {
  db: Database
  clock: Clock
  leaseMs: number
  batch: number
  /** How long a list of candidates is used. */
  freshMs?: number
}

const listed = 32
/** Candidates tried in one transaction: the first is nearly always free. */
const triedAtOnce = 4

export function createLeaseFinder(options: LeaseFinderOptions): LeaseFinder {
  const { db, clock, leaseMs, batch, freshMs = 100 } = options
  let candidates: LeaseCandidate[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const refresh = (): Promise<void> => {
    reading ??= (async () => {
      const startedMs = clock.monotonicMs()
      candidates = await findCandidates(db, batch, listed)
      readAtMs = startedMs
    })().finally(() => {
      reading = undefined
    })
    return reading
  }

  const isFresh = () => candidates.length > 0 && clock.monotonicMs() - readAtMs <= freshMs

  const takeListed = async (owner: string): Promise<Lease | undefined> => {
    while (candidates.length > 0) {
      const tried = candidates.splice(0, triedAtOnce)
      const lease = await takeLease(db, tried, { owner, leaseMs, batch })
      if (lease === undefined) continue
      // What comes before the one taken was not free; what comes behind it still may be.
      const place = tried.findIndex(each => each.scopeNo === lease.scopeNo)
      candidates.unshift(...tried.slice(place + 1))
      return lease
    }
    return undefined
  }

  return {
    async take(owner) {
      const fresh = isFresh()
      if (!fresh) await refresh()
      const lease = await takeListed(owner)
      if (lease !== undefined || !fresh) return lease
      await refresh()
      return takeListed(owner)
    },
  }
}
