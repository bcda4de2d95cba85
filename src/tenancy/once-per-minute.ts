/**
 * Does something once a minute for each name. Bounded: past so many names a minute of one network, or of all, nothing is done
 * for another. What failed was not done, and the next one may.
 */

import type { Clock } from '../platform/clock.js'

const mostOfNetwork = 50
const mostOfAll = 2000

/** Tells whether it was done now. */
export type OncePerMinute = (who: { network: string; name: string }, act: () => Promise<unknown>) => Promise<boolean>

export function createOncePerMinute(clock: Clock): OncePerMinute {
  let minute = -1
  let done = new Map<string, string>()
  return async ({ network, name }, act) => {
    const now = Math.floor(clock.monotonicMs() / 60_000)
    if (now !== minute) done = new Map()
    minute = now
    const here = done
    const ofNetwork = [...here.values()].filter(each => each === network).length
    if (here.has(name) || here.size >= mostOfAll || ofNetwork >= mostOfNetwork) return false
    // Taken before it is done: of those that come together, one does it.
    here.set(name, network)
    try {
      await act()
    } catch (error) {
      here.delete(name)
      throw error
    }
    return true
  }
}
