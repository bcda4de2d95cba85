import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileKind } from '../../src/contract/file-kinds.js'
import { FileFault } from '../../src/files/extraction.js'
import { createFileExtractor, type FileExtractor } from '../../src/files/extractor.js'
import type { PageReading } from '../../src/files/recognised.js'
import { createWalls } from '../../src/files/walls.js'
import { createLogger } from '../../src/platform/logger.js'
import { linesOf, pngOf, tiffOf } from '../support/pictures.js'

const logger = createLogger({ level: 'fatal' })
let scanner: FileExtractor
beforeAll(() => {
  scanner = createFileExtractor({ timeoutMs: 120_000, memoryMb: 400, maxChars: 200_000, walls: createWalls(logger), logger })
})
afterAll(() => scanner.close())

const sample = (name: string) => readFileSync(new URL(`./samples/${name}`, import.meta.url))
const inputOf = (bytes: Buffer, kind: FileKind) => ({
  kind,
  bytes: bytes.length,
  chunks: (async function* () {
    yield bytes
  })(),
})
const { signal } = new AbortController()

async function scan(bytes: Buffer, kind: FileKind, known: readonly PageReading[] = [], languages = ['eng']) {
  const pages: PageReading[] = []
  const onPage = async (_page: number, reading: Buffer) => void pages.push(JSON.parse(reading.toString('utf8')))
  for (let from: number | undefined = (known.at(-1)?.page ?? 0) + 1; from !== undefined; )
    from = (await scanner.extract(inputOf(bytes, kind), signal, { languages, from, onPage })).nextPage
  const readings = Buffer.from(JSON.stringify([...known, ...pages]))
  const read = await scanner.extract(inputOf(bytes, kind), signal, { languages, readings })
  const numbers = (array: Buffer) => JSON.parse(`[${array.toString('utf8').slice(1, -1)}]`) as number[]
  const words = read.words.map(({ page, starts, lengths, confidences, rectangles }) => ({
    page,
    texts: numbers(starts).map((start, index) => read.text.slice(start, start + numbers(lengths)[index]!)),
    confidences: numbers(confidences),
    rectangles: numbers(rectangles),
  }))
  return { ...read, pages, words }
}

function turnedLeft({ width, height, rows }: ReturnType<typeof linesOf>) {
  const out = { width: height, height: width, rows: Buffer.alloc(Math.ceil(height / 8) * width, 255) }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((rows[y * (width / 8) + (x >> 3)]! >> (7 - (x & 7))) & 1) continue
      const at = (width - 1 - x) * Math.ceil(height / 8) + (y >> 3)
      out.rows[at] = out.rows[at]! & ~(1 << (7 - (y & 7)))
    }
  return out
}

/** Pages of a PDF: what is written on each, and the picture behind it. */
function pdfOf(pages: readonly { lines: readonly string[]; picture?: ReturnType<typeof linesOf> }[]): Buffer {
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_none, n) => `${4 + 3 * n} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  for (const [index, { lines, picture }] of pages.entries()) {
    const shown = lines.map((line, row) => `BT /F1 11 Tf 40 ${190 - row * 16} Td (${line}) Tj ET`).join('\n')
    const content = `${picture ? `q 500 0 0 ${picture.height / 2} 0 ${230 - picture.height / 2} cm /I Do Q\n` : ''}${shown}`
    const data = deflateSync(picture?.rows ?? Buffer.alloc(0))
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 230]/Contents ${5 + 3 * index} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</I ${6 + 3 * index} 0 R>>>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      picture
        ? Buffer.concat([
            Buffer.from(
              `<</Type/XObject/Subtype/Image/Width ${picture.width}/Height ${picture.height}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode/Length ${data.length}>>stream\n`,
            ),
            data,
            Buffer.from('\nendstream'),
          ])
        : '<<>>',
    )
  }
  const parts = objects.map((object, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj`), Buffer.from(object), Buffer.from('\nendobj\n')]),
  )
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...parts, Buffer.from(`trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`)])
}

describe('a partly scanned PDF', () => {
  const prose = Array.from({ length: 5 }, (_none, n) => `Line ${n + 1} of a page that carries its words as text, as most pages do.`)
  const file = pdfOf([
    { lines: prose },
    { lines: [], picture: linesOf(1, 200) },
    { lines: ['7KH UHQW RI WKH RIILFH LV DERYH WKH OLPLW KHUH', '7KDW WKH SDJH VDLG'], picture: linesOf(2, 200) },
  ])

  it('has the text of its pages where it is good, and what is recognised where there is none or rubbish', async () => {
    expect((await scanner.extract(inputOf(file, 'pdf'), signal)).scan).toBe('partly')
    const read = await scan(file, 'pdf')
    expect(read.text).toMatch(/^Line 1 of a page/)
    expect(read.text).toContain('Lease of the Hamburg office')
    expect(read.text).not.toContain('7KH')
    expect(read.notes).toEqual(['Of 3 pages these were recognised from a picture and may have mistakes: 2, 3.'])
    expect(read.places?.rows.map(row => row.labels.toString())).toEqual(['{"1","2","3"}'])
    expect(read.pages.map(({ page }) => page)).toEqual([2, 3])
    const [second] = read.words
    expect(second).toMatchObject({ page: 2, texts: expect.arrayContaining(['Lease', 'of', 'the', 'Hamburg', 'office']) })
    const at = second!.texts.indexOf('Hamburg')
    expect(second!.confidences[at]).toBeGreaterThan(80)
    const [left, top, width, height] = second!.rectangles.slice(4 * at, 4 * at + 4) as [number, number, number, number]
    // In the picture it stands at 385 to 606 of 1000 across and 96 to 140 of 460 down, below which the page is white.
    expect([left, left + width].map(share => Math.round(share / 200))).toEqual([19, 30])
    expect(top / 10_000).toBeGreaterThan(0.15)
    expect((top + height) / 10_000).toBeLessThan(0.35)

    // Pages that were recognised before a crash are taken as they were.
    const kept = structuredClone(read.pages)
    kept[0]!.lines[0]!.words[0]!.text = 'Hire'
    const again = await scan(file, 'pdf', kept)
    expect(again.pages).toEqual([])
    expect(again.text).toBe(read.text.replace('Lease', 'Hire'))
  })
})

describe('a picture', () => {
  it('of many pages is read upright, whichever side its top is', async () => {
    const picture = linesOf(1, 200)
    // The second is marked as turned, the third lies on its side and does not say so.
    const file = tiffOf([
      { picture: linesOf(2, 200), orientation: 1 },
      { picture: turnedLeft(picture), orientation: 6 },
      { picture: turnedLeft(picture), orientation: 1 },
    ])
    const { text, places, words } = await scan(file, 'tiff')
    expect(places?.rows.map(row => row.labels.toString())).toEqual(['{"1","2","3"}'])
    expect(text.match(/Lease of the Hamburg office/g)).toHaveLength(2)
    // On a page that is shown on its side the word stands upright.
    const [, , third] = words
    const at = third!.texts.indexOf('Hamburg')
    const [, , width, height] = third!.rectangles.slice(4 * at, 4 * at + 4) as [number, number, number, number]
    expect(height * 1000).toBeGreaterThan(2 * width * 200)
  })

  it.each<[FileKind, () => Buffer]>([
    ['jpeg', () => sample('deposit.jpg')],
    ['webp', () => sample('deposit.webp')],
  ])('is read: %s', async (kind, bytes) => {
    expect((await scan(bytes(), kind)).text).toBe('The deposit is EUR 37,500.')
  })

  it('in a language whose data is not installed is refused with what to install', async () => {
    const fault = await scan(sample('deposit.jpg'), 'jpeg', [], ['eng', 'xyz']).catch((error: unknown) => error)
    expect(fault).toEqual(new FileFault('NO_LANGUAGE'))
  })

  it('of too many pixels is refused before it is unpacked, and one that is cut off is damaged', async () => {
    const file = pngOf(linesOf(1, 40))
    file.writeUInt32BE(20_000, 16)
    file.writeUInt32BE(20_000, 20)
    const faultOf = (bytes: Buffer, kind: FileKind) => scan(bytes, kind).catch((error: unknown) => error)
    expect(await faultOf(file, 'png')).toEqual(new FileFault('TOO_LARGE'))
    expect(await faultOf(sample('deposit.jpg').subarray(0, 100), 'jpeg')).toEqual(new FileFault('BROKEN'))
    expect(await faultOf(pngOf({ width: 64, height: 64, rows: Buffer.alloc(512, 255) }), 'png')).toEqual(new FileFault('NO_TEXT'))
  })
})
