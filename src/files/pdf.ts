/** The text of a PDF, page by page. Scripts, links, forms' actions and fonts of the file are never followed or run. */

import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { pieceOf, writePage } from './pdf-layout.js'
import { TextWriter } from './text-writer.js'

const mostPages = 5000

export async function extractPdf(bytes: Uint8Array, { maxChars }: ExtractionLimits): Promise<Extracted> {
  const { getDocument } = await loadPdfjs()
  const task = getDocument({
    data: bytes,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  })
  try {
    const document = await task.promise.catch((error: unknown) => {
      throw new FileFault((error as Error).name === 'PasswordException' ? 'ENCRYPTED' : 'BROKEN', error)
    })
    if (document.numPages > mostPages) throw new FileFault('TOO_COMPLEX')
    return await readPages(document, maxChars)
  } finally {
    await task.destroy()
  }
}

type Pdfjs = typeof import('pdfjs-dist')
type PdfDocument = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>

async function readPages(document: PdfDocument, maxChars: number): Promise<Extracted> {
  const out = new TextWriter({ kind: 'page', maxChars })
  const sizes = new Map<number, number>()
  const broken: number[] = []
  for (let number = 1; number <= document.numPages; number++) {
    try {
      const page = await document.getPage(number)
      const content = await page.getTextContent({ includeMarkedContent: false })
      const pieces = content.items.flatMap(item => ('str' in item ? (pieceOf(item) ?? []) : []))
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
  return out.finish(broken.length === 0 ? [] : [`Pages that could not be read: ${listed(broken)}.`])
}

function mostOf(sizes: ReadonlyMap<number, number>): number {
  return [...sizes].reduce((most, each) => (each[1] > most[1] ? each : most), [12, 0])[0]
}

function listed(numbers: readonly number[]): string {
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
