/** What a node writes about itself every second, and which nodes count. */

import type { NodeRow } from '../store/nodes.js'
import type { SupervisorReport } from './supervisor.js'

export interface NodeReport extends SupervisorReport {
  leader: boolean
  min: number
  max: number
}

/** A node that missed this much is not counted on; it is shown as silent until the leader removes it. */
export const aliveMs = 4000

export function isAlive(node: { silent_ms: number }): boolean {
  return node.silent_ms < aliveMs
}

/** Nodes that process documents and are alive. */
export function processingNodes(nodes: readonly NodeRow<NodeReport>[]): NodeRow<NodeReport>[] {
  return nodes.filter(node => node.role !== 'api' && isAlive(node))
}
