/** What the hatchery says about itself: the records of the contract, as types, and the health checks there are. */

import type { Static } from 'typebox'
import type { HealthCheck as CheckSchema, HealthStatus as StatusSchema } from '../contract/health.js'
import type { RuntimeResponse, HatcherySnapshot as SnapshotSchema } from '../contract/runtime.js'

export type ControlResult = Static<typeof RuntimeResponse>
export type Addressed = ControlResult['addressed']
export type HatcherySummary = ControlResult['hatchery']
export type CircuitState = HatcherySummary['circuit']

export type HatcherySnapshot = Static<typeof SnapshotSchema>
export type QueueFigures = HatcherySnapshot['queue']
export type RoleSnapshot = HatcherySnapshot['roles'][number]
export type NodeSnapshot = HatcherySnapshot['nodes'][number]
export type WorkerSnapshot = HatcherySnapshot['workers'][number]
export type WorkerRole = RoleSnapshot['role']
export const pipelineRole: WorkerRole = 'pipeline'

export type HealthStatus = Static<typeof StatusSchema>
export type HealthCheck = Static<typeof CheckSchema> & { figures: Record<string, number | string | boolean | null> }

export interface HealthReport {
  status: HealthStatus
  checked_at: string
  checks: HealthCheck[]
}
