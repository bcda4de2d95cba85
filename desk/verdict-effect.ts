/** What a verdict would do, told before it is given: which statements stop counting, which other findings close. Pure. */

import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import type { Chosen, Side } from './verdicts'

type Item = Pick<Schema['Contradiction'], 'contradiction_id' | 'a' | 'b' | 'supporters_a' | 'supporters_b' | 'supporters'>

export interface Effect {
  /** How many statements stop counting. */
  ended: number
  /** Other open findings, by their id. */
  closed: string[]
}

/** Where a verdict retires nothing, nothing else happens. */
export function effectOf(item: Item, chosen: Chosen, open: readonly Item[]): Effect {
  const loser = loserOf(chosen)
  if (loser === null || !('claim_id' in item[loser])) return { ended: 0, closed: [] }
  const losing = new Set(claimsOf(item, loser))
  const closed = open.filter(
    other => other.contradiction_id !== item.contradiction_id && (['a', 'b'] as const).some(side => isEmptied(other, side, losing)),
  )
  // The list names some of those who say the same; how many there are is counted.
  return { ended: 1 + item.supporters[loser], closed: closed.map(each => each.contradiction_id) }
}

/** The side that stops counting. */
function loserOf({ verdict, side }: Chosen): Side | null {
  if (verdict === 'clerical_error') return side ?? null
  if (verdict === 'a') return 'b'
  return verdict === 'b' ? 'a' : null
}

export function effectWords({ verdict }: Chosen, { ended, closed }: Effect): string {
  if (verdict === 'disputed') return 'Both count. It closes as disputed, and certificates list it.'
  if (verdict === 'not_the_same') return 'Both count. It closes as no contradiction.'
  if (ended === 0) return 'Nothing stops counting.'
  const stops = ended === 1 ? 'One statement stops counting' : `${ended} statements stop counting`
  const ends = verdict === 'clerical_error' ? `${stops}, replaced by nothing` : stops
  return closed.length === 0
    ? `${ends}.`
    : `${ends}; ${countOf(closed.length, 'other finding')} ${closed.length === 1 ? 'closes' : 'close'} with it.`
}

function claimsOf(item: Item, side: Side): string[] {
  const own = item[side]
  if (!('claim_id' in own)) return []
  return [own.claim_id, ...item[side === 'a' ? 'supporters_a' : 'supporters_b'].map(each => each.claim_id)]
}

function isEmptied(item: Item, side: Side, losing: ReadonlySet<string>): boolean {
  const claims = claimsOf(item, side)
  return claims.length > 0 && item.supporters[side] < claims.length && claims.every(each => losing.has(each))
}
