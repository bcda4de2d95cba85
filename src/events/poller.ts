/**
 * Runs work when it is hinted at and at least every so often, never twice at once, with a least pause in between. A
 * failing run is repeated when its time has come: a hint does not bring it forward.
 */

import { startLoop } from '../platform/bounded-loop.js'
import { pause } from '../platform/deadline.js'
import type { Logger } from '../platform/logger.js'

export interface PollerOptions {
  what: string
  work(): Promise<void>
  everyMs: number
  pauseMs: number
  logger: Logger
}

export type Poller = ReturnType<typeof startPoller>

export function startPoller({ what, work, everyMs, pauseMs, logger }: PollerOptions) {
  const loop = startLoop({
    name: what,
    run: async stopping => {
      await work()
      await pause(pauseMs, stopping)
      return 'idle'
    },
    pollMs: Math.max(0, everyMs - pauseMs),
    failurePauseMs: everyMs,
    maxFailurePauseMs: everyMs,
    // One a process: there is nobody to keep out of step with.
    random: () => 1,
    logger,
  })
  return { hint: loop.wake, stop: loop.stop }
}
