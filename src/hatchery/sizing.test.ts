import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SizingState, shareOut, sizingRules, sizingStep } from './sizing.js'

const bounds = { min: 1, max: 40 }

describe('sizing steps', () => {
  it('stays inside the bounds and never shrinks within a cooldown of growing, whatever it sees', () => {
    const seen = fc.record({
      runnable: fc.nat(100_000),
      runnableScopes: fc.nat(1000),
      oldestAgeSeconds: fc.double({ min: 0, max: 100, noNaN: true }),
      completed: fc.nat(5000),
      busySeconds: fc.double({ min: 0, max: 40, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(seen, { minLength: 1, maxLength: 80 }), samples => {
        let state: SizingState | undefined
        let grewAtMs = Number.NEGATIVE_INFINITY
        let size = bounds.min
        samples.forEach((sample, i) => {
          const atMs = i * 1000
          // What is kept between evaluations goes through the database as JSON.
          const step = sizingStep(state && JSON.parse(JSON.stringify(state)), { ...sample, atMs }, bounds)
          expect(step.desired).toBeGreaterThanOrEqual(bounds.min)
          expect(step.desired).toBeLessThanOrEqual(bounds.max)
          if (step.desired < size) expect(atMs - grewAtMs).toBeGreaterThanOrEqual(sizingRules.cooldownSeconds * 1000)
          if (step.desired > size) grewAtMs = atMs
          size = step.desired
          state = step.state
        })
      }),
    )
  })

  it('has a worker for every eight documents that wait, and for busy workers at seven tenths', () => {
    const idle = { atMs: 0, runnable: 0, runnableScopes: 0, oldestAgeSeconds: 0, completed: 0, busySeconds: 0 }
    const quiet = sizingStep(undefined, idle, bounds)
    const waiting = sizingStep(quiet.state, { ...idle, atMs: 1000, runnable: 41, runnableScopes: 20 }, bounds)
    expect(waiting).toMatchObject({ desired: 6, reason: 'backlog' })
    const busy = sizingStep(
      quiet.state,
      { ...idle, atMs: 60_000, runnable: 7, runnableScopes: 20, completed: 420, busySeconds: 420 },
      bounds,
    )
    expect(busy).toMatchObject({ desired: 10, reason: 'utilisation' })
    expect(busy.utilisation).toBeCloseTo(0.7)
  })

  it('grows for an old queue although the rates ask for nothing', () => {
    const quiet = sizingStep(
      undefined,
      { atMs: 0, runnable: 3, runnableScopes: 3, oldestAgeSeconds: 0, completed: 0, busySeconds: 0 },
      bounds,
    )
    const aged = sizingStep(
      quiet.state,
      { atMs: 1000, runnable: 3, runnableScopes: 3, oldestAgeSeconds: 60, completed: 0, busySeconds: 0 },
      bounds,
    )
    expect(aged.desired).toBe(2)
    expect(aged.reason).toBe('queue age')
  })

  it('keeps no more workers than there are scopes to work on', () => {
    const first = sizingStep(
      undefined,
      { atMs: 0, runnable: 0, runnableScopes: 0, oldestAgeSeconds: 0, completed: 0, busySeconds: 0 },
      bounds,
    )
    const one = sizingStep(
      first.state,
      { atMs: 1000, runnable: 100_000, runnableScopes: 1, oldestAgeSeconds: 1, completed: 0, busySeconds: 0 },
      bounds,
    )
    expect(one.desired).toBe(1)
  })
})

describe('sharing out', () => {
  it('gives every node between its minimum and its maximum, and all that is wanted if there is room', () => {
    const node = fc.record({ min: fc.nat(3), more: fc.nat(8) })
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 8 }), fc.nat(100), (shapes, desired) => {
        const nodes = shapes.map((shape, i) => ({ nodeId: `n${i}`, min: shape.min, max: shape.min + shape.more }))
        const shares = shareOut(desired, nodes)
        for (const each of nodes) {
          expect(shares.get(each.nodeId)).toBeGreaterThanOrEqual(each.min)
          expect(shares.get(each.nodeId)).toBeLessThanOrEqual(each.max)
        }
        const sum = [...shares.values()].reduce((a, b) => a + b, 0)
        const low = nodes.reduce((a, each) => a + each.min, 0)
        const high = nodes.reduce((a, each) => a + each.max, 0)
        expect(sum).toBe(Math.min(high, Math.max(low, desired)))
      }),
    )
  })
})
