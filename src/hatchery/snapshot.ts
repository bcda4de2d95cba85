/**
 * The hatchery as a whole, from any node: what all nodes last reported about themselves, the size they aim at, and the
 * queue. Reads rows only, so a node that is silent is shown as it was when it last spoke.
 */

import { readTokensOfAll } from '../store/documents/model-usage.js'
import { type QueueReading, readQueueFigures } from '../store/leases/queue-figures.js'
import { readSizes, type SizeRow } from '../store/runtime/hatchery-sizes.js'
import { type NodeRow, readNodes } from '../store/runtime/nodes.js'
import { readRuntimeCounts } from '../store/runtime/runtime.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import { type EvaluationFigures, type EvaluationState, evaluationMs, pipelineRole } from './evaluation.js'
import { isAlive, type NodeReport, processingNodes } from './node-report.js'
import { defaultRestartRules } from './restart-policy.js'
import { sizingRules } from './sizing.js'
import type { CircuitState, HatcherySnapshot, HatcherySummary, NodeSnapshot, QueueFigures, RoleSnapshot, WorkerSnapshot } from './types.js'

export interface SnapshotDeps {
  db: Database
}

type Node = NodeRow<NodeReport>
type Size = SizeRow<EvaluationState, EvaluationFigures>

/** Figures of an evaluation are good for this long; older ones are read again. */
const freshMs = 2500
const mostWorkers = 2000

export async function snapshot(deps: SnapshotDeps): Promise<HatcherySnapshot> {
  const { nodes, size, runtime, queue, model } = await deps.db.engine(
    async tx => ({ ...(await readStanding(tx)), runtime: await readRuntimeCounts(tx), model: await readTokensOfAll(tx) }),
    { readOnly: true },
  )
  return {
    taken_at: queue.now,
    runtime,
    leader: nodes.find(node => isAlive(node) && node.snapshot.leader)?.node_id ?? null,
    queue: queue.figures,
    model,
    roles: [roleOf(nodes, size)],
    nodes: nodes.map(nodeOf),
    workers: nodes.filter(isAlive).flatMap(workersOf).slice(0, mostWorkers),
    limits: limitsOf(nodes),
  }
}

/** A few figures for the answer of a runtime operation. */
export async function readSummary(db: Database): Promise<HatcherySummary> {
  const { nodes, size, queue } = await db.engine(readStanding, { readOnly: true })
  const role = roleOf(nodes, size)
  return {
    nodes: nodes.filter(isAlive).length,
    workers_desired: role.desired,
    workers_actual: role.actual,
    workers_busy: role.busy,
    queue_depth: queue.figures.depth,
    queue_oldest_age_seconds: queue.figures.oldest_age_seconds,
    circuit: worstCircuit(nodes),
  }
}

export interface Standing {
  nodes: Node[]
  size: Size | undefined
  queue: { figures: QueueFigures; now: string }
}

export async function readStanding(tx: EngineTransaction): Promise<Standing> {
  const nodes = await readNodes<NodeReport>(tx)
  const size = (await readSizes<EvaluationState, EvaluationFigures>(tx)).find(row => row.role === pipelineRole)
  return { nodes, size, queue: await currentQueue(tx, size) }
}

/** Of several nodes the most worrying circuit. */
export function worstCircuit(nodes: readonly Node[]): CircuitState {
  const circuits = processingNodes(nodes).map(node => node.snapshot.circuit)
  return circuits.includes('open') ? 'open' : circuits.includes('half_open') ? 'half_open' : 'closed'
}

export function roleOf(nodes: readonly Node[], size: Size | undefined): RoleSnapshot {
  const processing = processingNodes(nodes)
  const workers = processing.flatMap(node => node.snapshot.workers)
  const inState = (state: string) => workers.filter(worker => worker.state === state).length
  return {
    role: pipelineRole,
    desired: processing.length === 0 ? 0 : (size?.desired ?? 0),
    actual: workers.length,
    busy: inState('busy'),
    draining: inState('draining'),
    arrival_rate: size?.figures?.arrival_rate ?? 0,
    completion_rate: size?.figures?.completion_rate ?? 0,
    service_rate: size?.figures?.service_rate ?? 0,
    utilisation: size?.figures?.utilisation ?? 0,
    reason: size?.reason ?? 'not evaluated yet',
    restarts: nodes.reduce((sum, node) => sum + node.snapshot.restarts, 0),
    evaluated_at: size?.evaluated_at ?? null,
  }
}

async function currentQueue(tx: EngineTransaction, size: Size | undefined): Promise<Standing['queue']> {
  const rows = await tx.rows<{ now: string }>('select clock_timestamp() as now')
  const now = rows[0]?.now ?? ''
  const kept = size?.figures?.queue
  const reading: QueueReading =
    kept !== undefined && Date.parse(now) - Date.parse(kept.taken_at) < freshMs ? kept : await readQueueFigures(tx)
  return { figures: { ...reading, oldest_age_seconds: Math.round(reading.oldest_age_seconds * 1000) / 1000 }, now }
}

function nodeOf(node: Node): NodeSnapshot {
  const { snapshot: report } = node
  const inState = (state: string) => report.workers.filter(worker => worker.state === state).length
  return {
    node_id: node.node_id,
    role: node.role,
    status: isAlive(node) ? 'alive' : 'silent',
    started_at: node.started_at,
    heartbeat_at: node.heartbeat_at,
    leader: report.leader && isAlive(node),
    desired: report.desired,
    actual: report.workers.length,
    busy: inState('busy'),
    draining: inState('draining'),
    completed: report.completed,
    restarts: report.restarts,
    circuit: report.circuit,
    circuit_reason: report.circuit_reason,
  }
}

function workersOf(node: Node): WorkerSnapshot[] {
  return node.snapshot.workers.map(worker => ({
    worker_id: worker.worker_id,
    node_id: node.node_id,
    role: pipelineRole,
    state: worker.state,
    since: worker.since,
    tenant_id: worker.scope?.tenantId ?? null,
    scope_id: worker.scope?.scopeId ?? null,
    documents: worker.documents ?? 0,
  }))
}

function limitsOf(nodes: readonly Node[]): HatcherySnapshot['limits'] {
  const processing = processingNodes(nodes)
  return {
    min: processing.reduce((sum, node) => sum + node.snapshot.min, 0),
    max: processing.reduce((sum, node) => sum + node.snapshot.max, 0),
    target_utilisation: sizingRules.targetUtilisation,
    queue_age_limit_seconds: sizingRules.queueAgeLimitSeconds,
    evaluation_period_seconds: evaluationMs / 1000,
    cooldown_seconds: sizingRules.cooldownSeconds,
    restart_intensity: defaultRestartRules.intensity,
    restart_window_seconds: defaultRestartRules.windowMs / 1000,
  }
}
