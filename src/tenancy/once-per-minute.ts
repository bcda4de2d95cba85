/** Tells the first time a name comes up in a minute from the others. Bounded: past so many names a minute, none is new. */

import type { Clock } from '../platform/clock.js'

const mostNames = 100

export function createOncePerMinute(clock: Clock): (name: string) => boolean {
  let minute = -1
  const names = new Set<string>()
  return name => {
    const now = Math.floor(clock.monotonicMs() / 60_000)
    if (now !== minute) names.clear()
    minute = now
    if (names.has(name) || names.size >= mostNames) return false
    names.add(name)
    return true
  }
}
