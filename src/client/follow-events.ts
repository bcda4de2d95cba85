/**
 * An event stream that never ends by itself: a connection that breaks, falls silent or is closed by a stopping server is
 * opened again after the last event that arrived, so that no event is lost and none comes twice. It ends when `signal` is
 * aborted or the reader stops, and throws when the service refuses for good.
 */

import type { components } from './api-types.js'
import { backoffMs, wait } from './backoff.js'
import { EventStreamParser, type Frame } from './event-stream-parser.js'
import { ConnectionError, ProblemError } from './problem-error.js'

/** `tenantid` and `sequence` are on the kernel stream alone. */
export type ServiceEvent = components['schemas']['Event'] & { tenantid?: string; sequence?: string }

export interface FollowOptions {
  /** Begin after this event; -1 is the beginning. Without it: with what happens from now on. */
  after?: string | number
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Called when a connection was made. */
  onOpen?: () => void
  /** Called when a connection was lost, with the event it will go on after. */
  onReconnect?: (lost: { after: string | undefined; failure: unknown }) => void
  /** Give up when no connection could be made for so long; without it: never. */
  giveUpAfterMs?: number
}

/** Opens the stream after a cursor; throws a ProblemError or a ConnectionError. */
export type OpenStream = (cursor: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** The service sends a comment at least every 15 seconds: a connection silent for thrice that is dead. */
const silenceMs = 45_000
const reconnectMaxMs = 10_000

export async function* followEvents(open: OpenStream, options: FollowOptions): AsyncGenerator<ServiceEvent, void, undefined> {
  const { signal, onOpen, onReconnect, giveUpAfterMs = Number.POSITIVE_INFINITY } = options
  let cursor = options.after === undefined ? undefined : String(options.after)
  let retryMs = 1000
  let failures = 0
  let lostAt = performance.now()
  while (!signal?.aborted) {
    const connection = new AbortController()
    const hangUp = () => connection.abort()
    signal?.addEventListener('abort', hangUp)
    let failure: unknown
    let isOpen = false
    try {
      const stream = await open(cursor, connection.signal)
      isOpen = true
      onOpen?.()
      for await (const frame of readFrames(stream, connection)) {
        failures = 0
        if (frame.retryMs !== undefined) retryMs = frame.retryMs
        if (frame.id !== undefined) cursor = frame.id
        if (frame.data !== undefined) yield JSON.parse(frame.data) as ServiceEvent
      }
    } catch (error) {
      failure = error
    } finally {
      // Also reached when the reader stops in the middle: the connection must not stay behind.
      signal?.removeEventListener('abort', hangUp)
      connection.abort()
    }
    if (signal?.aborted) return
    // A case in which nothing happens has a connection all the same.
    if (isOpen) lostAt = performance.now()
    if (failure !== undefined && (isFinal(failure) || performance.now() - lostAt > giveUpAfterMs)) throw failure
    failures++
    onReconnect?.({ after: cursor, failure })
    await wait(retryMs / 2 + backoffMs({ baseMs: retryMs, maxMs: reconnectMaxMs }, failures), signal)
  }
}

/** What another attempt cannot change. A mistake in this program is final too. */
function isFinal(failure: unknown): boolean {
  if (failure instanceof ProblemError)
    return failure.status < 500 ? failure.status !== 429 && failure.status !== 408 : failure.code === 'TIER_DISABLED'
  return !(failure instanceof ConnectionError)
}

async function* readFrames(stream: ReadableStream<Uint8Array>, connection: AbortController): AsyncGenerator<Frame, void, undefined> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const parser = new EventStreamParser()
  // Cancelled here and not by the request's signal: once the answer has begun, nothing keeps the request alive, and a
  // signal that was collected with it no longer ends anything.
  const hangUp = () => void reader.cancel().catch(() => undefined)
  connection.signal.addEventListener('abort', hangUp)
  let silence = setTimeout(() => connection.abort(), silenceMs)
  try {
    for (;;) {
      const { done, value } = await nextChunk(reader)
      if (done) return
      clearTimeout(silence)
      yield* parser.push(decoder.decode(value, { stream: true }))
      silence = setTimeout(() => connection.abort(), silenceMs)
    }
  } finally {
    clearTimeout(silence)
    connection.signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    throw new ConnectionError('the event stream', error)
  }
}
