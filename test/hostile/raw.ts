/** Clients that do not keep to HTTP, on bare sockets. Each says what it saw; judging is left to the test. */

import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface Seen {
  /** Statuses in the order of the answers. */
  statuses: number[]
  text: string
  /** How long until the server closed the connection; null when it was still open at the end of the patience. */
  closedMs: number | null
}

export interface Target {
  port: number
}

/** Sends the parts with a pause between them, then reads until the server closes or the patience is over. */
export async function speak(
  target: Target,
  parts: Iterable<string | Buffer>,
  { pauseMs = 0, patienceMs, endAfter = false }: { pauseMs?: number; patienceMs: number; endAfter?: boolean },
): Promise<Seen> {
  const started = performance.now()
  const socket = await open(target)
  let text = ''
  let closedMs: number | null = null
  const closed = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    const note = () => {
      closedMs ??= Math.round(performance.now() - started)
      resolve()
    }
    socket.on('end', note)
    socket.on('close', note)
  })
  for (const part of parts) {
    if (closedMs !== null || performance.now() - started > patienceMs) break
    socket.write(part)
    if (pauseMs > 0) await Promise.race([closed, wait(pauseMs)])
  }
  if (endAfter) socket.end()
  const left = patienceMs - (performance.now() - started)
  if (left > 0) await Promise.race([closed, wait(left)])
  socket.destroy()
  return { statuses: statusesIn(text), text, closedMs }
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(match => Number(match[1]))
}

export function open({ port }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // A server that cuts a hostile client off does so as it likes.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

/** Headers that never end, a few bytes at a time. */
export function slowHeaders(target: Target, patienceMs: number): Promise<Seen> {
  function* drip() {
    yield 'GET /api/health HTTP/1.1\r\nHost: x\r\n'
    for (let n = 0; ; n++) yield `X-Slow-${n}: a\r\n`
  }
  return speak(target, drip(), { pauseMs: 150, patienceMs })
}

/** A body that is announced and never comes to its end. */
export function slowBody(target: Target, patienceMs: number, tenantId: string): Promise<Seen> {
  function* drip() {
    yield `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"text":"`
    for (;;) yield 'a'
  }
  return speak(target, drip(), { pauseMs: 150, patienceMs })
}

/** Connections that each send most of a body and never end it. `told` counts those that got an answer. */
export async function unfinishedBodies(target: Target, count: number, tenantId: string): Promise<{ told(): number; close(): void }> {
  const bytes = 2 * 1024 * 1024
  const head = `POST /api/ingest HTTP/1.1\r\nHost: x\r\nX-Tenant-ID: ${tenantId}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  const most = Buffer.alloc(bytes - 1, 'a')
  let told = 0
  const sockets = await Promise.all(Array.from({ length: count }, () => open(target)))
  await Promise.all(
    sockets.map(
      socket =>
        new Promise<void>(resolve => {
          socket.once('data', () => told++)
          socket.once('close', () => resolve())
          socket.write(head)
          socket.write(most, () => resolve())
        }),
    ),
  )
  return {
    told: () => told,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const inner = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
const post = 'POST /api/ingest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** Requests that two servers could read differently. The second request inside must never be seen as one. */
export const smugglingShapes: [name: string, bytes: string][] = [
  ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
  ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`],
  ['two lengths that differ', `${post}Content-Length: 4\r\nContent-Length: 40\r\n\r\n{}{}${inner}`],
  ['a list of lengths', `${post}Content-Length: 2, 40\r\n\r\n{}${inner}`],
  ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}${inner}`],
  ['a negative length', `${post}Content-Length: -2\r\n\r\n{}${inner}`],
  ['a length in hexadecimal', `${post}Content-Length: 0x2\r\n\r\n{}${inner}`],
  ['an encoding nobody knows', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
  ['a second encoding', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${inner}`],
  ['two hosts', `${post}Host: y\r\nContent-Length: 2\r\n\r\n{}${inner}`],
  ['chunked, then identity', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`],
  ['a folded header', `${post}Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`],
  ['a space before the colon', `${post}Content-Length : 2\r\n\r\n{}${inner}`],
  ['a vertical tab before the value', `${post}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${inner}`],
  ['a bare line feed in the headers', `${post}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
  ['a NUL in a header', `${post}X: a\0b\r\nContent-Length: 2\r\n\r\n{}${inner}`],
  ['a chunk longer than it says', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX\r\n0\r\n\r\n${inner}`],
  ['a chunk size that overflows', `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n${inner}`],
]

/** Opens connections that never send a byte. */
export async function silentConnections(target: Target, count: number): Promise<{ close(): void; closedByServer(): number }> {
  const sockets: Socket[] = []
  let closedByServer = 0
  for (let n = 0; n < count; n += 100) {
    const opened = await Promise.all(Array.from({ length: Math.min(100, count - n) }, () => open(target)))
    for (const socket of opened) {
      socket.on('end', () => closedByServer++)
      socket.resume()
      sockets.push(socket)
    }
  }
  return {
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
    closedByServer: () => closedByServer,
  }
}
