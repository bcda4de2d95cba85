/**
 * A TIFF as a PDF of the same pages, for browsers, which draw PDFs (with pdf.js) and no TIFF. Nothing is unpacked here: strips and tiles go
 * over as they are, since PDF knows the same packings. Null where a page is of a kind PDF does not know. Pure.
 */

/** As the service takes them. */
const mostPages = 500
const mostPixels = 40_000_000
const mostPieces = 20_000
/** Pages may share their bytes, which are written out for each. */
const mostTimes = 3

export function pdfOfTiff(file: Uint8Array): Uint8Array<ArrayBuffer> | null {
  try {
    const pages = pagesOf(file)
    return pages === null || pages.length === 0 ? null : pdfOf(pages)
  } catch (error) {
    // It ends before what it says it holds.
    if (error instanceof RangeError) return null
    throw error
  }
}

interface Piece {
  left: number
  top: number
  width: number
  height: number
  /** Entries of the picture's dictionary that say how it is packed. */
  packing: string
  bytes: Uint8Array
}

interface Page {
  width: number
  height: number
  mirrored: boolean
  /** Quarters, clockwise. */
  turns: number
  colours: string
  pieces: Piece[]
}

type Tags = (tag: number) => number[]

function pagesOf(file: Uint8Array): Page[] | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const little = file[0] === 0x49
  const seen = new Set<number>()
  const pages: Page[] = []
  const room = { bytes: mostTimes * file.length }
  for (let at = view.getUint32(4, little); at !== 0 && !seen.has(at); ) {
    seen.add(at)
    const page = pages.length === mostPages ? null : pageOf(file, tagsAt(view, little, at), room)
    if (page === null) return null
    pages.push(page)
    at = view.getUint32(at + 2 + 12 * view.getUint16(at, little), little)
  }
  return pages
}

/** The numbers of each tag that holds bytes, shorts or longs. */
function tagsAt(view: DataView, little: boolean, at: number): Tags {
  const tags = new Map<number, number[]>()
  for (let entry = at + 2, left = view.getUint16(at, little); left > 0; left--, entry += 12) {
    const [tag, type, count] = [view.getUint16(entry, little), view.getUint16(entry + 2, little), view.getUint32(entry + 4, little)]
    const size = { 1: 1, 3: 2, 4: 4, 7: 1 }[type]
    if (size === undefined || !wanted.has(tag) || count > mostNumbers || count * size > view.byteLength) continue
    const from = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, little)
    const read = (place: number) =>
      size === 1 ? view.getUint8(place) : size === 2 ? view.getUint16(place, little) : view.getUint32(place, little)
    tags.set(
      tag,
      Array.from({ length: count }, (_, index) => read(from + index * size)),
    )
  }
  return tag => tags.get(tag) ?? []
}

const tag = {
  ...{ width: 256, height: 257, bits: 258, packing: 259, meaning: 262, bitOrder: 266, stripAt: 273, orientation: 274, samples: 277 },
  ...{ stripRows: 278, stripBytes: 279, planes: 284, faxOptions: 292, predictor: 317, palette: 320 },
  ...{ tileWidth: 322, tileHeight: 323, tileAt: 324, tileBytes: 325, jpegTables: 347 },
}

const wanted: ReadonlySet<number> = new Set(Object.values(tag))
/** Of one tag: places of pieces, a palette, tables of a JPEG. */
const mostNumbers = 65_536

function pageOf(file: Uint8Array, tags: Tags, room: { bytes: number }): Page | null {
  const one = (name: keyof typeof tag, otherwise: number) => tags(tag[name])[0] ?? otherwise
  const [width, height] = [one('width', 0), one('height', 0)]
  const isTiled = tags(tag.tileAt).length > 0
  const [starts, lengths] = isTiled ? [tags(tag.tileAt), tags(tag.tileBytes)] : [tags(tag.stripAt), tags(tag.stripBytes)]
  const isFit = width > 0 && height > 0 && width * height <= mostPixels && starts.length > 0 && starts.length <= mostPieces
  const colours = coloursOf(tags)
  if (!isFit || colours === null || one('planes', 1) !== 1) return null
  const rows = isTiled ? one('tileHeight', height) : Math.min(height, one('stripRows', height))
  const columns = isTiled ? one('tileWidth', width) : width
  if (!(rows > 0 && columns > 0 && rows * columns <= mostPixels)) return null
  const across = Math.ceil(width / columns)
  const pieces: Piece[] = []
  for (const [index, start] of starts.entries()) {
    const [left, top] = [(index % across) * columns, Math.floor(index / across) * rows]
    if (top >= height) break
    const piece = { left, top, width: columns, height: isTiled ? rows : Math.min(rows, height - top) }
    const data = file.subarray(start, start + (lengths[index] ?? file.length))
    room.bytes -= data.length + tags(tag.jpegTables).length
    if (room.bytes < 0) return null
    const packed = packedPiece(data, piece, tags)
    if (packed === null || start >= file.length) return null
    pieces.push({ ...piece, ...packed })
  }
  const orientation = one('orientation', 1)
  const turns = { 3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3 }[orientation] ?? 0
  return { width, height, mirrored: [2, 4, 5, 7].includes(orientation), turns, colours, pieces }
}

const [bilevel, jpeg] = [[2, 3, 4], 7]

/** Null: not one that PDF has. */
function coloursOf(tags: Tags): string | null {
  const [packing = 1] = tags(tag.packing)
  const bits = tags(tag.bits).length === 0 ? [1] : tags(tag.bits)
  const [depth = 1] = bits
  const [samples = 1] = tags(tag.samples)
  const [meaning = 0] = tags(tag.meaning)
  if (bits.some(each => each !== depth) || ![1, 2, 4, 8].includes(depth)) return null
  const entries = (space: string, more = '') => `/ColorSpace ${space} /BitsPerComponent ${depth}${more}`
  // Runs of fax count white first, whatever a picture calls white.
  const isTurned = bilevel.includes(packing) ? meaning === 1 : meaning === 0
  if (meaning <= 1) return samples === 1 ? entries('/DeviceGray', isTurned ? ' /Decode [1 0]' : '') : null
  if (meaning === 2 || (meaning === 6 && packing === jpeg)) return samples === 3 && depth === 8 ? entries('/DeviceRGB') : null
  if (meaning === 5) return samples === 4 && depth === 8 && packing !== jpeg ? entries('/DeviceCMYK') : null
  const palette = tags(tag.palette)
  const count = 2 ** depth
  if (meaning !== 3 || samples !== 1 || palette.length !== 3 * count) return null
  const shade = (colour: number, part: number) => ((palette[part * count + colour] ?? 0) >> 8).toString(16).padStart(2, '0')
  const table = Array.from({ length: count }, (_, colour) => [0, 1, 2].map(part => shade(colour, part)).join('')).join('')
  return entries(`[/Indexed /DeviceRGB ${count - 1} <${table}>]`)
}

function packedPiece(
  data: Uint8Array,
  { width, height }: Pick<Piece, 'width' | 'height'>,
  tags: Tags,
): Pick<Piece, 'packing' | 'bytes'> | null {
  const [packing = 1] = tags(tag.packing)
  const bytes = tags(tag.bitOrder)[0] === 2 && packing !== jpeg ? data.map(turnedRound) : data
  const rows = `/DecodeParms << /Predictor ${tags(tag.predictor)[0] === 2 ? 2 : 1} /Colors ${tags(tag.samples)[0] ?? 1} /BitsPerComponent ${tags(tag.bits)[0] ?? 1} /Columns ${width} >>`
  const fax = (more: string) =>
    `/Filter /CCITTFaxDecode /DecodeParms << ${more} /Columns ${width} /Rows ${height} /EndOfBlock false /DamagedRowsBeforeError 100 >>`
  switch (packing) {
    case 1:
      return { packing: '', bytes }
    case 2:
      return { packing: fax('/K 0 /EncodedByteAlign true'), bytes }
    case 3:
      return { packing: fax(`/K ${(tags(tag.faxOptions)[0] ?? 0) & 1}`), bytes }
    case 4:
      return { packing: fax('/K -1'), bytes }
    case 5:
      return { packing: `/Filter /LZWDecode ${rows}`, bytes }
    case jpeg:
      return {
        packing: `/Filter /DCTDecode /DecodeParms << /ColorTransform ${tags(tag.meaning)[0] === 6 ? 1 : 0} >>`,
        bytes: withTables(data, Uint8Array.from(tags(tag.jpegTables))),
      }
    case 8:
    case 32946:
      return { packing: `/Filter /FlateDecode ${rows}`, bytes }
    case 32773:
      return { packing: '/Filter /RunLengthDecode', bytes }
    default:
      return null
  }
}

/** Tables that all pieces share stand before what is each one's own. */
function withTables(data: Uint8Array, tables: Uint8Array): Uint8Array {
  return tables.length < 4 ? data : joined([tables.subarray(0, -2), data.subarray(2)])
}

function turnedRound(byte: number): number {
  let turned = 0
  for (let bit = 0; bit < 8; bit++) turned |= ((byte >> bit) & 1) << (7 - bit)
  return turned
}

function pdfOf(pages: readonly Page[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const places: number[] = []
  let length = 0
  const put = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part
    parts.push(bytes)
    length += bytes.length
  }
  const object = (number: number, entries: string, stream?: Uint8Array) => {
    places[number] = length
    put(`${number} 0 obj\n<< ${entries}${stream === undefined ? '' : ` /Length ${stream.length}`} >>\n`)
    if (stream !== undefined) for (const part of ['stream\n', stream, '\nendstream\n']) put(part)
    put('endobj\n')
  }
  put('%PDF-1.4\n')
  let next = 3
  const kids = pages.map(page => {
    const [own, content, first] = [next, next + 1, next + 2]
    next += 2 + page.pieces.length
    const size = pageSize(page)
    const names = page.pieces.map((_, index) => `/P${index} ${first + index} 0 R`).join(' ')
    const box = `/MediaBox [0 0 ${page.width * size} ${page.height * size}] /Rotate ${page.turns * 90}`
    object(own, `/Type /Page /Parent 2 0 R ${box} /Contents ${content} 0 R /Resources << /XObject << ${names} >> >>`)
    object(content, '', new TextEncoder().encode(drawingOf(page, size)))
    for (const [index, { width, height, packing, bytes }] of page.pieces.entries())
      object(first + index, `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${page.colours} ${packing}`, bytes)
    return `${own} 0 R`
  })
  object(1, '/Type /Catalog /Pages 2 0 R')
  object(2, `/Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}]`)
  const table = length
  put(`xref\n0 ${next}\n0000000000 65535 f \n`)
  for (let number = 1; number < next; number++) put(`${String(places[number]).padStart(10, '0')} 00000 n \n`)
  put(`trailer\n<< /Size ${next} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`)
  return joined(parts)
}

/** A page of a PDF is at most so long. */
function pageSize({ width, height }: Page): number {
  return Math.min(1, 14_000 / Math.max(width, height))
}

function drawingOf({ width, height, mirrored, pieces }: Page, size: number): string {
  const whole = mirrored ? `${-size} 0 0 ${size} ${width * size} 0 cm\n` : `${size} 0 0 ${size} 0 0 cm\n`
  const place = (piece: Piece, index: number) =>
    `q ${piece.width} 0 0 ${piece.height} ${piece.left} ${height - piece.top - piece.height} cm /P${index} Do Q\n`
  return whole + pieces.map(place).join('')
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
