/** What a verdict would do, told before it is given: which statements stop counting, which other findings close. Pure. */

import type { Schema } from '../src/client/index.js'

type Item = Pick<Schema['Contradiction'], 'contradiction_id' | 'a' | 'b' | 'supporters_a' | 'supporters_b' | 'supporters'>

export interface Effect {
  /** How many statements stop counting. */
  ended: number
  /** Other open findings, by their id. */
  closed: string[]
}

/** Where a verdict retires nothing, nothing else happens. */
export function effectOf(item: Item, verdict: string, open: readonly Item[]): Effect {
  const loser = verdict === 'a' ? 'b' : verdict === 'b' ? 'a' : null
  if (loser === null || !('claim_id' in item[loser])) return { ended: 0, closed: [] }
  const losing = new Set(claimsOf(item, loser))
  const closed = open.filter(
    other => other.contradiction_id !== item.contradiction_id && (['a', 'b'] as const).some(side => isEmptied(other, side, losing)),
  )
  // The list names some of those who say the same; how many there are is counted.
  return { ended: 1 + item.supporters[loser], closed: closed.map(each => each.contradiction_id) }
}

function claimsOf(item: Item, side: 'a' | 'b'): string[] {
  const own = item[side]
  if (!('claim_id' in own)) return []
  return [own.claim_id, ...item[side === 'a' ? 'supporters_a' : 'supporters_b'].map(each => each.claim_id)]
}

function isEmptied(item: Item, side: 'a' | 'b', losing: ReadonlySet<string>): boolean {
  const claims = claimsOf(item, side)
  return claims.length > 0 && item.supporters[side] < claims.length && claims.every(each => losing.has(each))
}
