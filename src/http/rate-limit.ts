/** Counts per name in windows of one second. Bounded: when more names than it can hold come in a window, it forgets. */

import type { Clock } from '../platform/clock.js'

const maxNames = 100_000

export function createRateLimit(clock: Clock) {
  let window = 0
  const counts = new Map<string, number>()
  const countOf = (name: string): number => {
    const now = Math.floor(clock.monotonicMs() / 1000)
    if (now !== window || counts.size >= maxNames) {
      window = now
      counts.clear()
    }
    return counts.get(name) ?? 0
  }
  return {
    /** How many are left after this one; negative when there are none. */
    take(name: string, limit: number): number {
      const count = countOf(name) + 1
      counts.set(name, count)
      return limit - count
    },
    /** How many are left, without taking one. */
    left: (name: string, limit: number) => limit - countOf(name),
  }
}
