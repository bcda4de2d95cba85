/**
 * Figures of two documents compete: a figure has one rival in another document at most, and what both say of it must tell it
 * from the other figures there. Everything is asked of the pairs that share enough words, which are the same whichever of
 * the two documents came first.
 */
import { type Alignment, rarestOf } from './align.js'
import { LEAST_OF_FIGURES } from './candidates.js'
import { isRestated, restates } from './certainty.js'
import { isRounded, meets, overlaps } from './compare-values.js'
import { againstOf, areApart, type Company, isSaid, isShown, type NumberValue, oddsOf, POSSIBLE, type Weighed, weigh } from './figures.js'
import { isOneProvisional, nameTwo } from './separations.js'
import { timeBetween } from './times.js'
import type { StatementView } from './views.js'
import type { Word } from './vocabulary.js'

const ALONE: Company = { others: 0, agrees: 0, agreesSomewhat: 0 }
/** What the weights must say of a figure that the other side quotes. */
const RESTATED = 2
/** One word alone is what everybody says. */
const LEAST_WORDS = 2

export class Rivalry {
  /** Figures of other documents that share words with a figure of the document that came. */
  private readonly company = new Map<StatementView, ReadonlySet<StatementView>>()

  add(side: StatementView, company: readonly StatementView[]): void {
    if (company.length > 0) this.company.set(side, new Set(company))
  }

  align(s: StatementView, t: StatementView): Alignment | null {
    if (agree(s, t)) return null
    const time = timeBetween(s, t, 'value')
    const restated = isToldOver(s, t)
    if ((time === 'other' && !restated) || restated === false || areApart(s, t)) return null
    const weighed = weigh(s, t)
    if (weighed.shared < LEAST_OF_FIGURES) return null
    // The same statement with another figure, however little it says.
    const alike = time === 'same' && saysNothingElse(weighed)
    // The company only ever speaks against a pair: who has no chance without it is spared the search for it.
    const alone = oddsOf(s, t, weighed, time)
    if (alone < POSSIBLE && !alike) return null
    // A figure that is quoted is told from all others by that.
    const company = restated ? ALONE : this.companyOf(s, t, weighed)
    const odds = alone - againstOf(company)
    const isOnly = alike && company.others === 0
    if (odds < POSSIBLE && !isOnly) return null
    const isLikely = isShown(odds, s, t, weighed, time) && weighed.wordsLeft.length >= LEAST_WORDS
    const evolves = time === 'evolving' && !restated
    // A document that gives the other's figure of the same thing as well knows of both: a column of what was reported before.
    const isKnown = company.agrees > 0 && !isRestated(s, t)
    return {
      difference: 'value',
      a: (s.value as NumberValue).text,
      b: (t.value as NumberValue).text,
      shared: rarestOf(weighed.wordsLeft),
      score: 1 / (1 + Math.exp(-odds)),
      evolves,
      sure: (restated ? odds >= RESTATED : isOnly || isLikely) && !evolves && !nameTwo(s, t),
      restated: isRestated(s, t),
      settled: isKnown || isOneProvisional(s.frame, t.frame),
    }
  }

  private companyOf(s: StatementView, t: StatementView, weighed: Weighed): Company {
    const [others, owners] = [this.rivalsOf(s, t), this.rivalsOf(t, s)]
    const [x, y] = [agreement(s, others), agreement(t, owners)]
    const common = inCommon(weighed)
    return {
      others: Math.log(fitting(s, others, weighed.wordsLeft) * fitting(t, owners, weighed.wordsRight)),
      agrees: (x >= common ? 1 : 0) + (y >= common ? 1 : 0),
      agreesSomewhat: (x > 0 ? 1 : 0) + (y > 0 ? 1 : 0),
    }
  }

  /** Figures of the other's document that a figure shares words with. */
  private rivalsOf(one: StatementView, { document }: StatementView): StatementView[] {
    const rivals = this.company.get(one)
    if (rivals) return [...rivals].filter(rival => rival.document === document)
    return [...this.company].filter(([, company]) => company.has(one)).map(([side]) => side)
  }
}

/** Whether one gives the other's figure as what was before or as wrong, of the same time: false where it is of another. */
function isToldOver(s: StatementView, t: StatementView): boolean | null {
  const told = [restates(s, t), restates(t, s)]
  if (!told.includes('before') && !told.includes('denied')) return null
  const times = [...s.frame.dates, ...t.frame.dates]
  return times.every(one => times.every(other => overlaps(one, other)))
}

/** How much a figure has in common with what the other's document says of the same value. */
function agreement(one: StatementView, rivals: readonly StatementView[]): number {
  let most = 0
  for (const rival of rivals) if (agree(one, rival)) most = Math.max(most, inCommon(weigh(one, rival)))
  return most
}

/** How many values the other's document gives that have everything in common with a figure that these words are. */
function fitting(one: StatementView, rivals: readonly StatementView[], words: readonly Word[]): number {
  const fits = rivals.filter(rival => words.every(word => isSaid(word, one, rival)) && !agree(one, rival))
  return new Set(fits.map(({ claim }) => claim.valueText)).size
}

function agree({ value: x }: StatementView, { value: y }: StatementView): boolean {
  const [one, other] = [x as NumberValue, y as NumberValue]
  return meets(one.interval, other.interval) || isRounded(one, other)
}

const saysNothingElse = ({ left, right, namesLeft, namesRight, ids }: Weighed): boolean =>
  left === 0 && right === 0 && namesLeft.length === 0 && namesRight.length === 0 && ids === 0

const inCommon = ({ shared, context }: Weighed): number => shared + context / 2
