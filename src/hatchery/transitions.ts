/**
 * The state machine of the runtime, the same at every level. Pure.
 *
 *            start        pause        resume       stop         restart
 * running    running =    paused       running =    stopped      running, run + 1
 * paused     running      paused =     running      stopped      running, run + 1
 * stopped    running      refused      refused      stopped =    running, run + 1
 *
 * `=` is a repetition: nothing changes. Restart and stop also requeue work in progress.
 */

import type { RuntimeOperation, RuntimeRow, RuntimeState } from '../store/runtime/runtime.js'

export interface Transition {
  row: RuntimeRow
  changed: boolean
  /** Leases are revoked and documents in progress are requeued. */
  takesBack: boolean
  clearsRetries: boolean
}

export const runtimeOperations: readonly RuntimeOperation[] = ['start', 'pause', 'resume', 'stop', 'restart']

/** Undefined means: refused in this state. */
export function transition(from: RuntimeRow, operation: RuntimeOperation): Transition | undefined {
  const restarts = operation === 'restart'
  const state = targets[operation][from.state]
  if (state === undefined) return undefined
  const changed = restarts || state !== from.state
  return {
    row: { state, run: restarts ? from.run + 1 : from.run },
    changed,
    takesBack: changed && (restarts || operation === 'stop'),
    clearsRetries: restarts,
  }
}

const targets: Record<RuntimeOperation, Partial<Record<RuntimeState, RuntimeState>>> = {
  start: { running: 'running', paused: 'running', stopped: 'running' },
  pause: { running: 'paused', paused: 'paused' },
  resume: { running: 'running', paused: 'running' },
  stop: { running: 'stopped', paused: 'stopped', stopped: 'stopped' },
  restart: { running: 'running', paused: 'running', stopped: 'running' },
}
