/**
 * Requests that are HTTP but could be read in two ways, by us and by a proxy in front of us, or ask for what we do not
 * do. Node refuses some of them itself with an empty answer; here all get the one shape.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../platform/errors.js'
import { bareAnswer } from './client-errors.js'
import { validationFailed } from './validation.js'

/** Headers that mean one thing: of two, one reader may take the first and another the last. */
const single = new Set([
  'host',
  'authorization',
  'content-type',
  'transfer-encoding',
  'x-tenant-id',
  'x-tenant-api-key',
  'idempotency-key',
  'x-document-model',
  'x-document-about',
  'last-event-id',
])

export function shapeFault(message: IncomingMessage): AppError | undefined {
  const repeated = repeatedHeader(message.rawHeaders)
  if (repeated !== undefined) return validationFailed([{ pointer: `/headers/${repeated}`, detail: 'must be given once' }])
  const { host, expect, 'transfer-encoding': encoding } = message.headers
  if (host === undefined && message.httpVersion === '1.1') return validationFailed([{ pointer: '/headers/host', detail: 'is required' }])
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    return validationFailed([{ pointer: '/headers/transfer-encoding', detail: 'must be chunked' }])
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return new AppError('EXPECTATION_FAILED')
  return undefined
}

function repeatedHeader(raw: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase()
    if (!single.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

/** The path as it was sent, without query, and without the authority that a proxy's form of address puts before it. */
export function sentPath(url: string): string {
  const path = url.split('?', 1)[0] as string
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}

/** What cannot be decoded names nothing that is there, as a character does that nothing can have in its name. */
export function decodable(url: string): string {
  if (!url.includes('%')) return url
  const path = url.split('?', 1)[0] as string
  const parts = path.split('/').map(part => (isDecodable(part) ? part : '%00'))
  return parts.join('/') + url.slice(path.length)
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

interface Doors {
  route(message: IncomingMessage, response: ServerResponse): void
  requestId(given: undefined): string
}

/** Lets in what Node would answer or drop by itself. Gives a function that sends `100 Continue` to a client waiting for it. */
export function openDoors(server: Server, { route, requestId }: Doors): (message: IncomingMessage) => void {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  server.on('checkExpectation', route)
  server.on('checkContinue', (message, response) => {
    waiting.set(message, response)
    route(message, response)
  })
  server.on('connect', (_message, socket: Socket) => {
    socket.on('error', () => undefined)
    const error = new AppError('METHOD_NOT_ALLOWED', { detail: 'CONNECT is not supported.' })
    socket.end(bareAnswer(error, requestId(undefined), { Allow: 'DELETE, GET, HEAD, PATCH, POST, PUT' }), () => socket.destroy())
  })
  return message => waiting.get(message)?.writeContinue()
}
