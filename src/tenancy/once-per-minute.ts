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
  let done = new Done()
  return async (who, act) => {
    const now = Math.floor(clock.monotonicMs() / 60_000)
    if (now !== minute) done = new Done()
    minute = now
    const here = done
    // Taken before it is done: of those that come together, one does it.
    if (!here.take(who)) return false
    try {
      await act()
    } catch (error) {
      here.give(who)
      throw error
    }
    return true
  }
}

/** Names of one minute. */
class Done {
  private readonly names = new Set<string>()
  private readonly byNetwork = new Map<string, number>()

  take({ network, name }: { network: string; name: string }): boolean {
    const count = this.byNetwork.get(network) ?? 0
    if (this.names.has(name) || count >= mostOfNetwork || this.names.size >= mostOfAll) return false
    this.names.add(name)
    this.byNetwork.set(network, count + 1)
    return true
  }

  give({ network, name }: { network: string; name: string }): void {
    this.names.delete(name)
    this.byNetwork.set(network, (this.byNetwork.get(network) ?? 1) - 1)
  }
}
