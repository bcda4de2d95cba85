import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs, judgeFailure } from './retry-policy.js'

const limits = { maxAttempts: 5, baseMs: 100, maxMs: 10_000 }

test('a transient failure waits up to the doubled time and is tried again', () => {
  expect(judgeFailure({ kind: 'transient', attempts: 1 }, limits, () => 0.5)).toEqual({ action: 'retry', delayMs: 50 })
  expect(judgeFailure({ kind: 'transient', attempts: 4 }, limits, () => 0.5)).toEqual({ action: 'retry', delayMs: 400 })
})

test('the last attempt and every permanent failure lead to quarantine', () => {
  expect(judgeFailure({ kind: 'transient', attempts: 5 }, limits, () => 0)).toEqual({ action: 'quarantine' })
  expect(judgeFailure({ kind: 'permanent', attempts: 1 }, limits, () => 0)).toEqual({ action: 'quarantine' })
})

test('the wait is never negative, never above the limit, and grows with its ceiling', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      (attempts, baseMs, maxMs, chance) => {
        const delay = backoffMs(attempts, { baseMs, maxMs }, () => chance)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(maxMs)
        expect(backoffMs(attempts + 1, { baseMs, maxMs }, () => chance)).toBeGreaterThanOrEqual(delay)
      },
    ),
  )
})
