/** The text of a PDF, page by page. Scripts, links, forms' actions and fonts of the file are never followed or run. */

import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { type Piece, pieceOf, writePage } from './pdf-layout.js'
import { mostPages as mostScannedPages } from './picture-heads.js'
import { picturesIn, textLayerOf } from './text-layer.js'
import { TextWriter } from './text-writer.js'

const mostPages = 5000

export async function extractPdf(bytes: Uint8Array, { maxChars }: ExtractionLimits): Promise<Extracted> {
  // Its bytes are handed over to be read.
  const pictures = picturesIn(bytes)
  const { document, close } = await openPdf(bytes, { useWasm: false })
  try {
    if (document.numPages > mostPages) throw new FileFault('TOO_COMPLEX')
    return await readPages(document, { maxChars, pictures })
  } finally {
    await close()
  }
}

type Pdfjs = typeof import('pdfjs-dist')
export type PdfDocument = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

export async function openPdf(bytes: Uint8Array, how: { useWasm: boolean; maxImageSize?: number }) {
  const { getDocument, OPS: ops } = await loadPdfjs()
  const task = getDocument({
    data: bytes,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
    ...how,
    ...(how.useWasm && { wasmUrl: wasmFolder() }),
  })
  try {
    const document = await task.promise
    return { document, ops, close: () => task.destroy() }
  } catch (error) {
    await task.destroy()
    throw new FileFault((error as Error).name === 'PasswordException' ? 'ENCRYPTED' : 'BROKEN', error)
  }
}

/** What unpacks JPEG 2000. */
function wasmFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'wasm') + sep
}

export async function piecesOn(page: PdfPage): Promise<Piece[]> {
  const content = await page.getTextContent({ includeMarkedContent: false })
  return content.items.flatMap(item => ('str' in item ? (pieceOf(item) ?? []) : []))
}

async function readPages(
  document: PdfDocument,
  { maxChars, pictures }: { maxChars: number; pictures: ReturnType<typeof picturesIn> },
): Promise<Extracted> {
  const out = new TextWriter({ kind: 'page', maxChars })
  const sizes = new Map<number, number>()
  const [broken, scanned]: [number[], number[]] = [[], []]
  for (let number = 1; number <= document.numPages; number++) {
    try {
      const page = await document.getPage(number)
      const pieces = await piecesOn(page)
      if (mayBeScan(pieces, pictures)) scanned.push(number)
      for (const { size, text } of pieces) sizes.set(Math.round(size), (sizes.get(Math.round(size)) ?? 0) + text.length)
      out.gap(2).at(String(number))
      if (pieces.length > 0) writePage(out, pieces, mostOf(sizes))
      page.cleanup()
    } catch (error) {
      if (error instanceof FileFault) throw error
      broken.push(number)
    }
  }
  if (broken.length === document.numPages) throw new FileFault('BROKEN')
  // Of a book, a blank page with a mark on it is not worth the rest.
  const isRecognised = document.numPages <= mostScannedPages || out.length === 0
  if (scanned.length > 0 && isRecognised) return { ...toBeScanned, scan: out.length === 0 ? 'whole' : 'partly' }
  return out.finish([
    ...(broken.length === 0 ? [] : [`Pages that could not be read: ${listed(broken)}.`]),
    ...(scanned.length === 0 ? [] : [`Pages without text, not recognised in a document of this length: ${listed(scanned)}.`]),
  ])
}

const toBeScanned = { text: '', places: null, notes: [], attachments: [] }

function mayBeScan(pieces: readonly Piece[], pictures: ReturnType<typeof picturesIn>): boolean {
  if (pictures === 'none') return false
  const layer = textLayerOf(pieces.map(piece => piece.text).join(' '))
  return layer === 'none' || layer === 'rubbish' || (layer === 'short' && pictures === 'large')
}

export function mostOf(sizes: ReadonlyMap<number, number>): number {
  return [...sizes].reduce((most, each) => (each[1] > most[1] ? each : most), [12, 0])[0]
}

export function listed(numbers: readonly number[]): string {
  return numbers.length <= 20 ? numbers.join(', ') : `${numbers.slice(0, 20).join(', ')} and ${numbers.length - 20} more`
}

/**
 * It looks for a canvas, and for names that only drawing needs. With these names nothing misses the canvas, whose native code
 * this process may not load, and which need not be installed.
 */
async function loadPdfjs(): Promise<Pdfjs> {
  const scope = globalThis as Record<string, unknown>
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) scope[name] ??= class {}
  // @ts-expect-error the build for Node.js comes without types of its own
  await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
  return await import('pdfjs-dist/legacy/build/pdf.mjs')
}
