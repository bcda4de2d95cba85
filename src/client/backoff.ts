/** How long to wait between attempts: exponential with full jitter, so that many clients do not come back in step. */

export interface Backoff {
  baseMs: number
  maxMs: number
}

/** `failures` counts from 1. */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number): number {
  return Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30))
}

/** Ends early, without an error, when `signal` is aborted. */
export function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
