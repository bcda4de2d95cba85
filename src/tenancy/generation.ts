/**
 * Whether anything that was looked up may have changed since: the number that every change of credentials raises, asked for
 * at most every few hundred milliseconds, by the first caller, shared by all concurrent ones.
 */

import type { Clock } from '../platform/clock.js'

export interface Generation {
  /** Another one than before: nothing found under the previous one is still valid. */
  epoch(): number
  /** Whether the epoch was confirmed a moment ago. */
  isFresh(): boolean
  confirm(): Promise<void>
  /** After a change hint: the epoch is confirmed again before any cached entry is used. */
  doubt(): void
}

/** A revoked key stops working within a second, the time of two questions included. */
const freshMs = 400

export function createGeneration({ clock, read }: { clock: Clock; read(): Promise<number> }): Generation {
  let epoch = 0
  let last: number | undefined
  let confirmedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    // The time of asking counts, not that of the answer: a revocation in between must not be outlived.
    const asked = clock.monotonicMs()
    const own = asking
    const generation = await read()
    if (generation !== last) epoch++
    last = generation
    if (asking === own) confirmedAt = asked
  }
  return {
    epoch: () => epoch,
    isFresh: () => clock.monotonicMs() < confirmedAt + freshMs,
    confirm() {
      if (asking !== undefined) return asking
      const mine = Promise.resolve()
        .then(ask)
        .finally(() => {
          if (asking === mine) asking = undefined
        })
      asking = mine
      return mine
    },
    doubt() {
      confirmedAt = Number.NEGATIVE_INFINITY
      // One that is on its way was asked before; it must not be what the next rests on.
      asking = undefined
    },
  }
}
