/** What a node writes about itself every second, and which nodes count. */

import type { QueueReading } from '../store/leases/queue-figures.js'
import type { NodeRow } from '../store/runtime/nodes.js'
import type { SupervisorReport } from './supervisor.js'

export interface NodeReport extends SupervisorReport {
  /** What the node's clock said when it reported; `heartbeat_at` is what the database's said. */
  time: string
  leader: boolean
  /** Documents done in a second, and how many of the workers are busy, both over the last seconds. */
  completion_rate: number
  busy_workers: number
  /** Of the leader: what it last saw of the queue, and by how many documents a second that grows. */
  queue?: { reading: QueueReading; growth: number } | undefined
  /** For whom the node does not ask the model because it keeps failing; missing where all is well. */
  model_down?: { tenants: string[]; since: string } | undefined
}

/** A node that missed this much is not counted on; it is shown as silent until the leader removes it. */
export const aliveMs = 4000

export function isAlive(node: { silent_ms: number }): boolean {
  return node.silent_ms < aliveMs
}

/** How far the node's clock is ahead of the database's; negative when it is behind. Null of a node that does not say. */
export function clockAheadMs(node: NodeRow<Pick<NodeReport, 'time'>>): number | null {
  const ms = Date.parse(node.snapshot.time) - Date.parse(node.heartbeat_at)
  return Number.isNaN(ms) ? null : ms
}

export function processingNodes(nodes: readonly NodeRow<NodeReport>[]): NodeRow<NodeReport>[] {
  return nodes.filter(node => node.role !== 'api' && isAlive(node))
}
