/**
 * Those who hold a connection for long: readers of event streams, and those who wait for a document. Bounded in all,
 * shared between tenants and their keys, and none is let in when connections are scarce.
 */

import { AppError } from '../platform/errors.js'
import { createShares } from '../platform/shares.js'
import type { Caller } from './auth.js'
import { holderOf } from './requests-in-progress.js'

export interface Readers {
  /** Gives how to leave again, which may be called more than once. */
  enter(caller: Pick<Caller, 'tenantId' | 'credential'>): () => void
  count(): number
}

export function createReaders({ most, areScarce }: { most: number; areScarce(): boolean }): Readers {
  const shares = createShares(most)
  return {
    enter(caller) {
      const holder = holderOf(caller)
      const answer = areScarce() ? 'full' : shares.ask(holder, 1)
      if (answer === 'full') {
        throw new AppError('OVERLOADED', { detail: 'Too many open streams and long polls on this process.', retryAfterSeconds: 2 })
      }
      if (answer === 'over')
        throw new AppError('RATE_LIMITED', { detail: 'This credential has reached its share of streams and long polls.' })
      shares.take(holder, 1)
      let isInside = true
      return () => {
        if (isInside) shares.give(holder, 1)
        isInside = false
      }
    },
    count: () => shares.used(),
  }
}
