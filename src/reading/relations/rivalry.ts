/**
 * Figures of two documents compete: a figure has one rival in another document at most, and what both say of it must tell it
 * from the other figures there. Everything is asked of the pairs that share enough words, which are the same whichever of
 * the two documents came first.
 */
import { rarity } from '../words/dictionary.js'
import type { Alignment } from './align.js'
import { isRestated } from './certainty.js'
import { meets } from './compare-values.js'
import {
  type Company,
  isSaid,
  isShown,
  middle,
  type NumberValue,
  oddsOf,
  POSSIBLE,
  separation,
  sharesAtLeast,
  type Weighed,
  weigh,
} from './figures.js'
import { timeBetween } from './times.js'
import type { StatementView } from './views.js'

export interface FigureSide {
  claim: { claimId: string; documentId: string; valueText: string }
  view: StatementView
}

interface Pair<Side> {
  a: Side
  b: Side
}

const LEAST_SHARED = 1
/** One word alone is what everybody says. */
const LEAST_WORDS = 2

/** Pairs by the claim on one side and the document on the other. */
type Against<Side> = Map<Side, Map<string, Pair<Side>[]>>

/** Most pairs are never weighed: only who shares enough, and whom these are measured against. */
export class Rivalry<Side extends FigureSide> {
  private readonly pairs: Pair<Side>[] = []
  private readonly differing: Against<Side> = new Map()
  private readonly agreeing: Against<Side> = new Map()

  add(a: Side, b: Side): void {
    const pair = { a, b }
    const agrees = isEqual(a.view.value as NumberValue, b.view.value as NumberValue)
    if (!agrees) this.pairs.push(pair)
    const against = agrees ? this.agreeing : this.differing
    put(against, a, b, pair)
    put(against, b, a, pair)
  }

  aligned(): { a: Side; b: Side; alignment: Alignment }[] {
    const found: { a: Side; b: Side; alignment: Alignment }[] = []
    for (const pair of this.pairs) {
      const alignment = this.align(pair)
      if (alignment) found.push({ a: pair.a, b: pair.b, alignment })
    }
    return found
  }

  private align(pair: Pair<Side>): Alignment | null {
    const { a, b } = pair
    const [s, t] = [a.view, b.view]
    if (!sharesAtLeast(LEAST_SHARED, s, t)) return null
    const time = timeBetween(s, t, 'value')
    if (separation(s, t, time) !== null) return null
    const weighed = weigh(s, t)
    const company = this.companyOf(pair, weighed)
    const odds = oddsOf(s, t, weighed, time, company)
    const alike = company.others === 0 && time === 'same' && saysNothingElse(weighed)
    if (odds < POSSIBLE && !alike) return null
    const restated = isRestated(s, t)
    // "Reduced from 45 to 28" tells what became of the other's figure; only a correction says it was never right.
    const changed = restated && !s.frame.corrects && !t.frame.corrects
    // A document that gives the other's figure of the same thing as well knows of both: a column of what was reported before.
    const isKnown = company.agrees > 0 && !restated
    return {
      difference: 'value',
      a: (s.value as NumberValue).text,
      b: (t.value as NumberValue).text,
      shared: [...weighed.wordsLeft].sort((x, y) => rarity(y) - rarity(x)).slice(0, 12),
      score: 1 / (1 + Math.exp(-odds)),
      evolves: time === 'evolving',
      sure:
        (alike || (isShown(odds, s, t, weighed, time) && weighed.wordsLeft.length >= LEAST_WORDS)) &&
        time !== 'evolving' &&
        !changed &&
        !isKnown,
      restated,
    }
  }

  private companyOf({ a, b }: Pair<Side>, weighed: Weighed): Company {
    const [x, y] = [this.agreement(a, b), this.agreement(b, a)]
    const common = inCommon(weighed)
    return {
      others: Math.log(this.fitting(a, b, weighed.wordsLeft) * this.fitting(b, a, weighed.wordsRight)),
      agrees: (x >= common ? 1 : 0) + (y >= common ? 1 : 0),
      agreesSomewhat: (x > 0 ? 1 : 0) + (y > 0 ? 1 : 0),
    }
  }

  /** How much a claim has in common with what the other's document says of the same value. */
  private agreement(one: Side, other: Side): number {
    let most = 0
    for (const { a, b } of pairsIn(this.agreeing, one, other)) most = Math.max(most, inCommon(weigh(a.view, b.view)))
    return most
  }

  /** How many values the other's document gives that have everything in common with a claim that these words are. */
  private fitting(one: Side, other: Side, words: readonly string[]): number {
    const values = new Set<string>()
    for (const { a, b } of pairsIn(this.differing, one, other)) {
      const rival = a === one ? b : a
      if (words.every(word => isSaid(word, one.view, rival.view))) values.add(rival.claim.valueText)
    }
    return values.size
  }
}

function put<Side extends FigureSide>(against: Against<Side>, one: Side, other: Side, pair: Pair<Side>): void {
  const own = against.get(one) ?? new Map<string, Pair<Side>[]>()
  against.set(one, own)
  const known = own.get(other.claim.documentId)
  if (known) known.push(pair)
  else own.set(other.claim.documentId, [pair])
}

const pairsIn = <Side extends FigureSide>(against: Against<Side>, one: Side, other: Side): readonly Pair<Side>[] =>
  against.get(one)?.get(other.claim.documentId) ?? []

/** (4.0M) in a table of deductions is 4.0M in a sentence, and 1,842 may be given as 1,840. */
function isEqual(x: NumberValue, y: NumberValue): boolean {
  if (meets(x.interval, y.interval) || x.rounded(y) || meets({ low: -x.interval.high, high: -x.interval.low }, y.interval)) return true
  const [a, b] = [middle(x), middle(y)]
  return (a % 10 === 0 || b % 10 === 0) && Math.abs(a - b) <= 0.002 * Math.max(Math.abs(a), Math.abs(b))
}

/** The same statement with another figure, however little it says. */
const saysNothingElse = ({ left, right, namesLeft, namesRight, ids }: Weighed): boolean =>
  left === 0 && right === 0 && namesLeft.length === 0 && namesRight.length === 0 && ids === 0

const inCommon = ({ shared, context }: Weighed): number => shared + context / 2
