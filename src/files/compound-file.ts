/**
 * Streams of a compound file ([MS-CFB]), the container of Outlook's messages: a small file system of sectors in chains. Chains
 * that go in circles or leave the file are damage; what all streams together give out is bounded, since many may share a chain.
 */

import { FileFault } from './extraction.js'

export interface Storage {
  readonly storages: ReadonlyMap<string, Storage>
  readonly streams: ReadonlyMap<string, Stream>
}

export interface Stream {
  readonly start: number
  readonly bytes: number
}

export interface CompoundFile {
  readonly root: Storage
  read(stream: Stream): Buffer
}

interface Entry extends Stream {
  name: string
  kind: number
  left: number
  right: number
  child: number
}

const noSector = 0xfffffffa
const noEntry = 0xffffffff
const mostEntries = 50_000

export function openCompound(bytes: Buffer, maxBytes: number): CompoundFile {
  if (bytes.length < 512 || bytes.readUInt32BE(0) !== 0xd0cf11e0) throw new FileFault('BROKEN')
  const [shift, miniShift] = [bytes.readUInt16LE(30), bytes.readUInt16LE(32)]
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw new FileFault('BROKEN')
  const size = 1 << shift
  const sector = (number: number): Buffer => {
    const at = (number + 1) * size
    if (number >= noSector || at >= bytes.length) throw new FileFault('BROKEN')
    return bytes.subarray(at, at + size)
  }
  const fat = numbersOf(fatSectors(bytes, sector, size).map(sector))
  const chain = (start: number): Buffer => Buffer.concat(chainOf(start, fat).map(sector))
  const entries = entriesOf(chain(bytes.readUInt32LE(48)))
  const [top] = entries
  if (top === undefined || top.kind !== 5) throw new FileFault('BROKEN')
  const miniFat = bytes.readUInt32LE(60) >= noSector ? [] : numbersOf([chain(bytes.readUInt32LE(60))])
  const mini = top.start >= noSector ? Buffer.alloc(0) : chain(top.start)
  const leastBytes = bytes.readUInt32LE(56)
  let left = maxBytes
  return {
    root: storageOf(entries, top),
    read({ start, bytes: length }) {
      left -= length
      if (left < 0) throw new FileFault('TOO_LARGE')
      if (length === 0) return Buffer.alloc(0)
      const whole =
        length < leastBytes ? Buffer.concat(chainOf(start, miniFat).map(at => mini.subarray(at * 64, at * 64 + 64))) : chain(start)
      if (whole.length < length) throw new FileFault('BROKEN')
      return whole.subarray(0, length)
    },
  }
}

/** The first are named in the head, the others in a chain of their own. */
function fatSectors(bytes: Buffer, sector: (number: number) => Buffer, size: number): number[] {
  const found: number[] = []
  const take = (from: Buffer, first: number, count: number) => {
    for (let n = 0; n < count; n++) {
      const number = from.readUInt32LE(first + n * 4)
      if (number < noSector) found.push(number)
    }
  }
  take(bytes, 76, 109)
  const most = bytes.length / size
  for (let next = bytes.readUInt32LE(68), seen = 0; next < noSector; seen++) {
    if (seen > most) throw new FileFault('BROKEN')
    const list = wholeSector(sector(next), size)
    take(list, 0, size / 4 - 1)
    next = list.readUInt32LE(size - 4)
  }
  return found
}

function wholeSector(sector: Buffer, size: number): Buffer {
  if (sector.length < size) throw new FileFault('BROKEN')
  return sector
}

function numbersOf(sectors: readonly Buffer[]): number[] {
  const numbers: number[] = []
  for (const each of sectors) for (let at = 0; at + 4 <= each.length; at += 4) numbers.push(each.readUInt32LE(at))
  return numbers
}

function chainOf(start: number, table: readonly number[]): number[] {
  const chain: number[] = []
  for (let next = start; next < noSector; next = table[next] ?? noEntry) {
    if (chain.length > table.length || next >= table.length) throw new FileFault('BROKEN')
    chain.push(next)
  }
  return chain
}

function entriesOf(directory: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    if (entries.length === mostEntries) throw new FileFault('TOO_COMPLEX')
    const length = Math.min(64, directory.readUInt16LE(at + 64))
    entries.push({
      name: directory.toString('utf16le', at, at + Math.max(0, length - 2)),
      kind: directory[at + 66] as number,
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      bytes: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

/** Entries of a storage are a tree; one that is met twice is in a circle. */
function storageOf(entries: readonly Entry[], top: Entry): Storage {
  const met = new Set<number>()
  const read = (of: Entry, depth: number): Storage => {
    const storages = new Map<string, Storage>()
    const streams = new Map<string, Stream>()
    const waiting = [of.child]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const entry = entries[at]
      if (entry === undefined) continue
      if (met.has(at) || depth > 50) throw new FileFault('BROKEN')
      met.add(at)
      waiting.push(entry.left, entry.right)
      if (entry.kind === 1) storages.set(entry.name, read(entry, depth + 1))
      if (entry.kind === 2) streams.set(entry.name, { start: entry.start, bytes: entry.bytes })
    }
    return { storages, streams }
  }
  return read(top, 0)
}
