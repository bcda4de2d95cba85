/**
 * A PDF page by page as it is printed. pdf.js draws it in this browser, from parts of the file that are asked for as pages
 * come into view; of a long document a few pages are in memory. No script, form, link, attachment or font program of the
 * file is run or followed. Words can be selected; passages are marked on the page itself, where they surely stand: by its text, or by the
 * words that were recognised in it.
 */

import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TextItem } from '../src/files/pdf-layout.js'
import { NoMark } from './no-mark'
import { Loading } from './parts'
import type { Passage } from './passages'
import { type MarkedItem, marksOnPage } from './pdf-marks'
import { type PartSource, PdfParts, partBytes } from './pdf-parts'
import { marksOfWords, type ScanWord } from './scan-marks'
import { ScanWords } from './scan-words'

export interface PdfPassage extends Passage {
  /** The number of its page. */
  page: number
}

/** Where it is read from, part by part; or the file itself, where it was made here. */
export type PdfSource = PartSource | { data: Uint8Array }

interface PdfPagesProps {
  source: PdfSource
  text: string | undefined
  /** Undefined while they are being read: which page is wanted is not known before. */
  passages: readonly PdfPassage[] | undefined
  label: string
  /** What was recognised of a page; undefined where no page was. */
  words: WordsOfPage | undefined
  onWord?: ((word: ScanWord) => void) | undefined
}

export type WordsOfPage = (page: number) => Promise<readonly ScanWord[]>

const worker = '/desk/pdfjs/pdf.worker.min.mjs'
const aside = '/desk/pdfjs/'
/** Started ahead of the document it is for: that takes longer than to read what a file begins with. */
const spare: PDFWorker[] = []
/** Drawn at once: what is in view and a page before and behind it. */
const pagesAround = 1

export function PdfPages({ source, text, passages, label, words, onWord }: PdfPagesProps) {
  const [opened, setOpened] = useState<{ pdf?: PDFDocumentProxy; failure?: string; ratio?: number }>({})
  useEffect(() => {
    let isOver = false
    const fail = (error: unknown) => !isOver && setOpened({ failure: sayFault(error) })
    const drawer = takeWorker()
    const task = openPdf(source, drawer, fail)
    const open = async () => {
      const pdf = await task.promise
      const view = (await pdf.getPage(1)).getViewport({ scale: 1 })
      if (!isOver) setOpened({ pdf, ratio: view.height / view.width })
    }
    open().catch(fail)
    return () => {
      isOver = true
      void task.destroy().finally(() => drawer.destroy())
    }
  }, [source])
  if (opened.failure !== undefined) return <p class="muted no-mark">{opened.failure}</p>
  if (opened.pdf === undefined || passages === undefined) return <Loading what="the original" />
  return (
    <Pages
      pdf={opened.pdf}
      ratio={opened.ratio ?? Math.SQRT2}
      text={text}
      passages={passages}
      label={label}
      words={words}
      onWord={onWord}
    />
  )
}

/** Called where a PDF is about to be shown. */
export function prepare(): void {
  GlobalWorkerOptions.workerSrc = worker
  if (spare.length === 0) spare.push(new PDFWorker({}))
}

/** Each draws one document and ends with it: one that hangs holds up no other. */
function takeWorker(): PDFWorker {
  prepare()
  return spare.pop() as PDFWorker
}

function openPdf(source: PdfSource, drawer: PDFWorker, onFailure: (error: unknown) => void): PDFDocumentLoadingTask {
  return getDocument({
    worker: drawer,
    // What is given to the worker is gone from here.
    ...('data' in source ? { data: source.data.slice() } : { range: new PdfParts(source, onFailure) }),
    // Parts as they are needed, nothing ahead: a page of five hundred is drawn without the others.
    rangeChunkSize: partBytes,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    enableXfa: false,
    // The fonts every program has come from here: a page looks the same on every machine.
    useSystemFonts: false,
    useWasm: false,
    wasmUrl: aside,
    standardFontDataUrl: `${aside}fonts/`,
    stopAtErrors: false,
    verbosity: 0,
  })
}

function sayFault(error: unknown): string {
  const { name, status } = error as { name?: string; status?: number }
  if (status === 404) return 'The original is no longer kept; its text may be.'
  return name === 'PasswordException' ? 'The original is protected by a password.' : 'The original cannot be shown here.'
}

interface PagesProps extends Omit<PdfPagesProps, 'source' | 'passages'> {
  pdf: PDFDocumentProxy
  passages: readonly PdfPassage[]
  ratio: number
}

function Pages({ pdf, ratio, text, passages, label, words, onWord }: PagesProps) {
  const pane = useRef<HTMLDivElement>(null)
  const wanted = passages.find(each => each.kind === 'main')?.page ?? 1
  const [near, setNear] = useState(wanted)
  // The page that is wanted comes before those beside it.
  const [isFirstDrawn, setFirstDrawn] = useState(false)
  const firstDrawn = () => {
    setFirstDrawn(true)
    prepare()
  }
  const around = isFirstDrawn ? pagesAround : 0
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setWidth(pane.current?.clientWidth ?? 0)
    const observer = new ResizeObserver(measure)
    if (pane.current) observer.observe(pane.current)
    measure()
    return () => observer.disconnect()
  }, [])
  const step = Math.round(width * ratio) + 12
  useLayoutEffect(() => {
    if (pane.current && width > 0) pane.current.scrollTop = (wanted - 1) * step
  }, [wanted, width])
  const scrolled = () => {
    if (pane.current) setNear(Math.min(pdf.numPages, 1 + Math.floor((pane.current.scrollTop + pane.current.clientHeight / 2) / step)))
  }
  const numbers = Array.from({ length: 2 * around + 1 }, (_, index) => near - around + index).filter(n => n >= 1 && n <= pdf.numPages)
  return (
    <>
      <p class="page-count small muted" aria-live="off">
        page {near} of {pdf.numPages.toLocaleString()}
      </p>
      <div class="pdf" ref={pane} onScroll={scrolled} tabIndex={0} role="region" aria-label={label}>
        <div class="pdf-all" ref={each => place(each, { height: `${pdf.numPages * step}px` })}>
          {width > 0 &&
            numbers.map(number => (
              <Page
                key={number}
                {...{ pdf, number, width, text, pane, onWord }}
                recognised={words}
                top={(number - 1) * step}
                onDrawn={firstDrawn}
                passages={passages.filter(each => each.page === number || each.page === number - 1)}
              />
            ))}
        </div>
      </div>
    </>
  )
}

interface PageProps {
  pdf: PDFDocumentProxy
  number: number
  width: number
  top: number
  text: string | undefined
  passages: readonly PdfPassage[]
  recognised: WordsOfPage | undefined
  onWord: ((word: ScanWord) => void) | undefined
  pane: { current: HTMLDivElement | null }
  onDrawn: () => void
}

interface Box {
  left: number
  top: number
  width: number
  height: number
  kind: Passage['kind']
  id: string | undefined
}

interface Drawn {
  page: PDFPageProxy
  items: Item[]
}

function Page({ pdf, number, width, top, text, passages, recognised, onWord, pane, onDrawn }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<Drawn>()
  const [boxes, setBoxes] = useState<Box[] | 'unsure'>([])
  const [scanWords, setScanWords] = useState<readonly ScanWord[]>([])
  const [isFailed, setFailed] = useState(false)
  const own = passages.filter(each => each.page === number)
  useEffect(() => {
    const stop = new AbortController()
    const drawing = { pdf, number, width, canvas: canvas.current, words: words.current, signal: stop.signal, onDrawn, setDrawn }
    setFailed(false)
    draw(drawing).catch(() => {
      // One that is left before it is drawn is no failure.
      if (stop.signal.aborted) return
      setFailed(true)
      onDrawn()
    })
    return () => stop.abort()
  }, [pdf, number, width])
  // Marked on a page that is already there: neither its text nor its passages are waited for.
  useEffect(() => {
    let isOver = false
    const mark = async ({ page, items }: Drawn, text: string) => {
      const found = recognised === undefined ? [] : await recognised(number)
      if (isOver) return
      setScanWords(found)
      const scanned = boxesOfWords(page, width, found, passages)
      setBoxes(scanned.length > 0 || own.length === 0 ? scanned : (boxesOf({ page, items }, width, text, own) ?? 'unsure'))
    }
    if (drawn !== undefined && text !== undefined) void mark(drawn, text).catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [drawn, text, recognised, passages.map(each => `${each.start} ${each.kind}`).join()])
  useLayoutEffect(() => {
    const main = boxes === 'unsure' ? undefined : (boxes.find(each => each.kind === 'differs') ?? boxes.find(each => each.kind === 'main'))
    if (main && pane.current) pane.current.scrollTop = top + main.top - pane.current.clientHeight / 3
  }, [boxes])
  useLayoutEffect(() => {
    if (frame.current) Object.assign(frame.current.style, { top: `${top}px`, width: `${width}px` })
  }, [top, width])
  return (
    <div class="pdf-page" ref={frame} data-page={number}>
      {isFailed && <NoMark>{`Page ${number} cannot be drawn here.`}</NoMark>}
      {boxes === 'unsure' && (
        <NoMark>{`Page ${number} does not read here as it did when its text was made, so nothing is marked on it.`}</NoMark>
      )}
      <canvas ref={canvas} />
      {boxes !== 'unsure' && boxes.map((box, index) => <Mark key={index} box={box} />)}
      <div class="textLayer" ref={words} />
      {onWord !== undefined && scanWords.length > 0 && <ScanWords words={scanWords} onChoose={onWord} />}
    </div>
  )
}

function Mark({ box: { left, top, width, height, kind, id } }: { box: Box }) {
  return (
    <div
      class={`page-mark ${kind}`}
      data-id={id}
      ref={each => place(each, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })}
    />
  )
}

/** Set one by one: the page's policy allows no style written into it. */
function place(element: HTMLElement | null, style: Partial<Record<'left' | 'top' | 'width' | 'height', string>>): void {
  if (element !== null) Object.assign(element.style, style)
}

interface Drawing {
  pdf: PDFDocumentProxy
  number: number
  width: number
  canvas: HTMLCanvasElement | null
  words: HTMLElement | null
  signal: AbortSignal
  onDrawn: () => void
  setDrawn: (drawn: Drawn) => void
}

const mostPixels = 16_000_000

/** What is seen first, then what can be marked and selected. */
async function draw({ pdf, number, width, canvas, words, signal, onDrawn, setDrawn }: Drawing): Promise<void> {
  const page = await pdf.getPage(number)
  if (signal.aborted || canvas === null || words === null) return
  const viewport = viewOf(page, width)
  const sharp = Math.min(window.devicePixelRatio || 1, Math.sqrt(mostPixels / (viewport.width * viewport.height)))
  canvas.width = Math.floor(viewport.width * sharp)
  canvas.height = Math.floor(viewport.height * sharp)
  Object.assign(canvas.style, { width: `${viewport.width}px`, height: `${viewport.height}px` })
  const task = page.render({
    canvas,
    viewport,
    transform: sharp === 1 ? undefined : [sharp, 0, 0, sharp, 0, 0],
    annotationMode: 0,
  } as never)
  signal.addEventListener('abort', () => task.cancel())
  await task.promise
  if (signal.aborted) return
  onDrawn()
  const content = await page.getTextContent({ includeMarkedContent: false })
  if (signal.aborted) return
  setDrawn({ page, items: content.items.filter(item => 'str' in item) })
  words.replaceChildren()
  words.style.setProperty('--total-scale-factor', String(viewport.scale))
  words.style.setProperty('--scale-factor', String(viewport.scale))
  Object.assign(words.style, { width: `${viewport.width}px`, height: `${viewport.height}px` })
  await new TextLayer({ textContentSource: content, container: words, viewport }).render()
  // What it measures letters with hangs outside the page.
  for (const each of document.querySelectorAll('body > .hiddenCanvasElement')) each.setAttribute('aria-hidden', 'true')
}

function viewOf(page: PDFPageProxy, width: number) {
  return page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
}

function boxesOfWords(page: PDFPageProxy, width: number, words: readonly ScanWord[], passages: readonly PdfPassage[]): Box[] {
  const view = viewOf(page, width)
  return marksOfWords(words, passages).map(({ left, top, width, height, kind, id }) => ({
    left: left * view.width,
    top: top * view.height,
    width: width * view.width,
    height: height * view.height,
    kind,
    id,
  }))
}

/** Null: the page does not read as it did. */
function boxesOf({ page, items }: Drawn, width: number, text: string, passages: readonly PdfPassage[]): Box[] | null {
  const marks = marksOnPage(items, text, passages)
  if (marks === null) return null
  const viewport = viewOf(page, width)
  return marks.flatMap((found, index) => {
    const { kind, id } = passages[index] as PdfPassage
    return found.map(mark => boxOf(items[mark.item] as Item, mark, viewport, { kind, id }))
  })
}

type Item = TextItem & { transform: number[]; width: number; height: number }

function boxOf(
  { transform, width }: Item,
  { from, to }: MarkedItem,
  viewport: ReturnType<typeof viewOf>,
  of: Pick<Box, 'kind' | 'id'>,
): Box {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const along = Math.hypot(a, b) || 1
  const size = Math.hypot(c, d) || along
  // Along the line, and up from a little below it: letters reach there.
  const [ux, uy, vx, vy] = [a / along, b / along, c / size, d / size]
  const corner = (share: number, height: number) =>
    viewport.convertToViewportPoint(x + ux * width * share + vx * size * height, y + uy * width * share + vy * size * height) as [
      number,
      number,
    ]
  const points = [corner(from, -0.25), corner(to, -0.25), corner(from, 0.95), corner(to, 0.95)]
  const xs = points.map(point => point[0])
  const ys = points.map(point => point[1])
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top, ...of }
}
