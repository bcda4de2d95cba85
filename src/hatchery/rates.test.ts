import { expect, it } from 'vitest'
import { nextRate, type Rate } from './rates.js'

const after = (seconds: number, valueAt: (second: number) => number, step = 1): Rate => {
  let rate = nextRate(undefined, 0, valueAt(0))
  for (let at = step; at <= seconds; at += step) rate = nextRate(rate, at * 1000, valueAt(at))
  return rate
}

it('comes to what happens in a second, however often it is looked at, and forgets what was before', () => {
  expect(after(30, at => 5 * at).perSecond).toBeCloseTo(5, 2)
  expect(after(30, at => 5 * at, 3).perSecond).toBeCloseTo(5, 2)
  expect(after(60, at => Math.min(50, 5 * at)).perSecond).toBeCloseTo(0, 2)
  expect(after(30, at => -2 * at).perSecond).toBeCloseTo(-2, 2)
})

it('knows nothing after one look', () => {
  expect(nextRate(undefined, 7, 100).perSecond).toBe(0)
})
