/** What the hatchery needs of a worker, and what it keeps about one. */

/** `pipeline/worker.ts` makes these. */
export interface SupervisedWorker {
  readonly id: string
  /** Ends after `drain` or when the signal fires, having given back what it held; anything else is a failure. */
  run(signal: AbortSignal): Promise<void>
  /** Finishes what is in hand and takes nothing new. */
  drain(): Promise<void>
  state(): WorkerStanding
}

export interface WorkerStanding {
  state: 'idle' | 'busy' | 'draining'
  scope?: { tenantId: string; scopeId: string }
  /** Documents in hand. */
  documents?: number
  since: string
  /** Documents finished since the worker started; only ever grows. */
  completed: number
}

export type DrainReason = 'quiet' | 'bounds' | 'shutdown'

export interface Slot {
  worker: SupervisedWorker
  abort: AbortController
  phase: 'running' | 'draining'
  drainReason?: DrainReason
  drainingSinceMs?: number
  startedMs: number
  /** Fingerprint of the standing, and when it last changed. */
  seen: string
  seenMs: number
  /** Completed documents already counted. */
  counted: number
  ended: Promise<void>
}

/** What would change if the worker made any progress. */
export function fingerprint(standing: WorkerStanding): string {
  return JSON.stringify([standing.state, standing.since, standing.documents ?? 0, standing.completed])
}
