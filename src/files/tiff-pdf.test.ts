/** What a TIFF shows is what the PDF made of it shows, by the same pdf.js that draws it at the desk. */

import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pictureOf } from './page-picture.js'
import { openPdf } from './pdf.js'
import { pdfOfTiff } from './tiff-pdf.js'

interface Given {
  tags: Record<number, number | number[]>
  data: Uint8Array
}

const size = 16
/** Grey: the upper half black, the lower white, a grey corner at the upper right. */
const shades = Uint8Array.from({ length: size * size }, (_, at) =>
  at % size >= 12 && at < size * 4 ? 128 : at < (size * size) / 2 ? 0 : 255,
)
const grey = { 256: size, 257: size, 258: 8, 259: 1, 262: 1, 277: 1, 278: size }

/** Big-endian, each page with its data before its tags. */
function tiffOf(pages: readonly Given[]): Uint8Array {
  const bytes = Buffer.alloc(8 + pages.reduce((sum, { data }) => sum + data.length + 4000, 0))
  bytes.write('MM\0*', 'latin1')
  let [at, link] = [8, 4]
  for (const { tags, data } of pages) {
    bytes.set(data, at)
    const own = Object.entries({ 273: at, 279: data.length, ...tags }).map(([tag, value]) => [Number(tag), [value].flat()] as const)
    at += data.length
    const lists = at
    for (const [, values] of own.filter(([, each]) => each.length > 1)) for (const value of values) at = bytes.writeUInt32BE(value, at)
    bytes.writeUInt32BE(at, link)
    at = bytes.writeUInt16BE(own.length, at)
    let list = lists
    for (const [tag, values] of own) {
      for (const [number, width] of [
        [tag, 2],
        [4, 2],
        [values.length, 4],
      ] as const)
        at = bytes.writeUIntBE(number, at, width)
      at = bytes.writeUInt32BE(values.length > 1 ? list : (values[0] ?? 0), at)
      if (values.length > 1) list += 4 * values.length
    }
    link = at
    at += 4
  }
  return bytes.subarray(0, at)
}

/** The shade of each corner as it is shown: upper left, upper right, lower left, lower right. */
async function cornersOf(file: Uint8Array, page = 1): Promise<string> {
  const pdf = pdfOfTiff(file)
  if (pdf === null) throw new Error('no PDF was made')
  const { document, ops, close } = await openPdf(pdf, { useWasm: false })
  const shown = await pictureOf(await document.getPage(page), ops)
  await close()
  const { width, height, data } = shown?.picture ?? { width: 0, height: 0, data: new Uint8Array() }
  const at = (x: number, y: number) => data[Math.floor(y * height) * width + Math.floor(x * width)] ?? -1
  const shade = (value: number) => (value < 64 ? 'black' : value < 192 ? 'grey' : 'white')
  return [at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)].map(shade).join(' ')
}

it('is not made of pages that share their bytes beyond what a file can hold, of huge tiles, or of endless lists', () => {
  const [data, own] = [new Uint8Array(8000), { ...grey, 256: 100, 257: 80 }]
  const shared = (pages: number) =>
    tiffOf(
      Array.from({ length: pages }, (_, page) => ({
        tags: page === 0 ? own : { ...own, 273: begins, 279: data.length },
        data: page === 0 ? data : new Uint8Array(),
      })),
    )
  expect(pdfOfTiff(shared(1))).not.toBeNull()
  expect(pdfOfTiff(shared(400))).toBeNull()
  const tile = (side: number) => tiffOf([{ tags: { ...own, 322: side, 323: side, 324: begins, 325: data.length }, data }])
  expect(pdfOfTiff(tile(128))).not.toBeNull()
  expect(pdfOfTiff(tile(60_000))).toBeNull()
  // Nobody asks for this tag.
  expect(pdfOfTiff(tiffOf([{ tags: { ...own, 700: Array.from({ length: 900 }, () => 1) }, data }]))).not.toBeNull()
})

const packBits = (bytes: Uint8Array) => Uint8Array.from([...bytes].flatMap(byte => [0, byte]))
const halves = [shades.subarray(0, 128), shades.subarray(128)].map(half => deflateSync(half)) as [Buffer, Buffer]
const begins = 8

it.each<[string, Given]>([
  ['as it is', { tags: grey, data: shades }],
  ['deflated', { tags: { ...grey, 259: 8 }, data: deflateSync(shades) }],
  ['in runs of bytes', { tags: { ...grey, 259: 32773 }, data: packBits(shades) }],
  [
    'in strips',
    {
      tags: { ...grey, 259: 8, 278: 8, 273: [begins, begins + halves[0].length], 279: halves.map(({ length }) => length) },
      data: Buffer.concat(halves),
    },
  ],
  ['with white as nought', { tags: { ...grey, 262: 0 }, data: shades.map(shade => 255 - shade) }],
  [
    'with a palette',
    {
      tags: { ...grey, 262: 3, 320: Array.from({ length: 768 }, (_, at) => (255 - (at % 256)) << 8) },
      data: shades.map(shade => 255 - shade),
    },
  ],
])('a picture that came %s is shown as it is', async (_name, page) => {
  expect(await cornersOf(tiffOf([page]))).toBe('black grey white white')
})

it('a fax is shown white where it is white', async () => {
  // In Group 4 a line like the one before is a single bit, and before the first all is white.
  const fax = (meaning: number) => ({ tags: { ...grey, 258: 1, 259: 4, 262: meaning }, data: Uint8Array.from([0xff, 0xff]) })
  expect(await cornersOf(tiffOf([fax(0)]))).toBe('white white white white')
  expect(await cornersOf(tiffOf([fax(1)]))).toBe('black black black black')
})

it('pages are shown in order, each the way its top is', async () => {
  const file = tiffOf([1, 6, 3, 2].map(orientation => ({ tags: { ...grey, 274: orientation }, data: shades })))
  const shown = []
  for (let page = 1; page <= 4; page++) shown.push(await cornersOf(file, page))
  expect(shown).toEqual(['black grey white white', 'white black white grey', 'white white grey black', 'grey black white white'])
})

it('what PDF does not know, is too large or ends too early is not made into one', () => {
  const made = (tags: Given['tags'], data = shades) => pdfOfTiff(tiffOf([{ tags: { ...grey, ...tags }, data }]))
  expect(made({})).not.toBeNull()
  expect([made({ 259: 34712 }), made({ 258: 16 }), made({ 277: 2 }), made({ 284: 2 })]).toEqual([null, null, null, null])
  expect([made({ 256: 0 }), made({ 256: 100_000, 257: 100_000 }), made({ 273: 9_999_999 }), made({ 278: 0 })]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(pdfOfTiff(tiffOf([{ tags: grey, data: shades }]).subarray(0, 300))).toBeNull()
  expect(pdfOfTiff(new Uint8Array())).toBeNull()
})
