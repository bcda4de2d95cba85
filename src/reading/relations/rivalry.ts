/**
 * Figures of two documents compete: a figure has one rival in another document at most, and what both say of it must tell it
 * from the other figures there. Everything is asked of the pairs that share enough words, which are the same whichever of
 * the two documents came first.
 */
import { rarity } from '../words/dictionary.js'
import type { Alignment } from './align.js'
import { LEAST_OF_FIGURES } from './candidates.js'
import { isRestated } from './certainty.js'
import { isRounded, meets } from './compare-values.js'
import { againstOf, type Company, isSaid, isShown, type NumberValue, oddsOf, POSSIBLE, separation, type Weighed, weigh } from './figures.js'
import { isOneProvisional } from './separations.js'
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

/** One word alone is what everybody says. */
const LEAST_WORDS = 2

/** Most pairs are never weighed: only who shares enough, and whom these are measured against. */
export class Rivalry<Side extends FigureSide> {
  private readonly pairs: Pair<Side>[] = []
  private readonly close: Pair<Side>[] = []
  private readonly bySide = new Map<Side, Pair<Side>[]>()

  /** A pair that is not close enough is only what others are measured against. */
  add(a: Side, b: Side, isClose: boolean): void {
    const pair = { a, b }
    this.pairs.push(pair)
    if (isClose) this.close.push(pair)
  }

  aligned(): { a: Side; b: Side; alignment: Alignment }[] {
    const found: { a: Side; b: Side; alignment: Alignment }[] = []
    for (const pair of this.close) {
      const alignment = this.align(pair)
      if (alignment) found.push({ a: pair.a, b: pair.b, alignment })
    }
    return found
  }

  private align(pair: Pair<Side>): Alignment | null {
    const { a, b } = pair
    const [s, t] = [a.view, b.view]
    if (agree(a, b)) return null
    const time = timeBetween(s, t, 'value')
    if (separation(s, t, time) !== null) return null
    const weighed = weigh(s, t)
    if (weighed.shared < LEAST_OF_FIGURES) return null
    // The same statement with another figure, however little it says.
    const alike = time === 'same' && saysNothingElse(weighed)
    // The company only ever speaks against a pair: who has no chance without it is spared the search for it.
    const alone = oddsOf(s, t, weighed, time)
    if (alone < POSSIBLE && !alike) return null
    const company = this.companyOf(pair, weighed)
    const odds = alone - againstOf(company)
    const isOnly = alike && company.others === 0
    if (odds < POSSIBLE && !isOnly) return null
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
      sure: (isOnly || (isShown(odds, s, t, weighed, time) && weighed.wordsLeft.length >= LEAST_WORDS)) && time !== 'evolving' && !changed,
      restated,
      settled: isKnown || isOneProvisional(s.frame, t.frame),
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
    for (const { a, b } of this.pairsOf(one, other)) if (agree(a, b)) most = Math.max(most, inCommon(weigh(a.view, b.view)))
    return most
  }

  /** How many values the other's document gives that have everything in common with a claim that these words are. */
  private fitting(one: Side, other: Side, words: readonly string[]): number {
    const values = new Set<string>()
    for (const { a, b } of this.pairsOf(one, other)) {
      const rival = a === one ? b : a
      if (words.every(word => isSaid(word, one.view, rival.view)) && !agree(a, b)) values.add(rival.claim.valueText)
    }
    return values.size
  }

  /** Pairs of a claim with claims of the other's document. */
  private pairsOf(one: Side, { view: { document } }: Side): Pair<Side>[] {
    if (this.bySide.size === 0)
      for (const pair of this.pairs)
        for (const side of [pair.a, pair.b]) {
          const known = this.bySide.get(side)
          if (known) known.push(pair)
          else this.bySide.set(side, [pair])
        }
    return this.bySide.get(one)!.filter(({ a, b }) => (a === one ? b : a).view.document === document)
  }
}

function agree({ view: { value: x } }: FigureSide, { view: { value: y } }: FigureSide): boolean {
  const [one, other] = [x as NumberValue, y as NumberValue]
  return meets(one.interval, other.interval) || isRounded(one, other)
}

const saysNothingElse = ({ left, right, namesLeft, namesRight, ids }: Weighed): boolean =>
  left === 0 && right === 0 && namesLeft.length === 0 && namesRight.length === 0 && ids === 0

const inCommon = ({ shared, context }: Weighed): number => shared + context / 2
