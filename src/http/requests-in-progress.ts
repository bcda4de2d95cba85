/**
 * What requests hold: a place, and the bytes of their bodies. Both are bounded in all and shared between tenants and
 * their keys; who has its share gets 429, and everybody gets 503 once nothing is left.
 *
 * begun → its body arrives → answered → over. Place and bytes are given back when the answer exists and has left, or
 * the client has gone: work that goes on after its client still holds what it needs. A client that takes nothing of its
 * answer for as long as it may take to send a request is cut off; one that takes 16 KB a second has its download to the end.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { createShares, type Holder, type Shares } from '../platform/shares.js'
import type { Caller } from './auth.js'
import { whenGone } from './when-gone.js'

/** A request that waits takes about 20 KiB: this many take no more than their bodies may. */
export const mostRequests = 8192
const sweepMs = 1000
/** What a connection is given at once lies in buffers of the system, megabytes of them; nobody is cut off who takes it at this rate. */
const leastBytesPerMs = 16
const longestGraceMs = 5 * 60_000

interface Entry {
  holder: Holder
  bytes: number
  isClosed: boolean
  /** When the answer began, or the client was last seen to have taken of it. */
  takenAt: number | null
  /** What the connection had been given by then. */
  sentBytes: number
  /** How long the client may be taking what it was given last. */
  graceMs: number
}

interface Options {
  clock: Clock
  config: Pick<Config, 'bodyLimitBytes' | 'bodyTotalBytes' | 'requestTimeoutMs'>
}

export type RequestsInProgress = ReturnType<typeof createRequestsInProgress>

export function createRequestsInProgress({ clock, config }: Options) {
  const places = createShares(mostRequests)
  const bodies = createShares(config.bodyTotalBytes)
  const entries = new Map<FastifyRequest, Entry>()
  const release = (request: FastifyRequest) => {
    const entry = entries.get(request)
    if (entry === undefined) return
    entries.delete(request)
    places.give(entry.holder, 1)
    bodies.give(entry.holder, entry.bytes)
  }
  const sweeper = setInterval(() => {
    const now = clock.monotonicMs()
    for (const [{ raw }, entry] of entries) {
      if (entry.takenAt === null) continue
      const { bytesWritten } = raw.socket
      // More is given to the connection only as the client takes what it was given before.
      if (bytesWritten !== entry.sentBytes) {
        const graceMs = Math.min(longestGraceMs, (bytesWritten - entry.sentBytes) / leastBytesPerMs)
        Object.assign(entry, { takenAt: now, sentBytes: bytesWritten, graceMs })
      } else if (entry.takenAt < now - config.requestTimeoutMs - entry.graceMs) raw.socket.destroy()
    }
  }, sweepMs).unref()
  return {
    /** Gives why the request cannot be taken on. */
    begin(request: FastifyRequest, reply: FastifyReply, hasBody: boolean): AppError | undefined {
      const holder = holderOf(request.caller as Caller)
      // What is announced is not yet held, but what could never be taken is refused before it is sent.
      const announced = hasBody ? Math.min(config.bodyLimitBytes, Number(request.headers['content-length'] ?? 1)) : 0
      const refusal = refusalOf(places, holder, 1, 'requests in progress') ?? refusalOf(bodies, holder, announced, bodiesInWords)
      if (refusal !== undefined) return refusal
      places.take(holder, 1)
      const entry: Entry = { holder, bytes: 0, isClosed: false, takenAt: null, sentBytes: 0, graceMs: 0 }
      entries.set(request, entry)
      whenGone(reply.raw, () => {
        entry.isClosed = true
        if (entry.takenAt !== null) release(request)
      })
      return undefined
    },
    /** Throws when there is no room for more of the body. */
    arrive(request: FastifyRequest, bytes: number): void {
      const entry = entries.get(request)
      if (entry === undefined) throw new AppError('OVERLOADED')
      const refusal = refusalOf(bodies, entry.holder, bytes, bodiesInWords)
      if (refusal !== undefined) throw refusal
      bodies.take(entry.holder, bytes)
      entry.bytes += bytes
    },
    answered(request: FastifyRequest): void {
      const entry = entries.get(request)
      if (entry === undefined) return
      entry.takenAt = clock.monotonicMs()
      entry.sentBytes = request.raw.socket.bytesWritten
      if (entry.isClosed) release(request)
    },
    /** Streams hold a place of their own kind as soon as they are open. */
    release,
    figures: () => ({ requests: places.used(), bodyBytes: bodies.used() }),
    close: () => clearInterval(sweeper),
  }
}

const bodiesInWords = 'bytes of request bodies'

function refusalOf(shares: Shares, holder: Holder, amount: number, what: string): AppError | undefined {
  if (amount === 0) return undefined
  const answer = shares.ask(holder, amount)
  if (answer === 'full') return new AppError('OVERLOADED', { detail: `The limit on ${what} is reached.`, retryAfterSeconds: 1 })
  return answer === 'over' ? new AppError('RATE_LIMITED', { detail: `This credential has reached its share of ${what}.` }) : undefined
}

/** Operators are holders like tenants, so that neither can shut out the other. */
export function holderOf({ tenantId, credential }: Pick<Caller, 'tenantId' | 'credential'>): Holder {
  return { tenant: tenantId ?? credential, key: credential }
}
