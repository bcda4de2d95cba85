/** What a verdict would do, told before it is given: which statements stop counting, which other findings close. Pure. */

import { countOf } from '../src/contract/field-words.js'
import { othersOf } from '../src/contract/finding-words.js'
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
  // The list names some of those who say the same; how many there are is counted, without those that were replaced.
  const { saying } = othersOf(item[loser], item[`supporters_${loser}`], item.supporters[loser])
  return { ended: 1 + saying, closed: closed.map(each => each.contradiction_id) }
}

/** The side that stops counting. */
function loserOf({ verdict, side }: Chosen): Side | null {
  if (verdict === 'clerical_error') return side ?? null
  if (verdict === 'a') return 'b'
  return verdict === 'b' ? 'a' : null
}

/** `titles`: those of the findings that close with it. */
export function effectWords(chosen: Chosen, { ended, closed }: Effect, titles: readonly string[]): string {
  const { verdict } = chosen
  if (verdict === 'disputed') return 'Both count. It closes as disputed, and certificates list it.'
  if (verdict === 'not_the_same') return 'Both count. It closes as no contradiction.'
  const loser = loserOf(chosen)
  if (ended === 0 || loser === null) return 'Nothing stops counting.'
  const others = ended === 1 ? '' : `, with ${countOf(ended - 1, 'other statement')} that ${ended === 2 ? 'says' : 'say'} the same`
  const nothing = verdict === 'clerical_error' ? ', and nothing takes its place' : ''
  return `What ${loser.toUpperCase()} says stops counting${others}${nothing}.${closesWords(closed.length, titles)}`
}

const mostNamed = 3

function closesWords(count: number, titles: readonly string[]): string {
  if (count === 0) return ''
  const named = titles.slice(0, mostNamed).map(title => `“${title}”`)
  const more = count > named.length ? [countOf(count - named.length, 'other finding')] : []
  const list = [...named, ...more]
  const last = list.pop()
  return ` With it ${count === 1 ? 'closes' : 'close'} ${list.length === 0 ? last : `${list.join(', ')} and ${last}`}.`
}

function claimsOf(item: Item, side: Side): string[] {
  const own = item[side]
  if (!('claim_id' in own)) return []
  const supporters = item[`supporters_${side}`]
  const { replaced } = othersOf(own, supporters, supporters.length)
  return [own, ...supporters.filter(each => !replaced.includes(each))].map(each => each.claim_id)
}

function isEmptied(item: Item, side: Side, losing: ReadonlySet<string>): boolean {
  const claims = claimsOf(item, side)
  const { saying } = othersOf(item[side], item[`supporters_${side}`], item.supporters[side])
  return claims.length > 0 && saying < claims.length && claims.every(each => losing.has(each))
}
