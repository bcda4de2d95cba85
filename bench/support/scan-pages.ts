/** Pages as offices print them, and what a scanner makes of them: all from seeds, so that a page is the same on every machine. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { type Grey, rotated } from '../../src/files/grey.js'
import { crc32 } from '../../src/platform/crc32.js'

/** Between 0 and 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export interface Printed {
  /** What was written, in order. */
  words: string[]
  html: string
}

const names = ['Harbour Foods Ltd', 'Miller & Sons GmbH', 'Orchard Logistics', 'Northgate Clinic', 'Van Dijk Shipping', 'Elm Street Bakery']
const months = ['January', 'March', 'April', 'June', 'August', 'October', 'December']
const goods = ['Dark rye 25 kg', 'Wheat type 550', 'Spelt flour', 'Cold store rent', 'Night delivery', 'Pallet exchange', 'Fuel surcharge']
const fonts = ['Liberation Serif', 'Liberation Sans', 'DejaVu Serif', 'DejaVu Sans']

export function printedPage(seed: number): Printed {
  const random = randomFrom(seed)
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from))
  const money = () => `EUR ${(whole(100, 990_000) + whole(0, 100) / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`
  const date = () => `${whole(1, 29)} ${pick(months)} ${whole(2019, 2031)}`
  const sentences = [
    () => `This agreement between ${pick(names)} and ${pick(names)} was signed on ${date()} and ends on ${date()}.`,
    () => `The buyer pays ${money()} for each delivery of ${whole(4, 80)} pallets, due ${whole(10, 60)} days after the invoice.`,
    () => `A delay of more than ${whole(12, 96)} hours entitles the buyer to a reduction of ${whole(1, 9)}.${whole(1, 9)} % a day.`,
    () => `The supplier keeps insurance of at least ${money()} and tells the buyer within ${whole(2, 9)} days of any change.`,
    () => `Notice is ${whole(2, 12)} months to the end of a quarter, in writing, to the address named above.`,
    () => 'The goods remain the property of the supplier until they are paid in full.',
    () => 'Hidden defects are reported as soon as they are found, and the supplier chooses to mend or to replace.',
    () => `Invoice ${whole(10_000, 99_999)}/${whole(10, 99)} of ${date()} was settled on ${date()} with ${money()}.`,
    () => 'Changes need the written form, as does leaving this clause out, and disputes go to the courts of Hamburg.',
  ]
  const parts: string[] = []
  const words: string[] = []
  const add = (tag: string, text: string) => {
    parts.push(`<${tag}>${text.replaceAll('&', '&amp;')}</${tag}>`)
    words.push(...text.split(' '))
  }
  add('h1', `${pick(['Supply agreement', 'Lease of premises', 'Service report', 'Delivery terms'])} ${whole(2020, 2030)}`)
  for (let paragraph = 0; paragraph < 3; paragraph++) add('p', Array.from({ length: whole(2, 5) }, () => pick(sentences)()).join(' '))
  const rows = Array.from({ length: whole(3, 6) }, () => [pick(goods), String(whole(1, 900)), money()])
  words.push(...[['Item', 'Quantity', 'Total'], ...rows].flat().flatMap(cell => cell.split(' ')))
  const cells = (row: readonly string[], tag: string) => `<tr>${row.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const isRuled = seed % 2 === 0
  parts.push(
    `<table ${isRuled ? 'border="1"' : ''} cellspacing="0" cellpadding="5" width="90%">${cells(['Item', 'Quantity', 'Total'], 'th')}${rows.map(row => cells(row, 'td')).join('')}</table>`,
  )
  for (let paragraph = 0; paragraph < 2; paragraph++) add('p', Array.from({ length: whole(2, 4) }, () => pick(sentences)()).join(' '))
  const style = `@page{margin:18mm;size:A4}body{font:${whole(10, 13)}pt "${fonts[seed % fonts.length]}"}h1{font-size:17pt}th{text-align:left}`
  return { words, html: `<html><head><meta charset="utf-8"><style>${style}</style></head><body>${parts.join('\n')}</body></html>` }
}

/** Printed by one of two programs, and drawn by poppler: a picture of its first page. */
export function drawn(folder: string, name: string, html: string, by: 'chromium' | 'libreoffice', dotsPerInch: number): Grey {
  mkdirSync(folder, { recursive: true })
  const [source, pdf] = [join(folder, `${name}.html`), join(folder, `${name}.pdf`)]
  writeFileSync(source, html)
  if (by === 'chromium')
    run('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--print-to-pdf=${pdf}`, `file://${source}`])
  else
    run('soffice', [
      '--headless',
      `-env:UserInstallation=file://${folder}/office`,
      '--infilter=HTML (StarWriter)',
      '--convert-to',
      'pdf:writer_pdf_Export',
      '--outdir',
      folder,
      source,
    ])
  run('pdftoppm', ['-r', String(dotsPerInch), '-gray', '-f', '1', '-l', '1', '-singlefile', pdf, join(folder, name)])
  return fromPgm(readFileSync(join(folder, `${name}.pgm`)))
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 120_000 })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}

function fromPgm(file: Buffer): Grey {
  const [head = '', width = '0', height = '0'] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64)) ?? []
  return { width: Number(width), height: Number(height), data: new Uint8Array(file.subarray(head.length)) }
}

export interface Wear {
  skewDegrees: number
  /** Of shades. */
  noise: number
  jpeg: boolean
  stamp: boolean
}

/** What a scanner and its driver do to a page. */
export function worn(picture: Grey, { skewDegrees, noise, jpeg, stamp }: Wear, seed: number): Grey {
  const random = randomFrom(seed)
  const out = skewDegrees === 0 ? { ...picture, data: picture.data.slice() } : rotated(picture, (skewDegrees * Math.PI) / 180)
  if (stamp) stampOn(out)
  for (let at = 0; at < out.data.length; at++) {
    // Two of them together are nearly a bell.
    const off = (random() + random() - 1) * 2 * noise
    out.data[at] = Math.max(0, Math.min(255, out.data[at]! * 0.9 + 20 + off))
  }
  if (jpeg) throughJpeg(out)
  return out
}

/** A ring in light ink over the text. */
function stampOn({ width, height, data }: Grey): void {
  const [x, y, radius] = [width * 0.62, height * 0.3, width * 0.11]
  for (let row = Math.floor(y - radius); row < y + radius; row++)
    for (let column = Math.floor(x - radius); column < x + radius; column++) {
      const away = Math.hypot(column - x, row - y) / radius
      if ((away > 0.93 && away < 1) || (away < 0.9 && Math.abs(row - y) < radius * 0.03))
        data[row * width + column] = Math.min(data[row * width + column]!, 150)
    }
}

/** The brightness table of the standard at quality 40. */
const table = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22,
  37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
].map(step => Math.floor((step * 125 + 50) / 100))
const waves = Array.from(
  { length: 64 },
  (_none, n) => Math.cos(((2 * (n % 8) + 1) * Math.floor(n / 8) * Math.PI) / 16) * (n < 8 ? Math.SQRT1_2 : 1) * 0.5,
)

/** What JPEG keeps of a picture: each block of 8 × 8 as waves, rounded. */
function throughJpeg({ width, height, data }: Grey): void {
  const [block, half] = [new Float64Array(64), new Float64Array(64)]
  const turn = (forth: boolean) => {
    for (const [from, to] of [
      [block, half],
      [half, block],
    ] as const)
      for (let row = 0; row < 8; row++)
        for (let wave = 0; wave < 8; wave++) {
          let sum = 0
          for (let at = 0; at < 8; at++) sum += from[row * 8 + at]! * waves[forth ? wave * 8 + at : at * 8 + wave]!
          to[wave * 8 + row] = sum
        }
  }
  for (let top = 0; top + 8 <= height; top += 8)
    for (let left = 0; left + 8 <= width; left += 8) {
      for (let at = 0; at < 64; at++) block[at] = data[(top + (at >> 3)) * width + left + (at & 7)]! - 128
      turn(true)
      for (let at = 0; at < 64; at++) block[at] = Math.round(block[at]! / table[at]!) * table[at]!
      turn(false)
      for (let at = 0; at < 64; at++) data[(top + (at >> 3)) * width + left + (at & 7)] = Math.max(0, Math.min(255, block[at]! + 128))
    }
}

/** With its dots per inch, as scanners write them. */
export function pngOf({ width, height, data }: Grey, dotsPerInch: number): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(body.length)
    sum.writeUInt32BE(crc32(named) >>> 0)
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const density = Buffer.alloc(9)
  density.writeUInt32BE(Math.round(dotsPerInch / 0.0254), 0)
  density.writeUInt32BE(Math.round(dotsPerInch / 0.0254), 4)
  density[8] = 1
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    mark,
    chunk('IHDR', head),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PDF whose pages are all the picture, a bit a pixel, as machines for offices write them. */
export function scannedPdf({ width, height, data }: Grey, pages: number): Buffer {
  const stride = Math.ceil(width / 8)
  const bits = Buffer.alloc(stride * height)
  for (let at = 0; at < data.length; at++)
    if (data[at]! > 128) bits[Math.floor(at / width) * stride + ((at % width) >> 3)]! |= 0x80 >> ((at % width) & 7)
  const packed = deflateSync(bits)
  const content = 'q 595 0 0 842 0 0 cm /I Do Q'
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_none, n) => `${4 + 2 * n} 0 R`).join(' ')}]>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ]
  for (let page = 0; page < pages; page++)
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 3 0 R/Resources<</XObject<</I ${5 + 2 * page} 0 R>>>>>>`,
      Buffer.concat([
        Buffer.from(
          `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode/Length ${packed.length}>>stream\n`,
        ),
        packed,
        Buffer.from('\nendstream'),
      ]),
    )
  const parts = objects.map((object, at) => Buffer.concat([Buffer.from(`${at + 1} 0 obj`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...parts, Buffer.from(`trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`)])
}
