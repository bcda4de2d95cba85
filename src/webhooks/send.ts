/**
 * Posts one message. Everything but a 2xx is a failure, redirects included: they are never followed. The answer is read
 * only so that its connection can serve the next message, and never beyond a bound.
 */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { FailureReason } from '../store/webhooks/webhook-deliveries.js'
import { isPrivateHost } from './addresses.js'
import { AddressRefusedError, checkedLookup, type ResolveName } from './lookup.js'
import { signatureOf } from './signature.js'

export interface Message {
  id: string
  body: string
}

export interface SendResult {
  delivered: boolean
  /** Null when there was no answer. */
  status: number | null
  reason: FailureReason | null
  durationMs: number
}

export interface Sender {
  send(message: Message): Promise<SendResult>
  /** Ends connections, with whatever is under way on them. */
  close(): void
}

export interface SenderOptions {
  url: string
  /** Newest first. */
  secrets: readonly string[]
  allowPrivate: boolean
  timeoutMs: number
  connections: number
  resolve?: ResolveName | undefined
}

const answerBytes = 64 * 1024
const headerBytes = 8 * 1024

/** Connections are kept between the messages of one sender. */
export function createSender(options: SenderOptions): Sender {
  const url = new URL(options.url)
  const isSecure = url.protocol === 'https:'
  const lookup = checkedLookup(options)
  const settings = { keepAlive: true, maxSockets: options.connections, lookup }
  const agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings)
  const isRefused = !options.allowPrivate && (!isSecure || isPrivateHost(url))
  return {
    send: async message => {
      const started = performance.now()
      const outcome = isRefused
        ? { status: null, reason: 'address' as const }
        : await post({ ...options, url, agent, request: isSecure ? httpsRequest : httpRequest }, message)
      return { ...outcome, delivered: outcome.reason === null, durationMs: Math.round(performance.now() - started) }
    },
    close: () => agent.destroy(),
  }
}

interface Line extends Pick<SenderOptions, 'secrets' | 'timeoutMs' | 'allowPrivate'> {
  url: URL
  agent: HttpAgent
  request: typeof httpRequest
}

type Outcome = Pick<SendResult, 'status' | 'reason'>

function post({ url, agent, request, secrets, timeoutMs, allowPrivate }: Line, { id, body }: Message): Promise<Outcome> {
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'concord-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
  }
  return new Promise(resolve => {
    let answered: Outcome | undefined
    let isLate = false
    const sending = request(url, { method: 'POST', agent, headers, maxHeaderSize: headerBytes })
    const timer = setTimeout(() => {
      isLate = true
      sending.destroy()
    }, timeoutMs)
    const end = (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    // The status is the answer; how its body ended changes nothing.
    sending.on('close', () => end(answered ?? { status: null, reason: isLate ? 'timeout' : 'connection' }))
    sending.on('error', (error: NodeJS.ErrnoException) => {
      answered ??= { status: null, reason: isLate ? 'timeout' : reasonOf(error, allowPrivate) }
    })
    sending.on('response', response => {
      answered = outcomeOf(response.statusCode ?? 0)
      discard(response, () => end(answered as Outcome))
    })
    sending.end(body)
  })
}

function discard(response: IncomingMessage, done: () => void): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > answerBytes) response.destroy()
  })
  // A body that breaks off is met by the close of its request.
  response.on('error', () => undefined)
  response.on('end', done)
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { status, reason: null }
  return { status, reason: status >= 300 && status < 400 ? 'redirect' : 'status' }
}

/** Where private addresses are refused, a name without an address is too: the difference would tell which names exist inside. */
function reasonOf(error: NodeJS.ErrnoException, allowPrivate: boolean): FailureReason {
  const code = error.code ?? ''
  if (error instanceof AddressRefusedError) return 'address'
  if (/^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP|ECANCELLED)/.test(code))
    return allowPrivate ? 'dns' : 'address'
  if (/CERT|SSL|TLS|SIGNED|EPROTO|UNABLE_TO/.test(code)) return 'tls'
  return 'connection'
}
