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
  const waitMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20))
  // Between half and the whole of it, and never past the moment of giving up: the last attempt is made then.
  return { kind: 'backoff', waitMs: Math.round(Math.min(waitMs * (0.5 + random / 2), giveUpMs - failingMs)) }
}
