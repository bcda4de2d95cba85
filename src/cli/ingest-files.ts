/**
 * Submits files, some at a time, in their order; short texts that follow each other go together. Each file has a document id made from its name and an idempotency key from
 * scope, name and content, so that running again after an interruption repeats nothing and changes what has changed. What went
 * back to an earlier content, or was taken out unread, is sent again under a key of that revision.
 */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Client } from '../client/client.js'
import { saysStill } from '../client/known-document.js'
import { ConnectionError, ProblemError } from '../client/problem-error.js'
import { CommandError } from './command-error.js'
import type { FoundFile } from './file-discovery.js'

export interface FileOutcome {
  file: FoundFile
  documentId: string
  seq: number | null
  /** Submitted by an earlier run. */
  known: boolean
}

export interface FileFailure {
  file: FoundFile
  error: unknown
}

export interface IngestRun {
  client: Pick<Client, 'ingest' | 'ingestBatch' | 'ingestFile' | 'document'>
  scopeId: string
  source: string | undefined
  concurrency: number
  signal: AbortSignal
  /** After each file, in the order of completion. */
  onFile(outcome: FileOutcome | FileFailure): void
}

export interface IngestResult {
  done: FileOutcome[]
  failed: FileFailure[]
  /** Files that were not tried, because the service stayed away or the run was interrupted. */
  left: number
}

export async function ingestFiles(files: readonly FoundFile[], run: IngestRun): Promise<IngestResult> {
  const done: FileOutcome[] = []
  const failed: FileFailure[] = []
  const parcels = createParcels(files, run)
  const giveUp = new AbortController()
  const lane = async () => {
    while (!run.signal.aborted && !giveUp.signal.aborted) {
      const outcomes = await parcels.next().then(parcel => parcel && sendParcel(parcel, run))
      if (outcomes === undefined) return
      for (const outcome of outcomes) {
        if ('documentId' in outcome) done.push(outcome)
        else if (!run.signal.aborted) failed.push(outcome)
        run.onFile(outcome)
        // The client has waited as long as it may: the other files would wait as long again, one after the other.
        if ('error' in outcome && outcome.error instanceof ConnectionError) giveUp.abort()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(run.concurrency, files.length) }, lane))
  return { done, failed, left: files.length - done.length - failed.length }
}

type TextDocument = Parameters<Client['ingest']>[0]

interface PreparedText {
  file: FoundFile
  document: TextDocument & { idempotency_key: string }
}

interface PreparedFile {
  file: FoundFile
  bytes: Buffer
}

/** What is sent in one request: texts that follow each other, or one file. */
type Parcel = { texts: PreparedText[] } | PreparedFile | FileFailure

/** Well below what a request may hold, however the text is escaped. */
const parcelBytes = 4_000_000
const parcelTexts = 50

/** Reads files in their order, one after the other, whoever asks; each lane gets something to do while there are enough of them. */
function createParcels(files: readonly FoundFile[], run: IngestRun): { next(): Promise<Parcel | undefined> } {
  const waiting = files.values()
  const most = Math.min(parcelTexts, Math.ceil(files.length / run.concurrency))
  /** Comes after the texts that were read before it. */
  let alone: PreparedFile | FileFailure | undefined
  let last: Promise<unknown> = Promise.resolve()
  const form = async (): Promise<Parcel | undefined> => {
    const texts: PreparedText[] = []
    let bytes = 0
    while (alone === undefined && texts.length < most && bytes < parcelBytes) {
      const { value: file, done } = waiting.next()
      if (done) break
      const prepared = await prepare(file, run).catch((error: unknown): FileFailure => ({ file, error }))
      if ('document' in prepared) {
        texts.push(prepared)
        bytes += Buffer.byteLength(JSON.stringify(prepared.document))
      } else alone = prepared
    }
    if (texts.length > 0) return { texts }
    const parcel = alone
    alone = undefined
    return parcel
  }
  return {
    next: () => {
      const parcel = last.then(form)
      last = parcel.catch(() => undefined)
      return parcel
    },
  }
}

async function prepare(file: FoundFile, { scopeId, source }: IngestRun): Promise<PreparedText | PreparedFile> {
  const bytes = file.path === '-' ? await readAll(process.stdin) : await readFile(file.path)
  if (bytes.length === 0) throw new CommandError('is empty')
  const text = file.type === null ? null : shortText(bytes)
  if (text === null || file.type === null) return { file, bytes }
  const key = keyOf([scopeId, file.name, file.type, source ?? '', text])
  return { file, document: { ...aboutOf(file, { scopeId, source }), type: file.type, text, idempotency_key: key } }
}

function aboutOf(file: FoundFile, { scopeId, source }: Pick<IngestRun, 'scopeId' | 'source'>) {
  return {
    scope_id: scopeId,
    name: [...file.name].slice(-500).join(''),
    document_id: documentIdOf(file.name),
    source,
  }
}

async function sendParcel(parcel: Parcel, run: IngestRun): Promise<(FileOutcome | FileFailure)[]> {
  if ('error' in parcel) return [parcel]
  if ('bytes' in parcel) return [await sendFile(parcel, run).catch((error: unknown) => ({ file: parcel.file, error }))]
  const { texts } = parcel
  try {
    const { items } = await run.client.ingestBatch(
      texts.map(({ document }) => document),
      { signal: run.signal },
    )
    return await Promise.all(texts.map((text, index) => outcomeOf(text, items[index], run)))
  } catch (error) {
    return texts.map(({ file }) => ({ file, error }))
  }
}

type BatchItem = Awaited<ReturnType<Client['ingestBatch']>>['items'][number]

/** One that was refused is sent alone: it may have come too fast, and else says why it is refused. */
async function outcomeOf(
  { file, document }: PreparedText,
  item: BatchItem | undefined,
  run: IngestRun,
): Promise<FileOutcome | FileFailure> {
  const send = (idempotency_key: string) => run.client.ingest({ ...document, idempotency_key }, { signal: run.signal })
  const { idempotency_key: key, text } = document
  try {
    const first = item !== undefined && 'queued' in item ? item : await send(key)
    return toOutcome(file, await sentAgain(first, { key, hash: sha256(text), send }, run))
  } catch (error) {
    return { file, error }
  }
}

async function sendFile({ file, bytes }: PreparedFile, run: IngestRun): Promise<FileOutcome> {
  const { client, scopeId, source, signal } = run
  const hash = sha256(bytes)
  const key = keyOf([scopeId, file.name, source ?? '', hash])
  const blob = new Blob([new Uint8Array(bytes)], { type: mediaTypeOf(file) })
  const send = (idempotency_key: string) => client.ingestFile(blob, { ...aboutOf(file, run), idempotency_key }, { signal })
  return toOutcome(file, await sentAgain(await send(key), { key, hash, send }, run))
}

interface Answer {
  document_id: string | null
  seq: number | null
  replayed: boolean
}

function toOutcome(file: FoundFile, { document_id, seq, replayed }: Answer): FileOutcome {
  return { file, documentId: document_id ?? '', seq, known: replayed }
}

/** What was handed in before under the same key is handed in again if the document has changed since. */
async function sentAgain(
  first: Answer,
  { key, hash, send }: { key: string; hash: string; send: (key: string) => Promise<Answer> },
  { client, scopeId, signal }: IngestRun,
): Promise<Answer> {
  if (!first.replayed || first.document_id === null) return first
  const now = await client.document(scopeId, first.document_id, { signal }).catch(unlessForbidden)
  return now === null || saysStill(now, hash) ? first : send(keyOf([key, String(now.revision)]))
}

/** A key may hand in and not read. */
function unlessForbidden(error: unknown): null {
  if (error instanceof ProblemError && error.status === 403) return null
  throw error
}

const mostCharacters = 100_000

/** What ingest takes as text; null for what is longer or in another encoding, which goes as a file. */
function shortText(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null
  const text = new TextDecoder('utf-8').decode(bytes)
  return (text.length <= mostCharacters ? text.length : [...text].length) <= mostCharacters ? text : null
}

function mediaTypeOf({ type }: FoundFile): string {
  return { html: 'text/html', csv: 'text/csv', json: 'application/json', md: 'text/markdown' }[type ?? ''] ?? 'application/octet-stream'
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces)
}

/** The same for the same name, without repeating it: an id outlives the erasing of its document. */
export function documentIdOf(name: string): string {
  return `file-${digest([name]).slice(0, 32)}`
}

function keyOf(parts: readonly string[]): string {
  return `file-${digest(parts)}`
}

function digest(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts))
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
