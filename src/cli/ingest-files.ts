/**
 * Submits files, some at a time, in their order; short texts that follow each other go together. How each is handed in is
 * the client's rule: running again after an interruption repeats nothing and changes what has changed.
 */

import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import type { Client } from '../client/client.js'
import { type HandedIn, type HandIn, handInOf, NotTakenError, refusedByHead, sendAgainIfChanged, sendHandIn } from '../client/hand-in.js'
import { ConnectionError } from '../client/problem-error.js'
import { headBytes } from '../contract/file-kinds.js'
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
  /** No model is asked about them or shown them. */
  model?: 'off' | undefined
  /** What they are about. */
  about?: string | undefined
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

interface Prepared {
  file: FoundFile
  handIn: HandIn
}

type PreparedText = Prepared & { handIn: { as: 'text' } }

/** What is sent in one request: texts that follow each other, or one file. */
type Parcel = { texts: PreparedText[] } | Prepared | FileFailure

/** Well below what a request may hold, however the text is escaped. */
const parcelBytes = 4_000_000
const parcelTexts = 50

/** Reads files in their order, one after the other, whoever asks; each lane gets something to do while there are enough of them. */
function createParcels(files: readonly FoundFile[], run: IngestRun): { next(): Promise<Parcel | undefined> } {
  const waiting = files.values()
  const most = Math.min(parcelTexts, Math.ceil(files.length / run.concurrency))
  /** Comes after the texts that were read before it. */
  let alone: Prepared | FileFailure | undefined
  let last: Promise<unknown> = Promise.resolve()
  const form = async (): Promise<Parcel | undefined> => {
    const texts: PreparedText[] = []
    let bytes = 0
    while (alone === undefined && texts.length < most && bytes < parcelBytes) {
      const { value: file, done } = waiting.next()
      if (done) break
      const prepared = await prepare(file, run).catch((error: unknown): FileFailure => ({ file, error }))
      if (isText(prepared)) {
        texts.push(prepared)
        bytes += Buffer.byteLength(JSON.stringify(prepared.handIn.document))
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

function isText(prepared: Prepared | FileFailure): prepared is PreparedText {
  return 'handIn' in prepared && prepared.handIn.as === 'text'
}

async function prepare(file: FoundFile, { scopeId, source, model, about }: IngestRun): Promise<Prepared> {
  if (file.refusal !== undefined) throw new NotTakenError(file.refusal)
  const { type } = file
  if (file.path === '-')
    return { file, handIn: await handInOf({ scopeId, source, model, about, type, ...named(file, await readAll(process.stdin)) }) }
  const refusal = type === undefined ? refusedByHead(file.name, await readHead(file.path)) : null
  if (refusal !== null) throw new NotTakenError(refusal)
  return { file, handIn: await handInOf({ scopeId, source, model, about, type, name: file.name, bytes: await readFile(file.path) }) }
}

/** Without a name, standard input is what it says: another text is another document. */
function named({ name, isNamed }: FoundFile, bytes: Buffer): { name: string; bytes: Buffer; documentId?: string } {
  if (isNamed !== false) return { name, bytes }
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { name: `${name}-${digest.slice(0, 8)}`, bytes, documentId: `file-${digest.slice(0, 32)}` }
}

/** What is never read is not read as a whole either. */
async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function sendParcel(parcel: Parcel, run: IngestRun): Promise<(FileOutcome | FileFailure)[]> {
  if ('error' in parcel) return [parcel]
  const { client, signal } = run
  if ('handIn' in parcel) {
    const { file, handIn } = parcel
    return [
      await sendHandIn(client, handIn, { signal }).then(
        answer => toOutcome(file, answer),
        (error: unknown) => ({ file, error }),
      ),
    ]
  }
  const { texts } = parcel
  try {
    const { items } = await client.ingestBatch(
      texts.map(({ handIn: { document, key } }) => ({ ...document, idempotency_key: key })),
      { signal, model: run.model, about: run.about },
    )
    return await Promise.all(texts.map((text, index) => outcomeOf(text, items[index], run)))
  } catch (error) {
    return texts.map(({ file }) => ({ file, error }))
  }
}

type BatchItem = Awaited<ReturnType<Client['ingestBatch']>>['items'][number]

/** One that was refused is sent alone: it may have come too fast, and else says why it is refused. */
async function outcomeOf({ file, handIn }: PreparedText, item: BatchItem | undefined, run: IngestRun): Promise<FileOutcome | FileFailure> {
  const { client, signal } = run
  try {
    const isTaken = item !== undefined && 'queued' in item
    return toOutcome(file, await (isTaken ? sendAgainIfChanged(client, handIn, item, { signal }) : sendHandIn(client, handIn, { signal })))
  } catch (error) {
    return { file, error }
  }
}

function toOutcome(file: FoundFile, { document_id, seq, replayed }: HandedIn): FileOutcome {
  return { file, documentId: document_id ?? '', seq, known: replayed }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces)
}
