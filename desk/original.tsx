/**
 * A document as its author made it: pages as printed, formatted text, a sheet as a grid, slides, a mail with its head, what an archive holds. Or the text as it
 * was read, one key away. What only some kinds need is loaded when one of them is shown.
 */

import { signal } from '@preact/signals'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Schema } from '../src/contract/types.js'
import { ArchiveFiles } from './archive-files'
import { CsvGrid } from './csv-grid'
import { FormattedText } from './formatted-text'
import { HtmlText } from './html-text'
import { MailText } from './mail-text'
import { MarkedText } from './marked-text'
import { Loading } from './parts'
import type { Passage } from './passages'
import type { WordsOfPage } from './pdf-pages'
import type { Part } from './pdf-parts'
import { PictureView } from './picture-view'
import type { ScanWord } from './scan-marks'
import { isScan } from './scan-panel'
import { client, sayFailure, timesSignedIn } from './session'

type Document = Schema['Document']
/** With the page of the original where it is known. */
export type PlacedPassage = Passage & { page?: number | null }

/** Whether texts are shown as they were read. Kept from document to document. */
export const showsText = signal(false)

interface OriginalProps {
  scopeId: string
  document: Document
  /** Undefined where none was made of it: a PDF is shown all the same. */
  text: string | undefined
  passages: readonly PlacedPassage[]
  /** Whether the passages are still being read: which page of a PDF is wanted is not known before. */
  isUnplaced?: boolean
  label: string
  onChoose?: (event: Event) => void
  /** A word of a scan was pressed. */
  onWord?: ((word: ScanWord) => void) | undefined
}

export function Original({ scopeId, document, text, passages, isUnplaced = false, label, onChoose, onWord }: OriginalProps) {
  const pane = useRef<HTMLDivElement>(null)
  const kind = kindOf(document)
  const isRaw = showsText.value || kind === 'txt'
  useLayoutEffect(() => scrollToMark(pane.current), [text, passages, isRaw])
  if (kind === 'pdf' && (!isRaw || text === undefined))
    return <PdfOriginal {...{ scopeId, document, text, passages, isUnplaced, label, onWord }} />
  if (kind === 'tiff' && !isRaw && text !== undefined) return <TiffOriginal {...{ scopeId, document, text, passages, label, onWord }} />
  if (kind === 'picture' && !isRaw && text !== undefined)
    return <PictureOriginal {...{ scopeId, document, text, passages, label, onWord }} />
  if (text === undefined) return null
  const loaded = isRaw ? null : unpackedKind(kind)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard a statement is chosen in the list beside the text
    <div class={`text ${isRaw ? 'raw' : 'original'}`} ref={pane} tabIndex={0} role="region" aria-label={label} onClick={onChoose}>
      {isRaw && <MarkedText text={text} passages={passages} />}
      {loaded && <LoadedOriginal {...{ scopeId, document, text, passages }} kind={loaded} onShown={() => scrollToMark(pane.current)} />}
      {!isRaw && !loaded && <TextOriginal {...{ kind, scopeId, document, text, passages }} />}
    </div>
  )
}

/** What draws a PDF is loaded and started while it is still asked what there is to show. */
export function expect(name: string): void {
  if (/\.pdf$/i.test(name)) void import('./pdf-pages').then(({ prepare }) => prepare())
}

/** Pages are shown before the text of all of them has come. */
export function waitsForText(document: Document): boolean {
  return showsText.value || kindOf(document) !== 'pdf'
}

/** Kinds that are shown from the file itself, read whole and unpacked here. */
const unpacked = ['docx', 'odt', 'xlsx', 'ods', 'pptx'] as const
type UnpackedKind = (typeof unpacked)[number]

function unpackedKind(kind: string): UnpackedKind | null {
  return unpacked.find(each => each === kind) ?? null
}

/** Browsers draw these themselves. */
const drawnPictures = ['png', 'jpeg', 'webp']

/** What of it is shown otherwise than as its text; `txt`: nothing. */
export function kindOf({
  type,
  file,
}: Pick<Document, 'type' | 'file'>): UnpackedKind | 'pdf' | 'picture' | 'tiff' | 'eml' | 'zip' | 'html' | 'csv' | 'md' | 'txt' {
  const kind = type
    .toLowerCase()
    .replace(/^text\//, '')
    .replace('markdown', 'md')
  const fromFile = kind === 'pdf' ? kind : unpackedKind(kind)
  if (fromFile !== null) return file?.kept ? fromFile : 'md'
  if (drawnPictures.includes(kind)) return file?.kept ? 'picture' : 'txt'
  if (kind === 'tiff') return file?.kept ? kind : 'txt'
  if (kind === 'eml' || kind === 'msg') return 'eml'
  return kind === 'zip' || kind === 'html' || kind === 'csv' || kind === 'md' ? kind : 'txt'
}

interface ReadProps extends Omit<OriginalProps, 'label' | 'text' | 'isUnplaced'> {
  text: string
}

function TextOriginal({ kind, scopeId, document, text, passages }: ReadProps & { kind: string }) {
  if (kind === 'html') return <HtmlText text={text} passages={passages} />
  if (kind === 'csv') return <CsvGrid text={text} passages={passages} />
  if (kind === 'zip') return <ArchiveFiles scopeId={scopeId} document={document} text={text} />
  if (kind === 'eml') return <MailText scopeId={scopeId} document={document} text={text} passages={passages} />
  return <FormattedText text={text} passages={passages} inline={document.type === 'md' || document.type === 'text/markdown'} />
}

function LoadedOriginal({ scopeId, document, text, passages, kind, onShown }: ReadProps & { kind: UnpackedKind; onShown: () => void }) {
  const [view, setView] = useState<{ show?: (text: string, passages: readonly Passage[]) => ComponentChildren; failure?: string }>({})
  const { document_id: documentId, revision } = document
  useEffect(() => {
    let isOver = false
    open(kind, () => client.value.original(scopeId, documentId, { revision })).then(
      show => !isOver && setView({ show }),
      (error: unknown) => !isOver && setView({ failure: sayFailure(error) }),
    )
    return () => {
      isOver = true
    }
  }, [scopeId, documentId, revision, kind])
  useLayoutEffect(() => {
    if (view.show) onShown()
  }, [view.show, passages])
  if (view.failure !== undefined)
    return (
      <>
        <p class="muted no-mark">The original cannot be shown here ({view.failure}). This is the text as read.</p>
        <FormattedText text={text} passages={passages} />
      </>
    )
  return view.show ? <div class="shown">{view.show(text, passages)}</div> : <Loading what="the original" />
}

async function open(kind: UnpackedKind, read: () => Promise<Blob>) {
  if (kind === 'docx' || kind === 'odt') {
    const { openWord, WordView } = await import('./word-view')
    const word = await openWord(await read(), kind)
    return (text: string, passages: readonly Passage[]) => <WordView word={word} text={text} passages={passages} />
  }
  if (kind === 'pptx') {
    const { openDeck, DeckView } = await import('./deck-view')
    const deck = await openDeck(await read())
    return (text: string, passages: readonly Passage[]) => <DeckView deck={deck} text={text} passages={passages} />
  }
  const { openWorkbook, SheetView } = await import('./sheet-view')
  const book = await openWorkbook(await read(), kind)
  return (text: string, passages: readonly Passage[]) => <SheetView book={book} text={text} passages={passages} />
}

type PdfPages = typeof import('./pdf-pages')['PdfPages']

interface PdfOriginalProps extends Omit<OriginalProps, 'onChoose'> {
  /** One that was made here, in the place of the file that was handed in. */
  made?: Uint8Array
}

function PdfOriginal({ scopeId, document, text, passages, isUnplaced = false, label, onWord, made }: PdfOriginalProps) {
  const [view, setView] = useState<{ Pages?: FunctionComponent<Parameters<PdfPages>[0]>; failure?: string }>({})
  useEffect(() => {
    import('./pdf-pages').then(
      module => setView({ Pages: module.PdfPages }),
      () => setView({ failure: 'What draws the pages cannot be loaded.' }),
    )
  }, [])
  const { document_id: documentId, revision } = document
  const bytes = document.file?.bytes ?? 0
  const source = useMemo(
    () =>
      made === undefined
        ? { bytes, read: (part: Part, signal: AbortSignal) => readPart(scopeId, documentId, { revision, part, signal }) }
        : { data: made },
    // Who signs in again where a session ended reads on.
    [scopeId, documentId, revision, made, bytes, timesSignedIn.value],
  )
  const words = useMemo(() => wordsOf(scopeId, document), [scopeId, documentId, revision, document.file?.extractor])
  const placed = useMemo(() => passages.flatMap(each => (each.page ? [{ ...each, page: each.page }] : [])), [passages])
  if (view.failure !== undefined) return <p class="muted no-mark">{view.failure}</p>
  if (view.Pages === undefined) return <Loading what="the original" />
  return <view.Pages {...{ source, text, label, words, onWord }} passages={isUnplaced ? undefined : placed} />
}

async function readPart(scopeId: string, documentId: string, wanted: { revision: number; part: Part; signal: AbortSignal }) {
  const content = await client.value.original(scopeId, documentId, wanted)
  return new Uint8Array(await content.arrayBuffer())
}

function PictureOriginal({ scopeId, document, text, passages, label, onWord }: ReadProps & { label: string }) {
  const [isFailed, setFailed] = useState(false)
  const { document_id: documentId, revision } = document
  const read = useMemo(() => () => client.value.original(scopeId, documentId, { revision }), [scopeId, documentId, revision])
  const words = useMemo(() => wordsOf(scopeId, document), [scopeId, documentId, revision, document.file?.extractor])
  if (!isFailed) return <PictureView {...{ read, passages, label, words, onWord }} onFailure={() => setFailed(true)} />
  return <NoPicture {...{ text, passages, label }} />
}

/** Pages of a TIFF are shown as those of a PDF are. */
function TiffOriginal({ scopeId, document, text, passages, label, onWord }: ReadProps & { label: string }) {
  const [made, setMade] = useState<Uint8Array | null>()
  const { document_id: documentId, revision } = document
  useEffect(() => {
    let isOver = false
    const make = async () => {
      const [{ pdfOfTiff }, file] = await Promise.all([
        import('../src/files/tiff-pdf.js'),
        client.value.original(scopeId, documentId, { revision }),
      ])
      return pdfOfTiff(new Uint8Array(await file.arrayBuffer()))
    }
    setMade(undefined)
    make().then(
      pdf => !isOver && setMade(pdf),
      () => !isOver && setMade(null),
    )
    return () => {
      isOver = true
    }
  }, [scopeId, documentId, revision])
  if (made === undefined) return <Loading what="the original" />
  if (made === null) return <NoPicture {...{ text, passages, label }} />
  return <PdfOriginal {...{ scopeId, document, text, passages, label, onWord, made }} />
}

function NoPicture({ text, passages, label }: Pick<ReadProps, 'text' | 'passages'> & { label: string }) {
  return (
    <div class="text raw" tabIndex={0} role="region" aria-label={label}>
      <p class="muted no-mark">The picture cannot be shown here. This is the text as read.</p>
      <MarkedText text={text} passages={passages} />
    </div>
  )
}

/** What was recognised of the pages of a scan, each asked for once. Undefined where nothing was. */
function wordsOf(scopeId: string, { document_id: documentId, revision, file }: Document): WordsOfPage | undefined {
  if (!isScan({ file })) return undefined
  const asked = new Map<number, ReturnType<WordsOfPage>>()
  return page => {
    const words = asked.get(page) ?? client.value.words(scopeId, documentId, { revision, page, limit: 200 }).toArray(mostWords)
    asked.set(page, words)
    return words
  }
}

/** Of a page: more than the closest print has. */
const mostWords = 5000

/** Within the pane alone: the page itself stays where the reader is. */
export function scrollToMark(pane: HTMLElement | null): void {
  const mark =
    pane?.querySelector<HTMLElement>('mark.differs, .marked.differs') ?? pane?.querySelector<HTMLElement>('mark.main, .marked.main')
  if (!pane || !mark) return
  const [at, frame] = [mark.getBoundingClientRect(), pane.getBoundingClientRect()]
  pane.scrollTop += at.top - frame.top - pane.clientHeight / 3
  if (at.right > frame.right || at.left < frame.left) pane.scrollLeft += at.left - frame.left - pane.clientWidth / 3
}
