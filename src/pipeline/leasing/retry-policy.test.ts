import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeasedDocument } from '../../store/leases/leases.js'
import { failureOf } from './document-failure.js'
import { backoffMs, retryAfter } from './retry-policy.js'

const limits = { maxAttempts: 5, baseMs: 100, maxMs: 10_000 }

test('a transient failure waits up to the doubled time and is tried again', () => {
  expect(retryAfter('transient', 1, limits, () => 0.5)).toBe(50)
  expect(retryAfter('transient', 4, limits, () => 0.5)).toBe(400)
})

test('the last attempt and every permanent failure lead to quarantine', () => {
  expect(retryAfter('transient', 5, limits, () => 0)).toBeNull()
  expect(retryAfter('permanent', 1, limits, () => 0)).toBeNull()
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

test('says nothing of a document in the reason it failed for, whatever was thrown over it', () => {
  const document = { seq: 1, documentId: 'd', revision: 1, name: 'n', attempts: 0, reread: null } as LeasedDocument
  const limits = { retry: { maxAttempts: 3, baseMs: 1, maxMs: 1 }, random: () => 0 }
  for (const error of ['The rent is EUR 5.', new Error('The rent is EUR 5.')])
    expect(JSON.stringify(failureOf(document, { stage: 'reconcile', error }, limits))).not.toContain('rent')
})
