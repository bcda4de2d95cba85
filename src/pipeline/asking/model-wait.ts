/** What a document waits for before a model is asked about it: the tokens of another day, or its case. */

import { pause } from '../../platform/deadline.js'
import { causeOf, isTableTaken } from '../../store/server/failures.js'

/** Thrown where documents stay queued: the scope is released with a backoff. */
export class ModelWait extends Error {
  readonly ms: number

  constructor(ms: number, why: string) {
    super(why)
    this.name = 'ModelWait'
    this.ms = ms
  }
}

/** Half a second each goes by in waiting for the lock, 15 seconds in all: an act of a person, or an erasure in a large case, takes seconds. */
const patience = { tries: 20, betweenMs: 250 }
/** What was answered about the document so far is asked again, so that is not done at once. */
const busyScopeMs = 5_000

/**
 * Work that takes the lock of a scope and gives up soon where somebody holds it (`concord_lock_soon`) is tried again, and holds nothing in
 * between: neither a place at the model nor a connection, which others wait for. A lock that stays taken is no fault of the document.
 */
export async function untilScopeIsFree<T>(work: () => Promise<T>, signal: AbortSignal, { tries, betweenMs } = patience): Promise<T> {
  for (let left = tries; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isTableTaken(causeOf(error))) throw error
      if (--left === 0) throw new ModelWait(busyScopeMs, 'the case is busy')
    }
    await pause(betweenMs, signal)
    signal.throwIfAborted()
  }
}
