/**
 * Figures of two documents compete: a figure has one rival in another document at most, and what both say of it must tell it
 * from the other figures there. Everything is asked of the pairs that share enough words, which are the same whichever of
 * the two documents came first.
 */
import { rarity } from '../words/dictionary.js'
import type { Alignment } from './align.js'
import { isRestated } from './certainty.js'
import { meets } from './compare-values.js'
import { type Company, isShown, middle, type NumberValue, oddsOf, POSSIBLE, separation, type Weighed, weigh } from './figures.js'
import { timeBetween } from './times.js'
import type { StatementView } from './views.js'

export interface FigureSide {
  claim: { claimId: string; documentId: string; valueText: string }
  view: StatementView
}

interface Pair<Side> {
  a: Side
  b: Side
  weighed: Weighed
}

const LEAST_SHARED = 1
/** One word alone is what everybody says. */
const LEAST_WORDS = 2

export class Rivalry<Side extends FigureSide> {
  private readonly pairs: Pair<Side>[] = []
  /** Pairs by the claim on one side and the document on the other. */
  private readonly against = new Map<string, Pair<Side>[]>()
  private readonly agreed = new Map<string, number>()

  add(a: Side, b: Side): void {
    const weighed = weigh(a.view, b.view)
    const [x, y] = [a.view.value as NumberValue, b.view.value as NumberValue]
    const keys = [keyOf(a, b), keyOf(b, a)]
    if (isEqual(x, y)) {
      for (const key of keys) this.agreed.set(key, Math.max(this.agreed.get(key) ?? 0, inCommon(weighed)))
      return
    }
    const pair = { a, b, weighed }
    this.pairs.push(pair)
    for (const key of keys) {
      const known = this.against.get(key)
      if (known) known.push(pair)
      else this.against.set(key, [pair])
    }
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
    const { a, b, weighed } = pair
    if (weighed.shared < LEAST_SHARED) return null
    const [s, t] = [a.view, b.view]
    const time = timeBetween(s, t, 'value')
    if (separation(s, t, time) !== null) return null
    const company = this.companyOf(pair)
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

  private companyOf({ a, b, weighed }: Pair<Side>): Company {
    const [ours, theirs] = [keyOf(a, b), keyOf(b, a)]
    const [x, y] = [this.agreed.get(ours) ?? 0, this.agreed.get(theirs) ?? 0]
    const common = inCommon(weighed)
    return {
      others: Math.log(this.fitting(ours, a, weighed.wordsLeft) * this.fitting(theirs, b, weighed.wordsRight)),
      agrees: (x >= common ? 1 : 0) + (y >= common ? 1 : 0),
      agreesSomewhat: (x > 0 ? 1 : 0) + (y > 0 ? 1 : 0),
    }
  }

  /** How many values the other document gives that have everything in common with a claim that these words are. */
  private fitting(key: string, claim: Side, words: readonly string[]): number {
    const values = new Set<string>()
    for (const { a, b, weighed } of this.against.get(key)!) {
      const [other, own] = a === claim ? [b, weighed.wordsLeft] : [a, weighed.wordsRight]
      if (words.every(word => own.includes(word))) values.add(other.claim.valueText)
    }
    return values.size
  }
}

/** (4.0M) in a table of deductions is 4.0M in a sentence, and 1,842 may be given as 1,840. */
function isEqual(x: NumberValue, y: NumberValue): boolean {
  if (meets(x.interval, y.interval) || x.rounded(y) || meets({ low: -x.interval.high, high: -x.interval.low }, y.interval)) return true
  const [a, b] = [middle(x), middle(y)]
  return (a % 10 === 0 || b % 10 === 0) && Math.abs(a - b) <= 0.002 * Math.max(Math.abs(a), Math.abs(b))
}

const keyOf = (one: FigureSide, other: FigureSide): string => `${one.claim.claimId} ${other.claim.documentId}`

/** The same statement with another figure, however little it says. */
const saysNothingElse = ({ left, right, namesLeft, namesRight, ids }: Weighed): boolean =>
  left === 0 && right === 0 && namesLeft.length === 0 && namesRight.length === 0 && ids === 0

const inCommon = ({ shared, context }: Weighed): number => shared + context / 2
