/**
 * The hatchery of one node: keeps its workers running and writes its heartbeat every second, with what it reports about itself. A node of
 * the role `api` has no workers. The leader reports what waits, too. When the database is unavailable, workers are still supervised.
 */

import { startLoop } from '../platform/bounded-loop.js'
import type { Clock } from '../platform/clock.js'
import { newId } from '../platform/ids.js'
import type { Logger } from '../platform/logger.js'
import { type QueueReading, readQueueFigures } from '../store/leases/queue-figures.js'
import { type NodeRole, removeNode, writeHeartbeat } from '../store/runtime/nodes.js'
import type { Database } from '../store/server/database.js'
import { aliveMs, type NodeReport } from './node-report.js'
import { nextRate, type Rate } from './rates.js'
import { defaultRestartRules } from './restart-policy.js'
import { createSupervisor, type SupervisedWorker } from './supervisor.js'
import { pipelineRole } from './types.js'
import { createWorkerEvents } from './worker-events.js'

export interface HatcheryOptions {
  db: Database
  clock: Clock
  logger: Logger
  nodeId: string
  role: NodeRole
  workers: number
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
  const events = createWorkerEvents({ db, nodeId })
  const supervisor = createSupervisor({
    role: pipelineRole,
    workers: role === 'api' ? 0 : options.workers,
    createWorker: options.createWorker,
    nextWorkerId: () => newId('wrk'),
    events,
    clock,
    logger,
    random: Math.random,
    rules: defaultRestartRules,
    stuckMs: options.stuckMs,
  })
  const rates = createRates(clock)
  const queue = createQueueLook(db, clock)
  const startedMs = clock.monotonicMs()
  const report = (): NodeReport => ({
    ...supervisor.report(),
    time: clock.now().toISOString(),
    leader: options.leads(),
    ...rates(supervisor.report()),
    queue: options.leads() ? queue.seen() : undefined,
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
    await events.flush()
    return 'idle'
  }
  const ticking = startLoop({ name: 'worker supervision', run: watch, pollMs: options.tickMs ?? 200, logger })
  // Beside the heartbeat: a look that takes long or fails must not make the node look dead.
  const look = async (): Promise<'idle'> => {
    if (options.leads()) await queue.look()
    return 'idle'
  }
  const looking = startLoop({ name: 'queue figures', run: look, pollMs: (options.heartbeatMs ?? 1000) / 2, logger })
  const beating = startLoop({ name: 'heartbeat', run: beat, pollMs: options.heartbeatMs ?? 1000, maxFailurePauseMs: 1000, logger })

  return {
    nodeId,
    report,
    /** Nodes that serve requests, this one included, as of the last heartbeat. */
    servingNodes: () => servingNodes,
    /** Drains within the grace, then cuts off; the node's row goes with it. */
    stop: async (graceMs: number): Promise<void> => {
      await supervisor.stop(graceMs)
      await Promise.all([ticking.stop(), looking.stop(), beating.stop()])
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

/** Of a node's own work. Called with every report, it looks again after half a second. */
function createRates(clock: Clock) {
  let completed: Rate | undefined
  let busy: Rate | undefined
  return (done: { completed: number; busy_ms: number }): Pick<NodeReport, 'completion_rate' | 'busy_workers'> => {
    const nowMs = clock.monotonicMs()
    if (completed === undefined || nowMs - completed.atMs >= 500) {
      completed = nextRate(completed, nowMs, done.completed)
      busy = nextRate(busy, nowMs, done.busy_ms / 1000)
    }
    return { completion_rate: completed.perSecond, busy_workers: busy?.perSecond ?? 0 }
  }
}

/** Looking takes at most one part in this many of the time. */
const dutyCycle = 20

/** Figures cost what waits: the next look waits twenty times as long as the last one took. */
function createQueueLook(db: Database, clock: Clock) {
  let last: { reading: QueueReading; runnable: Rate; nextMs: number } | undefined
  return {
    seen: (): NodeReport['queue'] => last && { reading: last.reading, growth: last.runnable.perSecond },
    async look(): Promise<void> {
      const startedMs = clock.monotonicMs()
      if (last !== undefined && startedMs < last.nextMs) return
      const reading = await db.engine(readQueueFigures, { readOnly: true })
      const nowMs = clock.monotonicMs()
      const nextMs = nowMs + Math.min(60_000, dutyCycle * (nowMs - startedMs))
      last = { reading, runnable: nextRate(last?.runnable, nowMs, reading.runnable), nextMs }
    },
  }
}
