/**
 * Every wait has an end: runs work under a time limit, hands it a signal, and rejects when the time is over even if
 * the work does not listen.
 */

import { setTimeout as delay } from 'node:timers/promises'

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`)
    this.name = 'DeadlineError'
  }
}

export interface DeadlineOptions {
  ms: number
  /** Names the work in the error. */
  what: string
  /** Ends the work early; its reason is what the caller gets. */
  signal?: AbortSignal
}

export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, options: DeadlineOptions): Promise<T> {
  options.signal?.throwIfAborted()
  const controller = new AbortController()
  const end = (reason: unknown) => controller.abort(reason)
  const timer = setTimeout(() => end(new DeadlineError(options.what, options.ms)), options.ms)
  const fromOutside = () => end(options.signal?.reason)
  options.signal?.addEventListener('abort', fromOutside, { once: true })
  try {
    return await Promise.race([work(controller.signal), rejectionOf(controller.signal)])
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', fromOutside)
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** A pause that a signal can end early; it resolves either way, so loops check the signal themselves. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
