/**
 * When a failed worker is started again. Pure: time and chance are arguments.
 *
 * closed     a failure waits (doubling, with jitter) and restarts that worker alone; more than `intensity` failures
 *            within `windowMs` open the circuit
 * open       nothing is restarted until `openMs` (doubling with each opening in a row) is over, then half_open
 * half_open  one worker is tried; it lives for `provingMs`: closed; it fails: open again
 */

import type { CircuitState } from './types.js'

export interface RestartRules {
  intensity: number
  windowMs: number
  baseDelayMs: number
  maxDelayMs: number
  openMs: number
  maxOpenMs: number
  provingMs: number
}

export const defaultRestartRules: RestartRules = {
  intensity: 5,
  windowMs: 30_000,
  baseDelayMs: 100,
  maxDelayMs: 5_000,
  openMs: 5_000,
  maxOpenMs: 60_000,
  provingMs: 5_000,
}

export interface RestartState {
  circuit: CircuitState
  /** Times of failures inside the window, oldest first. */
  failures: readonly number[]
  /** No worker is started before this time. */
  notBeforeMs: number
  /** Openings since the circuit was last closed for good. */
  openings: number
  /** When the trial of the half-open circuit began. */
  trialSinceMs: number | undefined
}

export const initialRestartState: RestartState = {
  circuit: 'closed',
  failures: [],
  notBeforeMs: Number.NEGATIVE_INFINITY,
  openings: 0,
  trialSinceMs: undefined,
}

/** A worker failed. `chance` is a number from 0 to 1. */
export function workerFailed(state: RestartState, at: { ms: number; chance: number }, rules: RestartRules): RestartState {
  if (state.circuit === 'open') return state
  const failures = [...recent(state.failures, at.ms, rules), at.ms]
  if (state.circuit === 'half_open' || failures.length > rules.intensity) return opened(state, at.ms, rules)
  const delayMs = Math.min(rules.maxDelayMs, rules.baseDelayMs * 2 ** (failures.length - 1))
  return { ...state, failures, notBeforeMs: Math.max(state.notBeforeMs, at.ms + delayMs * (0.5 + at.chance / 2)) }
}

/** Time passed. Moves open to half_open and a proven trial to closed. */
export function timePassed(state: RestartState, at: { ms: number; running: number }, rules: RestartRules): RestartState {
  if (state.circuit === 'open' && at.ms >= state.notBeforeMs) return { ...state, circuit: 'half_open', trialSinceMs: undefined }
  if (state.circuit === 'half_open') {
    if (at.running === 0) return { ...state, trialSinceMs: undefined }
    const since = state.trialSinceMs ?? at.ms
    if (at.ms - since >= rules.provingMs) return { ...initialRestartState, notBeforeMs: at.ms }
    return { ...state, trialSinceMs: since }
  }
  const failures = recent(state.failures, at.ms, rules)
  return failures.length === state.failures.length ? state : { ...state, failures }
}

/** How many workers may be started now, given how many run and how many are wanted. */
export function startable(state: RestartState, at: { ms: number; running: number; wanted: number }): number {
  if (state.circuit === 'open' || at.ms < state.notBeforeMs) return 0
  const missing = Math.max(0, at.wanted - at.running)
  return state.circuit === 'half_open' ? Math.min(missing, Math.max(0, 1 - at.running)) : missing
}

function opened(state: RestartState, ms: number, rules: RestartRules): RestartState {
  const openMs = Math.min(rules.maxOpenMs, rules.openMs * 2 ** Math.min(state.openings, 16))
  return { circuit: 'open', failures: [], notBeforeMs: ms + openMs, openings: state.openings + 1, trialSinceMs: undefined }
}

function recent(failures: readonly number[], ms: number, rules: RestartRules): readonly number[] {
  return failures.filter(time => ms - time < rules.windowMs)
}
