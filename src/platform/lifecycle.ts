/**
 * Starts the parts of the process in order and stops them in reverse, each within its time, all within the grace.
 *
 *   idle → starting → running → stopping → stopped;  a part that fails to start stops those before it.
 *
 * The first SIGTERM or SIGINT stops in order; a second one ends the process at once.
 */

import { withDeadline } from './deadline.js'
import { invariant } from './errors.js'
import type { Logger } from './logger.js'

export interface Part {
  name: string
  start?: () => Promise<void>
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
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  exit(code: number): unknown
}

const secondSignalExitCode = 130

export type Lifecycle = ReturnType<typeof createLifecycle>

export function createLifecycle(options: { logger: Logger; graceMs: number }) {
  const parts: Part[] = []
  const started: Part[] = []
  let reportStopped: (report: StopReport) => void = () => undefined
  const stopped = new Promise<StopReport>(resolve => {
    reportStopped = resolve
  })
  const state: { phase: 'idle' | 'starting' | 'running' | 'stopping'; stopping?: Promise<StopReport> } = { phase: 'idle' }

  const start = async () => {
    invariant(state.phase === 'idle', 'a lifecycle starts once')
    state.phase = 'starting'
    for (const part of parts) {
      // Stopped while starting: what is not up yet stays down.
      if (state.phase !== 'starting') return
      started.push(part)
      try {
        await part.start?.()
      } catch (error) {
        await stop(`${part.name} failed to start`)
        throw error
      }
    }
    if (state.phase === 'starting') state.phase = 'running'
  }

  /** Any number of calls; all get the one report. */
  const stop = (reason: string): Promise<StopReport> => {
    state.stopping ??= stopParts(reason)
    return state.stopping
  }

  const stopParts = async (reason: string): Promise<StopReport> => {
    state.phase = 'stopping'
    const begun = performance.now()
    const failed: string[] = []
    for (const part of started.reverse()) {
      const left = Math.max(0, options.graceMs - (performance.now() - begun))
      if (!(await stopPart(part, left, options.logger))) failed.push(part.name)
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
    /** Stops on SIGTERM and SIGINT. Gives back how to stop listening. */
    onSignals: (source: SignalSource) => listen(source, stop, options.logger),
  }
}

/** Parts that have their own time get it even when the grace is used up: the database must still be closed properly. */
async function stopPart(part: Part, graceLeftMs: number, logger: Logger): Promise<boolean> {
  if (part.stop === undefined) return true
  const { stop } = part
  try {
    await withDeadline(() => stop(), { ms: part.stopMs ?? graceLeftMs, what: `stopping ${part.name}` })
    return true
  } catch (error) {
    logger.error({ err: error, part: part.name }, 'shutdown failed')
    return false
  }
}

function listen(source: SignalSource, stop: (reason: string) => Promise<StopReport>, logger: Logger): () => void {
  let asked = false
  const onSignal = (name: string) => () => {
    if (asked) return source.exit(secondSignalExitCode)
    asked = true
    logger.info({ signal: name }, 'stopping')
    void stop(name)
  }
  const listeners = (['SIGTERM', 'SIGINT'] as const).map(name => ({ name, listener: onSignal(name) }))
  for (const { name, listener } of listeners) source.on(name, listener)
  return () => {
    for (const { name, listener } of listeners) source.off(name, listener)
  }
}
