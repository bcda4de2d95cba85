/**
 * Keeps a fixed number of workers running in this process: one that waits costs next to nothing. Each stands alone: one that fails is
 * replaced by the restart policy, one without a heartbeat is given up.
 * Moves by `tick` alone, so that time can be a test's.
 */

import type { WorkerFigures, WorkerState } from '../pipeline/leasing/worker.js'
import type { Clock } from '../platform/clock.js'
import { pause } from '../platform/deadline.js'
import { messageOf } from '../platform/errors.js'
import type { Logger } from '../platform/logger.js'
import { cut } from '../platform/storable-text.js'
import { initialRestartState, type RestartRules, type RestartState, startable, timePassed, workerFailed } from './restart-policy.js'
import type { CircuitState, WorkerRole } from './types.js'
import type { WorkerEvents } from './worker-events.js'

export type WorkerStanding = Omit<WorkerState, 'completed'>

/** What the hatchery needs of a worker; `pipeline/leasing/worker.ts` makes them. */
export interface SupervisedWorker {
  readonly id: string
  /** Ends after `drain` or when the signal fires, having given back what it held; anything else is a failure. */
  run(signal: AbortSignal): Promise<void>
  /** Finishes the current document and takes no new one. */
  drain(): Promise<void>
  state(): WorkerStanding
  figures(): Counted
}

/** Since the worker was made; both only ever grow. */
type Counted = Pick<WorkerFigures, 'documents' | 'busyMs'>

interface Slot {
  worker: SupervisedWorker
  abort: AbortController
  phase: 'running' | 'draining'
  startedMs: number
  /** Fingerprint of the worker, and when it last changed. */
  seen: string
  seenMs: number
  /** Work already counted. */
  counted: Counted
  ended: Promise<void>
}

export interface SupervisorOptions {
  role: WorkerRole
  /** How many there should be. */
  workers: number
  createWorker(id: string): SupervisedWorker
  nextWorkerId(): string
  events: WorkerEvents
  clock: Clock
  logger: Logger
  random: () => number
  rules: RestartRules
  /** A busy worker whose standing does not change for this long is given up. */
  stuckMs: number
}

export interface SupervisorReport {
  desired: number
  workers: ({ worker_id: string } & WorkerStanding)[]
  completed: number
  busy_ms: number
  restarts: number
  circuit: CircuitState
  circuit_reason: string | null
}

/** Time for workers to give back what they hold once they are cut off. */
const giveBackMs = 2000

interface State {
  slots: Map<string, Slot>
  policy: RestartState
  /** Failures that no new worker has replaced yet. */
  owed: { workerId: string; reason: string }[]
  restarts: number
  completed: number
  busyMs: number
  circuitReason: string | null
  stopping: boolean
}

export function createSupervisor(options: SupervisorOptions) {
  const state: State = {
    slots: new Map(),
    policy: initialRestartState,
    owed: [],
    restarts: 0,
    completed: 0,
    busyMs: 0,
    circuitReason: null,
    stopping: false,
  }
  return {
    tick: () => tick(options, state),
    report: () => reportOf(options, state),
    /** Drains, then cuts off what is left after the grace; ends within a moment of it. */
    stop: (graceMs: number) => stop(options, state, graceMs),
  }
}

function tick(options: SupervisorOptions, state: State): void {
  const nowMs = options.clock.monotonicMs()
  observe(options, state, nowMs)
  if (state.stopping) return
  const before = state.policy.circuit
  state.policy = timePassed(state.policy, { ms: nowMs, running: running(state).length }, options.rules)
  if (state.policy.circuit !== before) tellCircuit(options, state)
  const missing = startable(state.policy, { ms: nowMs, running: running(state).length, wanted: options.workers })
  // One that cannot even be made counts as a failure, after which the policy is asked again.
  for (let i = 0; i < missing && startable(state.policy, { ms: nowMs, running: 0, wanted: 1 }) > 0; i++) spawn(options, state, nowMs)
}

/** Measures work, and gives up workers without a heartbeat. */
function observe(options: SupervisorOptions, state: State, nowMs: number): void {
  for (const [id, slot] of state.slots) {
    count(state, slot)
    const seen = fingerprint(slot.worker)
    if (seen !== slot.seen) Object.assign(slot, { seen, seenMs: nowMs })
    else if (slot.worker.state().state === 'busy' && nowMs - slot.seenMs > options.stuckMs) giveUp(options, state, id, nowMs)
  }
}

/** Changes with any progress: workers count the stages of every document among their figures. */
export function fingerprint(worker: SupervisedWorker): string {
  return JSON.stringify([worker.state(), worker.figures()])
}

function spawn(options: SupervisorOptions, state: State, nowMs: number): void {
  const id = options.nextWorkerId()
  let worker: SupervisedWorker
  try {
    worker = options.createWorker(id)
  } catch (error) {
    options.logger.error({ err: error, worker: id }, 'worker start failed')
    fail(options, state, id, messageOf(error))
    return
  }
  const abort = new AbortController()
  const nothing = { documents: 0, busyMs: 0 }
  const slot: Slot = {
    worker,
    abort,
    phase: 'running',
    startedMs: nowMs,
    seen: '',
    seenMs: nowMs,
    counted: nothing,
    ended: Promise.resolve(),
  }
  state.slots.set(worker.id, slot)
  const replaced = state.owed.shift()
  const about = { worker_id: worker.id, role: options.role, desired: options.workers, actual: running(state).length }
  if (replaced === undefined) {
    options.events.add('worker.spawned', { ...about, reason: 'start', figures: {} })
  } else {
    state.restarts++
    options.events.add('worker.restarted', { ...about, replaces: replaced.workerId, reason: replaced.reason, restarts: state.restarts })
  }
  // A worker that fails before its first wait must not fail inside this tick.
  slot.ended = Promise.resolve()
    .then(() => worker.run(abort.signal))
    .then(
      () => ended(options, state, slot, undefined),
      (error: unknown) => ended(options, state, slot, error),
    )
}

function ended(options: SupervisorOptions, state: State, slot: Slot, error: unknown): void {
  // A worker that was given up has been replaced already.
  if (state.slots.get(slot.worker.id) !== slot) return
  count(state, slot)
  state.slots.delete(slot.worker.id)
  if (slot.phase === 'draining' || state.stopping) {
    if (error !== undefined) options.logger.warn({ err: error, worker: slot.worker.id }, 'worker failed while draining')
    options.events.add('worker.drained', { ...figuresOf(options, state, slot), reason: 'shutdown' })
    return
  }
  options.logger.error({ err: error, worker: slot.worker.id }, 'worker failed')
  fail(options, state, slot.worker.id, error === undefined ? 'exited' : messageOf(error))
}

function giveUp(options: SupervisorOptions, state: State, id: string, nowMs: number): void {
  const slot = state.slots.get(id)
  if (slot === undefined) return
  options.logger.error({ worker: id, stuckMs: Math.round(nowMs - slot.seenMs) }, 'worker stuck')
  state.slots.delete(id)
  slot.abort.abort(new Error('no heartbeat'))
  if (slot.phase === 'running') fail(options, state, id, 'no heartbeat')
}

function fail(options: SupervisorOptions, state: State, workerId: string, reason: string): void {
  const before = state.policy.circuit
  state.policy = workerFailed(state.policy, { ms: options.clock.monotonicMs(), chance: options.random() }, options.rules)
  // Those that could not even be made have no worker to come for each of them.
  if (state.owed.push({ workerId, reason: cut(reason, 200) }) > options.workers) state.owed.shift()
  state.circuitReason = state.policy.circuit === 'open' ? cut(reason, 200) : state.circuitReason
  if (state.policy.circuit !== before) tellCircuit(options, state)
}

function tellCircuit(options: SupervisorOptions, state: State): void {
  const { circuit } = state.policy
  if (circuit === 'closed') state.circuitReason = null
  const opensForMs = circuit === 'open' ? Math.round(state.policy.notBeforeMs - options.clock.monotonicMs()) : 0
  const data = {
    role: options.role,
    circuit,
    reason: state.circuitReason ?? 'a worker stayed up',
    retry_in_ms: opensForMs,
    restarts: state.restarts,
  }
  options.events.add('worker.circuit', { ...data, actual: running(state).length, desired: options.workers })
  if (circuit === 'open') options.logger.error(data, 'worker circuit open')
  else options.logger.warn(data, `worker circuit ${circuit}`)
}

function drain(options: SupervisorOptions, slot: Slot): void {
  slot.phase = 'draining'
  slot.worker.drain().catch((error: unknown) => {
    options.logger.warn({ err: error, worker: slot.worker.id }, 'worker drain failed')
    slot.abort.abort(error)
  })
}

async function stop(options: SupervisorOptions, state: State, graceMs: number): Promise<void> {
  state.stopping = true
  for (const slot of running(state)) drain(options, slot)
  const all = Promise.all([...state.slots.values()].map(slot => slot.ended))
  const over = new AbortController()
  await Promise.race([all, pause(graceMs, over.signal)])
  for (const slot of state.slots.values()) slot.abort.abort(new Error('the process is stopping'))
  await Promise.race([all, pause(giveBackMs, over.signal)])
  over.abort()
}

function count(state: State, slot: Slot): void {
  const { documents, busyMs } = slot.worker.figures()
  state.completed += documents - slot.counted.documents
  state.busyMs += busyMs - slot.counted.busyMs
  slot.counted = { documents, busyMs }
}

function running(state: State): Slot[] {
  return [...state.slots.values()].filter(slot => slot.phase === 'running')
}

function figuresOf(options: SupervisorOptions, state: State, slot: Slot): Record<string, unknown> {
  return {
    worker_id: slot.worker.id,
    role: options.role,
    desired: options.workers,
    actual: running(state).length,
    completed: slot.counted.documents,
    lived_ms: Math.round(options.clock.monotonicMs() - slot.startedMs),
    figures: {},
  }
}

function reportOf(options: SupervisorOptions, state: State): SupervisorReport {
  return {
    desired: options.workers,
    workers: [...state.slots.values()].map(slot => {
      const standing = slot.worker.state()
      return { worker_id: slot.worker.id, ...standing, state: slot.phase === 'draining' ? ('draining' as const) : standing.state }
    }),
    completed: state.completed,
    busy_ms: Math.round(state.busyMs),
    restarts: state.restarts,
    circuit: state.policy.circuit,
    circuit_reason: state.circuitReason,
  }
}
