/**
 * What one node does for all of them while it leads: a list of named chores, each at its own pace, one run at a time,
 * bounded in time, its failures logged and tried again at its next turn. Chores are safe to run twice at once, because
 * a leader that was cut off may still be finishing one.
 */

import { setMaxListeners } from 'node:events'
import type { Clock } from '../platform/clock.js'
import { pause, withDeadline } from '../platform/deadline.js'
import { isLogged, type Logger } from '../platform/logger.js'
import { removeSilentNodes } from '../store/runtime/nodes.js'
import { takeBackHalted } from '../store/runtime/runtime-take-back.js'
import type { Database } from '../store/server/database.js'
import { passOver } from './control.js'

export interface Chore {
  name: string
  everyMs: number
  /** Longest one run may take; a minute by default. */
  limitMs?: number
  /** One that leaves more behind is run again at once. */
  run(signal: AbortSignal): Promise<{ more: boolean } | undefined>
}

const defaultLimitMs = 60_000
/** Between runs of a chore that has more to do: long enough that the chore is never all that the database does. */
const againMs = 20
/** A node that went without a word is shown for so long, so that somebody sees it; one that was stopped takes its row with it. */
const silentMs = 3_600_000

/** Runs all chores until the signal fires, then waits for those in progress. Pass it to `startLeadership` as `lead`. */
export async function runChores(chores: readonly Chore[], deps: { logger: Logger; clock: Clock }, signal: AbortSignal): Promise<void> {
  // Every chore listens for the end, and there are more than Node expects of one signal.
  setMaxListeners(0, signal)
  await Promise.all(chores.map(chore => repeat(chore, deps, signal)))
}

async function repeat(chore: Chore, deps: { logger: Logger; clock: Clock }, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const startedMs = deps.clock.monotonicMs()
    let more = false
    try {
      const result = await withDeadline(run => chore.run(run), { ms: chore.limitMs ?? defaultLimitMs, what: `chore ${chore.name}`, signal })
      more = result?.more ?? false
      failures = 0
      deps.logger.debug({ chore: chore.name, tookMs: Math.round(deps.clock.monotonicMs() - startedMs) }, 'chore done')
    } catch (error) {
      if (!signal.aborted && isLogged(++failures)) deps.logger.warn({ err: error, chore: chore.name, failures }, 'chore failed')
    }
    await pause(more ? Math.min(againMs, chore.everyMs) : chore.everyMs, signal)
  }
}

export function hatcheryChores(deps: { db: Database; logger: Logger }): Chore[] {
  return [
    {
      name: 'dead nodes',
      everyMs: 5000,
      run: async () => {
        const removed = await removeSilentNodes(deps.db, silentMs)
        if (removed.length > 0) deps.logger.warn({ nodes: removed }, 'stale nodes removed')
      },
    },
    {
      // Finishes stops whose process died halfway, leases that were being taken when a stop passed by, and what a
      // process held that died after a pause.
      name: 'leases of halted scopes',
      everyMs: 2000,
      run: async () => void (await passOver(after => deps.db.engine(tx => takeBackHalted(tx, after)))),
    },
  ]
}
