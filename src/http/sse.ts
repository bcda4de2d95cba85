/**
 * Server-sent events over a reply: headers, frames as the feed gives them, keep-alive comments, and an end in every
 * case. A reader that does not take what it was sent is cut off and can resume; a reader that is no longer allowed is
 * ended within half a second; shutdown ends all with a `retry`. One timer serves all streams of the process.
 *
 * opening → streaming → ended (by the client, a stall, a revoked key, the end of the feed, or shutdown)
 */

import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Feed } from '../events/feed.js'
import type { Hints } from '../events/hints.js'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError, messageOf } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import type { Caller } from './auth.js'
import type { Readers } from './readers.js'
import { whenGone } from './when-gone.js'

/** Whether the reader's credential still stands; asked once for all streams with the same `credential`. */
export interface Allowance {
  credential: string
  isStillAllowed(): boolean | Promise<boolean>
}

export interface Reader {
  caller: Pick<Caller, 'tenantId' | 'credential'>
  allowance?: Allowance | undefined
}

export interface StreamsDependencies {
  config: Pick<Config, 'sseKeepaliveMs'>
  hints: Hints
  clock: Clock
  logger: Logger
  readers: Readers
}

const allowanceEveryMs = 500
const portionBytes = 16 * 1024
/** Spread, so that clients of a process that stops do not all come back in the same moment. */
const shutdownRetryMs = { least: 500, spread: 1500 }

interface Stream {
  readonly response: ServerResponse
  readonly feed: Feed
  readonly allowance: Allowance | undefined
  lastWriteAt: number
  stalledSince: number | null
  end(lastWords?: string): void
}

export type Streams = ReturnType<typeof createStreams>

export function createStreams({ config, hints, clock, logger, readers }: StreamsDependencies) {
  const streams = new Set<Stream>()
  let closed = false
  const check = () => endForbidden(streams, logger)
  const unsubscribe = hints.subscribe('keys', check)
  const everyMs = Math.min(allowanceEveryMs, config.sseKeepaliveMs)
  const ticker = setInterval(() => {
    tick(streams, config.sseKeepaliveMs, clock.monotonicMs())
    check()
  }, everyMs)
  ticker.unref()

  const run = async (stream: Stream, leave: () => void): Promise<void> => {
    try {
      await pump(stream, clock)
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'event stream failed')
    } finally {
      stream.end()
      streams.delete(stream)
      leave()
    }
  }
  return {
    /**
     * Resolves when the stream is open; waiting for its end would keep all of the request in memory as long. Throws, before
     * anything is sent, when there is no room or `open` refuses.
     */
    async serve(reply: FastifyReply, open: () => Promise<Feed>, { caller, allowance }: Reader): Promise<void> {
      if (closed) throw new AppError('OVERLOADED', { detail: 'The service is stopping.', retryAfterSeconds: 2 })
      const leave = readers.enter(caller)
      const feed = await open().catch((error: unknown) => {
        leave()
        throw error
      })
      const stream = startStream(reply, feed, allowance, clock)
      streams.add(stream)
      if (closed) stream.end(farewell())
      void run(stream, leave)
    },
    readers: () => streams.size,
    /** Ends every stream with a `retry`. */
    async close(): Promise<void> {
      closed = true
      clearInterval(ticker)
      unsubscribe()
      for (const stream of streams) stream.end(farewell())
    },
  }
}

function startStream(reply: FastifyReply, feed: Feed, allowance: Allowance | undefined, clock: Clock): Stream {
  reply.hijack()
  const response = reply.raw
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // The connection ends with the stream: what a client sent over it afterwards would be cut off with a reader that does not read.
    connection: 'close',
    'x-accel-buffering': 'no',
  })
  response.socket?.setTimeout(0)
  response.socket?.setNoDelay(true)
  // A comment, so that the client sees an open stream before the first event.
  response.write(': open\n\n')
  let ended = false
  const end = (lastWords?: string) => {
    if (ended) return
    ended = true
    feed.close()
    if (response.destroyed) return
    response.end(lastWords)
    // A reader that does not read would keep the connection open for ever.
    const { socket } = response
    setTimeout(() => socket?.destroy(), 1000).unref()
  }
  whenGone(response, () => end())
  // A client that goes away is no failure of ours; `close` follows.
  response.on('error', () => end())
  return { response, feed, allowance, lastWriteAt: clock.monotonicMs(), stalledSince: null, end }
}

async function pump(stream: Stream, clock: Clock): Promise<void> {
  const { response, feed } = stream
  for (;;) {
    const frames = await feed.read(portionBytes)
    if (frames === '' || response.destroyed || response.writableEnded) return
    stream.lastWriteAt = clock.monotonicMs()
    if (response.write(frames)) continue
    stream.stalledSince = clock.monotonicMs()
    await drained(response)
    stream.stalledSince = null
  }
}

/** `drain` alone never comes when the client has gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/** Keep-alive for the quiet, the end for those who have taken nothing for as long as that. */
function tick(streams: ReadonlySet<Stream>, keepaliveMs: number, now: number): void {
  for (const stream of streams) {
    if (stream.stalledSince !== null) {
      if (now - stream.stalledSince >= keepaliveMs) stream.response.destroy()
    } else if (now - stream.lastWriteAt >= keepaliveMs) {
      stream.lastWriteAt = now
      stream.response.write(': keep-alive\n\n')
    }
  }
}

function endForbidden(streams: ReadonlySet<Stream>, logger: Logger): void {
  const byCredential = new Map<string, Stream[]>()
  for (const stream of streams) {
    if (stream.allowance === undefined) continue
    const same = byCredential.get(stream.allowance.credential)
    if (same === undefined) byCredential.set(stream.allowance.credential, [stream])
    else same.push(stream)
  }
  for (const same of byCredential.values()) {
    const { allowance } = same[0] as Stream
    void Promise.resolve()
      .then(() => allowance?.isStillAllowed())
      .then(allowed => {
        if (allowed === false) for (const stream of same) stream.end()
      })
      // Not knowing is no reason to end a stream: the next tick asks again.
      .catch((error: unknown) => logger.debug({ error: messageOf(error) }, 'stream key check failed'))
  }
}

function farewell(): string {
  return `retry: ${shutdownRetryMs.least + Math.floor(Math.random() * shutdownRetryMs.spread)}\n\n`
}
