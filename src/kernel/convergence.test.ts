import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopeWith, walk } from '../../test/kernel/builders.js'
import { canonicalJson } from './canonical.js'
import { converge, HISTORY_TAIL } from './convergence.js'
import { DIMENSIONS } from './dimensions.js'
import { DEFAULT_SETTINGS } from './settings.js'
import type { ConvergencePoint, DimensionScores } from './types.js'

const unit = fc.integer({ min: 0, max: 1_000_000 }).map(micros => micros / 1_000_000)
const anyScores: fc.Arbitrary<DimensionScores> = fc.record({
  claim_confidence: unit,
  contradiction_resolution: unit,
  goal_completion: unit,
  risk_inverse: unit,
})

function follow(scores: readonly DimensionScores[], tailLength = Number.POSITIVE_INFINITY): ConvergencePoint[] {
  const points: ConvergencePoint[] = []
  for (const [round, each] of scores.entries()) {
    const tail = Number.isFinite(tailLength) ? points.slice(-tailLength) : points
    points.push(converge(tail, { round, scores: each, opensSegment: false }, DEFAULT_SETTINGS))
  }
  return points
}

describe('the scenarios a convergence tracker must get right', () => {
  it('steady progress converges monotonously without a plateau and ends resolved', () => {
    const scopes = Array.from({ length: 11 }, (_, step) =>
      scopeWith({
        confidence: 0.5 + 0.045 * step,
        contradictions: { total: 10, open: { medium: 10 - step } },
        goals: { total: 10, done: step },
      }),
    )
    const rounds = walk(scopes)
    for (const { point } of rounds.slice(1)) {
      expect(point.rate).toBeGreaterThan(0)
      expect(point.monotone).toBe(true)
      expect(point.plateau).toBe(false)
      expect(point.estimatedRounds).not.toBeNull()
      expect(point.quality).toBe(1)
    }
    const estimates = rounds.slice(1).map(({ point }) => point.estimatedRounds!)
    expect(estimates.at(-1)).toBe(0)
    expect(estimates[0]).toBeGreaterThan(estimates[5]!)
    expect(rounds.slice(0, -1).map(({ verdict }) => verdict.status)).not.toContain('resolved')
    expect(rounds.at(-1)!.verdict.status).toBe('resolved')
  })

  it('a plateau at 0.70 is seen and goes to review', () => {
    const stuck = scopeWith({ confidence: 0.4, goals: { total: 25, done: 13 } })
    const rounds = walk([scopeWith({ confidence: 0.39, goals: { total: 25, done: 13 } }), ...Array(9).fill(stuck)])
    const last = rounds.at(-1)!
    expect(last.point.score).toBeCloseTo(0.7, 10)
    expect(last.point.plateau).toBe(true)
    expect(last.verdict.status).toBe('review')
    expect(last.verdict.reasons.join()).toContain('plateau at 0.7')
    expect(rounds[1]!.point.plateau).toBe(false)
  })

  it('a plateau that still creeps goes to review although contradictions are open', () => {
    const creeping = Array.from({ length: 8 }, (_, step) =>
      scopeWith({
        confidence: 0.6 + 0.0005 * step,
        contradictions: { total: 10, open: { medium: 3 } },
        goals: { total: 10, done: 7 },
      }),
    )
    const last = walk(creeping).at(-1)!
    expect(last.point.plateau).toBe(true)
    expect(last.point.stalledRounds).toBe(0)
    expect(last.verdict.status).toBe('review')
  })

  it('after a spike the drop keeps the monotone gate shut, although every threshold is met', () => {
    const rounds = walk([0.7, 0.99, 0.88].map(confidence => scopeWith({ confidence })))
    expect(rounds[1]!.verdict.status).toBe('resolved')
    const last = rounds.at(-1)!
    expect(last.point.monotone).toBe(false)
    expect(last.verdict.status).not.toBe('resolved')
    expect(last.verdict.gates.filter(gate => !gate.ok).map(gate => gate.gate)).toContain('monotone')
  })

  it('divergence has a negative rate, no estimate, and escalates', () => {
    const rounds = walk([0.9, 0.8, 0.7, 0.6].map(confidence => scopeWith({ confidence })))
    const last = rounds.at(-1)!
    expect(last.point.rate).toBeLessThan(-0.05)
    expect(last.point.estimatedRounds).toBeNull()
    expect(last.verdict.status).toBe('escalated')
  })

  it('the dimension that lags alone has the highest pressure, and the scope goes to review', () => {
    const settings = { ...DEFAULT_SETTINGS, thresholds: { ...DEFAULT_SETTINGS.thresholds, goal_completion: 0.9 } }
    const last = walk(Array(5).fill(scopeWith({ goals: { total: 10, done: 1 } })), { settings }).at(-1)!
    expect(last.point.bottleneck).toBe('goal_completion')
    expect(last.point.worstPressure).toBe(last.point.pressure.goal_completion)
    for (const dimension of DIMENSIONS) expect(last.point.pressure[dimension]).toBeLessThanOrEqual(last.point.pressure.goal_completion)
    expect(last.verdict.status).toBe('review')
  })

  it('fast convergence in three rounds is resolved without a false plateau', () => {
    const rounds = walk([
      scopeWith({ confidence: 0.5, contradictions: { total: 2, open: { high: 2 } } }),
      scopeWith({ confidence: 0.8, contradictions: { total: 2, open: { high: 1 } } }),
      scopeWith({ confidence: 0.97, contradictions: { total: 2, open: {} } }),
    ])
    expect(rounds.map(({ point }) => point.plateau)).toEqual([false, false, false])
    expect(rounds.at(-1)!.verdict.status).toBe('resolved')
  })

  it('staying where everything is reached is no plateau', () => {
    const last = walk(Array(8).fill(scopeWith({ confidence: 0.97 }))).at(-1)!
    expect(last.point.plateau).toBe(false)
    expect(last.verdict.status).toBe('resolved')
  })

  it('a resolved contradiction lowers V and its pressure', () => {
    const [open, closed] = walk([
      scopeWith({ confidence: 0.9, contradictions: { total: 2, open: { high: 2 } } }),
      scopeWith({ confidence: 0.9, contradictions: { total: 2, open: { high: 1 } } }),
    ])
    expect(closed!.point.v).toBeLessThan(open!.point.v)
    expect(closed!.point.pressure.contradiction_resolution).toBeLessThan(open!.point.pressure.contradiction_resolution)
    expect(closed!.point.rate).toBeGreaterThan(0)
  })
})

describe('segments', () => {
  it('opens one when a slot or a contradiction is added, so more to settle is not divergence', () => {
    const rounds = walk([
      scopeWith({ confidence: 0.95, slots: 10 }),
      scopeWith({ confidence: 0.6, slots: 20 }),
      scopeWith({ confidence: 0.7, slots: 20 }),
      scopeWith({ confidence: 0.7, slots: 20, contradictions: { total: 1, open: { low: 1 } } }),
    ])
    expect(rounds.map(({ point }) => point.segment)).toEqual([0, 1, 1, 2])
    expect(rounds.map(({ point }) => point.segmentRounds)).toEqual([1, 1, 2, 1])
    expect(rounds[1]!.point.rate).toBe(0)
    expect(rounds[1]!.point.monotone).toBe(true)
    expect(rounds[2]!.point.rate).toBeGreaterThan(0)
  })
})

describe('the shape of a trajectory', () => {
  it('sees oscillation and lowers the quality with every change of direction', () => {
    const zigzag = walk(Array.from({ length: 8 }, (_, step) => scopeWith({ confidence: step % 2 === 0 ? 0.6 : 0.8 })))
    const last = zigzag.at(-1)!.point
    expect(last.directionChanges).toBe(6)
    expect(last.quality).toBe(0)
    expect(last.autocorrelation).toBeLessThan(-0.3)
    expect(last.oscillating).toBe(true)
  })

  it('has quality 1 below three rounds, then 1 − changes ÷ (rounds − 2)', () => {
    const points = walk([0.5, 0.7, 0.6, 0.65, 0.7, 0.75].map(confidence => scopeWith({ confidence }))).map(({ point }) => point)
    expect(points.map(point => point.quality)).toEqual([1, 1, 0, 1 - 2 / 2, 1 - 2 / 3, 1 - 2 / 4])
  })

  it('averages the rate over up to five rounds', () => {
    const points = follow([0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85].map(each => ({ ...allOnes(), claim_confidence: each })))
    const steps = points.slice(1).map((point, index) => -Math.log(point.v / points[index]!.v))
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(points[1]!.rate).toBeCloseTo(steps[0]!, 9)
    expect(points[3]!.rate).toBeCloseTo(mean(steps.slice(0, 3)), 9)
    expect(points[6]!.rate).toBeCloseTo(mean(steps.slice(1)), 9)
  })

  it('estimates the rounds to ε, caps them at 1000, and floors V before the logarithm', () => {
    const [, second] = follow([0, 0.5].map(each => ({ ...allOnes(), claim_confidence: each })))
    expect(second!.estimatedRounds).toBe(Math.ceil(Math.log(second!.v / 0.005) / second!.rate))
    const [, slow] = follow([0, 0.00001].map(each => ({ ...allOnes(), claim_confidence: each })))
    expect(slow!.estimatedRounds).toBe(1000)
    const [, there] = follow([0, 1].map(each => ({ ...allOnes(), claim_confidence: each })))
    expect(there!.rate).toBeCloseTo(-Math.log(1e-6 / 0.3), 9)
    expect(there!.estimatedRounds).toBe(0)
  })
})

describe('properties', () => {
  it('V is never negative, and 0 only at the targets', () => {
    fc.assert(
      fc.property(anyScores, scores => {
        const [point] = follow([scores])
        expect(point!.v).toBeGreaterThanOrEqual(0)
        expect(point!.v === 0).toBe(DIMENSIONS.every(dimension => scores[dimension] >= 1))
      }),
    )
  })

  it('the same history gives the same bytes, and a tail of the history is enough', () => {
    fc.assert(
      fc.property(fc.array(anyScores, { minLength: 1, maxLength: 60 }), history => {
        const whole = canonicalJson(follow(history))
        expect(canonicalJson(follow(history))).toBe(whole)
        expect(canonicalJson(follow(history, HISTORY_TAIL))).toBe(whole)
      }),
      { numRuns: 60 },
    )
  })

  it('the quality stays between 0 and 1', () => {
    fc.assert(
      fc.property(fc.array(anyScores, { minLength: 1, maxLength: 40 }), history => {
        for (const { quality } of follow(history)) {
          expect(quality).toBeGreaterThanOrEqual(0)
          expect(quality).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

function allOnes(): DimensionScores {
  return { claim_confidence: 1, contradiction_resolution: 1, goal_completion: 1, risk_inverse: 1 }
}
