/**
 * When a message is tried again, and when an endpoint is given up. Waits double from five seconds to an hour, with
 * jitter: a receiver that was away for a night is served again within the hour. After three days of failures, or at once
 * after 410 (gone, as the specification says), the endpoint is disabled.
 */

const firstMs = 5000
const longestMs = 3_600_000
const giveUpMs = 3 * 24 * 3_600_000

export type AfterFailure = { kind: 'backoff'; waitMs: number } | { kind: 'disable'; reason: 'failing' | 'gone' }

export interface Failure {
  /** Attempts at this message that failed, this one included. */
  attempts: number
  /** Since the first of them. */
  failingMs: number
  status: number | null
  /** From 0 up to 1. */
  random: number
}

export function afterFailure({ attempts, failingMs, status, random }: Failure): AfterFailure {
  if (status === 410) return { kind: 'disable', reason: 'gone' }
  if (failingMs >= giveUpMs) return { kind: 'disable', reason: 'failing' }
  // Never past the moment of giving up: the last attempt is made then.
  return { kind: 'backoff', waitMs: Math.round(Math.min(jittered(waitAfter(attempts), random), giveUpMs - failingMs)) }
}

/** Between half and the whole of a wait. */
export function jittered(waitMs: number, random: number): number {
  return waitMs * (0.5 + random / 2)
}

/** Whether a message may be tried again that failed so often, last so long ago. */
export function isRetryDue({ attempts, sinceMs, failingMs }: { attempts: number; sinceMs: number; failingMs: number }): boolean {
  return failingMs >= giveUpMs || sinceMs >= jittered(waitAfter(attempts), 0)
}

function waitAfter(attempts: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 20))
}
