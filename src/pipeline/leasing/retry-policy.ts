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

/** How long it waits; null for quarantine. `attempts` counts this one. `random` gives 0 up to but not including 1. */
export function retryAfter(kind: FailureKind, attempts: number, limits: RetryLimits, random: () => number): number | null {
  return kind === 'permanent' || attempts >= limits.maxAttempts ? null : backoffMs(attempts, limits, random)
}

/** Full jitter: anywhere between nothing and the doubled wait, so that those who failed together do not return together. */
export function backoffMs(attempts: number, { baseMs, maxMs }: Pick<RetryLimits, 'baseMs' | 'maxMs'>, random: () => number): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(30, Math.max(0, attempts - 1)))
  return Math.floor(random() * ceiling)
}
