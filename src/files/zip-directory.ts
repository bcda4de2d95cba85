/** The central directory of a ZIP archive: what is in it and how large it says it is, read without unpacking anything. */

import { isUtf8 } from 'node:buffer'
import { FileFault } from './extraction.js'

export interface ZipEntry {
  name: string
  method: number
  encrypted: boolean
  compressedBytes: number
  bytes: number
  /** Of its local header in the archive. */
  offset: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const mostEntries = 20_000

/** Of a whole archive. */
export function directoryOf(archive: Buffer): ZipEntry[] {
  const entries = readDirectory(archive)
  if (entries === null) throw new FileFault('BROKEN')
  if (entries === 'too_many') throw new FileFault('TOO_COMPLEX')
  return entries
}

/** Null when there is no directory, or it is broken or not wholly within these last bytes of the archive. */
function readDirectory(tail: Buffer): ZipEntry[] | 'too_many' | null {
  const end = findEnd(tail)
  if (end < 0) return null
  const count = tail.readUInt16LE(end + 10)
  const size = tail.readUInt32LE(end + 12)
  // What is too large for these fields has all their bits set, and stands in another record (zip64).
  if (count > mostEntries || size === 0xffffffff) return 'too_many'
  let at = end - size
  if (at < 0) return null
  const entries: ZipEntry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > end || tail.readUInt32LE(at) !== entryMark) return null
    const nameLength = tail.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
    if (next > end) return null
    entries.push({
      name: nameOf(tail.subarray(at + 46, at + 46 + nameLength)),
      method: tail.readUInt16LE(at + 10),
      encrypted: (tail.readUInt16LE(at + 8) & 1) === 1,
      compressedBytes: tail.readUInt32LE(at + 20),
      bytes: tail.readUInt32LE(at + 24),
      offset: tail.readUInt32LE(at + 42),
    })
    at = next
  }
  return entries
}

/** What is not UTF-8 is the first code page of the PC, which older programs write. */
function nameOf(bytes: Buffer): string {
  const name = isUtf8(bytes)
    ? bytes.toString('utf8')
    : Array.from(bytes, byte => (byte < 128 ? String.fromCharCode(byte) : upper[byte - 128])).join('')
  return name.replaceAll('\\', '/')
}

const upper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

export function directoryNames(tail: Buffer): string[] {
  const entries = readDirectory(tail)
  return entries === null || entries === 'too_many' ? [] : entries.map(entry => entry.name)
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - 22; at >= Math.max(0, tail.length - 22 - 0xffff); at--) {
    if (tail.readUInt32LE(at) === endMark) return at
  }
  return -1
}
