/**
 * What a process observes of its workers, for metrics and traces: leases as they are taken, attempts at
 * documents once they are committed, each with the times its stages took. Listeners must neither block nor throw.
 */

import { documentStatuses } from '../../kernel/round-events.js'
import type { FailedDocument } from '../../store/documents/quarantine.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { PlannedWrite } from '../planning/batch-plan.js'

/** Where the time of a document goes: `queue` and `thread` are waiting, the others work. */
export const observedStages = ['queue', 'thread', 'extract', 'model', 'reconcile', 'govern', 'converge', 'commit'] as const
export type ObservedStage = (typeof observedStages)[number]

export interface PipelineObserver {
  leased(lease: Pick<Lease, 'tenantId' | 'scopeId' | 'tookOver'>): void
  attempted(attempt: DocumentAttempt): void
}

export interface DocumentAttempt {
  tenantId: string
  scopeId: string
  documentId: string
  revision: number
  /** The first is 1. */
  attempt: number
  trace: string | null
  outcome: 'indexed' | 'held' | 'rejected' | 'retried' | 'quarantined'
  /** In their order. Times are relative to the moment of telling, because no clock of the day is read here. */
  stages: StageTime[]
  /** Where it failed; null when it did not. */
  failedStage: string | null
  inputTokens: number
  outputTokens: number
}

export interface StageTime {
  stage: ObservedStage
  ms: number
  /** How long ago it ended. */
  endedMsAgo: number
}

/** Moments of a lease, on one monotonic clock. */
export interface LeaseMoments {
  leasedMs: number
  /** When each document had been read, by seq. */
  readMs: ReadonlyMap<number, number>
  plannedMs: number
  nowMs: number
}

/** The attempts of one commit. Planning goes document by document and ends when the plan does, so its times are counted back from there. */
export function committedAttempts(lease: Lease, planned: readonly PlannedWrite[], moments: LeaseMoments): DocumentAttempt[] {
  let endedMs = moments.plannedMs
  const attempts = [...planned].reverse().map(({ read, result }) => {
    const { document, timings } = read
    const stages = [
      ...readingStages(document, timings, moments),
      ...(['converge', 'govern', 'reconcile'] as const)
        .map(stage => {
          const ms = timings[stage] ?? 0
          const time = { stage, ms, endedMsAgo: moments.nowMs - endedMs }
          endedMs -= ms
          return time
        })
        .reverse(),
      { stage: 'commit' as const, ms: moments.nowMs - moments.plannedMs, endedMsAgo: 0 },
    ]
    return {
      ...identityOf(lease, document),
      outcome: documentStatuses[result.outcome],
      stages,
      failedStage: null,
      inputTokens: timings['input_tokens'] ?? 0,
      outputTokens: timings['output_tokens'] ?? 0,
    }
  })
  return attempts.reverse()
}

export function failedAttempts(lease: Lease, failures: readonly FailedDocument[], moments: LeaseMoments): DocumentAttempt[] {
  const bySeq = new Map(lease.documents.map(document => [document.seq, document]))
  return failures.flatMap(({ seq, stage, retryAfterMs }) => {
    const document = bySeq.get(seq)
    if (document === undefined) return []
    const outcome = retryAfterMs === null ? ('quarantined' as const) : ('retried' as const)
    const stages = readingStages(document, {}, moments)
    return [{ ...identityOf(lease, document), outcome, stages, failedStage: stage, inputTokens: 0, outputTokens: 0 }]
  })
}

function identityOf({ tenantId, scopeId }: Lease, { documentId, revision, attempts, trace }: LeasedDocument) {
  return { tenantId, scopeId, documentId, revision, attempt: attempts + 1, trace }
}

function readingStages(document: LeasedDocument, timings: Record<string, number>, moments: LeaseMoments): StageTime[] {
  const { leasedMs, nowMs } = moments
  const sinceLease = nowMs - leasedMs
  const stages: StageTime[] = [{ stage: 'queue', ms: document.queuedMs, endedMsAgo: sinceLease }]
  const readMs = moments.readMs.get(document.seq)
  if (readMs === undefined) return stages
  let endedMsAgo = nowMs - readMs
  const reading: StageTime[] = []
  for (const stage of ['model', 'extract', 'thread'] as const) {
    const ms = timings[stage]
    if (ms === undefined) continue
    reading.unshift({ stage, ms, endedMsAgo })
    endedMsAgo += ms
  }
  return [...stages, ...reading]
}
