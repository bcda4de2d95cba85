/**
 * Those who hold a connection for long: readers of event streams, and those who wait for a document. Bounded in all,
 * shared between tenants and their keys, and none is let in when connections are scarce.
 */

import { AppError } from '../platform/errors.js'
import { createShares, takeShare } from '../platform/shares.js'
import type { Caller } from './auth.js'
import { holderOf } from './requests-in-progress.js'

const words = {
  full: 'Too many open streams and long polls on this process.',
  over: 'This credential has reached its share of streams and long polls.',
  retryAfterSeconds: 2,
}

export type Readers = ReturnType<typeof createReaders>

export function createReaders({ most, areScarce }: { most: number; areScarce(): boolean }) {
  const shares = createShares(most)
  return {
    /** Gives how to leave again, which may be called more than once. */
    enter(caller: Pick<Caller, 'tenantId' | 'credential'>): () => void {
      if (areScarce()) throw new AppError('OVERLOADED', { detail: words.full, retryAfterSeconds: words.retryAfterSeconds })
      return takeShare(shares, holderOf(caller), 1, words)
    },
    count: () => shares.used(),
  }
}
