/**
 * Works through one lease: as its documents are read (`lease-reading.ts`), in their order, plans and commits them. Reading
 * goes on while a commit is under way. One failing document never fails its neighbours: how a failed attempt affects
 * the next is in `pending-commits.ts`.
 *
 * Ends when every document is committed, put back or given back; or when the lease is lost, and then writes nothing.
 * Fails when the scope itself cannot be worked on; its documents go back first, if that is possible.
 */

import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { FileFault } from '../../files/extraction.js'
import type { CutDocument } from '../../models/passages.js'
import { isAppError } from '../../platform/errors.js'
import { withoutWords } from '../../platform/logger.js'
import { traceIdOf } from '../../platform/tracing.js'
import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { RuntimeHold } from '../../store/runtime/runtime.js'
import { isOverrun, isServerLost } from '../../store/server/failures.js'
import { ModelWait } from '../asking/model-wait.js'
import { commitBatch, giveBackLease } from '../committing/commit.js'
import { type BatchPlan, type HeldRead, keyOf, planBatch } from '../planning/batch-plan.js'
import { type Account, accountOf } from '../threads/fair-turns.js'
import { ReadError } from '../threads/threads.js'
import { failureOf, overtaken } from './document-failure.js'
import { startHeartbeat } from './heartbeat.js'
import { LeaseReading, type Slot } from './lease-reading.js'
import type { LeaseBounds, LeaseResult, LeaseWorkDeps } from './lease-terms.js'
import { committedAttempts, failedAttempts } from './observer.js'
import { afterRefusal, blamed, nextReads, type Pending, pendingOf, type Refusal } from './pending-commits.js'

/** A try that came to nothing, and what is kept of it for a document that is to blame. */
interface Refused {
  refusal: Refusal
  stage: 'reconcile' | 'commit'
  error: unknown
}

/** What follows once the model was asked, or need not be: planning, or what was planned already. */
type Consulted = 'plan' | 'may_not_go_on' | { planned: BatchPlan | Error | undefined }

export async function workOnLease(deps: LeaseWorkDeps, lease: Lease, bounds: LeaseBounds): Promise<LeaseResult> {
  const lost = new AbortController()
  const signal = AbortSignal.any([bounds.stop, bounds.hold.signal, lost.signal])
  // Every document of the batch listens.
  setMaxListeners(0, signal)
  const heartbeat = startHeartbeat(deps, lease, lost)
  const askable = deps.model === undefined ? { ...lease, documents: lease.documents.map(withoutModel) } : lease
  try {
    return await new LeaseWork(deps, askable, { ...bounds, signal }).run()
  } finally {
    clearInterval(heartbeat)
    lost.abort(new Error('the work on the lease is over'))
  }
}

/** Where no model is set, what one found before is kept, as by any reading again without it. */
function withoutModel(document: LeasedDocument): LeasedDocument {
  return document.reread === null ? document : { ...document, reread: { ...document.reread, model: false } }
}

class LeaseWork {
  private readonly deps: LeaseWorkDeps
  private readonly lease: Lease
  private readonly hold: RuntimeHold
  private readonly stop: AbortSignal
  private readonly signal: AbortSignal
  private readonly mayAsk: boolean
  private readonly reading: LeaseReading
  /** Where the first document stands that is not committed. */
  private next = 0
  /** Committed, put back or found finished, by seq; the others go back when the lease does. */
  private readonly settled = new Set<number>()
  /** Set once a pause or a drain was noticed: nothing further begins, and what is left goes back. */
  private draining = false
  /** The lease went back because the model may not be asked yet. */
  private gaveUp = false
  private readonly payer: Account
  private readonly leasedMs: number
  private readonly result: Omit<LeaseResult, 'usedMs'> = { committed: 0, failed: 0, givenBack: 0, lost: false }

  constructor(deps: LeaseWorkDeps, lease: Lease, { hold, stop, mayAsk, waits, signal }: LeaseBounds & { signal: AbortSignal }) {
    this.deps = deps
    this.lease = lease
    this.hold = hold
    this.stop = stop
    this.signal = signal
    this.mayAsk = mayAsk
    this.payer = accountOf(lease, waits)
    this.leasedMs = deps.now()
    const mayBegin = async () => !this.draining && (await hold.mayBegin())
    const failure = (document: LeasedDocument, error: unknown) => this.failure(document, { stage: 'extract', error })
    this.reading = new LeaseReading({ ...deps, lease, payer: this.payer, mayBegin, passages: deps.model !== undefined, signal, failure })
  }

  async run(): Promise<LeaseResult> {
    const reading = this.reading.readAll()
    try {
      while (this.next < this.lease.documents.length && !this.signal.aborted) {
        const slots = await this.reading.ready(this.next)
        if (!this.signal.aborted) await this.commitReady(slots)
      }
    } catch (error) {
      const isWait = error instanceof ModelWait
      await this.giveUp(isWait ? { reason: 'model_waits', restMs: error.ms } : { reason: 'scope_failed' })
      if (!isWait) throw error
      this.gaveUp = true
    } finally {
      this.draining = true
      await reading
    }
    if (this.signal.aborted && !this.gaveUp) await this.stopWork()
    return { ...this.result, usedMs: this.payer.usedMs }
  }

  /** The worker itself is stopped: its lease goes back. One that was lost or taken away has gone back already. */
  private async stopWork(): Promise<void> {
    const documents = this.unsettled(new Set())
    if (
      this.stop.aborted &&
      documents.length > 0 &&
      (await giveBackLease(this.deps.db, this.lease, documents, { reason: 'worker_stopped' }))
    ) {
      this.result.givenBack += documents.length
    } else this.result.lost = true
  }

  /** The documents are not to blame and must not wait for the lease to run out, which would cost them an attempt. */
  private async giveUp(how: { reason: string; restMs?: number }): Promise<void> {
    try {
      await giveBackLease(this.deps.db, this.lease, this.unsettled(new Set()), how)
    } catch (error) {
      this.deps.logger.warn({ ...this.logged(), err: error }, 'lease give-back failed')
    }
  }

  private async commitReady(slots: readonly Slot[]): Promise<void> {
    const end = this.next + slots.length
    const untouched = slots.findIndex(slot => slot.state === 'untouched')
    const begun = untouched < 0 ? slots : slots.slice(0, untouched)
    const failed = begun.flatMap(slot => (slot.state === 'failed' ? [slot.failure] : []))
    const ready = begun.flatMap(slot => (slot.state === 'ready' ? [slot.read] : []))
    // With a model each document is read beside what those before it left.
    // And what hangs on a document that is read again is looked up for it alone.
    const isAlone = this.deps.model !== undefined || ready.some(({ document }) => document.reread !== null)
    if (untouched >= 0) this.draining = true
    // The scope is paused or the worker drains: at most one document more.
    await this.commitAll(pendingOf(untouched < 0 ? ready : ready.slice(0, 1), failed, isAlone), end)
  }

  /** Plans and writes until all of these are settled; `end` is where the lease stands then. */
  private async commitAll(start: Pending, end: number): Promise<void> {
    let pending = start
    while (!this.signal.aborted) {
      const step = await this.commitNext(pending, end)
      if (step === 'lost') this.result.lost = true
      if (step === 'lost' || step === 'done') {
        this.next = step === 'lost' || this.draining ? this.lease.documents.length : end
        return
      }
      pending = step
    }
  }

  /** One try: what is left after it, or how it ended. */
  private async commitNext(pending: Pending, end: number): Promise<Pending | 'done' | 'lost'> {
    const startedMs = this.deps.now()
    const asked = nextReads(pending)
    const consulted = await this.consult(asked)
    if (consulted === 'may_not_go_on') return this.drain(pending)
    const plan = consulted === 'plan' ? await this.plan(asked) : consulted.planned
    if (plan === undefined) return 'lost'
    if (plan instanceof Error) {
      if (asked.length === 0) throw plan
      return this.refused(pending, asked, { refusal: 'failed', stage: 'reconcile', error: plan })
    }
    const plannedMs = this.deps.now()
    // Finished by a commit whose answer was lost, or left where it is for a model to be asked about it.
    for (const read of asked) if (!plan.wanted.has(keyOf(read.document))) this.settled.add(read.document.seq)
    const current = { ...pending, rest: pending.rest.filter(read => !this.settled.has(read.document.seq)) }
    if (plan.planned.length === 0 && plan.mustRead.length > 0) return this.readAfterAll(current, plan.mustRead)
    const broken = plan.failed === null ? [] : [this.failure(plan.failed.read.document, plan.failed)]
    const failed = [...current.failed, ...broken, ...plan.stale.map(({ document }) => overtaken(document))]
    const through = new Set([...plan.planned.map(each => each.read.document.seq), ...failed.map(failure => failure.seq)])
    const left = current.rest.filter(read => !through.has(read.document.seq))
    const isLast = left.length === 0 && (this.draining || end >= this.lease.documents.length)
    const release = isLast ? this.unsettled(through) : null
    const outcome = await this.write(plan, failed, release)
    if (outcome === 'lost') return 'lost'
    const tried = plan.planned.map(({ read }) => read)
    if (outcome !== 'committed') return this.refused(current, tried, outcome)
    const refused = failed.filter(({ isHandedOver }) => !isHandedOver)
    this.count(plan, startedMs, refused.length, release?.length ?? 0)
    this.observe(plan, refused, plannedMs)
    this.reading.beginHandedOver(failed)
    for (const seq of through) this.settled.add(seq)
    if (left.length === 0) return 'done'
    return { ...current, rest: left, failed: [], repeats: 0, losses: 0 }
  }

  private async refused(pending: Pending, tried: readonly { document: LeasedDocument }[], refused: Refused): Promise<Pending | 'lost'> {
    const next = afterRefusal(pending, tried, refused.refusal)
    if (next.to === 'blame' && next.others === 'next') return blamed(pending, this.failure(next.document, refused))
    if (next.to === 'blame') return blamed(this.drain(pending), this.failure(next.document, { stage: 'commit', error: keptChanging() }))
    if (next.to === 'give_up') {
      // No document is to blame, and who leases the scope again at once fails again: it is the scope's failure, and backed off from.
      // An error of its own: for one of storage nobody would back off.
      if (refused.refusal !== 'changed') throw new Error('failures of documents could not be written', { cause: refused.error })
      this.deps.logger.warn(this.logged(), 'lease given up: scope keeps changing')
      // Left to run out, it would cost the current document an attempt.
      await this.giveUp({ reason: 'scope_failed' })
      return 'lost'
    }
    if (next.to === 'drain') this.draining = true
    return next.pending
  }

  /** Paused while the model was asked, or it may not be asked: nothing further is committed, and what is left goes back. */
  private drain(pending: Pending): Pending {
    this.draining = true
    return { ...pending, rest: [] }
  }

  /**
   * Has a model read the current document beside what the scope holds now; a plan by the rules alone goes before, for the
   * question names what they found. Asked once a document: an answer stays good when the plan has to be made again. Where that plan
   * leaves nothing to ask about, it is the plan: another might succeed, and the document would count unasked.
   */
  private async consult([read]: readonly HeldRead[]): Promise<Consulted> {
    const { model } = this.deps
    if (model === undefined || read === undefined || read.packed === null || read.model !== undefined) return 'plan'
    if (!this.asksAbout(read.document)) return 'plan'
    if (!this.mayAsk) return 'may_not_go_on'
    const planned = await this.plan([read])
    if (planned === undefined || planned instanceof Error || planned.planned.length === 0) return { planned }
    const started = this.deps.now()
    try {
      const mayGoOn = () => this.hold.mayBegin()
      const cut = read.passages == null ? null : (JSON.parse(read.passages) as CutDocument)
      const asking = { tenantId: this.lease.tenantId, document: read.document, cut, plan: planned, mayGoOn, signal: this.signal }
      const answered = await model.read(asking)
      if (answered === null) return 'may_not_go_on'
      read.model = answered
      const { promptTokens, completionTokens } = answered.usage
      Object.assign(read.timings, { model: this.deps.now() - started, input_tokens: promptTokens, output_tokens: completionTokens })
      return 'plan'
    } catch (error) {
      if (this.signal.aborted) return 'may_not_go_on'
      throw error
    } finally {
      // Places at the model are fewer than threads: whoever holds one pays for it.
      this.payer.usedMs += this.deps.now() - started
    }
  }

  /** A document that is read again is asked about where that was wanted. */
  private asksAbout({ unchanged, reread }: LeasedDocument): boolean {
    return reread === null ? !unchanged : reread.model
  }

  /**
   * An error is about these documents: the thread died or did not come back over them, or a query for them took too long. About one
   * that is read again any is, for it keeps the reading it has, and the scope must not wait for a better one for ever.
   */
  private plan(reads: readonly HeldRead[]): Promise<BatchPlan | Error | undefined> {
    const { db, reader: planner, model } = this.deps
    const { tenantId, scopeNo } = this.lease
    return this.persist(async () => {
      try {
        return await planBatch(db, {
          tenantId,
          scopeNo,
          reads,
          planner,
          hasModel: model !== undefined,
          account: this.payer,
          signal: this.signal,
        })
      } catch (error) {
        if (this.signal.aborted) return undefined
        if (error instanceof ReadError || (isOverrun(error) && error instanceof Error)) return error
        if (isAppError(error, 'STORAGE_UNAVAILABLE') || reads.every(({ document }) => document.reread === null)) throw error
        return new ReadError('reconcile_error', 'transient', 'The new reading could not be compared with the case.', error)
      }
    })
  }

  private async write(
    plan: BatchPlan,
    failures: readonly FailedDocument[],
    giveBack: readonly LeasedDocument[] | null,
  ): Promise<'committed' | 'lost' | Refused> {
    const release = giveBack === null ? null : { giveBack, reason: 'not_begun' }
    try {
      const outcome = await commitBatch(this.deps.db, { lease: this.lease, plan, failures, certify: this.deps.certify, release })
      return outcome === 'changed' || outcome === 'paused' ? { refusal: outcome, stage: 'commit', error: null } : outcome
    } catch (error) {
      if (isAppError(error, 'STORAGE_UNAVAILABLE') && !isOverrun(error)) {
        await this.pauseForStorage()
        // Whether it was written is not known; planning again finds out.
        return { refusal: isServerLost(error) ? 'server_lost' : 'unavailable', stage: 'commit', error }
      }
      this.deps.logger.warn({ ...this.logged(), err: error, documents: plan.planned.length }, 'commit failed')
      return { refusal: 'failed', stage: 'commit', error }
    }
  }

  /** Retries while storage is unavailable, as long as the lease may still be ours. */
  private async persist<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { waits } = this.payer
    for (let tries = 1; ; tries++) {
      if (this.signal.aborted) return undefined
      if (tries > 1) waits.count++
      try {
        return await work()
      } catch (error) {
        if (!isAppError(error, 'STORAGE_UNAVAILABLE')) throw error
        await this.pauseForStorage()
      } finally {
        if (tries > 1) waits.count--
      }
    }
  }

  private async pauseForStorage(): Promise<void> {
    await wait(100 + this.deps.random() * 400, undefined, { signal: this.signal }).catch(() => undefined)
  }

  /** Reads what was taken for unchanged and is not, since it repeats what was not admitted. What may no longer begin goes back with the lease. */
  private async readAfterAll(pending: Pending, mustRead: readonly HeldRead[]): Promise<Pending> {
    let after = pending
    for (const { document } of mustRead) {
      const index = after.rest.findIndex(read => read.document.seq === document.seq)
      if (index < 0) break
      const slot = await this.reading.extract({ ...document, unchanged: false })
      if (slot.state === 'failed') after = blamed(after, slot.failure)
      else after = { ...after, rest: slot.state === 'ready' ? after.rest.with(index, slot.read) : after.rest.slice(0, index) }
    }
    return after
  }

  private unsettled(through: ReadonlySet<number>): LeasedDocument[] {
    return this.lease.documents.filter(({ seq }) => !this.settled.has(seq) && !through.has(seq))
  }

  private count(plan: BatchPlan, startedMs: number, failed: number, givenBack: number): void {
    const { stages, now } = this.deps
    for (const { read } of plan.planned) {
      for (const stage of ['reconcile', 'govern', 'converge'] as const) stages.add(stage, read.timings[stage] ?? 0)
    }
    stages.add('commit', now() - startedMs, plan.planned.length)
    this.result.committed += plan.planned.length
    this.result.failed += failed
    this.result.givenBack += givenBack
  }

  private observe({ planned }: BatchPlan, failed: readonly FailedDocument[], plannedMs: number): void {
    const { observer, now } = this.deps
    if (observer === undefined) return
    const moments = { leasedMs: this.leasedMs, readMs: this.reading.readMs, plannedMs, nowMs: now() }
    for (const attempt of committedAttempts(this.lease, planned, moments)) observer.attempted(attempt)
    for (const attempt of failedAttempts(this.lease, failed, moments)) observer.attempted(attempt)
  }

  private failure(document: LeasedDocument, { stage, error }: { stage: string; error: unknown }): FailedDocument {
    const failure = failureOf(document, { stage, error }, this.deps)
    const { documentId, attempts, errorClass, retryAfterMs } = failure
    const action = retryAfterMs === null ? 'quarantine' : 'retry'
    const fields = { document_id: documentId, trace_id: traceIdOf(document.trace), stage, attempts, action, error_class: errorClass }
    // Code that reads a document may quote it in what it throws.
    const err = isFaultOfFile(error) ? {} : { err: withoutWords(error) }
    this.deps.logger.warn({ ...this.logged(), ...fields, ...err }, 'document failed')
    return failure
  }

  private logged(): { tenant_id: string; scope_id: string } {
    return { tenant_id: this.lease.tenantId, scope_id: this.lease.scopeId }
  }
}

/** Whatever the cause, a document that is planned for ever holds up its scope and a thread. */
function keptChanging(): ReadError {
  return new ReadError('scope_changing', 'transient', 'The case changed each time the document was to be written.')
}

/** Its class says all: where in the program a damaged file was noticed helps nobody. */
function isFaultOfFile(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof FileFault
}
