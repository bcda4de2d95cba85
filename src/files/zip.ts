/**
 * Parts of a ZIP archive, unpacked one at a time and only as far as they may go: what an archive says about its sizes is
 * not believed.
 */

import { inflateRawSync } from 'node:zlib'
import { FileFault } from './extraction.js'
import type { Parts } from './xml.js'
import { directoryOf, type ZipEntry } from './zip-directory.js'

export interface Archive extends Parts {
  readonly names: readonly string[]
}

export function openArchive(bytes: Buffer, maxUnpackedBytes: number): Archive {
  const entries = directoryOf(bytes)
  const byName = new Map(entries.map(entry => [entry.name, entry]))
  let left = maxUnpackedBytes
  return {
    names: [...byName.keys()],
    read(name) {
      const entry = byName.get(name)
      if (entry === undefined) return null
      if (entry.encrypted) throw new FileFault('ENCRYPTED')
      const unpacked = unpackEntry(bytes, entry, left)
      left -= unpacked.length
      return decodeXml(unpacked)
    },
  }
}

export function unpackEntry(bytes: Buffer, entry: ZipEntry, mostBytes: number): Buffer {
  return unpack(packedOf(bytes, entry), entry.method, mostBytes)
}

function packedOf(bytes: Buffer, { offset, compressedBytes }: ZipEntry): Buffer {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50) throw new FileFault('BROKEN')
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + compressedBytes > bytes.length) throw new FileFault('BROKEN')
  return bytes.subarray(start, start + compressedBytes)
}

function unpack(packed: Buffer, method: number, mostBytes: number): Buffer {
  if (method === 0) {
    if (packed.length > mostBytes) throw new FileFault('TOO_LARGE')
    return packed
  }
  if (method !== 8) throw new FileFault('BROKEN')
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, mostBytes) })
  } catch (error) {
    throw new FileFault((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'TOO_LARGE' : 'BROKEN', error)
  }
}

function decodeXml(bytes: Buffer): string {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (mark === 0xfffe) return bytes.toString('utf16le', 2)
  if (mark === 0xfeff) return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
  return bytes.toString('utf8')
}
