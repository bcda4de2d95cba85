/**
 * Terms of a name: content words as stems in order, without function words, periods and plain numbers. Shared by everything
 * that builds a slot, so that a table header, a label and a noun phrase of prose meet.
 */
import { findPeriods } from './periods.js'
import { remembered } from './remember.js'
import { FUNCTION_WORDS, isNumeric, splitCompound, stem, wordsOf } from './words.js'

/**
 * Words that state a role, a version or a time; they are read elsewhere and are not part of the name. As they are written:
 * "planned" says when, while a plan, a project or a fine can be what a name is about.
 */
const ROLE_WORDS = new Set(
  `target targets targeted minimum maximum limit limits threshold thresholds boundary budget budgets budgeted forecast forecasts projected projection projections
   guidance expected planned anticipated estimate estimated estimates proposed indicative recommended offered previous previously prior original originally
   revised restated corrected updated amended recalculated recalibrated new old former current currently final preliminary prelim interim
   was is report reported reports selfreported unchanged approximately approx est pre post correction corrections precorrection postcorrection e f a
   january february march april june july august september october november december`.split(/\s+/),
)

const RELATIVE = new Map([
  ['sequential', 'sequential'],
  ['q/q', 'sequential'],
  ['qoq', 'sequential'],
  ['quarter-on-quarter', 'sequential'],
  ['quarter-over-quarter', 'sequential'],
  ['y/y', 'yoy'],
  ['yoy', 'yoy'],
  ['year-on-year', 'yoy'],
  ['year-over-year', 'yoy'],
  ['m/m', 'mom'],
  ['month-on-month', 'mom'],
])

/** As written: a variance is a change, a variation of a contract is none. */
const CHANGE = new Set(
  `change changes changed increase increases increased decrease decreases decreased rise rises reduction reductions reduced decline declines declined
   growth delta variance variances difference differences movement movements drop drops gain gains uplift fall falls`.split(/\s+/),
)

/** Words of a unit: they say how a value is written, not what it is of. */
export const MEASURE_WORDS = new Set(
  `eur usd gbp chf jpy sek nok dkk pln cad aud euro euros dollar dollars million millions billion billions thousand thousands mio mln mn bn tsd percent pct`.split(
    /\s+/,
  ),
)

const stemOf = (part: string): string => (CHANGE.has(part) ? 'change' : stem(part))

const readTerm = remembered(20_000, (lower): readonly string[] => {
  const relative = RELATIVE.get(lower)
  return relative ? [relative] : splitCompound(lower).map(stemOf)
})

export const termOf = (lower: string): string[] => [...readTerm(lower)]

const NOTHING: readonly string[] = []

/** Terms of a word that says something; none for function words and numbers. */
const saidBy = remembered(20_000, (lower): readonly string[] => (FUNCTION_WORDS.has(lower) || isNumeric(lower) ? NOTHING : readTerm(lower)))

const isNamePart = (part: string): boolean => !FUNCTION_WORDS.has(part) && !ROLE_WORDS.has(part) && !MEASURE_WORDS.has(part)

/** What a word adds to a name: its terms, unless it only states a role, a version, a number or how words belong together. */
export const nameTerms = remembered(20_000, (lower): readonly string[] => {
  if (isNumeric(lower) || !isNamePart(lower)) return NOTHING
  const relative = RELATIVE.get(lower)
  if (relative) return [relative]
  return splitCompound(lower)
    .filter(isNamePart)
    .map(stemOf)
    .filter(term => term.length > 1 && !isNumeric(term))
})

/** Labels and headings come again and again. */
const readTerms = remembered(2_000, (bounded): readonly string[] => {
  const periods = findPeriods(bounded, 2000)
  const terms: string[] = []
  for (const token of wordsOf(bounded)) {
    const named = nameTerms(token.lower)
    if (named.length && !periods.some(p => token.start >= p.start && token.start < p.end)) terms.push(...named)
  }
  return terms
})

/** Terms of a short text: label, header, heading. */
export const termsOf = (text: string): string[] => [...readTerms(text.slice(0, 300))]

/** Every content stem of a text once, and how many there were after each word. */
interface Around {
  terms: string[]
  sizes: number[]
}

/** Every value and state of a sentence asks for the same words. */
const around = remembered(256, (bounded): Around => {
  const terms = new Set<string>()
  const sizes: number[] = []
  for (const token of wordsOf(bounded)) {
    const said = saidBy(token.lower)
    if (!said.length) continue
    for (const term of said) if (term.length > 1) terms.add(term)
    sizes.push(terms.size)
  }
  return { terms: [...terms], sizes }
})

/** All content stems of a longer text, for context; a word is taken whole, so that a few more than the limit may come. */
export function contextTerms(text: string, limit = 48): string[] {
  const { terms, sizes } = around(text.slice(0, 800))
  return terms.length <= limit
    ? [...terms]
    : terms.slice(
        0,
        sizes.find(size => size >= limit),
      )
}
