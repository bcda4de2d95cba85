/** Pictures made by program, of lines of a sample that was scanned. */

import { readFileSync } from 'node:fs'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A bit a pixel, 1 is white. */
interface Bits {
  width: number
  height: number
  rows: Buffer
}

/** The picture of a page of scan.pdf. */
function bitsOf(page: 1 | 2): Bits {
  const file = readFileSync(new URL('../files/samples/scan.pdf', import.meta.url))
  let at = -1
  for (let nth = 0; nth < page; nth++) at = file.indexOf('/Subtype/Image', at + 1)
  const start = file.indexOf('stream\n', at) + 'stream\n'.length
  return { width: 1000, height: 460, rows: inflateSync(file.subarray(start)) }
}

/** Its first lines alone, which take less time. */
export function linesOf(page: 1 | 2, height: number): Bits {
  const { width, rows } = bitsOf(page)
  return { width, height, rows: rows.subarray(0, (width / 8) * height) }
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngHead({
  width,
  height,
  depth = 1,
  colour = 0,
}: {
  width: number
  height: number
  depth?: number
  colour?: number
}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = depth
  head[9] = colour
  return pngChunk('IHDR', head)
}

export function pngOf({ width, height, rows }: Bits): Buffer {
  const stride = Math.ceil(width / 8)
  const lines = Array.from({ length: height }, (_none, y) => Buffer.concat([Buffer.from([0]), rows.subarray(y * stride, (y + 1) * stride)]))
  const data = deflateSync(Buffer.concat(lines))
  return Buffer.concat([pngMark, pngHead({ width, height }), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

/** Pages without compression, each with the way its top is. */
export function tiffOf(pages: readonly { picture: Bits; orientation: number }[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 0x2a, 0, 0, 0, 0, 0])]
  let [at, link] = [8, { part: parts[0]!, at: 4 }]
  for (const { picture, orientation } of pages) {
    const data = picture.rows.subarray(0, Math.ceil(picture.width / 8) * picture.height)
    const tags: [tag: number, value: number][] = [
      [256, picture.width],
      [257, picture.height],
      [258, 1],
      [259, 1],
      [262, 1],
      [273, at],
      [274, orientation],
      [277, 1],
      [278, picture.height],
      [279, data.length],
    ]
    const directory = Buffer.alloc(2 + 12 * tags.length + 4)
    directory.writeUInt16LE(tags.length, 0)
    for (const [index, [tag, value]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + 12 * index)
      directory.writeUInt16LE(4, 4 + 12 * index)
      directory.writeUInt32LE(1, 6 + 12 * index)
      directory.writeUInt32LE(value, 10 + 12 * index)
    }
    link.part.writeUInt32LE(at + data.length, link.at)
    parts.push(data, directory)
    at += data.length + directory.length
    link = { part: directory, at: directory.length - 4 }
  }
  return Buffer.concat(parts)
}
