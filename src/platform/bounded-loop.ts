/**
 * A loop that looks for work: at once when woken, otherwise after its pause, slower after failures, never twice at the
 * same time. Wake-ups are hints; the pause alone makes it correct.
 */

import { pause } from './deadline.js'
import { messageOf } from './errors.js'
import { isLogged, type Logger } from './logger.js'

export interface LoopOptions {
  name: string
  /** One round. `again` when there may be more to do now, `idle` when there was nothing. Listens to the signal. */
  run: (signal: AbortSignal) => Promise<'again' | 'idle'>
  pollMs: number
  /** First pause after a failed round; doubles up to `maxFailurePauseMs`, with jitter. */
  failurePauseMs?: number
  maxFailurePauseMs?: number
  logger: Logger
  /** Between 0 and 1; injected so that tests are not left to chance. */
  random?: () => number
}

export function startLoop(options: LoopOptions) {
  const stopping = new AbortController()
  const state = { failures: 0, woken: false, endPause: new AbortController() }

  /** Looks for work now; while a round is under way, another follows it. */
  const wake = () => {
    state.woken = true
    state.endPause.abort()
  }

  const round = async (): Promise<number> => {
    state.woken = false
    try {
      const outcome = await options.run(stopping.signal)
      state.failures = 0
      return outcome === 'again' ? 0 : options.pollMs
    } catch (error) {
      if (stopping.signal.aborted) return 0
      state.failures++
      if (isLogged(state.failures)) {
        options.logger.warn({ err: error, loop: options.name, failures: state.failures }, `${options.name} failed: ${messageOf(error)}`)
      }
      return failurePause(options, state.failures)
    }
  }

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const pauseMs = await round()
      // A hint does not shorten the backoff after a failure.
      if (pauseMs === 0) await new Promise(resolve => setImmediate(resolve))
      else if (state.failures > 0) await pause(pauseMs, stopping.signal)
      else if (!state.woken && !stopping.signal.aborted) await restingPause(pauseMs)
    }
  }

  const restingPause = async (ms: number) => {
    state.endPause = new AbortController()
    await pause(ms, state.endPause.signal)
  }

  const done = loop()
  return {
    wake,
    /** Aborts the current round through its signal and waits for it. */
    stop: (): Promise<void> => {
      stopping.abort(new Error(`${options.name} is stopping`))
      state.endPause.abort()
      return done
    },
    /** Failed rounds since the last good one. */
    failures: () => state.failures,
  }
}

function failurePause(options: LoopOptions, failures: number): number {
  const { failurePauseMs = 100, maxFailurePauseMs = 5000, random = Math.random } = options
  const full = Math.min(maxFailurePauseMs, failurePauseMs * 2 ** Math.min(failures - 1, 20))
  return full * (0.5 + random() / 2)
}
