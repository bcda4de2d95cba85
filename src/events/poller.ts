/**
 * Runs work when it is hinted at and at least every so often, never twice at once, with a least pause in between. A
 * failing run is logged once and repeated when its time has come: a hint does not bring it forward.
 */

import type { Logger } from '../platform/logger.js'

export interface PollerOptions {
  what: string
  work(): Promise<void>
  everyMs: number
  pauseMs: number
  logger: Logger
}

export type Poller = ReturnType<typeof startPoller>

export function startPoller(options: PollerOptions) {
  let stopped = false
  let hinted = false
  let failing = false
  let wake: (() => void) | undefined
  /** Ends early when stopped, and when hinted if the wait may be cut short. */
  const wait = (ms: number, untilHinted: boolean) =>
    new Promise<void>(resolve => {
      if (stopped || (untilHinted && hinted)) return resolve()
      const done = () => {
        clearTimeout(timer)
        wake = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      wake = () => {
        if (stopped || untilHinted) done()
      }
    })
  const runOnce = async () => {
    hinted = false
    try {
      await options.work()
      if (failing) options.logger.info(`${options.what} recovered`)
      failing = false
    } catch (error) {
      if (!failing) options.logger.warn({ err: error }, `${options.what} failed, retrying`)
      failing = true
    }
  }
  const run = async () => {
    while (!stopped) {
      await runOnce()
      await wait(options.pauseMs, false)
      await wait(Math.max(0, options.everyMs - options.pauseMs), !failing)
    }
  }
  const running = run()
  return {
    hint(): void {
      hinted = true
      wake?.()
    },
    async stop(): Promise<void> {
      stopped = true
      wake?.()
      await running
    },
  }
}
