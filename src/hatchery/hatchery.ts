/**
 * The hatchery of one node: writes its heartbeat every second, takes part in sizing the cluster, and keeps its share
 * of the workers running. A node of the role `api` only writes its heartbeat. When the database is unavailable, workers are
 * still supervised, at the size last known.
 */

import { startLoop } from '../platform/bounded-loop.js'
import type { Clock } from '../platform/clock.js'
import { newId } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { readSizes } from '../store/runtime/hatchery-sizes.js'
import { type NodeRole, readNodes, removeNode, writeHeartbeat } from '../store/runtime/nodes.js'
import type { Database } from '../store/server/database.js'
import { type EvaluationFigures, type EvaluationState, evaluate, pipelineRole } from './evaluation.js'
import { aliveMs, type NodeReport, processingNodes } from './node-report.js'
import { defaultRestartRules } from './restart-policy.js'
import { type SizingBounds, shareOut } from './sizing.js'
import { createSupervisor, type SupervisedWorker, type Supervisor } from './supervisor.js'
import { createWorkerEvents } from './worker-events.js'

export interface HatcheryOptions {
  db: Database
  clock: Clock
  logger: Logger
  nodeId: string
  role: NodeRole
  bounds: SizingBounds
  createWorker(id: string): SupervisedWorker
  leads(): boolean
  /** A busy worker that shows no progress for so long is given up. */
  stuckMs: number
  /** For whom the model keeps failing, as this node sees it. */
  modelDown?: () => NodeReport['model_down']
  heartbeatMs?: number
  /** Time between looks at the workers. */
  tickMs?: number
}

export function newNodeId(): string {
  return newId('run').replace(/^run/, 'node')
}

export type Hatchery = ReturnType<typeof startHatchery>

export function startHatchery(options: HatcheryOptions) {
  const { db, clock, logger, nodeId, role } = options
  const bounds = role === 'api' ? { min: 0, max: 0 } : options.bounds
  const events = createWorkerEvents({ db, nodeId })
  const supervisor = createSupervisor({
    role: pipelineRole,
    createWorker: options.createWorker,
    nextWorkerId: () => newId('wrk'),
    events,
    clock,
    logger,
    random: Math.random,
    rules: defaultRestartRules,
    stuckMs: options.stuckMs,
    drainMs: 60_000,
  })
  supervisor.aim({ desired: bounds.min, reason: 'start', figures: {} })
  const startedMs = clock.monotonicMs()
  const report = (): NodeReport => ({
    ...supervisor.report(),
    time: clock.now().toISOString(),
    leader: options.leads(),
    ...bounds,
    model_down: options.modelDown?.(),
  })

  const watch = async (): Promise<'idle'> => {
    supervisor.tick()
    return 'idle'
  }
  let servingNodes = 1
  const beat = async (): Promise<'idle'> => {
    const uptimeMs = clock.monotonicMs() - startedMs
    servingNodes = (await writeHeartbeat(db, { nodeId, role, uptimeMs, report: report() }, aliveMs)).servingNodes
    if (role !== 'api') {
      await evaluate({ db, clock })
      await followSizes(db, nodeId, supervisor)
    }
    await events.flush()
    return 'idle'
  }
  const ticking = startLoop({ name: 'worker supervision', run: watch, pollMs: options.tickMs ?? 200, logger })
  const beating = startLoop({ name: 'heartbeat', run: beat, pollMs: options.heartbeatMs ?? 1000, maxFailurePauseMs: 1000, logger })

  return {
    nodeId,
    report,
    /** Nodes that serve requests, this one included, as of the last heartbeat. */
    servingNodes: () => servingNodes,
    /** Drains within the grace, then cuts off; the node's row goes with it. */
    stop: async (graceMs: number): Promise<void> => {
      await supervisor.stop(graceMs)
      await Promise.all([ticking.stop(), beating.stop()])
      try {
        await events.flush()
        await removeNode(db, nodeId)
      } catch (error) {
        // The leader removes the row of a node that is silent.
        logger.warn({ err: error }, 'node row removal failed')
      }
    },
  }
}

async function followSizes(db: Database, nodeId: string, supervisor: Supervisor): Promise<void> {
  const { sizes, nodes } = await db.engine(
    async tx => ({ sizes: await readSizes<EvaluationState, EvaluationFigures>(tx), nodes: await readNodes<NodeReport>(tx) }),
    { readOnly: true },
  )
  const size = sizes.find(row => row.role === pipelineRole)
  if (size === undefined || size.evaluated_at === null) return
  const shares = shareOut(
    size.desired,
    processingNodes(nodes).map(node => ({ nodeId: node.node_id, min: node.snapshot.min, max: node.snapshot.max })),
  )
  const share = shares.get(nodeId)
  if (share === undefined) return
  const { queue, ...rates } = size.figures as EvaluationFigures
  const figures = {
    ...rates,
    queue_runnable: queue.runnable,
    queue_oldest_age_seconds: queue.oldest_age_seconds,
    cluster_desired: size.desired,
  }
  supervisor.aim({ desired: share, reason: size.reason, figures })
}
