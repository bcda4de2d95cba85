/**
 * Health of the control plane and of the kernel's feed: each check with its own status and figures, the worst of them
 * as the whole. A paused or stopped runtime is no fault, because documents that may not run do not count as waiting;
 * a queue that waits for workers that do not exist is one, whatever else is well.
 */

import { statfs } from 'node:fs/promises'
import type { Clock } from '../platform/clock.js'
import { withDeadline } from '../platform/deadline.js'
import { messageOf } from '../platform/errors.js'
import type { Database } from '../store/server/database.js'
import { clockAheadMs, isAlive, processingNodes } from './node-report.js'
import { queueDegradedSeconds, readStanding, roleOf, type Standing, worstCircuit } from './snapshot.js'
import type { HealthCheck, HealthReport, HealthStatus } from './types.js'

export type HealthPart = 'control-plane' | 'kernel'

export interface HealthDeps {
  db: Database
  clock: Clock
  /** Numbers of the newest migration applied and of the newest this version ships. */
  migrations(): Promise<{ applied: number; expected: number }>
  /** Folder of the embedded database; undefined when the database is elsewhere. */
  dataDir: string | undefined
  tailLagSeconds(): Promise<number>
  isWritable(): Promise<boolean>
}

const limits = {
  checkMs: 3000,
  slowDatabaseMs: 500,
  diskFullBytes: 64 * 1024 ** 2,
  diskLowBytes: 512 * 1024 ** 2,
  diskLowRatio: 0.05,
  diskPlentyBytes: 10 * 1024 ** 3,
  tailDegradedSeconds: 5,
  tailUnavailableSeconds: 60,
  clockOffMs: 60_000,
  /** Time in which workers should have come to a queue. */
  deadQueueSeconds: 10,
}

export async function checkHealth(deps: HealthDeps, part: HealthPart): Promise<HealthReport> {
  const standing = guarded(() => deps.db.engine(readStanding, { readOnly: true, statementTimeoutMs: limits.checkMs }))
  const checks = await Promise.all([
    checking('database', () => checkDatabase(deps)),
    ...(part === 'control-plane'
      ? [checking('migrations', () => checkMigrations(deps)), checking('disk', () => checkDisk(deps.dataDir))]
      : []),
    checking('event_tail', () => checkTail(deps)),
    checking('clock', async () => clockCheck(await standing)),
    checking('workers', async () => workersCheck(await standing)),
    checking('queue_age', async () => queueCheck(await standing)),
  ])
  return { status: worst(checks.map(check => check.status)), checked_at: deps.clock.now().toISOString(), checks }
}

export function worst(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.includes('unavailable') ? 'unavailable' : statuses.includes('degraded') ? 'degraded' : 'ok'
}

type Finding = Omit<HealthCheck, 'name'>

/** A check that fails or takes too long is its own finding; the others still answer. */
async function checking(name: string, check: () => Promise<Finding>): Promise<HealthCheck> {
  try {
    return { name, ...(await guarded(check)) }
  } catch (error) {
    return { name, status: 'unavailable', detail: `The check failed: ${messageOf(error)}.`, figures: {} }
  }
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  const result = withDeadline(work, { ms: limits.checkMs, what: 'a health check' })
  // Several checks may wait for one reading; none of them must find it rejected unheard.
  result.catch(() => undefined)
  return result
}

async function checkDatabase({ db, isWritable }: HealthDeps): Promise<Finding> {
  const { ok, latencyMs, pools } = await db.health()
  const figures = {
    latency_ms: latencyMs,
    tenant_connections: pools.tenant.total,
    tenant_waiting: pools.tenant.waiting,
    engine_connections: pools.engine.total,
    engine_waiting: pools.engine.waiting,
  }
  if (!ok) return { status: 'unavailable', detail: 'The database does not answer.', figures }
  if (!(await isWritable())) return { status: 'unavailable', detail: 'The database takes no writes.', figures }
  if (latencyMs > limits.slowDatabaseMs) return { status: 'degraded', detail: 'The database answers slowly.', figures }
  return { status: 'ok', figures }
}

async function checkMigrations(deps: HealthDeps): Promise<Finding> {
  const figures = await deps.migrations()
  if (figures.applied < figures.expected) return { status: 'unavailable', detail: 'Migrations have not been applied.', figures }
  if (figures.applied > figures.expected) return { status: 'degraded', detail: 'The database schema is newer than this process.', figures }
  return { status: 'ok', figures }
}

async function checkDisk(dataDir: string | undefined): Promise<Finding> {
  if (dataDir === undefined) return { status: 'ok', figures: { embedded: false } }
  const { bytes, ratio } = await spaceOf(dataDir)
  const figures = { embedded: true, free_bytes: bytes, free_ratio: Math.round(ratio * 1000) / 1000 }
  return { ...diskStatus(bytes, ratio), figures }
}

/** What is free for others than the superuser, and its share of all. */
export async function spaceOf(folder: string): Promise<{ bytes: number; ratio: number }> {
  const { bavail, bsize, blocks } = await statfs(folder)
  return { bytes: bavail * bsize, ratio: blocks === 0 ? 1 : bavail / blocks }
}

/** Bytes decide; the share only warns, and only while what is left is not plenty by itself. */
export function diskStatus(freeBytes: number, ratio: number): { status: HealthStatus; detail?: string } {
  if (freeBytes < limits.diskFullBytes) return { status: 'unavailable', detail: 'The database disk is full.' }
  if (freeBytes < limits.diskLowBytes || (ratio < limits.diskLowRatio && freeBytes < limits.diskPlentyBytes)) {
    return { status: 'degraded', detail: 'The database disk is nearly full.' }
  }
  return { status: 'ok' }
}

async function checkTail(deps: HealthDeps): Promise<Finding> {
  const lag = Math.round((await deps.tailLagSeconds()) * 1000) / 1000
  const figures = { lag_seconds: lag }
  if (lag > limits.tailUnavailableSeconds) return { status: 'unavailable', detail: 'Events do not reach the kernel stream.', figures }
  if (lag > limits.tailDegradedSeconds)
    return { status: 'degraded', detail: 'The kernel stream is lagging, possibly behind a long transaction.', figures }
  return { status: 'ok', figures }
}

/** Ages and deadlines are the database's, but logs, traces and answers carry a node's own time. */
export function clockCheck({ nodes }: Standing): Finding {
  const off = nodes.filter(isAlive).flatMap(node => {
    const aheadMs = clockAheadMs(node)
    return aheadMs === null ? [] : [{ nodeId: node.node_id, aheadMs }]
  })
  const most = off.reduce((a, b) => (Math.abs(b.aheadMs) > Math.abs(a.aheadMs) ? b : a), { nodeId: '', aheadMs: 0 })
  const seconds = Math.round(most.aheadMs / 1000)
  const figures = { most_ahead_seconds: seconds }
  if (Math.abs(most.aheadMs) <= limits.clockOffMs) return { status: 'ok', figures }
  const detail = `The clock of ${most.nodeId} is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the database's.`
  return { status: 'degraded', detail, figures }
}

export function workersCheck(standing: Standing): Finding {
  const role = roleOf(standing.nodes)
  const circuit = worstCircuit(standing.nodes)
  const nodes = processingNodes(standing.nodes).length
  const figures = { nodes, desired: role.desired, actual: role.actual, busy: role.busy, restarts: role.restarts, circuit }
  if (isDeadQueue(standing)) return { status: 'unavailable', detail: 'Documents are queued, but no worker is alive.', figures }
  if (nodes === 0) return { status: 'degraded', detail: 'No node processes documents.', figures }
  if (circuit !== 'closed')
    return { status: 'degraded', detail: 'Workers fail too often; restarts are suspended or limited to one.', figures }
  if (role.actual === 0 && role.desired > 0) return { status: 'degraded', detail: 'Workers are needed, but none is alive.', figures }
  return { status: 'ok', figures }
}

export function queueCheck(standing: Standing): Finding {
  const { figures: queue } = standing.queue
  const figures = {
    depth: queue.depth,
    runnable: queue.runnable,
    runnable_scopes: queue.runnable_scopes,
    oldest_age_seconds: queue.oldest_age_seconds,
    at_least: queue.at_least,
  }
  if (isDeadQueue(standing)) return { status: 'unavailable', detail: 'Documents are queued, but no worker is alive.', figures }
  if (queue.oldest_age_seconds > queueDegradedSeconds) {
    return { status: 'degraded', detail: 'The oldest queued document has waited too long.', figures }
  }
  return { status: 'ok', figures }
}

function isDeadQueue(standing: Standing): boolean {
  const { runnable, oldest_age_seconds } = standing.queue.figures
  return runnable > 0 && oldest_age_seconds > limits.deadQueueSeconds && roleOf(standing.nodes).actual === 0
}
