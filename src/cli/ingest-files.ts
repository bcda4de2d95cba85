/**
 * Hands files in, some at a time, in their order. Each file has a document id made from its name and an idempotency key from
 * scope, name and content, so that running again after an interruption repeats nothing and changes what has changed.
 */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Client } from '../client/client.js'
import { ConnectionError } from '../client/problem-error.js'
import { CommandError } from './command-error.js'
import type { FoundFile } from './file-discovery.js'

export interface FileOutcome {
  file: FoundFile
  documentId: string
  seq: number | null
  /** Handed in by an earlier run. */
  known: boolean
}

export interface FileFailure {
  file: FoundFile
  error: unknown
}

export interface IngestRun {
  client: Pick<Client, 'ingest' | 'ingestFile'>
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
  const waiting = files.values()
  const giveUp = new AbortController()
  const lane = async () => {
    for (const file of waiting) {
      const outcome = await ingestFile(file, run).catch((error: unknown): FileFailure => ({ file, error }))
      if ('documentId' in outcome) done.push(outcome)
      else if (!run.signal.aborted) failed.push(outcome)
      run.onFile(outcome)
      // The client has waited as long as it may: the other files would wait as long again, one after the other.
      if ('error' in outcome && outcome.error instanceof ConnectionError) giveUp.abort()
      if (run.signal.aborted || giveUp.signal.aborted) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(run.concurrency, files.length) }, lane))
  return { done, failed, left: files.length - done.length - failed.length }
}

async function ingestFile(file: FoundFile, { client, scopeId, source, signal }: IngestRun): Promise<FileOutcome> {
  const bytes = file.path === '-' ? await readAll(process.stdin) : await readFile(file.path)
  if (bytes.length === 0) throw new CommandError('is empty')
  const about = {
    scope_id: scopeId,
    name: [...file.name].slice(-500).join(''),
    document_id: documentIdOf(file.name),
    ...(source === undefined ? {} : { source }),
  }
  const text = file.type === null ? null : shortText(bytes)
  const { document_id, seq, replayed } =
    text === null || file.type === null
      ? await client.ingestFile(
          new Blob([new Uint8Array(bytes)], { type: mediaTypeOf(file) }),
          { ...about, idempotency_key: keyOf([scopeId, file.name, source ?? '', createHash('sha256').update(bytes).digest('hex')]) },
          { signal },
        )
      : await client.ingest(
          { ...about, type: file.type, text, idempotency_key: keyOf([scopeId, file.name, file.type, source ?? '', text]) },
          { signal },
        )
  return { file, documentId: document_id ?? '', seq, known: replayed }
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
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
