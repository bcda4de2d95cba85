/**
 * One evaluation of the cluster's size, by whichever node claims it: figures of the queue and the reports of all nodes
 * go into the pure sizing step, its answer into the row that all nodes follow.
 */

import type { Clock } from '../platform/clock.js'
import { type QueueReading, readQueueFigures } from '../store/leases/queue-figures.js'
import { claimEvaluation, writeEvaluation } from '../store/runtime/hatchery-sizes.js'
import { type NodeRow, readNodes } from '../store/runtime/nodes.js'
import type { Database } from '../store/server/database.js'
import { type NodeReport, processingNodes } from './node-report.js'
import { type SizingState, type SizingStep, sizingStep } from './sizing.js'
import type { WorkerRole } from './types.js'

export const pipelineRole: WorkerRole = 'pipeline'

/** Time between evaluations; nodes follow within another second. */
export const evaluationMs = 1000
/** Reading figures takes at most one part in this many of the time. */
const dutyCycle = 20

/** Kept between evaluations. */
export interface EvaluationState {
  size: SizingState
  /** What each node had reported. */
  seen: Record<string, { completed: number; busy_ms: number }>
}

export interface EvaluationFigures {
  queue: QueueReading
  arrival_rate: number
  completion_rate: number
  service_rate: number
  utilisation: number
}

/** Undefined when it was not due. */
export async function evaluate(deps: { db: Database; clock: Clock }): Promise<SizingStep | undefined> {
  const claimed = await claimEvaluation<EvaluationState>(deps.db, pipelineRole, evaluationMs - 100)
  if (claimed === null) return undefined
  const startedMs = deps.clock.monotonicMs()
  const { queue, nodes } = await deps.db.engine(
    async tx => ({ queue: await readQueueFigures(tx), nodes: processingNodes(await readNodes<NodeReport>(tx)) }),
    { readOnly: true },
  )
  const tookMs = deps.clock.monotonicMs() - startedMs
  const step = sizeFor(claimed.state ?? undefined, queue, nodes)
  const { arrivalRate, completionRate, serviceRate } = step.state
  const figures: EvaluationFigures = {
    queue,
    arrival_rate: rounded(arrivalRate),
    completion_rate: rounded(completionRate),
    service_rate: rounded(serviceRate),
    utilisation: rounded(step.utilisation),
  }
  const state: EvaluationState = { size: step.state, seen: Object.fromEntries(nodes.map(node => [node.node_id, reportedBy(node)])) }
  const pauseMs = Math.min(60_000, Math.round(tookMs * dutyCycle))
  await writeEvaluation(deps.db, { role: pipelineRole, desired: step.desired, reason: step.reason, state, figures, pauseMs })
  return step
}

function sizeFor(before: EvaluationState | undefined, queue: QueueReading, nodes: readonly NodeRow<NodeReport>[]): SizingStep {
  const sum = (of: (node: NodeRow<NodeReport>) => number) => nodes.reduce((total, node) => total + of(node), 0)
  const since = (node: NodeRow<NodeReport>, what: 'completed' | 'busy_ms') =>
    Math.max(0, node.snapshot[what] - (before?.seen[node.node_id]?.[what] ?? 0))
  return sizingStep(
    before?.size,
    {
      // The database's clock: evaluations move between nodes.
      atMs: Date.parse(queue.taken_at),
      runnable: queue.runnable,
      runnableScopes: queue.runnable_scopes,
      oldestAgeSeconds: queue.oldest_age_seconds,
      completed: sum(node => since(node, 'completed')),
      busySeconds: sum(node => since(node, 'busy_ms')) / 1000,
    },
    { min: sum(node => node.snapshot.min), max: sum(node => node.snapshot.max) },
  )
}

function reportedBy(node: NodeRow<NodeReport>): { completed: number; busy_ms: number } {
  return { completed: node.snapshot.completed, busy_ms: node.snapshot.busy_ms }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
