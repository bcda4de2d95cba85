/**
 * Scans and pictures to text, page by page: the text a page carries where it is good, else what is recognised in its picture. Each page
 * that was recognised is handed out at once, so that none is read twice. Runs in the child process alone.
 */

import type { OPS, PDFPageProxy } from 'pdfjs-dist'
import type { FileKind, PictureKind } from '../contract/file-kinds.js'
import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { boxOf, type Grey, type Matrix, mirrored, turned } from './grey.js'
import { createLetterReader, type LetterReader } from './letters.js'
import { mostPicturePixels, pictureOf } from './page-picture.js'
import { listed, mostOf, openPdf, type PdfDocument, piecesOn } from './pdf.js'
import { type Piece, writePage } from './pdf-layout.js'
import { mostPages, type PictureHead, pictureHeads, withFirstPage } from './picture-heads.js'
import { recognisePage } from './recognise.js'
import { type PageReading, type PageWords, piecesOf, rectangleOf, type WordPiece } from './recognised.js'
import { textLayerOf } from './text-layer.js'
import { codePoints, TextWriter } from './text-writer.js'

export interface ScanRequest {
  languages: readonly string[]
  /** Pages that were recognised before. */
  known: readonly PageReading[]
}

export interface Scanned extends Extracted {
  words: PageWords[]
}

/** Pages recognised in one go. The rest comes with the next turn. */
const pagesAtOnce = 8

class TurnOver extends Error {}

/** What stands on a page: pieces of its text, and what was recognised. */
interface Page {
  pieces: Piece[]
  reading: PageReading | null
}

interface Source {
  pages: number
  page(number: number): Promise<Page>
  close(): Promise<void>
}

export type Scanner = (
  file: { bytes: Buffer; kind: FileKind },
  request: ScanRequest & { limits: ExtractionLimits },
  emit: (reading: PageReading) => Promise<void>,
) => Promise<Scanned>

/** What recognises letters is made for the first page of each set of languages, and kept. */
export function createScanner(create = createLetterReader): Scanner {
  let kept: { languages: string; reader: Promise<LetterReader> } | null = null
  const readerFor = (languages: readonly string[]) => {
    if (kept?.languages !== languages.join('+')) kept = { languages: languages.join('+'), reader: create(languages) }
    return kept.reader
  }
  return (file, request, emit) => scan(file, { ...request, reader: () => readerFor(request.languages) }, emit)
}

type Scan = Parameters<Scanner>

async function scan(
  file: Scan[0],
  { limits, known, reader }: Scan[1] & { reader: () => Promise<LetterReader> },
  emit: Scan[2],
): Promise<Scanned> {
  const readings = new Map(known.map(reading => [reading.page, reading]))
  let left = pagesAtOnce
  const read = (page: number): Reading => ({
    page,
    known: readings.get(page) ?? null,
    reader,
    emit: async reading => {
      await emit(reading)
      left--
    },
    begin: () => {
      if (left === 0) throw new TurnOver()
    },
  })
  const source = file.kind === 'pdf' ? await pdfSource(file.bytes, read) : pictureSource(file.bytes, file.kind as PictureKind, read)
  try {
    return await write(source, limits)
  } catch (error) {
    if (error instanceof TurnOver) return { text: '', places: null, notes: [], attachments: [], words: [], scan: 'partly' }
    throw error
  } finally {
    await source.close()
  }
}

interface Reading {
  page: number
  reader(): Promise<LetterReader>
  known: PageReading | null
  emit(reading: PageReading): Promise<void>
  /** Throws where the turn is over. */
  begin(): void
}

async function recognised(
  { page, reader, known, emit, begin }: Reading,
  picture: () => Promise<{ picture: Grey; dotsPerInch: number }>,
): Promise<PageReading> {
  if (known !== null) return known
  begin()
  const reading = recognisePage(await reader(), page, await picture())
  await emit(reading)
  return reading
}

async function pdfSource(bytes: Buffer, read: (page: number) => Reading): Promise<Source> {
  const { document, ops, close } = await openPdf(new Uint8Array(bytes), { maxImageSize: mostPicturePixels, useWasm: true })
  if (document.numPages > mostPages) {
    await close()
    throw new FileFault('TOO_COMPLEX')
  }
  return { pages: document.numPages, page: number => pdfPage(document, ops, read(number)), close }
}

/** A page with a few words of its own is a scan where its picture takes up so much of it. */
const leastCovered = 0.4

async function pdfPage(document: PdfDocument, ops: typeof OPS, reading: Reading): Promise<Page> {
  const page = await document.getPage(reading.page)
  try {
    const pieces = await piecesOn(page)
    const layer = textLayerOf(pieces.map(piece => piece.text).join(' '))
    if (layer === 'good') return { pieces, reading: null }
    if (reading.known === null) reading.begin()
    const shown = reading.known === null ? await pictureOf(page, ops) : null
    if (reading.known === null && (shown === null || (layer === 'short' && shown.covered < leastCovered))) return { pieces, reading: null }
    const found = await recognised(reading, async () => shown as NonNullable<typeof shown>)
    // Rubbish stands for what the picture shows, and goes unless nothing was made of that either.
    const kept = layer === 'rubbish' && found.lines.length > 0 ? [] : pieces
    return { pieces: kept, reading: withoutRepeated(found, kept, page) }
  } finally {
    page.cleanup()
  }
}

/** Words that the page carries as text where they were recognised too are written once. */
function withoutRepeated(reading: PageReading, pieces: readonly Piece[], page: PDFPageProxy): PageReading {
  if (pieces.length === 0) return reading
  const view = page.getViewport({ scale: 1 })
  const boxes = pieces.map(({ x, y, width, size }) => {
    const [a, b, c, d, e, f] = view.transform as unknown as Matrix
    const box = boxOf({ width, height: size }, [a, b, c, d, a * x + c * y + e, b * x + d * y + f])
    return { left: box.left / view.width, right: box.right / view.width, top: box.top / view.height, bottom: box.bottom / view.height }
  })
  const isThere = (word: PageReading['lines'][number]['words'][number]) => {
    const [left, top, width, height] = rectangleOf(word, reading.toPage)
    const [x, y] = [(left + width / 2) / 10_000, (top + height / 2) / 10_000]
    return boxes.some(box => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)
  }
  const lines = reading.lines.flatMap(line => {
    const words = line.words.filter(word => !isThere(word))
    return words.length === 0 ? [] : [{ ...line, words }]
  })
  return { ...reading, lines }
}

function pictureSource(bytes: Buffer, kind: PictureKind, read: (page: number) => Reading): Source {
  const heads = pictureHeads(bytes, kind)
  if (heads.some(({ width, height }) => width * height > mostPicturePixels)) throw new FileFault('TOO_LARGE')
  return {
    pages: heads.length,
    page: async number => {
      const head = heads[number - 1] as PictureHead
      const own = read(number)
      const reading = await recognised(own, async () => {
        const file = kind === 'tiff' ? withFirstPage(bytes, head.at) : bytes
        const picture = upright((await own.reader()).decode(file), head.orientation)
        return { picture, dotsPerInch: dotsPerInch(picture, head.dotsPerInch) }
      })
      return { pieces: [], reading }
    },
    close: async () => undefined,
  }
}

function upright(picture: Grey, orientation: number): Grey {
  const straight = [2, 4, 5, 7].includes(orientation) ? mirrored(picture) : picture
  return turned(straight, { 3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3 }[orientation] ?? 0)
}

/** What a camera says of it means nothing; a page is taken to be as long as A4. */
function dotsPerInch({ width, height }: Grey, said: number | null): number {
  return said !== null && said >= 100 && said <= 1200 ? said : Math.max(50, Math.max(width, height) / 11.7)
}

interface Unit {
  page: number
  start: number
  pieces: readonly Piece[]
  reading: PageReading
}

async function write(source: Source, { maxChars }: ExtractionLimits): Promise<Scanned> {
  const out = new TextWriter({ kind: 'page', maxChars })
  const sizes = new Map<number, number>()
  const [broken, recognisedPages]: [number[], number[]] = [[], []]
  const units: Unit[] = []
  for (let number = 1; number <= source.pages; number++) {
    const page = await source.page(number).catch((error: unknown) => {
      if (error instanceof TurnOver || (error instanceof FileFault && error.code !== 'BROKEN')) throw error
      return null
    })
    out.gap(2).at(String(number))
    if (page === null) broken.push(number)
    if (page !== null) writePart(out, page.pieces, sizes)
    const reading = page?.reading
    if (!reading) continue
    recognisedPages.push(number)
    out.gap(2)
    writePart(out, piecesOf(reading), sizes, pieces => units.push({ page: number, start: out.length, pieces, reading }))
  }
  if (broken.length === source.pages) throw new FileFault('BROKEN')
  const { text, ...rest } = out.finish()
  return { ...rest, text, words: placedWords(text, units), notes: notesOf(source.pages, recognisedPages, broken) }
}

function writePart(
  out: TextWriter,
  pieces: readonly Piece[],
  sizes: Map<number, number>,
  trace?: (pieces: readonly Piece[]) => void,
): void {
  if (pieces.length === 0) return
  for (const { size, text } of pieces) sizes.set(Math.round(size), (sizes.get(Math.round(size)) ?? 0) + text.length)
  writePage(out, pieces, mostOf(sizes), trace)
}

function notesOf(pages: number, recognisedPages: readonly number[], broken: readonly number[]): string[] {
  const which = recognisedPages.length === pages ? (pages === 1 ? 'The page was' : 'All pages were') : `Of ${pages} pages these were`
  const list = recognisedPages.length === pages ? '' : `: ${listed(recognisedPages)}`
  return [
    ...(recognisedPages.length === 0 ? [] : [`${which} recognised from a picture and may have mistakes${list}.`]),
    ...(broken.length === 0 ? [] : [`Pages that could not be read: ${listed(broken)}.`]),
  ]
}

/** Where each recognised word stands in the text. Words that were joined over the end of a line have no place of their own. */
function placedWords(text: string, units: readonly Unit[]): PageWords[] {
  const pages = new Map<number, PageWords>()
  const index = codePointIndex(text)
  for (const { page, start, pieces, reading } of units) {
    const own = pages.get(page) ?? { page, starts: [], lengths: [], confidences: [], rectangles: [] }
    pages.set(page, own)
    let from = index.toUnit(start)
    for (const word of pieces.flatMap(piece => (piece as WordPiece).words)) {
      const at = text.indexOf(word.text, from)
      // It stands right behind the last one, but for what joins them.
      if (at < 0 || at - from > farthest) continue
      from = at + word.text.length
      own.starts.push(index.toPoint(at))
      own.lengths.push(codePoints(word.text))
      own.confidences.push(Math.round(word.confidence * 100))
      own.rectangles.push(...rectangleOf(word, reading.toPage))
    }
  }
  return [...pages.values()]
}

/** Code units between a word and the next: a heading's mark, bars, or a word that was left out. */
const farthest = 60

/** Between code points, which offsets count, and code units, which strings are cut by. */
function codePointIndex(text: string) {
  if (codePoints(text) === text.length) return { toUnit: (point: number) => point, toPoint: (unit: number) => unit }
  const units: number[] = []
  const points = new Int32Array(text.length + 1)
  for (let unit = 0; unit < text.length; ) {
    const width = (text.codePointAt(unit) as number) > 0xffff ? 2 : 1
    points.fill(units.length, unit, unit + width)
    units.push(unit)
    unit += width
  }
  points[text.length] = units.length
  return { toUnit: (point: number) => units[point] ?? text.length, toPoint: (unit: number) => points[unit] as number }
}
