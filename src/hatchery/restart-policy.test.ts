import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  initialRestartState,
  type RestartState,
  defaultRestartRules as rules,
  startable,
  timePassed,
  workerFailed,
} from './restart-policy.js'

const failTimes = (times: number, state: RestartState = initialRestartState, from = 0) => {
  let current = state
  for (let i = 0; i < times; i++) current = workerFailed(current, { ms: from + i, chance: 0.5 }, rules)
  return current
}

describe('restart policy', () => {
  it('restarts after one failure, a little later each time', () => {
    const once = failTimes(1)
    expect(once.circuit).toBe('closed')
    expect(startable(once, { ms: 10, running: 2, wanted: 3 })).toBe(0)
    expect(startable(once, { ms: 200, running: 2, wanted: 3 })).toBe(1)
    expect(failTimes(4).notBeforeMs).toBeGreaterThan(once.notBeforeMs * 4)
  })

  it('opens the circuit when failures are too many in the window, and starts nothing while it is open', () => {
    const open = failTimes(rules.intensity + 1)
    expect(open.circuit).toBe('open')
    expect(startable(open, { ms: rules.openMs - 1, running: 0, wanted: 8 })).toBe(0)
  })

  it('forgets failures that are older than the window', () => {
    const spread = failTimes(rules.intensity)
    expect(workerFailed(spread, { ms: rules.windowMs + 100, chance: 0 }, rules).circuit).toBe('closed')
  })

  it('tries one worker when half open and closes once it has proven itself', () => {
    const open = failTimes(rules.intensity + 1)
    const half = timePassed(open, { ms: open.notBeforeMs, running: 0 }, rules)
    expect(half.circuit).toBe('half_open')
    expect(startable(half, { ms: open.notBeforeMs, running: 0, wanted: 8 })).toBe(1)
    expect(startable(half, { ms: open.notBeforeMs, running: 1, wanted: 8 })).toBe(0)
    const trying = timePassed(half, { ms: open.notBeforeMs + 1, running: 1 }, rules)
    const proven = timePassed(trying, { ms: open.notBeforeMs + 1 + rules.provingMs, running: 1 }, rules)
    expect(proven.circuit).toBe('closed')
    expect(proven.openings).toBe(0)
  })

  it('opens for longer each time the trial fails', () => {
    const open = failTimes(rules.intensity + 1)
    const half = timePassed(open, { ms: open.notBeforeMs, running: 0 }, rules)
    const again = workerFailed(half, { ms: open.notBeforeMs + 5, chance: 0.5 }, rules)
    expect(again.circuit).toBe('open')
    expect(again.notBeforeMs - (open.notBeforeMs + 5)).toBe(2 * rules.openMs)
  })

  it('never starts more often than intensity and openings allow, however workers fail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ waitMs: fc.integer({ min: 1, max: 2000 }), chance: fc.double({ min: 0, max: 1, noNaN: true }) }), {
          maxLength: 300,
        }),
        steps => {
          let state = initialRestartState
          let ms = 0
          const starts: number[] = []
          for (const step of steps) {
            ms += step.waitMs
            state = timePassed(state, { ms, running: 0 }, rules)
            // Every worker that starts fails at once: the worst case.
            if (startable(state, { ms, running: 0, wanted: 1 }) === 0) continue
            starts.push(ms)
            state = workerFailed(state, { ms, chance: step.chance }, rules)
          }
          for (const start of starts) {
            const within = starts.filter(other => other >= start && other < start + rules.windowMs)
            // One full round of the window before the circuit opens, then only the trials of an opening circuit.
            expect(within.length).toBeLessThanOrEqual(rules.intensity + 1 + Math.ceil(rules.windowMs / rules.openMs))
          }
        },
      ),
    )
  })
})
