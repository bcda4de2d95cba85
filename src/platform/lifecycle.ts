/**
 * Starts the parts of the process in order and stops them in reverse, each within its time, all within the grace.
 *
 *   idle → starting → running → stopping → stopped;  a part that fails to start stops those before it.
 *
 * A part that is asked to stop while it starts is told by its signal, and stopped once its start has ended, however it ended.
 * The first SIGTERM, SIGINT or SIGHUP stops in order; a second one ends the process at once.
 */

import { withDeadline } from './deadline.js'
import { invariant } from './errors.js'
import type { Logger } from './logger.js'

export interface Part {
  name: string
  /** The signal is aborted when the process is to stop before everything is up: what can be given up then may be. */
  start?: (signal: AbortSignal) => Promise<void>
  stop?: () => Promise<void>
  /** Longest its stop may take; the whole grace by default. */
  stopMs?: number
}

export interface StopReport {
  reason: string
  /** Names of parts that failed to stop or ran out of time. */
  failed: string[]
  tookMs: number
}

export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown
  off(signal: StopSignal, listener: () => void): unknown
  exit(code: number): unknown
}

/** SIGHUP comes when a terminal is closed. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof stopSignals)[number]
const secondSignalExitCode = 130

export type Lifecycle = ReturnType<typeof createLifecycle>

export function createLifecycle(options: { logger: Logger; graceMs: number }) {
  const parts: Part[] = []
  const started: Part[] = []
  let reportStopped: (report: StopReport) => void = () => undefined
  const stopped = new Promise<StopReport>(resolve => {
    reportStopped = resolve
  })
  const state: State = { phase: 'idle', coming: Promise.resolve() }
  const toStop = new AbortController()

  /** Answers whether everything is up: not where it was stopped meanwhile. */
  const start = async (): Promise<boolean> => {
    invariant(state.phase === 'idle', 'a lifecycle starts once')
    state.phase = 'starting'
    for (const part of parts) {
      // Stopped while starting: what is not up yet stays down.
      if (state.phase !== 'starting') return false
      started.push(part)
      try {
        const coming = part.start?.(toStop.signal)
        state.coming = Promise.allSettled([coming])
        await coming
      } catch (error) {
        const isGivenUp = toStop.signal.aborted
        await stop(`${part.name} failed to start`)
        if (!isGivenUp) throw error
        options.logger.info({ err: error, part: part.name }, 'stopped while starting')
      }
    }
    if (state.phase === 'starting') state.phase = 'running'
    return state.phase === 'running'
  }

  /** Any number of calls; all get the one report. */
  const stop = (reason: string): Promise<StopReport> => {
    state.stopping ??= stopParts(reason)
    return state.stopping
  }

  const stopParts = async (reason: string): Promise<StopReport> => {
    state.phase = 'stopping'
    toStop.abort(new Error(reason))
    const begun = performance.now()
    const failed: string[] = []
    for (const part of started.reverse()) {
      const left = Math.max(0, options.graceMs - (performance.now() - begun))
      if (!(await stopPart(part, { coming: state.coming, graceLeftMs: left, logger: options.logger }))) failed.push(part.name)
    }
    const report = { reason, failed, tookMs: Math.round(performance.now() - begun) }
    reportStopped(report)
    return report
  }

  return {
    add: (part: Part): void => {
      invariant(state.phase === 'idle', 'parts are added before the start')
      parts.push(part)
    },
    start,
    stop,
    /** Resolves when the process has been stopped, whoever asked for it. */
    stopped,
    /** Stops on SIGTERM, SIGINT and SIGHUP. Gives back how to stop listening. */
    onSignals: (source: SignalSource) => listen(source, stop, options.logger),
  }
}

interface State {
  phase: 'idle' | 'starting' | 'running' | 'stopping'
  /** Resolves when the start of the newest part has ended. */
  coming: Promise<unknown>
  stopping?: Promise<StopReport>
}

interface StopOptions {
  coming: Promise<unknown>
  graceLeftMs: number
  logger: Logger
}

/** Parts that have their own time get it even when the grace is used up: the database must still be closed properly. */
async function stopPart(part: Part, { coming, graceLeftMs, logger }: StopOptions): Promise<boolean> {
  if (part.stop === undefined) return true
  const { stop } = part
  try {
    await withDeadline(() => coming.then(stop), { ms: part.stopMs ?? graceLeftMs, what: `stopping ${part.name}` })
    return true
  } catch (error) {
    logger.error({ err: error, part: part.name }, 'shutdown failed')
    return false
  }
}

function listen(source: SignalSource, stop: (reason: string) => Promise<StopReport>, logger: Logger): () => void {
  let asked = false
  const onSignal = (name: string) => () => {
    // A terminal that is closed tells it more than once, by the system and by its shell; nobody is impatient.
    if (asked && name === 'SIGHUP') return
    if (asked) return source.exit(secondSignalExitCode)
    asked = true
    logger.info({ signal: name }, 'stopping')
    void stop(name)
  }
  const listeners = stopSignals.map(name => ({ name, listener: onSignal(name) }))
  for (const { name, listener } of listeners) source.on(name, listener)
  return () => {
    for (const { name, listener } of listeners) source.off(name, listener)
  }
}
