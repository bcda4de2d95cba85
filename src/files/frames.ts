/** What the child process and its parent say to each other: a length, a JSON head that tells what follows, and the bytes. */

import type { Readable } from 'node:stream'
import type { FileKind } from '../contract/file-kinds.js'
import type { ExtractionLimits, FaultCode, PlaceKind } from './extraction.js'

export interface Request {
  kind: FileKind
  bytes: number
  limits: ExtractionLimits
  /** Its letters are recognised from that page on; or, from null on, its text is written: what was recognised, as JSON, follows the file. */
  scan?: { languages: readonly string[]; from: number | null; known: number }
}

/** Pages of a scan that are looked at for one answer, whose own text may stand. */
export const mostLookedAt = 64

export type Answer =
  | {
      ok: true
      text: number
      /** Of each row where it begins, and the bytes of its starts and of its labels: they follow the text. */
      places: { kind: PlaceKind; rows: [firstAt: number, starts: number, labels: number][] } | null
      notes: string[]
      attachments: { name: string; declared: string | null; bytes: number }[]
      scan?: 'whole' | 'partly'
      nextPage?: number
      /** The process is in no state to read another file. */
      spent?: true
      /** Of each recognised page the bytes of its starts, lengths, confidences and rectangles, which come last. */
      words: [page: number, starts: number, lengths: number, confidences: number, rectangles: number][]
    }
  /** One of several before the answer: a page was recognised, and follows as JSON. */
  | { ok: 'page'; page: number; bytes: number }
  /** As many of these: a page was looked at, and its own text stands. */
  | { ok: 'looked' }
  | { ok: false; code: FaultCode }

export function headOf(head: Request | Answer): Buffer {
  const json = Buffer.from(JSON.stringify(head), 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/** Takes exactly so many bytes at a time off a stream. Null at its end. */
export function readerOf(stream: Readable): (bytes: number) => Promise<Buffer | null> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let waiting: Buffer[] = []
  let length = 0
  return async bytes => {
    while (length < bytes) {
      const { done, value } = await iterator.next()
      if (done) return null
      waiting.push(value)
      length += value.length
    }
    const all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
    waiting = [all.subarray(bytes)]
    length -= bytes
    return all.subarray(0, bytes)
  }
}

export async function readHead<T extends Request | Answer>(read: (bytes: number) => Promise<Buffer | null>): Promise<T | null> {
  const length = await read(4)
  const json = length === null ? null : await read(length.readUInt32LE(0))
  return json === null ? null : (JSON.parse(json.toString('utf8')) as T)
}
