/**
 * ZIP archives whose parts are as long as they are: nothing is packed, so that it is known before the first byte where each
 * part lies, and any range can be given without the bytes before it. Sums of parts that come from elsewhere stand behind them.
 */

import { crc32 } from './crc32.js'

export interface ZipPart {
  name: string
  bytes: number
  read(range: ZipRange): AsyncIterable<Uint8Array>
}

export interface ZipRange {
  first: number
  /** The last byte, which is part of it. */
  last: number
}

export interface ZipArchive {
  bytes: number
  chunks(range?: ZipRange): AsyncGenerator<Uint8Array>
}

/** The largest there can be without the long forms of the format. */
export const zipBytesAtMost = 0xffff_ffff
export const zipPartsAtMost = 0xffff

export function zipOf(parts: readonly ZipPart[]): ZipArchive {
  const sums = new Map<ZipPart, Promise<number>>()
  const sumOf = (part: ZipPart) => {
    const known = sums.get(part) ?? sumOfBytes(part)
    sums.set(part, known)
    return known
  }
  /** What is given out whole is not read again for its sum. */
  const read = async function* (part: ZipPart, range: ZipRange): AsyncGenerator<Uint8Array> {
    if (range.last - range.first + 1 < part.bytes) return yield* part.read(range)
    let sum = 0
    for await (const piece of part.read(range)) {
      sum = crc32(piece, sum)
      yield piece
    }
    sums.set(part, Promise.resolve(sum))
  }
  const pieces: Piece[] = []
  const entries: { part: ZipPart; offset: number }[] = []
  let offset = 0
  const add = (...more: Piece[]) => {
    for (const piece of more) {
      pieces.push(piece)
      offset += piece.bytes
    }
  }
  for (const part of parts) {
    entries.push({ part, offset })
    add(
      { bytes: 30 + Buffer.byteLength(part.name), make: async () => localHeader(part) },
      { bytes: part.bytes, read: range => read(part, range) },
      { bytes: 16, make: async () => descriptor(part, await sumOf(part)) },
    )
  }
  const start = offset
  for (const entry of entries) {
    add({ bytes: 46 + Buffer.byteLength(entry.part.name), make: async () => listed(entry, await sumOf(entry.part)) })
  }
  const listing = { start, bytes: offset - start, parts: parts.length }
  add({ bytes: 22, make: async () => ending(listing) })
  if (offset > zipBytesAtMost || parts.length > zipPartsAtMost) throw new RangeError('too much for one archive')
  const total = offset
  return { bytes: total, chunks: (range = { first: 0, last: total - 1 }) => within(pieces, range) }
}

/** An archive in memory, for what is small. */
export async function zippedText(texts: Readonly<Record<string, string>>): Promise<Buffer> {
  const parts = Object.entries(texts).map(([name, text]) => partOf(name, Buffer.from(text)))
  const pieces: Uint8Array[] = []
  for await (const piece of zipOf(parts).chunks()) pieces.push(piece)
  return Buffer.concat(pieces)
}

export function partOf(name: string, content: Buffer): ZipPart {
  return {
    name,
    bytes: content.length,
    async *read({ first, last }) {
      yield content.subarray(first, last + 1)
    },
  }
}

type Piece = { bytes: number } & ({ make(): Promise<Buffer>; read?: never } | { read: ZipPart['read']; make?: never })

async function* within(pieces: readonly Piece[], { first, last }: ZipRange): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const piece of pieces) {
    const wanted = { first: Math.max(0, first - start), last: Math.min(piece.bytes - 1, last - start) }
    start += piece.bytes
    if (wanted.first > wanted.last) continue
    if (piece.read !== undefined) yield* piece.read(wanted)
    else yield (await piece.make()).subarray(wanted.first, wanted.last + 1)
  }
}

async function sumOfBytes(part: ZipPart): Promise<number> {
  let sum = 0
  if (part.bytes === 0) return sum
  for await (const piece of part.read({ first: 0, last: part.bytes - 1 })) sum = crc32(piece, sum)
  return sum
}

/** Version 2.0; sum and lengths follow; names in UTF-8; stored; the first day the format knows, so that equal parts are equal bytes. */
const common = [
  [20, 2],
  [0x0808, 2],
  [0, 2],
  [0, 2],
  [0x21, 2],
] as const

/** Version 2.0 on Unix. Of MS-DOS, which 0 says, Info-ZIP recodes the names, although they say that they are in UTF-8. */
const madeOnUnix = 0x0314
/** A file that everybody may read and its owner write: on Unix the rights are taken from here, and nothing would be none. */
const fileOfUnix = 0o100644 * 0x10000

type Field = readonly [value: number, bytes: 2 | 4]

function localHeader({ name }: ZipPart): Buffer {
  const named = Buffer.from(name)
  return Buffer.concat([fields([0x04034b50, 4], ...common, [0, 4], [0, 4], [0, 4], [named.length, 2], [0, 2]), named])
}

function descriptor({ bytes }: ZipPart, sum: number): Buffer {
  return fields([0x08074b50, 4], [sum, 4], [bytes, 4], [bytes, 4])
}

function listed({ part: { name, bytes }, offset }: { part: ZipPart; offset: number }, sum: number): Buffer {
  const named = Buffer.from(name)
  const lengths: Field[] = [
    [sum, 4],
    [bytes, 4],
    [bytes, 4],
    [named.length, 2],
  ]
  const nothing: Field[] = [
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 2],
  ]
  const rest: Field[] = [
    [fileOfUnix, 4],
    [offset, 4],
  ]
  return Buffer.concat([fields([0x02014b50, 4], [madeOnUnix, 2], ...common, ...lengths, ...nothing, ...rest), named])
}

function ending({ start, bytes, parts }: { start: number; bytes: number; parts: number }): Buffer {
  return fields([0x06054b50, 4], [0, 2], [0, 2], [parts, 2], [parts, 2], [bytes, 4], [start, 4], [0, 2])
}

function fields(...all: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of all) at = bytes === 2 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value, at)
  return buffer
}
