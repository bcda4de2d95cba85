/**
 * A stretch of text as what it is made of: words with their lemma and place in the sentence, names, identifiers, and typed
 * values. Everything is found once; whoever compares two statements later sees only this.
 */

import { isSpaceAt } from '../layout/characters.js'
import { matchesOf } from '../matches.js'
import type { ClaimValue } from '../types.js'
import { findTimes, spokenTimes } from '../values/clock.js'
import { findFractions } from '../values/fractions.js'
import { type FoundPeriod, findPeriods } from '../values/periods.js'
import { completed } from '../values/units.js'
import { type FoundFigure, findValues } from '../values/values.js'
import { CUE } from './cues.js'
import { ADJECTIVE, isKnown, lemmaOf, NOUN, partOf, partsOf, VERB } from './dictionary.js'
import { ACTS, HELPS, LEADS, PASSES, type WrittenWord, writtenIn } from './forms.js'
import { codesIn, gradesIn, type Identifier, lettersIn, numberedName } from './identifiers.js'
import { FUNCTION_WORDS } from './lists.js'

export interface Word {
  lemma: string
  form: string
  start: number
  end: number
  /** Written as a name. */
  name: boolean
  /** The preposition or article in front of the phrase it stands in. */
  lead: string
  /** Behind the verb of its clause. */
  predicate: boolean
  /** Lemma of the noun right behind it that it tells more about. */
  head: string | null
  /** Between a count and what is counted. */
  narrowing: boolean
}

export interface FoundNumber extends FoundFigure {
  bound: 'min' | 'max' | null
  /** Lemma of what is counted, where a noun stands behind the number. */
  counted: string | null
  /** Of how many: the 54 of "2/54". */
  of: number | null
  /** Where the negation stands that makes a limit of it: "never rose above 38 °C". */
  negated?: number
}

export interface Tokens {
  words: Word[]
  identifiers: Identifier[]
  numbers: FoundNumber[]
  dates: FoundPeriod[]
  /** Cues of its words, and whether it has a digit: what it cannot hold need not be looked for. */
  cues: number
  digit: boolean
}

/** Stands for the year where a text names none; such dates are compared without their year. */
export const NO_YEAR = 1904

/** "one in five": what every such share has, which few sentences with "in" have. */
const ONE_IN = /(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:in|out of) /i

/** In a label only what is no common word is a name: labels capitalise as titles do. */
export function tokensOf(text: string, year: number | null, labelEnd = 0): Tokens {
  const written = writtenIn(text)
  const { cues, digit } = written
  const has = (cue: number): boolean => (cues & cue) !== 0
  const codes = digit ? codesIn(text) : []
  const dates = digit ? datesIn(text, year ?? NO_YEAR, codes) : []
  const taken: { start: number; end: number }[] = [...dates]
  const covered = (at: number): number => taken.find(span => at >= span.start && at < span.end)?.end ?? -1
  const numbers: FoundNumber[] = []
  const take = (all: readonly (FoundFigure & { counted?: string })[]): void => {
    for (const found of all) {
      if (covered(found.start) >= 0) continue
      const { start, end, text: said, value, counted = countedBy(text, found) } = found
      numbers.push({ start, end, value, text: said, bound: null, counted, of: null })
      taken.push(found)
    }
  }
  if (has(CUE.partOfDay)) take(spokenTimes(text))
  if (has(CUE.clock | CUE.partOfDay) || (digit && /\d[:.]\d/.test(text))) take(findTimes(text, covered))
  const counts = digit || has(CUE.number)
  if (has(CUE.fraction) || (has(CUE.hundred) && has(CUE.article | CUE.number)) || (has(CUE.in) && counts && ONE_IN.test(text)))
    take(findFractions(text, covered))
  const identifiers = [...(has(CUE.grade) ? gradesIn(text) : []), ...(has(CUE.letter) ? lettersIn(text) : [])]
  taken.push(...identifiers)
  identifiers.push(...codes.filter(code => covered(code.start) < 0))
  taken.push(...identifiers)
  for (const each of counts ? findValues(text, covered) : []) {
    const found = completed(text, each)
    // "3rd" is a place in a row, no amount.
    if (/^(?:st|nd|rd|th)\b/.test(text.slice(found.end, found.end + 4))) continue
    const named = numberedName(text, found)
    // "a new one" counts nothing.
    if (!named && found.text.length === 3 && /^one$/i.test(found.text)) {
      const counted = /^[\s-]+(\p{Ll}{3,})/u.exec(text.slice(found.end, found.end + 16))?.[1]
      if (counted === undefined || FUNCTION_WORDS.has(counted)) continue
    }
    if (named) {
      identifiers.push(named)
      taken.push({ start: found.start, end: found.end })
    } else {
      const denied = has(CUE.negation) ? deniedBound(text, found.start) : null
      numbers.push({
        start: found.start,
        end: found.end,
        value: found.value,
        text: found.text,
        bound: denied?.bound ?? found.bound,
        counted: countedBy(text, found),
        of: found.denominator ?? shareBefore(text, found.start),
        ...(denied && { negated: denied.at }),
      })
      taken.push(found)
    }
  }
  numbers.sort((a, b) => a.start - b.start)
  const words = wordsIn(text, written.words, covered, labelEnd, dates)
  for (const { end, counted } of numbers) {
    const noun = counted === null ? undefined : words.find(word => word.start >= end && word.lemma === counted)
    if (noun === undefined || noun.start - end >= 60) continue
    for (const word of words) if (word.start >= end && word.end < noun.start) word.narrowing = true
  }
  return { words, identifiers, numbers, dates, cues, digit }
}

/** Days and periods outside of codes. */
function datesIn(text: string, year: number, codes: readonly Identifier[]): FoundPeriod[] {
  const named = codes.filter(
    ({ key }) => /\p{L}/u.test(key) && !/^(?:fy|q[1-4]|h[12]|\d{1,2}(?:st|nd|rd|th)|\d{4}(?:q[1-4]|h[12])$|.*\dt\d\d)/.test(key),
  )
  return findPeriods(text, year).filter(({ start }) => !named.some(code => start >= code.start && start < code.end))
}

/** "6/54 (11.1%)": the share of so many. */
function shareBefore(text: string, start: number): number | null {
  if (!/(?:^|[(=])\s*$/.test(text.slice(Math.max(0, start - 3), start))) return null
  const share = /\d+\s?(?:\/|of|out of)\s?(\d+)\s*(?:[\p{L} ]{0,24})[(=]\s*$/u.exec(text.slice(Math.max(0, start - 48), start))
  return share ? Number(share[1]) : null
}

/** The noun behind a count: "2,316 people", "six of the apartments", "four critical vulnerabilities". */
function countedBy(text: string, { end, value }: { end: number; value: ClaimValue }): string | null {
  if (value.type !== 'quantity' || value.unit !== null) return null
  const behind = text.slice(end, end + 70)
  const words =
    /^[\s-]+(?:of (?:the |our |its |their )?)?((?:\p{L}[\p{L}'’-]*[\s]+){0,3}\p{L}[\p{L}'’-]*)/u.exec(behind)?.[1]?.split(/\s+/) ?? []
  let noun: string | null = null
  for (const word of words) {
    const lower = word.toLowerCase()
    if (FUNCTION_WORDS.has(lower) || /^\p{Lu}/u.test(word)) break
    const lemma = lemmaOf(lower)
    const isNoun = (partsOf(lemma) & NOUN) !== 0
    if (noun !== null && !isNoun) break
    // Behind a plural comes what is said of it.
    if (noun !== null && lemmaOf(noun) !== noun) break
    if (isNoun && (partOf(lemma) !== VERB || lower !== lemma)) noun = lower
    else if ((partsOf(lemma) & ADJECTIVE) === 0 && isKnown(lemma) && !/(?:ed|ing)$/.test(lower)) break
  }
  return noun === null ? null : lemmaOf(noun)
}

function wordsIn(
  text: string,
  written: readonly WrittenWord[],
  covered: (at: number) => number,
  labelEnd: number,
  dates: readonly FoundPeriod[],
): Word[] {
  const words: Word[] = []
  let lead = ''
  let predicate = false
  for (let at = 0; at < written.length; at++) {
    const { form, start, end } = written[at]!
    const { role, lower, lemma } = form
    const last = at > 0 ? written[at - 1]!.end : 0
    if (at > 0 && endsSentence(text, last, start)) predicate = false
    if (covered(start) >= 0) continue
    // "on 3 May the pier": what stands before a day leads nothing behind it.
    if (lead !== '' && dates.some(date => date.start >= last - 12 && date.end <= start && date.end > last)) lead = ''
    if (role !== 0) {
      if (role === HELPS || role === ACTS) predicate = true
      if (role !== PASSES) lead = role === LEADS ? lower : role === HELPS ? 'be' : ''
      continue
    }
    const next = written[at + 1]
    const name = form.capital && (start < labelEnd ? form.odd || (form.shouted && lower.length <= 5) : isName(text, written, at, covered))
    if (form.timely) continue
    // "left wrist" is a side, "left the room" an act.
    const side = lower === 'left' && next !== undefined && next.form.role === 0 && (partOf(next.form.lemma) & NOUN) !== 0
    if (!name && !side && form.verb && lower.length > 1) predicate = true
    words.push({
      lemma: name ? form.bare : side ? 'left' : lemma,
      form: form.written,
      start,
      end,
      name,
      lead,
      predicate,
      head: next !== undefined && next.start === end + 1 && isGap(text, end) ? next.form.noun : null,
      narrowing: false,
    })
    if (text[end] === ',' || text[end] === ';') lead = ''
  }
  return words
}

const isGap = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '-' || isSpaceAt(text, at)

function endsSentence(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ('.;!?'.includes(text[at]!)) return true
  return false
}

/** A word with a capital is a name where it is no common word, or does not begin anything. */
function isName(text: string, written: readonly WrittenWord[], at: number, covered: (at: number) => number): boolean {
  const { form, start } = written[at]!
  if (form.odd) return true
  // Common words in capitals are shouted, or stand for something: "SCR".
  if (form.shouted) return text !== text.toUpperCase()
  const previous = written[at - 1]
  const opening =
    previous === undefined || /[.;:!?|\n•"“(]\s*$/.test(text.slice(Math.max(0, start - 4), start)) || covered(previous.start) >= 0
  if (!opening) return true
  const next = written[at + 1]?.form
  return next?.capital === true && next.role === 0 && (previous === undefined || next.odd)
}

const NOT_BEYOND = /\b(?:cannot|not|never|no|nor|nobody|none|nothing)\b|n['’]t\b/gi
const BEYOND =
  /\b(?:above|over|beyond|more than|exceed(?:s|ed|ing)?|in excess of|(?:greater|higher|longer|older|later|heavier|faster) than|past)\s(?:the\s)?$/i
const SHORT_OF = /\b(?:below|under|less than|fewer than|short of|(?:lower|younger|earlier|lighter|shorter|smaller) than)\s(?:the\s)?$/i

/** "At no point did it go above 70%", "never fell below 4 bar": with its negation a comparison sets a limit. */
function deniedBound(text: string, start: number): { bound: 'min' | 'max'; at: number } | null {
  const from = Math.max(0, start - 90)
  const left = text.slice(from, start)
  const bound = BEYOND.test(left) ? 'max' : SHORT_OF.test(left) ? 'min' : null
  if (bound === null) return null
  const clause = Math.max(left.lastIndexOf('. '), left.lastIndexOf('; '), left.lastIndexOf(', ')) + 1
  const negation = matchesOf(NOT_BEYOND, left.slice(clause))[0]
  return negation ? { bound, at: from + clause + negation.index } : null
}
