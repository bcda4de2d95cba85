/**
 * Reads a request body: bounded, UTF-8, JSON without repeated or reserved member names and not nested without end.
 * What is refused is read and thrown away up to a second limit, so that the refusal reaches a client that is still sending:
 * no connection is cut off under an answer.
 */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError, type FieldFault } from '../platform/errors.js'
import { whenBodyEnds } from './when-gone.js'

const discardBytes = 8 * 1024 * 1024
/** Megabytes of buffers are full in a tenth of it. */
const stallMs = 250
const maxDepth = 64

export interface BodyLimits {
  limitBytes: number
  /** Called with each piece before it is kept; throws when there is no room for it. */
  arrive(bytes: number): void
}

/** The body as bytes; empty when there is none. By events, because an iterator over the stream costs ten times as much. */
export function readBody(message: IncomingMessage, { limitBytes, arrive }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = createPieces()
    let bytes = 0
    const discard = (): Promise<void> => {
      message.off('data', take)
      pieces.clear()
      return discardBody(message, limitBytes)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limitBytes) return void discard().then(() => reject(tooLarge(limitBytes)))
      try {
        arrive(chunk.length)
        pieces.add(chunk)
      } catch (error) {
        // Refused at once; what the client still sends is read and thrown away, so that it comes to read the refusal.
        void discard()
        reject(error)
      }
    }
    message.on('data', take)
    message.once('end', () => {
      if (bytes <= limitBytes) resolve(pieces.whole())
    })
    message.once('error', reject)
    whenBodyEnds(message, () => {
      if (!message.readableEnded) reject(new AppError('REQUEST_TIMEOUT'))
    })
  })
}

export function tooLarge(limitBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { detail: `The body has more than ${limitBytes} bytes.` })
}

/**
 * Reads what comes of a body that is refused and throws it away, until its end or a bound. Beyond that nothing more is read, and
 * the client gets a moment to fill what lies between: one that waits for room sees the answer first, one amid a write its reset.
 */
export function discardBody(message: IncomingMessage, limitBytes: number): Promise<void> {
  return new Promise(resolve => {
    let bytes = 0
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= Math.max(discardBytes, limitBytes) || message.isPaused()) return
      message.pause()
      setTimeout(resolve, stallMs)
    })
    message.once('end', resolve)
    whenBodyEnds(message, resolve)
    message.resume()
  })
}

const smallBytes = 4096
const blockBytes = 16 * 1024

/** Small pieces are copied together: each as a buffer of its own would take many times its length. */
function createPieces() {
  let sealed: Buffer[] = []
  let block: Buffer | undefined
  let used = 0
  const seal = () => {
    if (block !== undefined) sealed.push(block.subarray(0, used))
    block = undefined
    used = 0
  }
  return {
    add(chunk: Buffer): void {
      // Most bodies are one piece, and stay as they came.
      if (chunk.length >= smallBytes || (sealed.length === 0 && block === undefined)) {
        seal()
        sealed.push(chunk)
        return
      }
      if (used + chunk.length > blockBytes) seal()
      block ??= Buffer.allocUnsafeSlow(blockBytes)
      used += chunk.copy(block, used)
    },
    whole(): Buffer {
      seal()
      return sealed.length === 1 ? (sealed[0] as Buffer) : Buffer.concat(sealed)
    },
    clear(): void {
      sealed = []
      block = undefined
      used = 0
    },
  }
}

const byteOrderMark = Buffer.from('\ufeff')

export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  // Some clients put a byte order mark before it (RFC 8259 leaves it to the reader).
  const text = bytes.toString('utf8', bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0)
  const members = countMembers(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The parser's message quotes the body, which may hold document text: only the position is given.
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    throw invalid(position === undefined ? 'The body is not valid JSON.' : `The body is not valid JSON at position ${position}.`)
  }
  if (members !== countKept(value)) throw invalid('A member name is repeated in the body.')
  return value
}

/** Characters that JSON can write and PostgreSQL text or UTF-8 cannot hold: NUL and lone surrogates, each with its place. */
export function findUnstorable(value: unknown, pointer = ''): FieldFault[] {
  if (typeof value === 'string') return checkString(value, pointer)
  if (value === null || typeof value !== 'object') return []
  const faults: FieldFault[] = []
  for (const [key, entry] of Object.entries(value)) {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    faults.push(...checkString(key, pointer === '' ? '/' : pointer), ...findUnstorable(entry, place))
    if (faults.length >= 20) break
  }
  return faults
}

function checkString(value: string, pointer: string): FieldFault[] {
  if (value.includes('\u0000')) return [{ pointer, detail: 'must not contain NUL characters' }]
  if (/[\ud800-\udfff]/.test(value) && !isWellFormed(value)) return [{ pointer, detail: 'must not contain lone surrogates' }]
  return []
}

function isWellFormed(value: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value)
}

/**
 * Counts the member names of the text and its depth without building anything. `JSON.parse` keeps the last of equal
 * names silently, so the two counts differ exactly when a name is repeated. Strings are skipped by searching for their
 * end: the cost is that of reading the text once.
 */
function countMembers(text: string): number {
  let members = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = endOfString(text, i)
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth} levels.`)
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return members
}

function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c && quote - 1 - slashes > start) slashes++
    if (slashes % 2 === 0) return quote
    from = quote + 1
  }
}

function countKept(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + countKept(entry), 0)
  const keys = Object.keys(value)
  if (keys.includes('__proto__')) throw invalid('The member name __proto__ is reserved.')
  return keys.reduce((sum, key) => sum + countKept((value as Record<string, unknown>)[key]), keys.length)
}

function invalid(detail: string): AppError {
  return new AppError('JSON_INVALID', { detail })
}
