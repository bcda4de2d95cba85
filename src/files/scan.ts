/**
 * Scans and pictures to text, page by page: the text a page carries where it is good, else what is recognised in its picture. Each page
 * that was recognised is handed out at once, so that none is read twice; the text of all pages is written once, at the end. Runs in the
 * child process alone.
 */

import type { OPS, PDFPageProxy } from 'pdfjs-dist'
import type { FileKind, PictureKind } from '../contract/file-kinds.js'
import { type Extracted, type ExtractionLimits, FileFault, ReaderFailure } from './extraction.js'
import { mostLookedAt } from './frames.js'
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

/** Pages are recognised in turns, then the text of all of them is written once. */
export type ScanStep =
  /** Pages before it were looked at in earlier turns. */
  | { recognise: { from: number } }
  /** What was recognised in all turns. */
  | { write: { readings: readonly PageReading[] } }

export interface ScanRequest {
  languages: readonly string[]
  step: ScanStep
}

export interface Scanned extends Extracted {
  words: PageWords[]
  /** The turn was over before it. There is no text yet. */
  nextPage?: number
  /** A picture has broken what recognises letters, and its memory may be gone with it: the next file is for another process. */
  spent?: true
}

/** Pages recognised in one turn. */
const pagesAtOnce = 8

/** What stands on a page: pieces of its text, and what was recognised. */
interface Page {
  pieces: Piece[]
  reading: PageReading | null
}

export interface ScanSource {
  pages: number
  /** Null for a page whose own text stands. */
  recognise(page: number, reader: () => Promise<LetterReader>): Promise<PageReading | null>
  /** As it is written. */
  page(page: number, reading: PageReading | null): Promise<Page>
  close(): Promise<void>
}

/** Null of a page that was looked at and needs no recognition: the time of the next begins there too. */
type Emit = (reading: PageReading | null) => Promise<void>

export type Scanner = (
  file: { bytes: Buffer; kind: FileKind },
  request: ScanRequest & { limits: ExtractionLimits },
  emit: Emit,
) => Promise<Scanned>

/** What recognises letters is made for the first page of each set of languages, and kept until a picture breaks it. */
export function createScanner(create = createLetterReader): Scanner {
  let kept: { languages: string; reader: Promise<LetterReader> } | null = null
  const forget = (error: unknown): never => {
    kept = null
    throw error
  }
  let isSpent = false
  const notStarted = (error: unknown): never => forget(error instanceof FileFault ? error : new ReaderFailure(error))
  /** What ends otherwise than by a fault of the file is in no state to read the next, which may be somebody else's. */
  const unlessBroken = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof FileFault) throw error
      isSpent = true
      return forget(error)
    }
  }
  const guarded = (reader: LetterReader): LetterReader => ({
    decode: file => unlessBroken(() => reader.decode(file)),
    read: (picture, dotsPerInch) => unlessBroken(() => reader.read(picture, dotsPerInch)),
  })
  const readerFor = (languages: readonly string[]) => {
    if (kept?.languages !== languages.join('+'))
      kept = { languages: languages.join('+'), reader: create(languages).then(guarded, notStarted) }
    return kept.reader
  }
  return async ({ bytes, kind }, { languages, step, limits }, emit) => {
    const source = kind === 'pdf' ? await pdfSource(bytes) : pictureSource(bytes, kind as PictureKind)
    try {
      if ('write' in step) return await writeScan(source, step.write.readings, limits)
      const letters = { reader: () => readerFor(languages), isSpent: () => isSpent }
      const nextPage = await recogniseTurn(source, { from: step.recognise.from, ...letters }, emit)
      const next = { ...(nextPage !== null && { nextPage }), ...(isSpent && { spent: true as const }) }
      return { text: '', places: null, notes: [], attachments: [], words: [], ...next }
    } finally {
      await source.close()
    }
  }
}

/** Null when no page is left. */
export async function recogniseTurn(
  source: ScanSource,
  { from, reader, isSpent = () => false }: { from: number; reader: () => Promise<LetterReader>; isSpent?: () => boolean },
  emit: Emit,
): Promise<number | null> {
  let left = pagesAtOnce
  for (let page = from; page <= source.pages; page++) {
    // Behind a page that broke what reads letters there may be no room for another: the next turn has a process of its own.
    if (left === 0 || page - from === mostLookedAt || (page > from && isSpent())) return page
    const reading = await source.recognise(page, reader).catch((error: unknown) => {
      if (error instanceof ReaderFailure || (error instanceof FileFault && error.code !== 'BROKEN')) throw error
      return { page, height: 0, toPage: [1, 0, 0, 1, 0, 0] as Matrix, lines: [], broken: true as const }
    })
    await emit(reading)
    if (reading !== null) left--
  }
  return null
}

async function pdfSource(bytes: Buffer): Promise<ScanSource> {
  const { document, ops, close } = await openPdf(new Uint8Array(bytes), { maxImageSize: mostPicturePixels, useWasm: true })
  if (document.numPages > mostPages) {
    await close()
    throw new FileFault('TOO_COMPLEX')
  }
  return {
    pages: document.numPages,
    recognise: (number, reader) => onPage(document, number, page => recogniseOwn(page, ops, { number, reader })),
    page: (number, reading) => onPage(document, number, page => ownPage(page, reading)),
    close,
  }
}

async function onPage<T>(document: PdfDocument, number: number, read: (page: PDFPageProxy) => Promise<T>): Promise<T> {
  const page = await document.getPage(number)
  try {
    return await read(page)
  } finally {
    page.cleanup()
  }
}

/** A page with a few words of its own is a scan where its picture takes up so much of it. */
const leastCovered = 0.4

function layerOf(pieces: readonly Piece[]) {
  return textLayerOf(pieces.map(piece => piece.text).join(' '))
}

async function recogniseOwn(
  page: PDFPageProxy,
  ops: typeof OPS,
  { number, reader }: { number: number; reader: () => Promise<LetterReader> },
): Promise<PageReading | null> {
  const layer = layerOf(await piecesOn(page))
  if (layer === 'good') return null
  const shown = await pictureOf(page, ops)
  if (shown === null || (layer === 'short' && shown.covered < leastCovered)) return null
  return recognisePage(await reader(), number, shown)
}

async function ownPage(page: PDFPageProxy, reading: PageReading | null): Promise<Page> {
  const pieces = await piecesOn(page)
  if (reading === null) return { pieces, reading }
  // Rubbish stands for what the picture shows, and goes unless nothing was made of that either.
  const kept = layerOf(pieces) === 'rubbish' && reading.lines.length > 0 ? [] : pieces
  return { pieces: kept, reading: withoutRepeated(reading, kept, page) }
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

function pictureSource(bytes: Buffer, kind: PictureKind): ScanSource {
  const heads = pictureHeads(bytes, kind)
  if (heads.some(({ width, height }) => width * height > mostPicturePixels)) throw new FileFault('TOO_LARGE')
  return {
    pages: heads.length,
    recognise: async (number, reader) => {
      const head = heads[number - 1] as PictureHead
      const file = kind === 'tiff' ? withFirstPage(bytes, head.at) : bytes
      const letters = await reader()
      const picture = upright(letters.decode(file), head.orientation)
      return recognisePage(letters, number, { picture, dotsPerInch: dotsPerInch(picture, head.dotsPerInch) })
    },
    page: async (_number, reading) => ({ pieces: [], reading }),
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

export async function writeScan(source: ScanSource, known: readonly PageReading[], { maxChars }: ExtractionLimits): Promise<Scanned> {
  const readings = new Map(known.map(reading => [reading.page, reading]))
  const out = new TextWriter({ kind: 'page', maxChars })
  const sizes = new Map<number, number>()
  const [broken, recognisedPages]: [number[], number[]] = [[], []]
  const units: Unit[] = []
  for (let number = 1; number <= source.pages; number++) {
    const found = readings.get(number) ?? null
    const page = found?.broken
      ? null
      : await source.page(number, found).catch((error: unknown) => {
          if (error instanceof FileFault && error.code !== 'BROKEN') throw error
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
