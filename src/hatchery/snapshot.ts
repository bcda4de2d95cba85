/**
 * The hatchery as a whole, from any node: what all nodes last reported about themselves, and the queue. Reads rows only, so a node that is silent is shown as it was when it last spoke.
 */

import { readTokensOfAll } from '../store/documents/model-usage.js'
import { type QueueReading, readQueueFigures } from '../store/leases/queue-figures.js'
import { type NodeRow, readNodes } from '../store/runtime/nodes.js'
import { readRuntimeCounts } from '../store/runtime/runtime.js'
import type { Database, EngineTransaction } from '../store/server/database.js'
import { isAlive, type NodeReport, processingNodes } from './node-report.js'
import { defaultRestartRules } from './restart-policy.js'
import {
  type CircuitState,
  type HatcherySnapshot,
  type HatcherySummary,
  type NodeSnapshot,
  pipelineRole,
  type QueueFigures,
  type RoleSnapshot,
  type WorkerSnapshot,
} from './types.js'

export interface SnapshotDeps {
  db: Database
}

type Node = NodeRow<NodeReport>

/** What the leader saw is good for this long; older figures are read again. */
const freshMs = 2500
const mostWorkers = 2000
/** The oldest document has waited too long. */
export const queueDegradedSeconds = 60

export async function snapshot(deps: SnapshotDeps): Promise<HatcherySnapshot> {
  const { nodes, runtime, queue, model } = await deps.db.engine(
    async tx => ({ ...(await readStanding(tx)), runtime: await readRuntimeCounts(tx), model: await readTokensOfAll(tx) }),
    { readOnly: true },
  )
  return {
    taken_at: queue.now,
    runtime,
    leader: nodes.find(node => isAlive(node) && node.snapshot.leader)?.node_id ?? null,
    queue: queue.figures,
    model,
    roles: [roleOf(nodes)],
    nodes: nodes.map(nodeOf),
    workers: nodes.filter(isAlive).flatMap(workersOf).slice(0, mostWorkers),
    limits: limitsOf(nodes),
  }
}

/** A few figures for the answer of a runtime operation. */
export async function readSummary(db: Database): Promise<HatcherySummary> {
  const { nodes, queue } = await db.engine(readStanding, { readOnly: true })
  const role = roleOf(nodes)
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
  queue: { figures: QueueFigures; now: string }
}

export async function readStanding(tx: EngineTransaction): Promise<Standing> {
  const nodes = await readNodes<NodeReport>(tx)
  return { nodes, queue: await currentQueue(tx, nodes) }
}

/** Of several nodes the most worrying circuit. */
export function worstCircuit(nodes: readonly Node[]): CircuitState {
  const circuits = processingNodes(nodes).map(node => node.snapshot.circuit)
  return circuits.includes('open') ? 'open' : circuits.includes('half_open') ? 'half_open' : 'closed'
}

export function roleOf(nodes: readonly Node[]): RoleSnapshot {
  const processing = processingNodes(nodes)
  const workers = processing.flatMap(node => node.snapshot.workers)
  const inState = (state: string) => workers.filter(worker => worker.state === state).length
  const sum = (of: (report: NodeReport) => number) => processing.reduce((total, { snapshot: report }) => total + of(report), 0)
  const [desired, completionRate, busyWorkers] = [
    sum(each => each.desired),
    sum(each => each.completion_rate),
    sum(each => each.busy_workers),
  ]
  const queue = queueOfLeader(nodes)
  return {
    role: pipelineRole,
    desired,
    actual: workers.length,
    busy: inState('busy'),
    draining: inState('draining'),
    arrival_rate: rounded(Math.max(0, completionRate + (queue?.growth ?? 0))),
    completion_rate: rounded(completionRate),
    // What a busy worker does: both shares of the past fade alike, so it stays known while nothing is done.
    service_rate: busyWorkers === 0 ? 0 : rounded(completionRate / busyWorkers),
    utilisation: desired === 0 ? 0 : rounded(Math.min(1, busyWorkers / desired)),
    reason: 'fixed',
    restarts: nodes.reduce((sum, node) => sum + node.snapshot.restarts, 0),
    evaluated_at: queue?.reading.taken_at ?? null,
  }
}

function queueOfLeader(nodes: readonly Node[]): NodeReport['queue'] {
  return nodes.find(node => isAlive(node) && node.snapshot.leader)?.snapshot.queue
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

async function currentQueue(tx: EngineTransaction, nodes: readonly Node[]): Promise<Standing['queue']> {
  const rows = await tx.rows<{ now: string }>('select clock_timestamp() as now')
  const now = rows[0]?.now ?? ''
  const kept = queueOfLeader(nodes)?.reading
  const reading: QueueReading =
    kept !== undefined && Date.parse(now) - Date.parse(kept.taken_at) < freshMs ? kept : await readQueueFigures(tx)
  return { figures: { ...reading, oldest_age_seconds: rounded(reading.oldest_age_seconds) }, now }
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
  const workers = roleOf(nodes).desired
  return {
    // The number is fixed: all may be busy, and nothing is waited for before it changes.
    min: workers,
    max: workers,
    target_utilisation: 1,
    queue_age_limit_seconds: queueDegradedSeconds,
    evaluation_period_seconds: 1,
    cooldown_seconds: 0,
    restart_intensity: defaultRestartRules.intensity,
    restart_window_seconds: defaultRestartRules.windowMs / 1000,
  }
}
