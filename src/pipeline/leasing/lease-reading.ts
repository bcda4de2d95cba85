/**
 * Reads the documents of one lease in threads, all at once, and hands them out in their order: each run of documents that
 * are read, up to one that is still being read.
 */

import { FileFault } from '../../files/extraction.js'
import { isRetired } from '../../store/documents/files.js'
import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { HeldRead } from '../planning/batch-plan.js'
import { judgedAgain } from '../planning/judging-again.js'
import type { Account } from '../threads/fair-turns.js'
import { ReadError } from '../threads/threads.js'
import { exhausted, handedOver } from './document-failure.js'
import type { LeaseWorkDeps } from './lease-terms.js'

export interface LeaseReadingOptions extends Pick<LeaseWorkDeps, 'db' | 'reader' | 'fileText' | 'retry' | 'stages' | 'now'> {
  lease: Lease
  payer: Account
  mayBegin: () => Promise<boolean>
  /** Whether documents are cut into passages, for a model. */
  passages: boolean
  signal: AbortSignal
  failure(document: LeasedDocument, error: unknown): FailedDocument
}

/** `untouched`: the scope is paused or the worker drains, so it was not begun. */
export type Slot =
  | { state: 'reading' }
  | { state: 'ready'; read: HeldRead }
  | { state: 'failed'; failure: FailedDocument }
  | { state: 'untouched' }

/** How long a document that was read waits for those behind it: one commit for several costs little more than one for one. */
const gatherMs = 150

export class LeaseReading {
  private readonly options: LeaseReadingOptions
  private readonly slots: Slot[]
  private announce: () => void = () => undefined
  /** When each document was read, by seq. */
  readonly readMs = new Map<number, number>()
  /** What has a file read beside once its document has been put off, by seq. */
  private readonly handOvers = new Map<number, () => void>()

  constructor(options: LeaseReadingOptions) {
    this.options = options
    this.slots = options.lease.documents.map(() => ({ state: 'reading' }))
    options.signal.addEventListener('abort', () => this.announce(), { once: true })
  }

  /** Resolves when none is being read any more. */
  async readAll(): Promise<void> {
    await Promise.allSettled(this.options.lease.documents.map((document, index) => this.readInto(index, document)))
  }

  /** From the given document on, those that are read, once there is one and it has waited for others long enough. */
  async ready(from: number): Promise<readonly Slot[]> {
    const { now, signal } = this.options
    const sinceMs = now()
    while (!signal.aborted) {
      const left = this.slots.slice(from)
      if (!left.some(slot => slot.state === 'reading')) break
      const isReady = left[0]?.state !== 'reading'
      const waitedMs = now() - sinceMs
      if (isReady && (waitedMs >= gatherMs || left.some(slot => slot.state === 'untouched'))) break
      await this.announcement(isReady ? gatherMs - waitedMs : undefined)
    }
    const end = this.slots.findIndex((slot, index) => index >= from && slot.state === 'reading')
    return this.slots.slice(from, end < 0 ? this.slots.length : end)
  }

  async extract(document: LeasedDocument): Promise<Slot> {
    const { db, lease, reader, fileText, payer, mayBegin, passages, signal, stages, now, failure } = this.options
    try {
      const judged = await judgedAgain(db, lease, document)
      if (judged !== null) return { state: 'ready', read: { document, packed: judged, passages: null, timings: {} } }
      const how = { account: payer, mayBegin, passages, signal }
      const file = (await fileText?.ensure(lease, document, how)) ?? 'ready'
      if (file === 'untouched') return { state: 'untouched' }
      if (file !== 'ready') {
        this.handOvers.set(document.seq, file.begin)
        return { state: 'failed', failure: handedOver(document, file) }
      }
      const { documentId, revision, name, type, source, text } = document
      if (text === null) throw new ReadError('text_erased', 'permanent', 'The text was erased before it was read.')
      const doubtful = (await fileText?.doubtful(lease, document)) ?? []
      const startedMs = now()
      const read = await reader.read({ documentId, revision, name, type, source, text, doubtful }, how)
      if (read === null) return { state: 'untouched' }
      if (read.isEmpty && !(await this.isRetired(document))) throw nothingToRead()
      const { packed, extractMs } = read
      stages.add('extract', extractMs)
      this.readMs.set(document.seq, now())
      const timings = { extract: extractMs, thread: Math.max(0, now() - startedMs - extractMs) }
      return { state: 'ready', read: { document, packed, passages: read.passages, timings } }
    } catch (error) {
      return signal.aborted ? { state: 'untouched' } : { state: 'failed', failure: failure(document, error) }
    }
  }

  /** Those of the documents whose files are read beside have been put off. */
  beginHandedOver(put: readonly FailedDocument[]): void {
    for (const { seq, isHandedOver } of put) if (isHandedOver) this.handOvers.get(seq)?.()
  }

  /** What a mail carries no more says nothing, and that is the reading of it. */
  private isRetired(document: LeasedDocument): Promise<boolean> {
    const { db, lease } = this.options
    return db.inTenant(lease.tenantId, tx => isRetired(tx, lease, document), { readOnly: true })
  }

  private async readInto(index: number, document: LeasedDocument): Promise<void> {
    this.slots[index] = await this.read(document)
    this.announce()
  }

  private async read(document: LeasedDocument): Promise<Slot> {
    if (document.attempts >= this.options.retry.maxAttempts) return { state: 'failed', failure: exhausted(document) }
    if (document.unchanged) return { state: 'ready', read: { document, packed: null, passages: null, timings: {} } }
    return this.extract(document)
  }

  /** Resolves when another document has been read, at the latest after so many milliseconds. */
  private announcement(ms: number | undefined): Promise<void> {
    return new Promise(resolve => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      this.announce = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** The rule for whatever came in, as a text or as a file: an empty reading would count as a paper that was read. */
function nothingToRead(): ReadError {
  const message = 'The document holds no text that could be read. Send it again with its text, discard it, or set it aside in the sign-off.'
  return new ReadError('NO_TEXT', 'permanent', message, new FileFault('NO_TEXT'))
}
