import { describe, expect, it } from 'vitest'
import { scopeWith } from '../../test/kernel/builders.js'
import { confidenceMicros, emptyAggregates, riskOf, score } from './scores.js'

describe('scores', () => {
  it('are 1 where there is nothing to judge', () => {
    expect(score(emptyAggregates())).toEqual({ claim_confidence: 1, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 })
  })

  it('take the mean over live slots of the best claim, the closed share, the done share and the worst risk', () => {
    const scope = scopeWith({
      confidence: 0.75,
      contradictions: { total: 8, open: { low: 1, critical: 1 } },
      goals: { total: 5, done: 1 },
      risks: { high: 1 },
    })
    expect(score(scope)).toEqual({ claim_confidence: 0.75, contradiction_resolution: 0.75, goal_completion: 0.2, risk_inverse: 0.65 })
  })

  it('let many small risks stay small, and two critical ones escalate', () => {
    expect(riskOf(scopeWith({ risks: { low: 1000, medium: 1000 } }))).toBeLessThanOrEqual(0.2)
    expect(riskOf(scopeWith({ risks: { critical: 1 } }))).toBe(0.5)
    expect(riskOf(scopeWith({ risks: { critical: 2, low: 50 } }))).toBe(0.75)
  })

  it('add up confidences exactly, in any order', () => {
    const confidences = [0.1, 0.2, 0.3, 0.7, 0.123456]
    const sum = (values: number[]) => values.reduce((total, value) => total + confidenceMicros(value), 0)
    expect(sum(confidences)).toBe(1_423_456)
    expect(sum([...confidences].reverse())).toBe(sum(confidences))
    expect([confidenceMicros(-1), confidenceMicros(2)]).toEqual([0, 1_000_000])
  })
})
