/**
 * What the hatchery says about itself, as it leaves the service: answers to runtime operations, the snapshot of all
 * nodes, and health checks. Plain JSON values only; times are ISO 8601 in UTC, rates are per second.
 */

import type { RuntimeLevel, RuntimeOperation, RuntimeState } from '../store/runtime/runtime.js'

/** Documents are processed by one kind of worker; the name leaves room for others. */
export type WorkerRole = 'pipeline'
export type CircuitState = 'closed' | 'open' | 'half_open'
export type NodeRole = 'all' | 'api' | 'worker'

/** Answer of start, pause, resume, stop and restart. */
export interface ControlResult {
  operation: RuntimeOperation
  addressed: Addressed
  /** State of the addressed level before and after. */
  previous: RuntimeState
  state: RuntimeState
  /** Most restrictive of service, tenant and scope, as far as the addressed level has them above it. */
  effective: RuntimeState
  changed: boolean
  /** Raised by restart alone. */
  run: number
  /** Scopes the addressed level covers. */
  scopes_affected: number
  /** Documents in hand that went back to queued. */
  documents_requeued: number
  hatchery: HatcherySummary
}

export interface Addressed {
  level: RuntimeLevel
  tenant_id?: string
  scope_id?: string
}

export interface HatcherySummary {
  nodes: number
  workers_desired: number
  workers_actual: number
  workers_busy: number
  queue_depth: number
  queue_oldest_age_seconds: number
  circuit: CircuitState
}

/** All nodes of the cluster, from any of them. */
export interface HatcherySnapshot {
  taken_at: string
  runtime: RuntimeSummary
  /** Node that does the chores; null between leaders. */
  leader: string | null
  queue: QueueFigures
  roles: RoleSnapshot[]
  nodes: NodeSnapshot[]
  workers: WorkerSnapshot[]
  limits: SizingLimitsShown
}

export interface RuntimeSummary {
  /** State of the service level. */
  state: RuntimeState
  run: number
  changed_at: string
  tenants_paused: number
  tenants_stopped: number
  scopes_paused: number
  scopes_stopped: number
}

export interface QueueFigures {
  /** Documents queued or being processed, in scopes of every state. */
  depth: number
  /** Of these, documents in scopes whose effective state is running. */
  runnable: number
  runnable_scopes: number
  /** Age of the oldest runnable document that is due; 0 when there is none. */
  oldest_age_seconds: number
  /** True when so many scopes wait that the figures are a lower bound. */
  at_least: boolean
  taken_at: string
}

export interface RoleSnapshot {
  role: WorkerRole
  desired: number
  actual: number
  busy: number
  draining: number
  /** Documents accepted and finished per second, smoothed. */
  arrival_rate: number
  completion_rate: number
  /** Documents one busy worker finishes per second, smoothed. */
  service_rate: number
  utilisation: number
  /** Why the desired number is what it is. */
  reason: string
  restarts: number
  evaluated_at: string | null
}

export interface NodeSnapshot {
  node_id: string
  role: NodeRole
  status: 'alive' | 'silent'
  started_at: string
  heartbeat_at: string
  leader: boolean
  desired: number
  actual: number
  busy: number
  draining: number
  /** Documents finished by this node since it started. */
  completed: number
  restarts: number
  circuit: CircuitState
  circuit_reason: string | null
}

export interface WorkerSnapshot {
  worker_id: string
  node_id: string
  role: WorkerRole
  state: 'idle' | 'busy' | 'draining'
  since: string
  tenant_id: string | null
  scope_id: string | null
  documents: number
}

/** Sums over the nodes that process documents, and the rules of sizing and restarting. */
export interface SizingLimitsShown {
  min: number
  max: number
  target_utilisation: number
  queue_age_limit_seconds: number
  evaluation_period_seconds: number
  cooldown_seconds: number
  restart_intensity: number
  restart_window_seconds: number
}

export type HealthStatus = 'ok' | 'degraded' | 'unavailable'
export type HealthCheckName = 'database' | 'migrations' | 'disk' | 'event_tail' | 'clock' | 'workers' | 'queue_age'

export interface HealthCheck {
  name: HealthCheckName
  status: HealthStatus
  /** One sentence, present when the status is not ok. */
  detail?: string
  figures: Record<string, number | string | boolean | null>
}

export interface HealthReport {
  status: HealthStatus
  checked_at: string
  checks: HealthCheck[]
}
