/**
 * A stretch of text as what it is made of: words with their stem, names, identifiers, and typed values. Everything is found
 * once; whoever compares two statements later sees only this.
 */
import type { Period } from '../types.js'
import { findTimes } from '../values/clock.js'
import { findFractions } from '../values/fractions.js'
import { type FoundPeriod, findPeriods } from '../values/periods.js'
import { type FoundFigure, findValues } from '../values/values.js'
import { kindAt, LOWER, SPACE } from './characters.js'
import { type FoundForm, formsIn } from './forms.js'
import { answeredCode, codesIn, type Identifier, lettersIn, numberedName } from './identifiers.js'
import { type Names, NO_NAMES } from './names.js'
import { FUNCTION_WORDS, isContrasting } from './stems.js'

export interface Word {
  stem: string
  form: string
  start: number
  end: number
  /** Written as a name. */
  name: boolean
  /** Behind the verb of its sentence. */
  predicate: boolean
  /** Behind "is": what its subject is, not what it does or has. */
  state: boolean
}

export interface FoundNumber extends FoundFigure {
  bound: 'min' | 'max' | null
}

export interface Tokens {
  words: Word[]
  identifiers: Identifier[]
  numbers: FoundNumber[]
  dates: readonly FoundPeriod[]
}

/** Stands for the year where a text names none; such dates are compared without their year. */
export const NO_YEAR = 1904

/** A date without a year is compared without one. */
export function periodOf({ period, yearGuessed }: FoundPeriod): Period {
  return yearGuessed && Number(period.from.slice(0, 4)) === NO_YEAR ? { ...period, label: period.from.slice(5) } : period
}

/** In a label only what is written with a capital elsewhere too is a name: labels capitalise as titles do. */
export function tokensOf(
  text: string,
  year: number | null,
  { labelEnd = 0, names = NO_NAMES }: { labelEnd?: number; names?: Names } = {},
): Tokens {
  const forms = formsIn(text)
  const dates = findPeriods(text, year ?? NO_YEAR)
  const taken: { start: number; end: number }[] = [...dates]
  const covered = (at: number): number => {
    for (const span of taken) if (at >= span.start && at < span.end) return span.end
    return -1
  }
  const numbers: FoundNumber[] = []
  const take = (all: readonly FoundFigure[]): void => {
    for (const { start, end, value, text: said } of all) {
      numbers.push({ start, end, value, text: said, bound: null })
      taken.push({ start, end })
    }
  }
  const answered = answeredCode(text, labelEnd)
  const isCode = answered !== null && covered(answered.start) < 0
  if (isCode) taken.push(answered)
  take(findTimes(text).filter(({ start }) => covered(start) < 0))
  take(findFractions(text, covered))
  const identifiers: Identifier[] = [
    ...(isCode ? [answered] : []),
    ...lettersIn(text, forms).filter(({ start }) => covered(start) < 0),
    ...codesIn(text).filter(code => covered(code.start) < 0),
  ]
  taken.push(...identifiers)
  for (const found of findValues(text, covered)) {
    // "3rd" is a place in a row, no amount.
    if (/^(?:st|nd|rd|th)\b/.test(text.slice(found.end, found.end + 4))) continue
    const named = numberedName(text, found)
    // "a new one" counts nothing.
    if (!named && /^one$/i.test(found.text)) {
      const counted = /^[\s-]+(\p{Ll}{3,})/u.exec(text.slice(found.end, found.end + 16))?.[1]
      if (counted === undefined || FUNCTION_WORDS.has(counted)) continue
    }
    taken.push(found)
    if (named) identifiers.push(named)
    else numbers.push(found)
  }
  numbers.sort((a, b) => a.start - b.start)
  return { words: wordsIn(text, forms, covered, labelEnd, names), identifiers, numbers, dates }
}

function wordsIn(text: string, forms: readonly FoundForm[], covered: (at: number) => number, labelEnd: number, names: Names): Word[] {
  const words: Word[] = []
  const shouted = text.length > 4 && (kindAt(text, 1) & LOWER) === 0 && text === text.toUpperCase()
  let predicate = false
  let state = false
  let opening = true
  for (const { form: written, start, end } of forms) {
    const { form, stem, bare } = written
    const stop = start > 0 ? stopBefore(text, start) : ''
    if (stop !== '' && !(stop === '.' && /\p{Lu}\. $/u.test(text.slice(Math.max(0, start - 4), start)))) {
      opening = true
      if (ENDS.includes(stop)) predicate = false
    }
    const isOpening = opening
    opening = false
    if (start >= labelEnd && (written.verb || (!isOpening && written.past))) {
      if (!predicate) state = STATE.has(bare)
      predicate = true
    }
    if ((written.idle && !isEndOfLabel(text, end, labelEnd, stem)) || covered(start) >= 0 || (form.length === 1 && text[end] === '.'))
      continue
    const isKnown = names.has(bare) || written.acronym
    // "Ilse Behm was elected": two capitals at the beginning.
    const isPlain = isOpening && !written.genitive && !/^[ -]\p{Lu}\p{Ll}/u.test(text.slice(end, end + 3))
    const name = written.capital && !shouted && (isKnown || (start >= labelEnd && !isPlain))
    words.push({ stem, form, start, end, name, predicate, state: predicate && state })
  }
  return words
}

/** "Tank before:" and "Tank after:": a word that says nothing elsewhere, but tells two labels apart. */
const isEndOfLabel = (text: string, end: number, labelEnd: number, stem: string): boolean =>
  labelEnd > 0 && end <= labelEnd && isContrasting(stem) && /^\s?:?\s*$/.test(text.slice(end, labelEnd))

const STATE = new Set(['is', 'are', 'was', 'were'])
const OPENS = '.;:!?|(\n•"“'
const ENDS = '.;!?'

/** What ends a sentence or opens one, up to two spaces before a word; empty where the word stands inside of one. */
function stopBefore(text: string, start: number): string {
  for (let at = start - 1; at >= start - 3 && at >= 0; at--) {
    const char = text[at]!
    if (OPENS.includes(char)) return char
    if ((kindAt(text, at) & SPACE) === 0) return ''
  }
  return ''
}
