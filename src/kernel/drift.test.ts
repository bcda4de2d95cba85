import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopeWith } from '../../test/kernel/builders.js'
import { measureDrift } from './drift.js'
import { noChange } from './round.js'
import { emptyAggregates } from './scores.js'

describe('drift', () => {
  it('is none for the first facts of a scope and for a round that changes nothing', () => {
    const change = { ...noChange(), slotsAdded: 100 }
    expect(measureDrift({ before: emptyAggregates(), after: scopeWith(), change }).level).toBe('none')
    expect(measureDrift({ before: scopeWith(), after: scopeWith(), change: noChange() })).toMatchObject({ value: 0, level: 'none' })
  })

  it('grows with the share of facts that change', () => {
    const level = (slotsChanged: number) =>
      measureDrift({ before: scopeWith(), after: scopeWith(), change: { ...noChange(), slotsChanged } }).level
    expect([1, 10, 30, 50, 90].map(level)).toEqual(['none', 'low', 'medium', 'high', 'critical'])
  })

  it('counts new facts less than changed ones, never above medium', () => {
    const { factual, level } = measureDrift({
      before: scopeWith({ slots: 10 }),
      after: scopeWith({ slots: 1000 }),
      change: { ...noChange(), slotsAdded: 990 },
    })
    expect(factual).toBeLessThan(0.25)
    expect(level).toBe('medium')
  })

  it('sees contradictions, their disorder, and goals', () => {
    const before = scopeWith({ slots: 16, goals: { total: 12, done: 12 } })
    const after = scopeWith({ slots: 16, goals: { total: 12, done: 6 }, contradictions: { total: 4, open: { high: 4 } } })
    const drift = measureDrift({ before, after, change: { ...noChange(), contradictionsAdded: 4 } })
    expect(drift.contradiction).toBeCloseTo(0.2)
    expect(drift.goal).toBeCloseTo(0.375)
    expect(drift.entropy).toBeGreaterThan(0.2)
    expect(drift).toMatchObject({ value: drift.goal, level: 'high' })
  })

  it('keeps every part between 0 and 1', () => {
    const n = fc.nat({ max: 1000 })
    const change = fc.record({
      slotsAdded: n,
      slotsChanged: n,
      slotsDropped: n,
      contradictionsAdded: n,
      contradictionsClosed: n,
      settingsChanged: fc.boolean(),
    })
    fc.assert(
      fc.property(change, n, n, n, (changed, slots, open, done) => {
        const before = scopeWith({ slots, contradictions: { total: open, open: {} }, goals: { total: 1000, done } })
        const after = scopeWith({ slots, contradictions: { total: open, open: { low: open } }, goals: { total: 1000, done: 500 } })
        const { level, ...parts } = measureDrift({ before, after, change: changed })
        for (const part of Object.values(parts)) {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(1)
        }
        expect(level === 'none').toBe(parts.value < 0.05)
      }),
    )
  })
})
