/**
 * A worker: leases a scope, works through the lease, leases the next. The hatchery starts, drains and stops it.
 *
 * idle      nothing to lease: waits for a hint that there is a backlog, and looks by itself before long
 * busy      works on a lease
 * draining  finishes the current document, requeues the rest and ends; of one that a model is being asked about the question is given up,
 *           for an answer may take minutes, and it is requeued too
 *
 * `run` ends when drained or when its signal fires; then the lease is given back within a second, even in the middle of
 * a document. It fails only for reasons that are neither a document's nor a single scope's: whoever started it decides
 * about starting it again.
 */

import type { Hints } from '../../events/hints.js'
import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config.js'
import { pause } from '../../platform/deadline.js'
import { isAppError } from '../../platform/errors.js'
import type { CandidateFilter, Lease } from '../../store/leases/leases.js'
import type { TurnCharges } from '../../store/leases/turn-charges.js'
import type { RuntimeHold, RuntimeWatch } from '../../store/runtime/runtime.js'
import type { LeaseFinder } from './lease-finder.js'
import type { LeaseResult, LeaseWorkDeps } from './lease-terms.js'
import { workOnLease } from './lease-work.js'
import { StageClock, type StageFigures } from './stages.js'

export interface WorkerState {
  state: 'idle' | 'busy' | 'draining'
  scope?: { tenantId: string; scopeId: string }
  /** Documents of the current lease. */
  documents?: number
  since: string
  /** Documents finished since the worker was made, failed ones included. */
  completed: number
}

/** Since the worker was created; rates are differences of two readings. */
export interface WorkerFigures {
  leases: number
  /** Leases of dead processes taken over. */
  takenOver: number
  leasesLost: number
  documents: number
  failed: number
  givenBack: number
  /** How often it looked whether it may go on, or was seen to wait: the sign of life of a worker that waits, for the model, storage or in a line. */
  looks: number
  busyMs: number
  stages: Record<string, StageFigures>
}

export interface WorkerDeps extends Pick<LeaseWorkDeps, 'db' | 'reader' | 'fileText' | 'model' | 'certify' | 'logger' | 'observer'> {
  /** Unique in the cluster: the owner named on leases. */
  id: string
  config: Pick<Config, 'leaseMs' | 'retryMaxAttempts' | 'retryBaseMs' | 'retryMaxMs'>
  clock: Clock
  hints: Pick<Hints, 'notify' | 'subscribe'>
  /** Shared by the workers of a process. */
  finder: LeaseFinder
  /** Shared by the workers of a process. */
  charges: Pick<TurnCharges, 'charge'>
  watch: RuntimeWatch
  random?: () => number
}

const firstPollMs = 20
const longestPollMs = 250
const storagePauseMs = 500

export class Worker {
  readonly id: string
  private readonly deps: WorkerDeps
  private readonly work: LeaseWorkDeps
  private readonly draining = new AbortController()
  private readonly waits = { count: 0 }
  private readonly ended: Promise<void>
  private readonly end: () => void
  private started = false
  private current: Omit<WorkerState, 'completed'>
  private readonly counts = { leases: 0, takenOver: 0, leasesLost: 0, documents: 0, failed: 0, givenBack: 0, looks: 0, busyMs: 0 }

  constructor(deps: WorkerDeps) {
    const { clock, config } = deps
    this.id = deps.id
    this.deps = deps
    this.work = {
      ...deps,
      retry: { maxAttempts: config.retryMaxAttempts, baseMs: config.retryBaseMs, maxMs: config.retryMaxMs },
      leaseMs: config.leaseMs,
      random: deps.random ?? Math.random,
      now: () => clock.monotonicMs(),
      stages: new StageClock(),
    }
    this.current = { state: 'idle', since: clock.now().toISOString() }
    let end: () => void = () => undefined
    this.ended = new Promise(resolve => {
      end = resolve
    })
    this.end = end
  }

  state(): WorkerState {
    return { ...this.current, completed: this.counts.documents + this.counts.failed }
  }

  figures(): WorkerFigures {
    if (this.waits.count > 0) this.counts.looks++
    return { ...this.counts, stages: this.work.stages.figures() }
  }

  /** Resolves when `run` has ended. */
  async drain(): Promise<void> {
    this.draining.abort()
    if (this.current.state === 'busy') this.become({ ...this.current, state: 'draining' })
    if (this.started) await this.ended
  }

  async run(signal: AbortSignal): Promise<void> {
    this.started = true
    const over = AbortSignal.any([signal, this.draining.signal])
    let hint = new AbortController()
    const hear = () => hint.abort()
    const unsubscribe = [this.deps.hints.subscribe('backlog', hear), this.deps.hints.subscribe('runtime', hear)]
    over.addEventListener('abort', hear)
    try {
      let pollMs = firstPollMs
      while (!over.aborted) {
        // Whatever is hinted at while it looks counts: then it looks again at once.
        hint = new AbortController()
        if (await this.workOnNext(signal)) pollMs = firstPollMs
        else {
          await this.deps.finder.wait(pollMs, hint.signal)
          pollMs = Math.min(longestPollMs, pollMs * 2)
        }
      }
    } finally {
      over.removeEventListener('abort', hear)
      for (const each of unsubscribe) each()
      this.become({ state: 'idle' })
      this.end()
    }
  }

  /** False when there is nothing to lease. A scope whose next document asks the model is leased only with a place to ask from. */
  private async workOnNext(signal: AbortSignal): Promise<boolean> {
    const { model } = this.deps
    const mayAsk = model?.places.take() ?? false
    try {
      const lease = await this.lease({ unasked: model !== undefined && !mayAsk })
      if (lease !== undefined) await this.process(lease, { mayAsk, signal })
      return lease !== undefined
    } finally {
      if (mayAsk) model?.places.leave()
    }
  }

  private async lease(filter: CandidateFilter): Promise<Lease | undefined> {
    try {
      return await this.deps.finder.take(this.id, filter)
    } catch (error) {
      if (!isAppError(error, 'STORAGE_UNAVAILABLE')) throw error
      await pause(this.work.random() * storagePauseMs, this.draining.signal)
      return undefined
    }
  }

  private async process(lease: Lease, { mayAsk, signal }: { mayAsk: boolean; signal: AbortSignal }): Promise<void> {
    const { watch, clock, hints, finder } = this.deps
    const startedMs = clock.monotonicMs()
    this.become({
      state: this.draining.signal.aborted ? 'draining' : 'busy',
      scope: { tenantId: lease.tenantId, scopeId: lease.scopeId },
      documents: lease.documents.length,
    })
    this.counts.leases++
    if (lease.tookOver) this.counts.takenOver++
    this.deps.observer?.leased(lease)
    hints.notify('events')
    const hold = watch.hold(lease)
    try {
      const result = await workOnLease(this.work, lease, {
        hold: this.withDrain(hold),
        stop: signal,
        mayAsk,
        waits: this.waits,
      })
      // Not waited for: the fair order may lag a moment behind. A lease that cost next to nothing is still a turn.
      void this.deps.charges.charge(lease.tenantId, Math.max(1, result.usedMs))
      this.count(result)
      if (!result.lost) finder.backoff.succeeded(lease)
    } catch (error) {
      this.counts.leasesLost++
      this.judge(lease, error)
    } finally {
      hold.release()
      finder.release(lease)
      hints.notify('events')
      this.counts.busyMs += clock.monotonicMs() - startedMs
      if (this.current.state !== 'draining') this.become({ state: 'idle' })
    }
  }

  /** Whether it is storage, the scope, or neither: only the last ends the worker. */
  private judge(lease: Lease, error: unknown): void {
    const { finder, logger } = this.deps
    const storage = isAppError(error, 'STORAGE_UNAVAILABLE')
    if (storage) logger.warn({ err: error, tenant_id: lease.tenantId, scope_id: lease.scopeId }, 'storage unavailable, lease orphaned')
    else finder.backoff.failed(lease, error)
  }

  /** A worker that drains begins nothing further, like one whose scope is paused, and waits for no answer of a model. */
  private withDrain(hold: RuntimeHold): RuntimeHold {
    const mayBegin = async () => {
      this.counts.looks++
      // Nobody knows whether it may while storage is away.
      this.waits.count++
      try {
        return !this.draining.signal.aborted && (await hold.mayBegin())
      } finally {
        this.waits.count--
      }
    }
    return { mayBegin, signal: hold.signal, release: () => hold.release() }
  }

  private count(result: LeaseResult): void {
    this.counts.documents += result.committed
    this.counts.failed += result.failed
    this.counts.givenBack += result.givenBack
    if (result.lost) this.counts.leasesLost++
  }

  private become(state: Omit<WorkerState, 'since' | 'completed'>): void {
    this.current = { ...state, since: this.deps.clock.now().toISOString() }
  }
}
