/**
 * The clock is injected, so that tests move time by hand.
 */

export interface Clock {
  now(): Date
  /** Milliseconds that only ever grow; for measuring, not for telling the time. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
