/**
 * Two papers that are the same but for one passage or two: a copy in which something was changed, or mistyped. Whatever the rules
 * of comparing make of those passages, a person is asked which of them holds.
 */
import { meets, samePeriod, shareTime } from '../values/compare-values.js'
import type { Difference } from './differences.js'
import { LEAST_SHARED, termsOf, weightOf } from './place.js'
import type { Said, SaidIn } from './said.js'

export interface Twins {
  own: Said
  other: Said
  difference: Difference
  /** Of the words of both, how many are the same. */
  share: number
}

/** Of one paper. */
const MOST_CHANGED = 2
/** Of a sentence, where more than one was changed or nearly nothing else is said. */
const LEAST_SHARE = 0.5
/** One value; in more words a passage says something else. */
const MOST_WORDS = 6

/** The passages at the same place of both that are not the same. */
export function twinsOf(own: readonly Said[], other: readonly Said[], [a, b]: readonly [SaidIn, SaidIn]): Twins[] {
  if (own.length !== other.length || a.isLong || b.isLong || a.facts.passages !== b.facts.passages || areOfSeries(a, b)) return []
  const [mine, theirs] = [inPlace(own), inPlace(other)]
  const [x, y] = [without(mine, theirs), without(theirs, mine)]
  const same = mine.length - x.length
  if (x.length === 0 || x.length > MOST_CHANGED || same < x.length) return []
  const isOneOfSeveral = x.length === 1 && same > 1
  const found: Twins[] = []
  for (const [at, { said }] of x.entries()) {
    const against = y[at]!.said
    // Both are fetched whichever paper came first, or neither is asked about.
    if (!isFetchedBy(said, other) || !isFetchedBy(against, own)) return []
    if (saysTheSame(said, against)) continue
    const changed = changedIn(said, against)
    if (changed === null || (!isOneOfSeveral && changed.share < LEAST_SHARE)) return []
    found.push(changed)
  }
  return found
}

/** Of other months, or written on other days: each may tell of its own. */
function areOfSeries(a: SaidIn, b: SaidIn): boolean {
  if (a.day !== null && b.day !== null && a.day !== b.day) return true
  const [x, y] = [a.topic.periods, b.topic.periods]
  return x.length > 0 && y.length > 0 && !shareTime(x, y)
}

interface Passage {
  key: string
  said: Said
}

/** In the order of the text: cells of one row begin at the same place. */
function inPlace(statements: readonly Said[]): Passage[] {
  const end = ({ claims }: Said): number => claims[0]!.end
  return [...statements]
    .sort((one, two) => one.start - two.start || end(one) - end(two))
    .map(said => ({ key: wordsOf(said).join(' ').toLowerCase(), said }))
}

function without(passages: readonly Passage[], others: readonly Passage[]): Passage[] {
  const left = new Map<string, number>()
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1)
  return passages.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

function isFetchedBy({ says, document }: Said, others: readonly Said[]): boolean {
  const terms = new Set(others.flatMap(other => termsOf(other.says, other.document.topic)))
  const shared = termsOf(says, document.topic).filter(term => terms.has(term))
  return shared.reduce((sum, term) => sum + weightOf(term), 0) >= LEAST_SHARED
}

/** "EUR 500" and "€500", "5 May 2026" and "05.05.2026": the same, written otherwise. */
function saysTheSame({ says: a }: Said, { says: b }: Said): boolean {
  return (
    a.words.length === b.words.length &&
    a.words.every(([stem], at) => stem === b.words[at]![0]) &&
    a.negated === b.negated &&
    a.ids.join() === b.ids.join() &&
    a.numbers.length === b.numbers.length &&
    a.numbers.every((number, at) => number.unit === b.numbers[at]!.unit && meets(number, b.numbers[at]!)) &&
    a.dates.length === b.dates.length &&
    a.dates.every((date, at) => samePeriod(date, b.dates[at]!)) &&
    a.numbers.length + a.dates.length > 0
  )
}

/** What one says and the other does not. */
function changedIn(own: Said, other: Said): Twins | null {
  if (own.says.kind !== other.says.kind) return null
  const [x, y] = [wordsOf(own), wordsOf(other)]
  const [left, right] = [apart(x, y), apart(y, x)]
  const [figures, against] = [apart(figuresOf(own), figuresOf(other)), apart(figuresOf(other), figuresOf(own))]
  // Words and a figure on both sides: more than one value was changed.
  const isTwice = figures.length > 0 && against.length > 0 && figures.length < left.length && against.length < right.length
  if (left.length > MOST_WORDS || right.length > MOST_WORDS || isTwice) return null
  const told = { a: left.join(' ') || '–', b: right.join(' ') || '–' }
  const whole: [string, string] = [x.join(' '), y.join(' ')]
  const difference = { kind: 'categorical' as const, ...told, left: [], right: [], unsure: true as const, whole }
  return { own, other, difference, share: 1 - Math.max(left.length, right.length) / Math.max(x.length, y.length) }
}

function apart(words: readonly string[], others: readonly string[]): string[] {
  const left = others.map(word => word.toLowerCase())
  return words.filter(word => {
    const at = left.indexOf(word.toLowerCase())
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const figuresOf = ({ says: { ids, numbers, dates } }: Said): string[] => [
  ...ids,
  ...numbers.flatMap(({ text }) => text.split(' ')),
  ...dates.map(({ label }) => label),
]

/** What it says, without its text, which is not fetched with the claims of other papers. */
const wordsOf = (said: Said): string[] => [
  ...said.says.words.map(([, , form]) => form),
  ...figuresOf(said),
  ...(said.says.negated ? ['not'] : []),
]
