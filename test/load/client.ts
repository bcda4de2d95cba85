/**
 * A load generator on plain sockets, because it shares the machine with what it loads: requests one at a time on each
 * connection, either as fast as the answers come (`flood`) or at a given rate whatever the answers do (`offer`).
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface LoadTarget {
  port: number
  tenantId: string
}

export interface Answered {
  status: number
  ms: number
  /** Whether a refusal said when to come back. */
  retryAfter: boolean
}

export interface LoadReport {
  answers: Answered[]
  /** Requests that found no free connection: offered, never sent. */
  unsent: number
  seconds: number
}

interface Connection {
  socket: Socket
  send(bytes: string): Promise<Answered>
}

/** As many as the connections allow, for a while. */
export async function flood(
  target: LoadTarget,
  { connections, ms, body }: { connections: number; ms: number; body(n: number): string },
): Promise<LoadReport> {
  const pool = await openAll(target, connections)
  const answers: Answered[] = []
  const started = performance.now()
  let n = 0
  await Promise.all(
    pool.map(async connection => {
      while (performance.now() - started < ms) answers.push(await connection.send(requestOf(target, body(n++))))
      connection.socket.destroy()
    }),
  )
  return { answers, unsent: 0, seconds: (performance.now() - started) / 1000 }
}

/** So many a second, for a while; answers that are late do not slow the offers down. */
export async function offer(
  target: LoadTarget,
  {
    perSecond,
    connections,
    ms,
    body,
    onAnswer,
  }: { perSecond: number; connections: number; ms: number; body(n: number): string; onAnswer?(answer: Answered): void },
): Promise<LoadReport> {
  const free = await openAll(target, connections)
  const all = [...free]
  const answers: Answered[] = []
  const under = new Set<Promise<unknown>>()
  const failures: unknown[] = []
  const started = performance.now()
  let sent = 0
  let unsent = 0
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - started) {
    for (const due = Math.floor((elapsed / 1000) * perSecond); sent + unsent < due; ) {
      const next = free.pop()
      if (next === undefined) {
        unsent++
        continue
      }
      const bytes = requestOf(target, body(sent++))
      const run = sendOn(next, bytes, target.port, all)
        .then(({ answer, connection }) => {
          answers.push(answer)
          onAnswer?.(answer)
          free.push(connection)
        })
        .catch(error => failures.push(error))
        .finally(() => under.delete(run))
      under.add(run)
    }
    await wait(4)
  }
  const seconds = (performance.now() - started) / 1000
  await Promise.all(under)
  for (const { socket } of all) socket.destroy()
  if (failures.length) throw new AggregateError(failures, `${failures.length} requests got no answer`)
  return { answers, unsent, seconds }
}

/** The server ends connections that were not used for long, maybe in the moment they are used: then a new one takes the request, once. */
async function sendOn(
  idle: Connection,
  bytes: string,
  port: number,
  all: Connection[],
): Promise<{ answer: Answered; connection: Connection }> {
  if (!idle.socket.destroyed) {
    try {
      return { answer: await idle.send(bytes), connection: idle }
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) throw error
    }
  }
  const connection = await openOne(port)
  all.push(connection)
  return { answer: await connection.send(bytes), connection }
}

class ConnectionEnded extends Error {}

function requestOf({ tenantId }: LoadTarget, body: string): string {
  return `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const patienceMs = 30_000

async function openAll({ port }: LoadTarget, count: number): Promise<Connection[]> {
  const made: Connection[] = []
  for (let n = 0; n < count; n += 100) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(100, count - n) }, () => openOne(port)))))
  }
  return made
}

async function openOne(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let waiting: { at: number; resolve(answer: Answered): void; reject(error: Error): void } | undefined
  let text = ''
  let isUsed = false
  socket.on('data', chunk => {
    // Before anything was asked: the server ends a connection on which nothing has come for long, with a 408.
    if (waiting === undefined) return socket.destroy()
    text += chunk.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < head + 4 + length) return
    const answer = { status: Number(text.slice(9, 12)), ms: performance.now() - waiting.at, retryAfter: /\r\nretry-after: \d/i.test(text) }
    text = ''
    socket.setTimeout(0)
    const { resolve, reject } = waiting
    waiting = undefined
    // It crossed the first request, which was not read.
    if (answer.status === 408 && !isUsed) reject(new ConnectionEnded('the connection was not used for long'))
    else resolve(answer)
    isUsed = true
  })
  socket.on('timeout', () => socket.destroy(new Error(`no answer within ${patienceMs} ms`)))
  socket.on('error', error => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new ConnectionEnded('the connection was closed before the answer')))
  return {
    socket,
    send: bytes =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection is closed'))
        waiting = { at: performance.now(), resolve, reject }
        socket.setTimeout(patienceMs)
        socket.write(bytes)
      }),
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
