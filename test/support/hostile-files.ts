/**
 * Pictures and archives made to break what reads them, from a seed: heads that lie, lengths that overflow, directories in circles, files
 * that unpack to far more than they are. What comes out of each is damaged once more at random, every other time.
 */

import { deflateRawSync, deflateSync } from 'node:zlib'
import { compoundOf, msgOf } from './msg.js'
import { docxOf, odsOf, odtOf, pptxOf, said, shape } from './office.js'
import { linesOf, pngChunk, pngHead, pngMark, pngOf, tiffOf } from './pictures.js'
import { zipOf } from './zip.js'

export interface HostileFile {
  name: string
  bytes: Buffer
}

type Random = () => number
type Make = (random: Random) => HostileFile

/** Numbers from 0 to 1, the same for the same seed. */
export function numbersFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Bytes changed, cut off, cut out, doubled or filled with zeros; most of the file stays as it was. */
export function damaged(bytes: Buffer, random: Random): Buffer {
  const at = (most: number) => Math.floor(random() * most)
  const copy = Buffer.from(bytes)
  const kind = at(5)
  if (kind === 0) for (let n = 0; n < 1 + at(40); n++) copy[at(copy.length)] = at(256)
  if (kind === 1) return copy.subarray(0, 1 + at(copy.length))
  const from = at(copy.length)
  const to = Math.min(copy.length, from + at(2000))
  if (kind === 2) return Buffer.concat([copy.subarray(0, from), copy.subarray(to)])
  if (kind === 3) return Buffer.concat([copy.subarray(0, to), copy.subarray(from)])
  if (kind === 4) copy.fill(0, from, to)
  return copy
}

/** The nth of a seed. `jpeg` and `webp` are samples, whole. */
export function hostileFile(n: number, random: Random, { jpeg, webp }: { jpeg: Buffer; webp: Buffer }): HostileFile {
  const makers = [...pictures(jpeg, webp), ...archives]
  const { name, bytes } = (makers[n % makers.length] as Make)(random)
  return { name, bytes: Math.floor(n / makers.length) % 2 === 0 ? bytes : damaged(bytes, random) }
}

const lines = () => linesOf(1, 60)
const between = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1))

/** With numbers in their place. */
function patched(bytes: Buffer, changes: readonly (readonly [at: number, value: number, bytes: number, order?: 'LE' | 'BE'])[]): Buffer {
  const copy = Buffer.from(bytes)
  for (const [at, value, length, order = 'BE'] of changes) {
    if (order === 'BE') copy.writeUIntBE(value, at, length)
    else copy.writeUIntLE(value, at, length)
  }
  return copy
}

/** Where a sample has a mark, so that what stands behind it can be changed. */
function marked(bytes: Buffer, mark: readonly number[]): number {
  const at = bytes.indexOf(Buffer.from(mark))
  if (at < 0) throw new Error('the sample has no such mark')
  return at
}

function pictures(jpeg: Buffer, webp: Buffer): Make[] {
  const frame = marked(jpeg, [0xff, 0xc0])
  const png = (name: string, ...chunks: Buffer[]): HostileFile => ({
    name: `${name}.png`,
    bytes: Buffer.concat([pngMark, ...chunks, pngChunk('IEND', Buffer.alloc(0))]),
  })
  const data = (bytes: number, value = 0) => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes, value)))
  const page = () => tiffOf([{ picture: lines(), orientation: 1 }])
  const directory = () => page().readUInt32LE(4)
  return [
    random => ({
      name: 'size.png',
      bytes: patched(pngOf(lines()), [
        [16, between(random, 1, 2 ** 32 - 1), 4],
        [20, between(random, 1, 70_000), 4],
      ]),
    }),
    random => ({
      name: 'nearly.png',
      bytes: patched(pngOf(lines()), [
        [16, 6300, 4],
        [20, between(random, 6000, 6300), 4],
      ]),
    }),
    () => png('unpacks', pngHead({ width: 6000, height: 6000, depth: 8 }), data(6001 * 6000, 255)),
    () => png('deep', pngHead({ width: 3000, height: 3000, depth: 16, colour: 6 }), data(24_001 * 300)),
    () => png('nothing', pngHead({ width: 0, height: 0 }), data(10)),
    () => png('thin', pngHead({ width: 1, height: 4_000_000, depth: 8 }), data(8_000_000)),
    () =>
      png(
        'words',
        pngHead({ width: 64, height: 64, depth: 8 }),
        pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000))])),
        data(65 * 64),
      ),
    () =>
      png(
        'circle',
        pngHead({ width: 64, height: 64, depth: 8 }),
        pngChunk('eXIf', Buffer.from('49492a0008000000ffff120103000100000001000000', 'hex')),
        data(65 * 64, 255),
      ),
    random => ({ name: 'length.png', bytes: patched(pngOf(lines()), [[33, between(random, 2 ** 31, 2 ** 32 - 1), 4]]) }),
    random => ({
      name: 'size.jpg',
      bytes: patched(jpeg, [
        [frame + 5, between(random, 1, 65_535), 2],
        [frame + 7, between(random, 1, 65_535), 2],
      ]),
    }),
    random => ({
      name: 'nearly.jpg',
      bytes: patched(jpeg, [
        [frame + 5, between(random, 5000, 6000), 2],
        [frame + 7, 6300, 2],
      ]),
    }),
    random => ({ name: 'length.jpg', bytes: patched(jpeg, [[4, between(random, 0, 2), 2]]) }),
    random => ({ name: 'frame.jpg', bytes: patched(jpeg, [[frame + 1, between(random, 0xc1, 0xcf), 1]]) }),
    () => ({ name: 'marks.jpg', bytes: Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(2_000_000, 0xff), jpeg.subarray(2)]) }),
    random => ({ name: 'parts.jpg', bytes: patched(jpeg, [[frame + 9, between(random, 2, 255), 1]]) }),
    random => ({
      name: 'size.webp',
      bytes: patched(webp, [
        [26, between(random, 1, 0x3fff), 2, 'LE'],
        [28, between(random, 1, 0x3fff), 2, 'LE'],
      ]),
    }),
    random => ({ name: 'length.webp', bytes: patched(webp, [[16, between(random, 2 ** 31, 2 ** 32 - 1), 4, 'LE']]) }),
    random => ({ name: 'tail.webp', bytes: webp.subarray(0, between(random, 12, 400)) }),
    () => ({ name: 'circle.tif', bytes: patched(page(), [[page().length - 4, directory(), 4, 'LE']]) }),
    () => ({ name: 'pages.tif', bytes: manyPages(40_000) }),
    random => ({ name: 'entries.tif', bytes: patched(page(), [[directory(), between(random, 100, 65_535), 2, 'LE']]) }),
    random => ({
      name: 'count.tif',
      bytes: patched(page(), [[directory() + 2 + 12 * 5 + 4, between(random, 2 ** 20, 2 ** 32 - 1), 4, 'LE']]),
    }),
    random => ({
      name: 'away.tif',
      bytes: patched(page(), [[directory() + 2 + 12 * 5 + 8, between(random, 2 ** 20, 2 ** 32 - 1), 4, 'LE']]),
    }),
    random => ({
      name: 'size.tif',
      bytes: patched(page(), [
        [directory() + 10, between(random, 2000, 60_000), 4, 'LE'],
        [directory() + 22, between(random, 100, 60_000), 4, 'LE'],
      ]),
    }),
    random => ({
      name: 'packed.tif',
      bytes: patched(page(), [[directory() + 2 + 12 * 3 + 8, [2, 3, 4, 5, 7, 8, 32_773][between(random, 0, 6)]!, 4, 'LE']]),
    }),
    random => ({
      name: 'depth.tif',
      bytes: patched(page(), [
        [directory() + 2 + 12 * 2 + 8, between(random, 2, 65_535), 4, 'LE'],
        [directory() + 2 + 12 * 7 + 8, between(random, 2, 65_535), 4, 'LE'],
      ]),
    }),
  ]
}

/** Directories without pictures, each naming the next. */
function manyPages(count: number): Buffer {
  const bytes = Buffer.alloc(8 + 30 * count)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  for (let n = 0, at = 8; n < count; n++, at += 30) {
    bytes.writeUInt16LE(2, at)
    for (const [entry, tag] of [256, 257].entries()) {
      bytes.writeUInt16LE(tag, at + 2 + 12 * entry)
      bytes.writeUInt16LE(4, at + 4 + 12 * entry)
      bytes.writeUInt32LE(1, at + 6 + 12 * entry)
      bytes.writeUInt32LE(64, at + 10 + 12 * entry)
    }
    bytes.writeUInt32LE(n === count - 1 ? 0 : at + 30, at + 26)
  }
  return bytes
}

const sentence = 'The rent of the Hamburg office is EUR 12,900 a month.'
const mail = {
  subject: 'Rent',
  from: ['Ana', 'ana@alder.example'] as [string, string],
  to: [],
  date: '2026-03-02T09:00:00Z',
  body: sentence,
}

/** An archive in an archive in an archive. */
function nested(depth: number): Buffer {
  let archive = zipOf({ 'a.txt': sentence })
  for (let level = 0; level < depth; level++) archive = zipOf({ [`${level}.zip`]: archive, [`${level}.txt`]: sentence })
  return archive
}

/** Its first file unpacks to so many bytes, whatever it says. */
function bomb(name: string, bytes: number, said: number): Buffer {
  const archive = zipOf({ [name]: 'a' })
  const packed = deflateRawSync(Buffer.alloc(bytes))
  const [head, listing] = [30 + name.length, archive.indexOf('PK\u0001\u0002', 0, 'latin1')]
  const whole = Buffer.concat([archive.subarray(0, head), packed, archive.subarray(listing)])
  const at = head + packed.length
  return patched(whole, [
    [18, packed.length, 4, 'LE'],
    [22, said, 4, 'LE'],
    [at + 20, packed.length, 4, 'LE'],
    [at + 24, said, 4, 'LE'],
    [whole.length - 6, at, 4, 'LE'],
  ])
}

const xmlDepth = (of: string, depth: number) => `<${of}>`.repeat(depth) + sentence + `</${of}>`.repeat(depth)
const laughs = (element: string) =>
  `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(1000)}">${Array.from({ length: 9 }, (_none, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(20)}">`).join('')}]><${element}>&j;</${element}>`

const archives: Make[] = [
  random => ({ name: 'nested.zip', bytes: nested(between(random, 4, 40)) }),
  random => ({ name: 'zeros.zip', bytes: bomb('a.txt', between(random, 60, 80) * 1024 * 1024, between(random, 1, 2 ** 32 - 1)) }),
  () => ({ name: 'many.zip', bytes: zipOf(Object.fromEntries(Array.from({ length: 5000 }, (_none, n) => [`f/${n}.txt`, 'a']))) }),
  random => ({
    name: 'count.zip',
    bytes: ((archive: Buffer) =>
      patched(archive, [
        [archive.length - 12, between(random, 2, 65_535), 2, 'LE'],
        [archive.length - 14, 65_535, 2, 'LE'],
      ]))(zipOf({ 'a.txt': sentence })),
  }),
  () => ({
    name: 'paths.zip',
    bytes: zipOf({
      '../../../etc/cron.d/a.txt': sentence,
      '/root/.ssh/b.txt': sentence,
      'C:\\\\Windows\\\\c.txt': sentence,
      'd\u202etxt.exe': sentence,
      [`${'x/'.repeat(5000)}e.txt`]: sentence,
    }),
  }),
  random => ({
    name: 'away.zip',
    bytes: ((archive: Buffer) => patched(archive, [[archive.length - 6, between(random, 100, 2 ** 32 - 1), 4, 'LE']]))(
      zipOf({ 'a.txt': sentence }),
    ),
  }),
  () => ({ name: 'deep.odt', bytes: odtOf(xmlDepth('text:span', 200_000)) }),
  () => ({ name: 'laughs.odt', bytes: odtOf(laughs('text:p')) }),
  () => ({ name: 'spaces.odt', bytes: odtOf(`<text:p>a${'<text:s text:c="2000000000"/>'.repeat(3000)}</text:p>`) }),
  () => ({
    name: 'repeated.ods',
    bytes: odsOf({
      A: `<table:table-row table:number-rows-repeated="2000000000"><table:table-cell table:number-columns-repeated="2000000000"><text:p>${sentence}</text:p></table:table-cell></table:table-row>`.repeat(
        50,
      ),
    }),
  }),
  () => ({ name: 'deep.docx', bytes: docxOf([said(sentence), `<w:tbl>${xmlDepth('w:tc', 100_000)}</w:tbl>`]) }),
  () => ({ name: 'laughs.docx', bytes: docxOf([laughs('w:t')]) }),
  () => ({ name: 'zeros.docx', bytes: bomb('word/document.xml', 200 * 1024 * 1024, 1000) }),
  () => ({
    name: 'slides.pptx',
    bytes: pptxOf(Array.from({ length: 3000 }, (_none, n) => ({ shapes: shape('title', `${sentence} ${n}`) }))),
  }),
  () => ({
    name: 'same.pptx',
    bytes: zipOf({
      '[Content_Types].xml': '<Types/>',
      'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${'<p:sldId r:id="rId1"/>'.repeat(100_000)}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/slide" Target="presentation.xml"/></Relationships>',
    }),
  }),
  random => ({
    name: 'chains.msg',
    bytes: ((file: Buffer) => patched(file, [[file.length - 512 + 4 * between(random, 0, 20), between(random, 0, 20), 4, 'LE']]))(
      msgOf(mail),
    ),
  }),
  random => ({
    name: 'head.msg',
    bytes: patched(msgOf(mail), [[[30, 32, 44, 48, 56, 60, 68, 76][between(random, 0, 7)]!, between(random, 0, 65_535), 2, 'LE']]),
  }),
  () => ({ name: 'within.msg', bytes: msgOf(messagesWithin(40)) }),
  () => ({
    name: 'entries.msg',
    bytes: compoundOf({
      '__properties_version1.0': Buffer.alloc(32),
      ...Object.fromEntries(Array.from({ length: 60_000 }, (_none, n) => [`s${n}`, Buffer.alloc(0)])),
    }),
  }),
]

function messagesWithin(depth: number): Parameters<typeof msgOf>[0] {
  return depth === 0 ? mail : { ...mail, attachments: [{ name: 'mail', message: messagesWithin(depth - 1) }] }
}
