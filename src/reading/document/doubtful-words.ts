/** Words of a scan whose recognition is doubtful. */

import type { DoubtfulWord } from '../types.js'

/** How sure the least sure word between two places of a text was; null where none there is in doubt. */
export function leastWithin(words: readonly DoubtfulWord[], { start, end }: { start: number; end: number }): number | null {
  const within = words.filter(([from, to]) => from < end && to > start)
  return within.length === 0 ? null : Math.min(...within.map(([, , confidence]) => confidence))
}
