/**
 * Reads the documents of one lease in threads, all at once, and hands them out in their order: each run of documents that
 * are read, up to one that is still being read.
 */

import type { FailedDocument } from '../store/documents/quarantine.js'
import type { Lease, LeasedDocument } from '../store/leases/leases.js'
import type { HeldRead } from './batch-plan.js'
import { exhausted } from './document-failure.js'
import type { ExtractionStage } from './extraction.js'
import type { Account } from './fair-turns.js'
import type { FileText } from './file-text.js'
import type { RetryLimits } from './retry-policy.js'
import type { StageClock } from './stages.js'

export interface LeaseReadingOptions {
  lease: Lease
  extraction: ExtractionStage
  /** Comes before reading, for documents that came as files. */
  fileText: FileText | undefined
  retry: RetryLimits
  stages: StageClock
  now: () => number
  payer: Account
  mayBegin: () => Promise<boolean>
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

  constructor(options: LeaseReadingOptions) {
    this.options = options
    this.slots = options.lease.documents.map(() => ({ state: 'reading' }))
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
    const { lease, extraction, fileText, payer, mayBegin, signal, stages, now, failure } = this.options
    try {
      const how = { account: payer, mayBegin, signal }
      if (fileText !== undefined && !(await fileText.ensure(lease, document, how))) return { state: 'untouched' }
      const extracted = await extraction.extract(document, how)
      if (extracted === null) return { state: 'untouched' }
      stages.add('extract', extracted.timings['extract'] ?? 0)
      this.readMs.set(document.seq, now())
      return { state: 'ready', read: { document, packed: extracted.packed, timings: extracted.timings } }
    } catch (error) {
      return signal.aborted ? { state: 'untouched' } : { state: 'failed', failure: failure(document, error) }
    }
  }

  private async readInto(index: number, document: LeasedDocument): Promise<void> {
    this.slots[index] = await this.read(document)
    this.announce()
  }

  private async read(document: LeasedDocument): Promise<Slot> {
    if (document.attempts >= this.options.retry.maxAttempts) return { state: 'failed', failure: exhausted(document) }
    if (document.unchanged) return { state: 'ready', read: { document, packed: null, timings: {} } }
    return this.extract(document)
  }

  /** Resolves when another document has been read, at the latest after so many milliseconds. */
  private announcement(ms: number | undefined): Promise<void> {
    const { signal } = this.options
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = ms === undefined ? undefined : setTimeout(done, ms)
      this.announce = done
      signal.addEventListener('abort', done, { once: true })
    })
  }
}
