/**
 * Time as an argument: whoever needs it takes a `Clock`, so that tests move it by hand.
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
