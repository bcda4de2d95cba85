/**
 * Works through one lease: reads the documents in threads, and as they become ready, in their order, plans and commits
 * them. Reading goes on while a commit is under way. One failing document never fails its neighbours.
 *
 * Ends when every document is committed, put back or given back; or when the lease is lost, and then writes nothing.
 * Fails when the scope itself cannot be worked on; its documents go back first, if that is possible.
 */

import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { isAppError } from '../platform/errors.js'
import { type Logger, withoutWords } from '../platform/logger.js'
import { traceIdOf } from '../platform/tracing.js'
import type { FailedDocument } from '../store/documents/quarantine.js'
import type { Lease, LeasedDocument } from '../store/leases/leases.js'
import type { RuntimeHold } from '../store/runtime/runtime.js'
import type { Certify } from '../store/scopes/rounds.js'
import type { Database } from '../store/server/database.js'
import { isOverrun, isServerLost } from '../store/server/failures.js'
import { type BatchPlan, type HeldRead, planBatch } from './batch-plan.js'
import { type CommitOutcome, commitBatch, giveBackLease } from './commit.js'
import { exhausted, failureOf, overtaken } from './document-failure.js'
import type { ExtractionStage } from './extraction.js'
import { type Account, accountOf } from './fair-turns.js'
import type { FileText } from './file-text.js'
import { startHeartbeat } from './heartbeat.js'
import { type ModelStage, ModelWait } from './model-stage.js'
import { type ModelTurn, turnWaitMs } from './model-turns.js'
import { committedAttempts, failedAttempts, type PipelineObserver } from './observer.js'
import type { Planner } from './planner.js'
import type { PolicySource } from './policy-source.js'
import type { RetryLimits } from './retry-policy.js'
import type { StageClock } from './stages.js'
import { ReadError } from './threads.js'

export interface LeaseWorkDeps {
  db: Database
  extraction: ExtractionStage
  /** Comes before reading, for documents that came as files. */
  fileText?: FileText
  /** Asked about each document after the one before it is committed; absent without a model. */
  model?: ModelStage
  planner: Planner
  policies: PolicySource
  certify: Certify
  retry: RetryLimits
  leaseMs: number
  random: () => number
  now: () => number
  stages: StageClock
  logger: Logger
  observer?: PipelineObserver
}

export interface LeaseResult {
  committed: number
  failed: number
  givenBack: number
  lost: boolean
  /** Time of threads spent on the lease, whatever came of it. */
  processorMs: number
}

/** Repeats of a plan because the scope moved on; beyond it the documents go back and somebody tries later. */
const mostRepeats = 20

/**
 * Commits in a row under which the server went away although it had answered the plan: beyond it the commit is the likely
 * reason, and counts against its document like any other failure.
 */
const mostLosses = 10

/** How long a document that was read waits for those behind it: one commit for several costs little more than one for one. */
const gatherMs = 150

/** What is left of a round of commits. */
interface Work {
  rest: HeldRead[]
  failed: FailedDocument[]
  end: number
  /** Documents in one commit: all, until one of them is found to fail it. */
  most: number
  repeats: number
  losses: number
}

type Slot =
  | { state: 'reading' }
  | { state: 'ready'; read: HeldRead }
  | { state: 'failed'; failure: FailedDocument }
  | { state: 'untouched' }

export async function workOnLease(deps: LeaseWorkDeps, lease: Lease, hold: RuntimeHold, stop: AbortSignal): Promise<LeaseResult> {
  const lost = new AbortController()
  const signal = AbortSignal.any([stop, hold.signal, lost.signal])
  // Every document of the batch listens.
  setMaxListeners(0, signal)
  const heartbeat = startHeartbeat(deps, lease, lost)
  try {
    return await new LeaseWork(deps, lease, hold, { stop, signal }).run()
  } finally {
    clearInterval(heartbeat)
    lost.abort(new Error('the work on the lease is over'))
  }
}

class LeaseWork {
  private readonly deps: LeaseWorkDeps
  private readonly lease: Lease
  private readonly hold: RuntimeHold
  private readonly stop: AbortSignal
  private readonly signal: AbortSignal
  private readonly slots: Slot[]
  private next = 0
  /** Committed, put back or found finished, by seq; the others go back when the lease does. */
  private readonly settled = new Set<number>()
  /** Set once a pause or a drain was noticed: nothing further begins. */
  private ending = false
  private turn: ModelTurn | null = null
  private announce: () => void = () => undefined
  private readonly payer: Account
  private readonly leasedMs: number
  private readonly readMs = new Map<number, number>()
  private readonly result: Omit<LeaseResult, 'processorMs'> = { committed: 0, failed: 0, givenBack: 0, lost: false }

  constructor(deps: LeaseWorkDeps, lease: Lease, hold: RuntimeHold, { stop, signal }: { stop: AbortSignal; signal: AbortSignal }) {
    this.deps = deps
    this.lease = lease
    this.hold = hold
    this.stop = stop
    this.signal = signal
    this.slots = lease.documents.map(() => ({ state: 'reading' }))
    this.payer = accountOf(lease)
    this.leasedMs = deps.now()
  }

  async run(): Promise<LeaseResult> {
    if (this.deps.model === undefined || this.lease.documents.every(document => !this.asksAbout(document))) return this.work()
    this.turn = this.deps.model.begin(this.lease)
    if (this.turn === null) {
      await this.giveUp('model_busy')
      throw new ModelWait(turnWaitMs, 'as many scopes ask the model as may')
    }
    try {
      return await this.work()
    } finally {
      this.turn.end()
    }
  }

  private async work(): Promise<LeaseResult> {
    const reading = this.lease.documents.map((document, index) => this.readInto(index, document))
    try {
      while (this.next < this.slots.length && !this.signal.aborted) {
        await this.waitForNext()
        if (this.signal.aborted) break
        await this.commitReady()
      }
    } catch (error) {
      await this.giveUp(error instanceof ModelWait ? 'model_waits' : 'scope_failed')
      throw error
    } finally {
      this.ending = true
      await Promise.allSettled(reading)
    }
    if (this.signal.aborted) await this.stopWork()
    return { ...this.result, processorMs: this.payer.usedMs }
  }

  /** The worker itself is stopped: its lease goes back. One that was lost or taken away has gone back already. */
  private async stopWork(): Promise<void> {
    const documents = this.unsettled(new Set())
    if (this.stop.aborted && documents.length > 0 && (await giveBackLease(this.deps.db, this.lease, documents, 'worker_stopped'))) {
      this.result.givenBack += documents.length
    } else this.result.lost = true
  }

  /** The documents are not to blame and must not wait for the lease to run out, which would cost them an attempt. */
  private async giveUp(reason: string): Promise<void> {
    try {
      await giveBackLease(this.deps.db, this.lease, this.unsettled(new Set()), reason)
    } catch (error) {
      this.deps.logger.warn({ ...this.logged(), err: error }, 'the documents of a scope that failed could not be given back')
    }
  }

  private async readInto(index: number, document: LeasedDocument): Promise<void> {
    this.slots[index] = await this.read(document)
    this.announce()
  }

  private async read(document: LeasedDocument): Promise<Slot> {
    if (document.attempts >= this.deps.retry.maxAttempts) return { state: 'failed', failure: exhausted(document) }
    if (document.unchanged) return { state: 'ready', read: { document, packed: null, timings: {} } }
    return this.extract(document)
  }

  private async extract(document: LeasedDocument): Promise<Slot> {
    const mayBegin = async () => !this.ending && (await this.hold.mayBegin())
    try {
      const files = this.deps.fileText
      if (files !== undefined && !(await files.ensure(this.lease, document, { mayBegin, signal: this.signal })))
        return { state: 'untouched' }
      const extracted = await this.deps.extraction.extract(document, {
        account: this.payer,
        mayBegin,
        signal: this.signal,
      })
      if (extracted === null) return { state: 'untouched' }
      this.deps.stages.add('extract', extracted.timings['extract'] ?? 0)
      this.readMs.set(document.seq, this.deps.now())
      return { state: 'ready', read: { document, packed: extracted.packed, timings: extracted.timings } }
    } catch (error) {
      if (this.signal.aborted) return { state: 'untouched' }
      return { state: 'failed', failure: this.failure(document, { stage: 'extract', error }) }
    }
  }

  /** Until everything is read, or the next document is and has waited for others long enough. */
  private async waitForNext(): Promise<void> {
    const sinceMs = this.deps.now()
    while (!this.signal.aborted) {
      const left = this.slots.slice(this.next)
      if (!left.some(slot => slot.state === 'reading')) return
      const ready = left[0]?.state !== 'reading'
      const waitedMs = this.deps.now() - sinceMs
      if (ready && (waitedMs >= gatherMs || left.some(slot => slot.state === 'untouched'))) return
      await this.announcement(ready ? gatherMs - waitedMs : undefined)
    }
  }

  /** Resolves when another document has been read, at the latest after so many milliseconds. */
  private announcement(ms: number | undefined): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        this.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = ms === undefined ? undefined : setTimeout(done, ms)
      this.announce = done
      this.signal.addEventListener('abort', done, { once: true })
    })
  }

  /** Everything ready from the next document on, in order, up to one that is still being read. */
  private async commitReady(): Promise<void> {
    const past = this.slots.findIndex((slot, index) => index >= this.next && slot.state === 'reading')
    const end = past < 0 ? this.slots.length : past
    const slots = this.slots.slice(this.next, end)
    const untouched = slots.findIndex(slot => slot.state === 'untouched')
    if (untouched >= 0) return this.finishEarly(slots.slice(0, untouched))
    const failed = slots.flatMap(slot => (slot.state === 'failed' ? [slot.failure] : []))
    const ready = slots.flatMap(slot => (slot.state === 'ready' ? [slot.read] : []))
    await this.commitAll(ready, failed, end)
  }

  /** The scope is paused or the worker drains: at most one document more, and the rest goes back. */
  private async finishEarly(slots: readonly Slot[]): Promise<void> {
    this.ending = true
    const ready = slots.flatMap(slot => (slot.state === 'ready' ? [slot.read] : []))
    const failed = slots.flatMap(slot => (slot.state === 'failed' ? [slot.failure] : []))
    await this.commitAll(ready.slice(0, 1), failed, this.slots.length)
  }

  /** Plans and writes until all of these are settled; `end` is where the lease stands then. */
  private async commitAll(ready: readonly HeldRead[], failures: readonly FailedDocument[], end: number): Promise<void> {
    // With a model each document is read beside what those before it left.
    // And what hangs on a document that is read again is looked up for it alone.
    const alone = this.deps.model !== undefined || ready.some(({ document }) => document.reread !== null)
    const most = alone ? 1 : Number.POSITIVE_INFINITY
    const work = { rest: [...ready], failed: [...failures], end, most, repeats: 0, losses: 0 }
    while (!this.signal.aborted) {
      const started = this.deps.now()
      const asked = nextReads(work)
      if (!(await this.consult(asked))) {
        if (this.signal.aborted) return
        this.giveBackRest(work)
        continue
      }
      const plan = await this.plan(asked)
      if (plan === undefined) return this.lose()
      if (plan instanceof Error) {
        this.blame(work, asked, plan)
        continue
      }
      const plannedMs = this.deps.now()
      // Not processed any more: finished by a commit whose answer was lost.
      for (const read of asked) if (!plan.wanted.has(keyOf(read))) this.settled.add(read.document.seq)
      work.rest = work.rest.filter(read => !this.settled.has(read.document.seq))
      if (plan.planned.length === 0 && plan.mustRead.length > 0) {
        await this.readAfterAll(work, plan.mustRead)
        continue
      }
      const broken = plan.failed === null ? [] : [this.failure(plan.failed.read.document, plan.failed)]
      const failed = [...work.failed, ...broken, ...plan.stale.map(({ document }) => overtaken(document))]
      const through = new Set([...plan.planned.map(each => each.read.document.seq), ...failed.map(failure => failure.seq)])
      const left = work.rest.filter(read => !through.has(read.document.seq))
      const release = left.length === 0 && work.end >= this.slots.length ? this.unsettled(through) : null
      const outcome = await this.write(plan, failed, release)
      if (outcome === 'lost') return this.lose()
      if (outcome !== 'committed') {
        if (!this.repeat(work, plan, outcome)) return this.lose()
        continue
      }
      this.account(plan, started, failed.length, release?.length ?? 0)
      this.tell(plan, failed, plannedMs)
      for (const seq of through) this.settled.add(seq)
      work.rest = left
      work.failed = []
      work.losses = 0
      if (left.length > 0 && this.turn?.isWanted() === true) this.giveBackRest(work)
      if (left.length > 0) continue
      this.next = work.end
      return
    }
  }

  /**
   * Has a model read the document in hand beside what the scope holds now; a plan by the rules alone goes before, for the
   * question names what they found. Asked once a document: an answer stays good when the plan has to be made again. False when
   * the scope may not go on.
   */
  private async consult([read]: readonly HeldRead[]): Promise<boolean> {
    const { model } = this.deps
    if (model === undefined || read === undefined || read.packed === null || read.model !== undefined) return true
    if (!this.asksAbout(read.document)) return true
    const plan = await this.plan([read])
    if (plan === undefined || plan instanceof Error || plan.planned.length === 0) return true
    const started = this.deps.now()
    try {
      const mayGoOn = () => this.hold.mayBegin()
      const answered = await model.read({ tenantId: this.lease.tenantId, document: read.document, plan, mayGoOn, signal: this.signal })
      if (answered === null) return false
      read.model = answered
      const { promptTokens, completionTokens } = answered.usage
      Object.assign(read.timings, { model: this.deps.now() - started, input_tokens: promptTokens, output_tokens: completionTokens })
      return true
    } catch (error) {
      if (this.signal.aborted) return false
      throw error
    }
  }

  /** A document that is read again is asked about where that was wanted. */
  private asksAbout({ unchanged, reread }: LeasedDocument): boolean {
    return reread === null ? !unchanged : reread.model
  }

  /** Paused while the model was thinking, or others wait for it: nothing further is committed, and what is left goes back. */
  private giveBackRest(work: Work): void {
    this.ending = true
    work.rest = []
    work.end = this.slots.length
  }

  /** What a commit that was refused changes about the next try; false when there is to be none. */
  private repeat(work: Work, plan: BatchPlan, outcome: Exclude<CommitOutcome, 'committed' | 'lost'> | 'isolate' | 'away'): boolean {
    // Whether it was written is not known; planning again finds out.
    if (outcome === 'away' && (!isServerLost(this.lastError) || ++work.losses <= mostLosses)) return true
    if (outcome === 'paused') {
      this.ending = true
      work.rest = work.rest.slice(0, 1)
      work.end = this.slots.length
      return true
    }
    if (outcome === 'changed') {
      if (++work.repeats <= mostRepeats) return true
      this.deps.logger.warn(this.logged(), 'the scope keeps changing; its documents are left to the next lease')
      return false
    }
    if (plan.planned.length > 1) {
      work.most = 1
      return true
    }
    const culprit = plan.planned[0]?.read.document
    if (culprit === undefined) return false
    work.failed.push(this.failure(culprit, { stage: 'commit', error: this.lastError }))
    work.rest = work.rest.filter(read => read.document.seq !== culprit.seq)
    return true
  }

  private lastError: unknown

  /** An error is about these documents: the thread died or did not come back over them, or a query for them took too long. */
  private plan(reads: readonly HeldRead[]): Promise<BatchPlan | Error | undefined> {
    const { db, policies, planner } = this.deps
    const { tenantId, scopeNo } = this.lease
    return this.persist(async () => {
      try {
        return await planBatch(db, { tenantId, scopeNo, reads, policies, planner, account: this.payer, signal: this.signal })
      } catch (error) {
        if (this.signal.aborted) return undefined
        if (error instanceof ReadError || (isOverrun(error) && error instanceof Error)) return error
        throw error
      }
    })
  }

  /** Of several documents nobody knows which one it was: they are tried one by one. */
  private blame(work: Work, asked: readonly HeldRead[], error: Error): void {
    const [culprit, ...others] = asked
    if (culprit === undefined) throw error
    if (others.length > 0) {
      work.most = 1
      return
    }
    work.failed.push(this.failure(culprit.document, { stage: 'reconcile', error }))
    work.rest = work.rest.filter(read => read.document.seq !== culprit.document.seq)
  }

  private async write(
    plan: BatchPlan,
    failures: readonly FailedDocument[],
    giveBack: readonly LeasedDocument[] | null,
  ): Promise<CommitOutcome | 'isolate' | 'away'> {
    const release = giveBack === null ? null : { giveBack, reason: 'not_begun' }
    try {
      return await commitBatch(this.deps.db, { lease: this.lease, plan, failures, certify: this.deps.certify, release })
    } catch (error) {
      this.lastError = error
      if (isAppError(error, 'STORAGE_UNAVAILABLE') && !isOverrun(error)) {
        await this.pauseForStorage()
        return 'away'
      }
      this.deps.logger.warn({ ...this.logged(), err: error, documents: plan.planned.length }, 'a commit failed')
      return 'isolate'
    }
  }

  /** Storage that is away is waited for as long as the lease may still be ours. */
  private async persist<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      if (this.signal.aborted) return undefined
      try {
        return await work()
      } catch (error) {
        if (!isAppError(error, 'STORAGE_UNAVAILABLE')) throw error
        await this.pauseForStorage()
      }
    }
  }

  private async pauseForStorage(): Promise<void> {
    await wait(100 + this.deps.random() * 400, undefined, { signal: this.signal }).catch(() => undefined)
  }

  /** Reads what was taken for unchanged. What may not begin any more goes back with the lease. */
  private async readAfterAll(work: Work, mustRead: readonly HeldRead[]): Promise<void> {
    for (const { document } of mustRead) {
      const slot = await this.extract(document)
      const index = work.rest.findIndex(read => read.document.seq === document.seq)
      if (slot.state === 'ready') work.rest.splice(index, 1, slot.read)
      else work.rest.splice(index, slot.state === 'failed' ? 1 : work.rest.length)
      if (slot.state === 'failed') work.failed.push(slot.failure)
    }
  }

  private unsettled(through: ReadonlySet<number>): LeasedDocument[] {
    return this.lease.documents.filter(({ seq }) => !this.settled.has(seq) && !through.has(seq))
  }

  private account(plan: BatchPlan, started: number, failed: number, givenBack: number): void {
    const { stages, now } = this.deps
    for (const { read } of plan.planned) {
      for (const stage of ['reconcile', 'govern', 'converge'] as const) stages.add(stage, read.timings[stage] ?? 0)
    }
    stages.add('commit', now() - started, plan.planned.length)
    this.result.committed += plan.planned.length
    this.result.failed += failed
    this.result.givenBack += givenBack
  }

  private tell({ planned }: BatchPlan, failed: readonly FailedDocument[], plannedMs: number): void {
    const { observer, now } = this.deps
    if (observer === undefined) return
    const moments = { leasedMs: this.leasedMs, readMs: this.readMs, plannedMs, nowMs: now() }
    for (const attempt of committedAttempts(this.lease, planned, moments)) observer.attempted(attempt)
    for (const attempt of failedAttempts(this.lease, failed, moments)) observer.attempted(attempt)
  }

  private lose(): void {
    this.result.lost = true
    this.next = this.slots.length
  }

  private failure(document: LeasedDocument, { stage, error }: { stage: string; error: unknown }): FailedDocument {
    const failure = failureOf(document, { stage, error }, this.deps)
    const { documentId, attempts, errorClass, retryAfterMs } = failure
    const action = retryAfterMs === null ? 'quarantine' : 'retry'
    const fields = { document_id: documentId, trace_id: traceIdOf(document.trace), stage, attempts, action, error_class: errorClass }
    // Code that reads a document may quote it in what it throws.
    this.deps.logger.warn({ ...this.logged(), ...fields, err: withoutWords(error) }, 'a document failed')
    return failure
  }

  private logged(): { tenant_id: string; scope_id: string } {
    return { tenant_id: this.lease.tenantId, scope_id: this.lease.scopeId }
  }
}

/** What is planned together. A document that has failed before is planned alone, so that it cannot fail its neighbours again. */
function nextReads({ rest, most }: Work): HeldRead[] {
  const suspect = rest.findIndex(({ document }) => document.attempts > 0)
  return rest.slice(0, Math.min(most, suspect < 0 ? rest.length : Math.max(1, suspect)))
}

function keyOf(read: HeldRead): string {
  return `${read.document.revision} ${read.document.documentId}`
}
