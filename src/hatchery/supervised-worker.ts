/** What the hatchery needs of a worker, and what it keeps about one. */

/** `pipeline/worker.ts` makes these. */
export interface SupervisedWorker {
  readonly id: string
  /** Ends after `drain` or when the signal fires, having given back what it held; anything else is a failure. */
  run(signal: AbortSignal): Promise<void>
  /** Finishes the current document and takes no new one. */
  drain(): Promise<void>
  state(): WorkerStanding
  /** Since the worker was made; all of them only ever grow. */
  figures(): WorkerFigures
}

export interface WorkerFigures {
  /** Documents finished. */
  documents: number
  busyMs: number
}

export interface WorkerStanding {
  state: 'idle' | 'busy' | 'draining'
  scope?: { tenantId: string; scopeId: string }
  /** Documents in progress. */
  documents?: number
  since: string
}

export type DrainReason = 'quiet' | 'bounds' | 'shutdown'

export interface Slot {
  worker: SupervisedWorker
  abort: AbortController
  phase: 'running' | 'draining'
  drainReason?: DrainReason
  drainingSinceMs?: number
  startedMs: number
  /** Fingerprint of the worker, and when it last changed. */
  seen: string
  seenMs: number
  /** Work already counted. */
  counted: WorkerFigures
  ended: Promise<void>
}

/** Changes with any progress: workers count the stages of every document among their figures. */
export function fingerprint(worker: SupervisedWorker): string {
  return JSON.stringify([worker.state(), worker.figures()])
}
