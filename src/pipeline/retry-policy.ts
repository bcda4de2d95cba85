/**
 * What becomes of a document that failed. Pure: the random source is injected.
 *
 * transient  the surroundings failed, not the document: it waits (exponential backoff with full jitter) and is tried
 *            again, until its attempts are used up
 * permanent  trying again gives the same: quarantine at once
 */

export type FailureKind = 'transient' | 'permanent'

export interface RetryLimits {
  maxAttempts: number
  baseMs: number
  maxMs: number
}

export type FailureVerdict = { action: 'retry'; delayMs: number } | { action: 'quarantine' }

/** `attempts` counts this one. `random` gives 0 up to but not including 1. */
export function judgeFailure(failure: { kind: FailureKind; attempts: number }, limits: RetryLimits, random: () => number): FailureVerdict {
  if (failure.kind === 'permanent' || failure.attempts >= limits.maxAttempts) return { action: 'quarantine' }
  return { action: 'retry', delayMs: backoffMs(failure.attempts, limits, random) }
}

/** Full jitter: anywhere between nothing and the doubled wait, so that those who failed together do not return together. */
export function backoffMs(attempts: number, { baseMs, maxMs }: Pick<RetryLimits, 'baseMs' | 'maxMs'>, random: () => number): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(30, Math.max(0, attempts - 1)))
  return Math.floor(random() * ceiling)
}
