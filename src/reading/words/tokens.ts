/**
 * A stretch of text as what it is made of: words with their stem, names, identifiers, and typed values. Everything is found
 * once; whoever compares two statements later sees only this.
 */
import { matchesOf } from '../matches.js'
import { findTimes, spokenTimes } from '../values/clock.js'
import { findFractions } from '../values/fractions.js'
import { type FoundPeriod, findPeriods } from '../values/periods.js'
import { type FoundFigure, findValues } from '../values/values.js'
import { codesIn, type Identifier, lettersIn, numberedName } from './identifiers.js'
import { type Names, NO_NAMES } from './names.js'
import { FUNCTION_WORDS, stemOf } from './stems.js'

export interface Word {
  stem: string
  form: string
  start: number
  end: number
  /** Written as a name. */
  name: boolean
  /** Behind the verb of its sentence. */
  predicate: boolean
}

export interface FoundNumber extends FoundFigure {
  bound: 'min' | 'max' | null
}

export interface Tokens {
  words: Word[]
  identifiers: Identifier[]
  numbers: FoundNumber[]
  dates: FoundPeriod[]
}

/** Stands for the year where a text names none; such dates are compared without their year. */
export const NO_YEAR = 1904

const PART_OF_DAY = /\b(?:morning|afternoon|evening|night)\b/i
const CLOCK = /\d[:.]\d|\b(?:[ap]\.?m|o['’]clock|noon|midday|midnight)\b/i
const FRACTION =
  /\b(?:half|halves|thirds?|quarters?|fifths?|sixths?|eighths?|tenths?|dozen|pair|couple|hundred|thousand|million|(?:in|out of) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|every))\b/i
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b/i
const WORD = /\d{1,2}(?:st|nd|rd|th)\b|(?<=\s)\p{Lu}{1,3}[+-](?=[\s.,;)]|$)|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu
const VERB =
  /^(?:is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|shall|should|may|might|can|could|must|cannot|comes?|came|stands?|stood|amounts?|amounted|costs?|lasts?|lasted|runs?|ran|ends?|ended|starts?|began|begins?|leaves?|left|takes?|took|holds?|held|employs?|owns?|weighs?|needs?|pays?|paid|gets?|got|gives?|gave|makes?|made|sells?|sold|sits?|lies|lay|goes|went|says?|said|sees?|saw|puts?|cuts?|rose|fell|grew|fell|met|lost|won|kept|sent|brought|bought|built|drove|wrote|found|led|ist|sind|war|waren|wird|werden|wurde|hat|haben|est|sont|était|es|son|era|fue)$/i

/** Whether a line has a verb: it says something, and is no title. "May" is a month. */
export const hasVerb = (line: string): boolean =>
  line
    .split(/[\s,;:]+/)
    .slice(1)
    .some(word => VERB.test(word) && /^\p{Ll}/u.test(word))

/** In a label only what is written with a capital elsewhere too is a name: labels capitalise as titles do. */
export function tokensOf(
  text: string,
  year: number | null,
  { labelEnd = 0, names = NO_NAMES }: { labelEnd?: number; names?: Names } = {},
): Tokens {
  const digit = /\d/.test(text)
  const codes = digit ? codesIn(text) : []
  const dates = digit ? datesIn(text, year ?? NO_YEAR, codes) : []
  const taken: { start: number; end: number }[] = [...dates]
  const covered = (at: number): number => taken.find(span => at >= span.start && at < span.end)?.end ?? -1
  const numbers: FoundNumber[] = []
  const take = (all: readonly FoundFigure[]): void => {
    for (const { start, end, value, text: said } of all) {
      if (covered(start) >= 0) continue
      numbers.push({ start, end, value, text: said, bound: null })
      taken.push({ start, end })
    }
  }
  if (PART_OF_DAY.test(text)) take(spokenTimes(text))
  if (CLOCK.test(text)) take(findTimes(text, covered))
  if (FRACTION.test(text)) take(findFractions(text, covered))
  const identifiers: Identifier[] = [...lettersIn(text), ...codes.filter(code => covered(code.start) < 0)]
  taken.push(...identifiers)
  if (NUMBER.test(text)) takeValues(text, { covered, numbers, identifiers, taken })
  numbers.sort((a, b) => a.start - b.start)
  return { words: wordsIn(text, covered, labelEnd, names), identifiers, numbers, dates }
}

interface Taking {
  covered: (at: number) => number
  numbers: FoundNumber[]
  identifiers: Identifier[]
  taken: { start: number; end: number }[]
}

function takeValues(text: string, { covered, numbers, identifiers, taken }: Taking): void {
  for (const found of findValues(text, covered)) {
    // "3rd" is a place in a row, no amount.
    if (/^(?:st|nd|rd|th)\b/.test(text.slice(found.end, found.end + 4))) continue
    const named = numberedName(text, found)
    // "a new one" counts nothing.
    if (!named && /^one$/i.test(found.text)) {
      const counted = /^[\s-]+(\p{Ll}{3,})/u.exec(text.slice(found.end, found.end + 16))?.[1]
      if (counted === undefined || FUNCTION_WORDS.has(counted)) continue
    }
    taken.push({ start: found.start, end: found.end })
    if (named) identifiers.push(named)
    else {
      numbers.push({ start: found.start, end: found.end, value: found.value, text: found.text, bound: found.bound })
    }
  }
}

/** Days and periods outside of codes. */
function datesIn(text: string, year: number, codes: readonly Identifier[]): FoundPeriod[] {
  const named = codes.filter(
    ({ key }) => /\p{L}/u.test(key) && !/^(?:fy|q[1-4]|h[12]|\d{1,2}(?:st|nd|rd|th)|\d{4}(?:q[1-4]|h[12])$|.*\dt\d\d)/.test(key),
  )
  return findPeriods(text, year).filter(({ start }) => !named.some(code => start >= code.start && start < code.end))
}

function wordsIn(text: string, covered: (at: number) => number, labelEnd: number, names: Names): Word[] {
  const words: Word[] = []
  const shouted = text.length > 6 && text === text.toUpperCase()
  let predicate = false
  let opening = true
  for (const match of matchesOf(WORD, text)) {
    const [form] = match
    const start = match.index
    const end = start + form.length
    const lower = form.toLowerCase()
    if (
      start > 0 &&
      /[.;:!?|(\n•"“]\s*$/.test(text.slice(Math.max(0, start - 3), start)) &&
      !/\p{Lu}\. $/u.test(text.slice(0, start).slice(-4))
    ) {
      opening = true
      if (/[.;!?]\s*$/.test(text.slice(Math.max(0, start - 3), start))) predicate = false
    }
    const isOpening = opening
    opening = false
    if (start >= labelEnd && (VERB.test(lower) || (!isOpening && /^\p{Ll}{2,}ed$/u.test(form)))) predicate = true
    if (FUNCTION_WORDS.has(lower) || covered(start) >= 0 || isTimely(lower) || (form.length === 1 && text[end] === '.')) continue
    const bare = lower.replace(/['’]s?$/, '')
    const capital = /^\p{Lu}/u.test(form)
    const name = capital && !shouted && !names.capitalised && isName(text, { bare, form, end, isLabel: start < labelEnd, isOpening }, names)
    words.push({ stem: stemOf(form), form, start, end, name, predicate })
  }
  return words
}

/** Days and months are times, not things. */
const isTimely = (lower: string): boolean =>
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|today|yesterday|tomorrow)$/.test(
    lower,
  )

interface Seen {
  bare: string
  form: string
  end: number
  isLabel: boolean
  isOpening: boolean
}

function isName(text: string, { bare, form, end, isLabel, isOpening }: Seen, names: Names): boolean {
  if (names.has(bare)) return true
  if (form.length > 1 && form.length <= 5 && form === form.toUpperCase()) return true
  if (isLabel) return false
  if (!isOpening || /['’]s$/.test(form)) return true
  // "Ilse Behm was elected": two capitals at the beginning.
  return /^[ -]\p{Lu}\p{Ll}/u.test(text.slice(end, end + 3))
}
