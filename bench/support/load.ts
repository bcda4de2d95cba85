/**
 * A load generator that costs little, because it shares two cores with what it measures: plain sockets, requests made
 * once and patched with a new idempotency key, one request under way per connection.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface LoadTarget {
  port: number
  path: string
  headers: Record<string, string>
  /** Distinct bodies, dealt out in turn; each holds `keyPlace` once. */
  bodies: readonly string[]
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 202, those while warming up too. */
  refused: number
  /** All answers, those while warming up too. */
  answers: number
}

/** Where the number of the request goes; as long as the number. */
export const keyPlace = '################'

export async function runLoad(
  target: LoadTarget,
  options: { connections: number; warmUpMs: number; measureMs: number },
): Promise<LoadResult> {
  const state = { counting: false, running: true, sent: Date.now() * 1000, refused: 0, answers: 0 }
  const latencies: number[] = []
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(target.port)))
  const ends = sockets.map((socket, index) =>
    drive(socket, makeRequest(target, index), {
      nextNumber: () => state.sent++,
      isRunning: () => state.running,
      onAnswer: (status, ms) => {
        state.answers++
        if (status !== 202) state.refused++
        else if (state.counting) latencies.push(ms)
      },
    }),
  )
  await after(options.warmUpMs)
  state.counting = true
  const started = performance.now()
  await after(options.measureMs)
  state.counting = false
  const seconds = (performance.now() - started) / 1000
  state.running = false
  await Promise.all(ends)
  latencies.sort((a, b) => a - b)
  return {
    perSecond: latencies.length / seconds,
    p50Ms: at(latencies, 0.5),
    p99Ms: at(latencies, 0.99),
    refused: state.refused,
    answers: state.answers,
  }
}

/** One after the other on one connection: what a single client on an idle service waits. */
export async function runSingle(target: LoadTarget, requests: number): Promise<number> {
  const socket = await open(target.port)
  const latencies: number[] = []
  let left = requests
  let number = Date.now() * 1000
  await drive(socket, makeRequest(target, 0), {
    nextNumber: () => number++,
    isRunning: () => left-- > 0,
    onAnswer: (_status, ms) => latencies.push(ms),
  })
  latencies.sort((a, b) => a - b)
  return at(latencies, 0.5)
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

function makeRequest(target: LoadTarget, index: number): { bytes: Buffer; keyAt: number } {
  const body = target.bodies[index % target.bodies.length] as string
  const headers = {
    ...target.headers,
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`POST ${target.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return { bytes, keyAt: bytes.indexOf(keyPlace) }
}

interface Drive {
  nextNumber(): number
  isRunning(): boolean
  onAnswer(status: number, ms: number): void
}

function drive(socket: Socket, request: { bytes: Buffer; keyAt: number }, drive: Drive): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let text = ''
    const send = () => {
      if (!drive.isRunning()) {
        socket.destroy()
        resolve()
        return
      }
      request.bytes.write(String(drive.nextNumber()).padStart(keyPlace.length, '0'), request.keyAt, 'latin1')
      sentAt = performance.now()
      socket.write(request.bytes)
    }
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text = text === '' ? chunk : text + chunk
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      drive.onAnswer(Number(text.slice(9, 12)), performance.now() - sentAt)
      text = ''
      send()
    })
    send()
  })
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function after(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
