/**
 * How large a picture is, which way up, and how many pages it has, by its first bytes: nothing is unpacked before that is known. Pure.
 */

import type { PictureKind } from '../contract/file-kinds.js'
import { FileFault } from './extraction.js'

export interface PictureHead {
  width: number
  height: number
  /** As EXIF counts them: 1 upright, 3 on its head, 6 and 8 on a side; 2, 4, 5 and 7 mirrored. */
  orientation: number
  dotsPerInch: number | null
  /** Of the page in a TIFF, else 0. */
  at: number
}

export function pictureHeads(bytes: Buffer, kind: PictureKind): PictureHead[] {
  try {
    const heads =
      kind === 'png' ? [pngHead(bytes)] : kind === 'jpeg' ? [jpegHead(bytes)] : kind === 'webp' ? [webpHead(bytes)] : tiffHeads(bytes)
    if (heads.length === 0 || heads.some(({ width, height }) => !(width > 0 && height > 0))) throw new FileFault('BROKEN')
    return heads
  } catch (error) {
    // It ends before what it says it holds.
    throw error instanceof RangeError ? new FileFault('BROKEN', error) : error
  }
}

/** Mails carry logos and icons along. */
const leastPixels = 100_000
const leastBytes = 1000

export function isLogo(bytes: Buffer, kind: PictureKind): boolean {
  if (bytes.length < leastBytes) return true
  try {
    return pictureHeads(bytes, kind).every(({ width, height }) => width * height < leastPixels)
  } catch (error) {
    // What is damaged is told to its sender.
    if (error instanceof FileFault) return false
    throw error
  }
}

const upright = { orientation: 1, dotsPerInch: null, at: 0 }

function pngHead(bytes: Buffer): PictureHead {
  const head: PictureHead = { ...upright, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  for (let at = 8; at + 12 <= bytes.length; ) {
    const [length, type] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)]
    if (type === 'IDAT') break
    if (type === 'pHYs' && bytes[at + 16] === 1) head.dotsPerInch = bytes.readUInt32BE(at + 8) * 0.0254
    if (type === 'eXIf') head.orientation = exifOrientation(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return head
}

function jpegHead(bytes: Buffer): PictureHead {
  const head: PictureHead = { ...upright, width: 0, height: 0 }
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) {
      at++
      continue
    }
    const mark = bytes[at + 1] as number
    if (mark === 0xff || mark === 0 || mark === 1 || (mark >= 0xd0 && mark <= 0xd8)) {
      at += mark === 0xff ? 1 : 2
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (mark === 0xe0 && bytes.toString('latin1', at + 4, at + 8) === 'JFIF') {
      const [unit, density] = [bytes[at + 11], bytes.readUInt16BE(at + 12)]
      head.dotsPerInch = unit === 1 ? density : unit === 2 ? density * 2.54 : null
    }
    if (mark === 0xe1 && bytes.toString('latin1', at + 4, at + 8) === 'Exif')
      head.orientation = exifOrientation(bytes.subarray(at + 10, at + 2 + length))
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return { ...head, height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + length
  }
  return head
}

function webpHead(bytes: Buffer): PictureHead {
  const head: PictureHead = { ...upright, width: 0, height: 0 }
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [type, length] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)]
    const data = at + 8
    if (type === 'VP8X') Object.assign(head, { width: bytes.readUIntLE(data + 4, 3) + 1, height: bytes.readUIntLE(data + 7, 3) + 1 })
    if (type === 'VP8 ' && head.width === 0)
      Object.assign(head, { width: bytes.readUInt16LE(data + 6) & 0x3fff, height: bytes.readUInt16LE(data + 8) & 0x3fff })
    if (type === 'VP8L' && head.width === 0) {
      const bits = bytes.readUInt32LE(data + 1)
      Object.assign(head, { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 })
    }
    if (type === 'EXIF') head.orientation = exifOrientation(bytes.subarray(data, data + length))
    at = data + length + (length % 2)
  }
  return head
}

/** Of one file. */
export const mostPages = 500

function tiffHeads(bytes: Buffer): PictureHead[] {
  const heads: PictureHead[] = []
  const seen = new Set<number>()
  const read = tiffReader(bytes)
  for (let at = read.long(4); at !== 0 && !seen.has(at); ) {
    if (heads.length === mostPages) throw new FileFault('TOO_COMPLEX')
    seen.add(at)
    const tags = tagsAt(read, at)
    const [perUnit, unit] = [tags.get(282), tags.get(296)]
    const density = perUnit === undefined ? null : read.long(perUnit) / (read.long(perUnit + 4) || 1)
    heads.push({
      width: tags.get(256) ?? 0,
      height: tags.get(257) ?? 0,
      orientation: tags.get(274) ?? 1,
      dotsPerInch: density !== null && unit === 3 ? density * 2.54 : density,
      at,
    })
    at = read.long(at + 2 + 12 * read.short(at))
  }
  return heads
}

function exifOrientation(exif: Buffer): number {
  const tiff = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  try {
    const read = tiffReader(tiff)
    const found = tagsAt(read, read.long(4)).get(274) ?? 1
    return found >= 1 && found <= 8 ? found : 1
  } catch (error) {
    // What cannot be read says nothing.
    if (error instanceof RangeError) return 1
    throw error
  }
}

function tiffReader(bytes: Buffer) {
  const isLittle = bytes[0] === 0x49
  return {
    short: (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    long: (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
  }
}

/** Values of short and long tags, and where those of others stand. */
function tagsAt(read: ReturnType<typeof tiffReader>, at: number): Map<number, number> {
  const tags = new Map<number, number>()
  for (let entry = at + 2, left = read.short(at); left > 0; left--, entry += 12)
    tags.set(read.short(entry), read.short(entry + 2) === 3 ? read.short(entry + 8) : read.long(entry + 8))
  return tags
}

/** The same TIFF with another of its pages as the first. */
export function withFirstPage(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  if (copy[0] === 0x49) copy.writeUInt32LE(at, 4)
  else copy.writeUInt32BE(at, 4)
  return copy
}
