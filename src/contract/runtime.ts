/** Control of the runtime and the hatchery's snapshot. */

import { Type } from '../platform/schema.js'
import { Count, closed, Nullable, OpenObject, open, RecordOf, RuntimeState, ScopeId, Time } from './common.js'

export const RuntimeRequest = Type.Object(
  { scope_id: Type.Optional(ScopeId) },
  { $id: 'RuntimeRequest', ...closed, description: 'A scope needs the tenant key beside it.', examples: [{ scope_id: 'case-1' }, {}] },
)

const Circuit = Type.Enum(['closed', 'open', 'half_open'])

export const RuntimeResponse = RecordOf('RuntimeResponse', {
  operation: Type.Enum(['start', 'pause', 'resume', 'stop', 'restart']),
  addressed: Type.Object(
    { level: Type.Enum(['service', 'tenant', 'scope']), tenant_id: Type.Optional(Type.String()), scope_id: Type.Optional(Type.String()) },
    open,
  ),
  previous: RuntimeState,
  state: RuntimeState,
  effective: RuntimeState,
  changed: Type.Boolean(),
  run: Count,
  scopes_affected: Count,
  documents_requeued: Count,
  hatchery: OpenObject({
    nodes: Count,
    workers_desired: Count,
    workers_actual: Count,
    workers_busy: Count,
    queue_depth: Count,
    queue_oldest_age_seconds: Type.Number(),
    circuit: Circuit,
  }),
})

const WorkerRole = Type.Enum(['pipeline'])

export const HatcherySnapshot = RecordOf('HatcherySnapshot', {
  taken_at: Time,
  runtime: OpenObject({
    state: RuntimeState,
    run: Count,
    changed_at: Time,
    tenants_paused: Count,
    tenants_stopped: Count,
    scopes_paused: Count,
    scopes_stopped: Count,
  }),
  leader: Nullable(Type.String()),
  queue: OpenObject({
    depth: Count,
    runnable: Count,
    runnable_scopes: Count,
    oldest_age_seconds: Type.Number(),
    at_least: Type.Boolean(),
    taken_at: Time,
  }),
  model: OpenObject({
    tokens_today: { ...Count, description: 'Of all tenants since midnight UTC.' },
    tenants: { ...Count, description: 'Tenants that spent some.' },
  }),
  roles: Type.Array(
    OpenObject({
      role: WorkerRole,
      desired: Count,
      actual: Count,
      busy: Count,
      draining: Count,
      arrival_rate: Type.Number(),
      completion_rate: Type.Number(),
      service_rate: Type.Number(),
      utilisation: Type.Number(),
      reason: Type.String(),
      restarts: Count,
      evaluated_at: Nullable(Time),
    }),
  ),
  nodes: Type.Array(
    OpenObject({
      node_id: Type.String(),
      role: Type.Enum(['all', 'api', 'worker']),
      status: Type.Enum(['alive', 'silent']),
      started_at: Time,
      heartbeat_at: Time,
      leader: Type.Boolean(),
      desired: Count,
      actual: Count,
      busy: Count,
      draining: Count,
      completed: Count,
      restarts: Count,
      circuit: Circuit,
      circuit_reason: Nullable(Type.String()),
    }),
  ),
  workers: Type.Array(
    OpenObject({
      worker_id: Type.String(),
      node_id: Type.String(),
      role: WorkerRole,
      state: Type.Enum(['idle', 'busy', 'draining']),
      since: Time,
      tenant_id: Nullable(Type.String()),
      scope_id: Nullable(Type.String()),
      documents: Count,
    }),
  ),
  limits: OpenObject({
    min: Count,
    max: Count,
    target_utilisation: Type.Number(),
    queue_age_limit_seconds: Type.Number(),
    evaluation_period_seconds: Type.Number(),
    cooldown_seconds: Type.Number(),
    restart_intensity: Count,
    restart_window_seconds: Type.Number(),
  }),
})
