import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterFailure } from './retry-schedule.js'

const hourMs = 3_600_000

/** The times of all attempts at a receiver that never comes back, in milliseconds since the first. */
function attemptsOf(random: () => number): number[] {
  const times: number[] = []
  for (let failingMs = 0, attempts = 1; ; attempts++) {
    times.push(failingMs)
    const after = afterFailure({ attempts, failingMs, status: 500, random: random() })
    if (after.kind === 'disable') return times
    failingMs += after.waitMs
  }
}

describe('the schedule of attempts', () => {
  it('begins within seconds, never waits longer than an hour, and ends after three days', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), chance => {
        const times = attemptsOf(() => chance.next().value as number)
        expect(times[1]).toBeLessThanOrEqual(5000)
        expect(times.at(-1)).toBe(72 * hourMs)
        for (const [index, time] of times.entries()) if (index > 0) expect(time - (times[index - 1] as number)).toBeLessThanOrEqual(hourMs)
        expect(times.length).toBeGreaterThan(70)
        expect(times.length).toBeLessThan(170)
      }),
      { numRuns: 20 },
    )
  })

  it('ends at once when the receiver is gone', () => {
    expect(afterFailure({ attempts: 1, failingMs: 0, status: 410, random: 0 })).toEqual({ kind: 'disable', reason: 'gone' })
  })
})
