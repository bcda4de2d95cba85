/**
 * The sizing rules against a simulated queue: Poisson arrivals, exponential service, one evaluation a second. Loads are
 * seeded, so a failure comes back.
 */
import { describe, expect, it } from 'vitest'
import { type SizingState, sizingRules, sizingStep } from './sizing.js'

const bounds = { min: 1, max: 40 }
const serviceRate = 10

interface Point {
  second: number
  desired: number
  waiting: number
  ageSeconds: number
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Moves in steps of 10 ms: arrivals join the queue, each free worker takes the oldest and keeps it for a while. Both
 * are random by the seed, or even.
 */
function simulate(load: (second: number) => number, seconds: number, seed: number | 'even'): Point[] {
  const even = seed === 'even'
  const random = even ? () => 0.5 : seeded(seed)
  let owed = 0
  const queue: number[] = []
  let busyUntil: number[] = []
  let state: SizingState | undefined
  let workers = bounds.min
  let completed = 0
  let busySeconds = 0
  const points: Point[] = []
  const step = 0.01
  for (let tick = 0; tick <= seconds * 100; tick++) {
    const now = tick * step
    owed = even ? owed + load(now) * step : Number(random() < load(now) * step)
    for (; owed >= 1; owed -= 1) queue.push(now)
    const done = busyUntil.filter(end => end <= now).length
    completed += done
    busyUntil = busyUntil.filter(end => end > now)
    while (busyUntil.length < workers && queue.length > 0) {
      queue.shift()
      busyUntil.push(now + (even ? 1 : -Math.log(1 - random())) / serviceRate)
    }
    busySeconds += busyUntil.length * step
    if (tick % 100 !== 0) continue
    const runnable = queue.length + busyUntil.length
    const ageSeconds = queue.length === 0 ? 0 : now - (queue[0] as number)
    const evaluated = sizingStep(
      state,
      { atMs: now * 1000, runnable, runnableScopes: 1000, oldestAgeSeconds: ageSeconds, completed, busySeconds },
      bounds,
    )
    state = evaluated.state
    workers = evaluated.desired
    completed = 0
    busySeconds = 0
    points.push({ second: now, desired: workers, waiting: runnable, ageSeconds })
  }
  return points
}

/** How often the size turned around, growing after shrinking or the other way. */
function reversals(points: readonly Point[]): number {
  const moves = points
    .slice(1)
    .map((point, i) => Math.sign(point.desired - (points[i] as Point).desired))
    .filter(move => move !== 0)
  return moves.slice(1).filter((move, i) => move !== moves[i]).length
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
// Arrivals of one simulated tick stay below one, so the load is at most 100 a second.
const high = 90
const neededForHigh = Math.ceil(high / serviceRate)

describe('sizing under simulated load', () => {
  it('reaches the needed size within three evaluations of a step', () => {
    const step = (second: number) => (second >= 10 ? high : 1)
    expect(simulate(step, 13, 'even').at(-1)?.desired).toBeGreaterThanOrEqual(neededForHigh)
    for (const seed of seeds) {
      const points = simulate(step, 60, seed)
      expect(points.find(point => point.second >= 13)?.desired).toBeGreaterThanOrEqual(neededForHigh)
      expect(points.at(-1)?.ageSeconds).toBeLessThan(1)
    }
  })

  it('follows a ramp without letting the queue grow old', () => {
    for (const seed of seeds) {
      const points = simulate(second => Math.min(high, second * 1.5), 90, seed)
      expect(Math.max(...points.map(point => point.ageSeconds))).toBeLessThan(sizingRules.queueAgeLimitSeconds)
      expect(reversals(points)).toBeLessThanOrEqual(1)
      expect(points.at(-1)?.desired).toBeGreaterThanOrEqual(neededForHigh)
    }
  })

  it('turns around once for a burst and goes back to the minimum', () => {
    for (const seed of seeds) {
      const points = simulate(second => (second >= 10 && second < 30 ? high : 0), 120, seed)
      expect(reversals(points)).toBe(1)
      expect(points.at(-1)?.desired).toBe(bounds.min)
    }
  })

  it('turns around at most once for each of three bursts in a row, and once between them', () => {
    for (const seed of seeds) {
      const points = simulate(second => ([10, 80, 150].some(start => second >= start && second < start + 10) ? high : 0), 240, seed)
      expect(reversals(points)).toBeLessThanOrEqual(5)
      expect(points.at(-1)?.desired).toBe(bounds.min)
    }
  })

  it('keeps the minimum in silence', () => {
    const points = simulate(() => 0, 60, 1)
    expect(new Set(points.map(point => point.desired))).toEqual(new Set([bounds.min]))
  })

  it('does not flap under a steady noisy load', () => {
    for (const seed of seeds) {
      const points = simulate(() => 30, 180, seed)
      expect(reversals(points)).toBeLessThanOrEqual(2)
    }
  })
})
