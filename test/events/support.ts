/** Streams over HTTP with nothing else around them, and readers for them: raw sockets and a parser of frames. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { createHints, type Hints } from '../../src/events/hints.js'
import { createEventStreams, type EventStreams } from '../../src/events/streams.js'
import { createReaders } from '../../src/http/readers.js'
import { type Allowance, createStreams, type Streams } from '../../src/http/sse.js'
import { systemClock } from '../../src/platform/clock.js'
import { isAppError } from '../../src/platform/errors.js'
import type { Database } from '../../src/store/server/database.js'
import type { TestDatabase } from '../support/clone-database.js'

export interface StreamServer {
  server: FastifyInstance
  port: number
  url: string
  streams: Streams
  events: EventStreams
  hints: Hints
  close(): Promise<void>
}

export interface StreamServerOptions {
  db?: Database
  hints?: Hints
  sseKeepaliveMs?: number
  sseMaxReaders?: number
  allowance?: Allowance
}

/** `/scopes/{tenantId}/{scopeId}`, `/tenants/{tenantId}` and `/kernel`, with `after`, `Last-Event-ID` and filters as the real routes have them. */
export async function startStreamServer(test: TestDatabase, options: StreamServerOptions = {}): Promise<StreamServer> {
  const hints = options.hints ?? createHints({ logger: test.logger })
  const deps = { db: options.db ?? test.db, hints, clock: systemClock, logger: test.logger }
  const events = createEventStreams({ ...deps, idKey: 'key' })
  const config = { sseKeepaliveMs: options.sseKeepaliveMs ?? 10_000 }
  const readers = createReaders({ most: options.sseMaxReaders ?? 2000, areScarce: () => false })
  const streams = createStreams({ ...deps, config, readers })
  let tenants = 0
  /** Each of another tenant, so that none meets its own share first. */
  const reader = () => ({ caller: { tenantId: `tenant ${tenants++}`, credential: 'key' }, allowance: options.allowance })
  // Clients that keep a connection for the next request would hold up the close by their keep-alive.
  const server = fastify({ forceCloseConnections: true })
  server.setErrorHandler((error, _request, reply) => {
    void reply.status(isAppError(error, 'SCOPE_NOT_FOUND') ? 404 : isAppError(error, 'CURSOR_INVALID') ? 400 : 503)
    return { code: isAppError(error) ? error.code : 'INTERNAL' }
  })
  server.get<{ Params: { tenantId: string; scopeId: string }; Querystring: { after?: string } }>(
    '/scopes/:tenantId/:scopeId',
    (request, reply) =>
      streams.serve(
        reply,
        () => events.subscribeScope({ ...request.params, after: request.query.after, lastEventId: lastEventIdOf(request.headers) }),
        reader(),
      ),
  )
  server.get<{ Params: { tenantId: string }; Querystring: { within?: string } }>('/tenants/:tenantId', (request, reply) => {
    const within = request.query.within?.split(',') ?? null
    return streams.serve(reply, () => events.subscribeTenant({ tenantId: request.params.tenantId, within }), reader())
  })
  server.get<{ Querystring: { after?: string; tenant_id?: string; scope_id?: string; type?: string } }>('/kernel', (request, reply) => {
    const { after, tenant_id, scope_id, type } = request.query
    const filter = { tenantId: tenant_id, scopeId: scope_id, types: type?.split(',') }
    return streams.serve(reply, () => events.subscribeKernel({ after, lastEventId: lastEventIdOf(request.headers), filter }), reader())
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await streams.close()
    await events.close()
    await server.close()
    await hints.close()
  }
  return { server, port: Number(new URL(url).port), url, streams, events, hints, close }
}

function lastEventIdOf(headers: Record<string, unknown>): string | null {
  const value = headers['last-event-id']
  return typeof value === 'string' ? value : null
}

export interface Frame {
  id?: string
  event?: string
  retry?: string
  data?: { type: string; source: string; subject?: string; id: string; data: Record<string, unknown> }
  comment?: string
}

export interface RawReader {
  frames: Frame[]
  /** Those of the frames that are events. */
  events: Frame[]
  socket: Socket
  /** Resolves when `done` holds of what has arrived; rejects when the connection ends before. */
  until(done: (frames: Frame[]) => boolean): Promise<Frame[]>
  ended: Promise<void>
  close(): void
}

/** A reader of one connection that keeps every frame, and never reconnects. */
export function openRaw(port: number, path: string, headers: Record<string, string> = {}): RawReader {
  const socket = connect(port, '127.0.0.1')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // HTTP/1.0 has no chunks, so what follows the head is the stream itself.
  socket.write(`GET ${path} HTTP/1.0\r\nhost: test\r\n${lines.join('')}\r\n`)
  const frames: Frame[] = []
  const events: Frame[] = []
  const watchers = new Set<() => void>()
  let text = ''
  let headSeen = false
  let over = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    if (!headSeen) {
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      headSeen = true
      text = text.slice(end + 4)
    }
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const frame = parseFrame(block)
      frames.push(frame)
      if (frame.event !== undefined) events.push(frame)
    }
    for (const watcher of [...watchers]) watcher()
  })
  socket.on('error', () => socket.destroy())
  const ended = once(socket, 'close').then(() => {
    over = true
    for (const watcher of [...watchers]) watcher()
  })
  const until = (done: (frames: Frame[]) => boolean) =>
    new Promise<Frame[]>((resolve, reject) => {
      const look = () => {
        if (done(frames)) resolve(frames)
        else if (over) reject(new Error(`the stream ended after ${frames.length} frames`))
        else return
        watchers.delete(look)
      }
      watchers.add(look)
      look()
    })
  return { frames, events, socket, until, ended, close: () => socket.destroy() }
}

function parseFrame(block: string): Frame {
  const frame: Record<string, unknown> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    // Parsed when asked for: most tests look at ids alone, a hundred thousand times.
    if (name === 'data') Object.defineProperty(frame, 'data', { enumerable: true, get: () => JSON.parse(value) })
    else frame[name === '' ? 'comment' : name] = value
  }
  return frame as Frame
}

export function eventsOf(frames: readonly Frame[]): Frame[] {
  return frames.filter(frame => frame.event !== undefined)
}
