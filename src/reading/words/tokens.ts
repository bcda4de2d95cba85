/**
 * A stretch of text as what it is made of: words with their lemma and place in the sentence, names, identifiers, and typed
 * values. Everything is found once; whoever compares two statements later sees only this.
 */

import { matchesOf } from '../matches.js'
import type { ClaimValue, Period } from '../types.js'
import { findTimes } from '../values/clock.js'
import { findFractions } from '../values/fractions.js'
import { findPeriods, mergeRanges } from '../values/periods.js'
import { spokenDays, spokenTimes } from '../values/spoken.js'
import { completed } from '../values/units.js'
import { findValues } from '../values/values.js'
import { ADJECTIVE, isKnown, isProper, lemmaOf, NOUN, partOf, partsOf, VERB } from './dictionary.js'
import { codesIn, gradesIn, type Identifier, lettersIn, numberedName } from './identifiers.js'
import { FUNCTION_WORDS, PREPOSITION, TIME_WORDS } from './lists.js'

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

export interface FoundNumber {
  start: number
  end: number
  value: Extract<ClaimValue, { type: 'money' | 'percent' | 'quantity' }>
  text: string
  bound: 'min' | 'max' | null
  /** Lemma of what is counted, where a noun stands behind the number. */
  counted: string | null
  /** Of how many: the 54 of "2/54". */
  of: number | null
  /** Where the negation stands that makes a limit of it: "never rose above 38 °C". */
  negated?: number
}

export interface FoundDate {
  start: number
  end: number
  period: Period
  yearGuessed: boolean
}

export interface Tokens {
  words: Word[]
  identifiers: Identifier[]
  numbers: FoundNumber[]
  dates: FoundDate[]
}

/** Stands for the year where a text names none; such dates are compared without their year. */
export const NO_YEAR = 1904

const WORD = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu
const AUXILIARY = /^(?:is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|shall|should|may|might|can|could|must|cannot)$/i

/** Verbs that tell nothing of what a statement is about, but begin what it says. */
const FUNCTION_VERB =
  /^(?:comes?|came|stands?|stood|reach(?:es|ed)?|show(?:s|ed|n)?|stated|gives?|gave|gets?|got|makes?|made|takes?|took|becomes?|became|remains?|remained|finds?|found|recorded|confirm(?:s|ed))$/

/** In a label only what is no common word is a name: labels capitalise as titles do. */
export function tokensOf(text: string, year: number | null, labelEnd = 0): Tokens {
  const codes = /\d/.test(text) ? codesIn(text, () => -1) : []
  const named = codes.filter(
    ({ key }) => /\p{L}/u.test(key) && !/^(?:fy|q[1-4]|h[12]|\d{1,2}(?:st|nd|rd|th)|\d{4}(?:q[1-4]|h[12])$|.*\dt\d\d)/.test(key),
  )
  const inCode = (at: number): boolean => named.some(span => at >= span.start && at < span.end)
  const dates: FoundDate[] = !/\d/.test(text)
    ? []
    : mergeRanges(
        text,
        findPeriods(text, year ?? NO_YEAR).filter(({ start }) => !inCode(start)),
      )
  for (const day of spokenDays(text, year ?? NO_YEAR)) {
    const month = dates.findIndex(({ start, end }) => start < day.end && end > day.start)
    if (month < 0) dates.push(day)
    else dates.splice(month, 1, day)
  }
  const taken: { start: number; end: number }[] = [...dates]
  const covered = (at: number): number => taken.find(span => at >= span.start && at < span.end)?.end ?? -1
  const numbers: FoundNumber[] = []
  for (const found of [...spokenTimes(text), ...findTimes(text, covered), ...findFractions(text, covered), ...findNone(text)]) {
    if (covered(found.start) >= 0) continue
    numbers.push({ ...found, bound: null, of: null, counted: 'counted' in found ? found.counted : countedBy(text, found) })
    taken.push(found)
  }
  const identifiers = [...gradesIn(text), ...lettersIn(text)]
  taken.push(...identifiers)
  identifiers.push(...codes.filter(code => covered(code.start) < 0))
  taken.push(...identifiers)
  for (const found of findValues(text, covered).map(each => completed(text, each))) {
    // "3rd" is a place in a row, no amount.
    if (/^(?:st|nd|rd|th)\b/.test(text.slice(found.end, found.end + 4))) continue
    const named = numberedName(text, found)
    // "a new one" counts nothing.
    if (!named && /^one$/i.test(found.text) && !/^[\s-]+\p{Ll}{3,}/u.test(text.slice(found.end, found.end + 12))) continue
    if (
      !named &&
      /^one$/i.test(found.text) &&
      FUNCTION_WORDS.has(/^[\s-]+(\p{Ll}+)/u.exec(text.slice(found.end, found.end + 16))?.[1] ?? '')
    )
      continue
    if (named) {
      identifiers.push(named)
      taken.push({ start: found.start, end: found.end })
    } else {
      const denied = deniedBound(text, found.start)
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
  const words = wordsIn(text, covered, labelEnd, dates)
  for (const { end, counted } of numbers) {
    const noun = counted === null ? undefined : words.find(word => word.start >= end && word.lemma === counted)
    for (const word of words) if (noun && word.start >= end && word.end < noun.start && noun.start - end < 60) word.narrowing = true
  }
  return { words, identifiers, numbers, dates }
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

const NONE = /\b(?:no|zero|not a single|not one|not any)\s+((?:\p{Ll}+(?:-\p{Ll}+)?\s+){0,3}\p{Ll}{3,})\b/giu

/** "No cracks", "not a single objection": none of something is a count of it. */
function findNone(text: string): (Omit<FoundNumber, 'bound' | 'of'> & { counted: string })[] {
  const found: (Omit<FoundNumber, 'bound' | 'of'> & { counted: string })[] = []
  for (const match of matchesOf(NONE, text)) {
    const single = /single|one/i.test(match[0])
    const words = match[1]!.split(/\s+/)
    const at = words.findIndex(
      word => (single || /[^s]s$/.test(word)) && !FUNCTION_WORDS.has(word) && (partsOf(lemmaOf(word)) & NOUN) !== 0,
    )
    if (at < 0 || words.slice(0, at).some(word => FUNCTION_WORDS.has(word))) continue
    const end = match.index + /^\S+(?:\s(?:a single|one|any))?/i.exec(match[0])![0].length
    found.push({
      start: match.index,
      end,
      text: text.slice(match.index, end),
      value: { type: 'quantity', unit: null, low: 0, high: 0, precision: 0.5, approximate: false },
      counted: lemmaOf(words[at]!),
    })
  }
  if (/^\s*(?:nobody|no one)\b/i.test(text)) {
    const [word = ''] = /nobody|no one/i.exec(text) ?? []
    found.push({
      start: text.indexOf(word),
      end: text.indexOf(word) + word.length,
      text: word,
      value: { type: 'quantity', unit: null, low: 0, high: 0, precision: 0.5, approximate: false },
      counted: 'person',
    })
  }
  return found
}

/** "6/54 (11.1%)": the share of so many. */
function shareBefore(text: string, start: number): number | null {
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

function wordsIn(text: string, covered: (at: number) => number, labelEnd: number, dates: readonly FoundDate[]): Word[] {
  const raw = matchesOf(WORD, text).flatMap(match => partsIn(match[0], match.index))
  const shouted = text === text.toUpperCase()
  const words: Word[] = []
  let lead = ''
  let predicate = false
  raw.forEach(({ form, start, end }, at) => {
    const lower = form.toLowerCase()
    if (/[.;!?]/.test(text.slice(raw[at - 1]?.end ?? start, start)) && at > 0) predicate = false
    if (covered(start) >= 0) return
    // "on 3 May the pier": what stands before a day leads nothing behind it.
    const last = raw[at - 1]?.end ?? 0
    if (lead !== '' && dates.some(date => date.start >= last - 12 && date.end <= start && date.end > last)) lead = ''
    if (FUNCTION_WORDS.has(lower)) {
      if (PREPOSITION.test(lower)) lead = lower
      else if (AUXILIARY.test(lower)) {
        predicate = true
        lead = 'be'
      } else if (FUNCTION_VERB.test(lower)) {
        predicate = true
        lead = ''
      } else if (!/^(?:the|a|an|its|their|our|his|her|mr|mrs|ms|miss|dr|prof|sir|dame)$/.test(lower)) lead = ''
      return
    }
    const lemma = lemmaOf(form)
    const previous = raw[at - 1]
    const opening = at === 0 || /[.;:!?|\n•"“(]\s*$/.test(text.slice(Math.max(0, start - 4), start)) || covered(previous!.start) >= 0
    const name = start < labelEnd ? isOddName(form, lemma) : isName(form, lemma, opening, raw[at + 1], previous, shouted)
    if (TIME_WORDS.has(lemma)) return
    const next = raw[at + 1]
    // "left wrist" is a side, "left the room" an act.
    const side =
      lower === 'left' && next !== undefined && (partOf(lemmaOf(next.form)) & NOUN) !== 0 && !FUNCTION_WORDS.has(next.form.toLowerCase())
    if (!name && !side && lower.length > 1 && isVerb(lower, lemma)) predicate = true
    const head = next !== undefined && /^[\s-]$/.test(text.slice(end, next.start)) ? headIn(next.form) : null
    words.push({
      lemma: name ? lower.replace(/['’]s?$/, '') : side ? 'left' : lemma,
      form,
      start,
      end,
      name,
      lead,
      predicate,
      head,
      narrowing: false,
    })
    if (/[,;]/.test(text[end] ?? '')) lead = ''
  })
  return words
}

/** "burst-pipe" is two words; "long-term" is one that the dictionary knows. */
function partsIn(form: string, at: number): { form: string; start: number; end: number }[] {
  if (!form.includes('-') || isKnown(form.toLowerCase())) return [{ form, start: at, end: at + form.length }]
  let start = at
  return form.split('-').map(part => {
    const word = { form: part, start, end: start + part.length }
    start += part.length + 1
    return word
  })
}

const isCapital = (form: string): boolean => /^\p{Lu}/u.test(form)

/** Written with a capital, and no word that is also written small. */
function isOddName(form: string, lemma: string): boolean {
  return (
    isCapital(form) &&
    (isProper(form.toLowerCase()) || !isKnown(lemma) || (form.length > 1 && form.length <= 5 && form === form.toUpperCase()))
  )
}

function isName(
  form: string,
  lemma: string,
  opening: boolean,
  next: { form: string } | undefined,
  previous: { form: string } | undefined,
  shouted: boolean,
): boolean {
  if (!isCapital(form)) return false
  const lower = form.toLowerCase()
  if (isProper(lower) || !isKnown(lemma)) return true
  // Common words in capitals are shouted, or stand for something: "SCR".
  if (form.length > 1 && form === form.toUpperCase()) return !shouted
  if (!opening) return true
  return (
    next !== undefined &&
    isCapital(next.form) &&
    !FUNCTION_WORDS.has(next.form.toLowerCase()) &&
    (previous === undefined || isProper(next.form.toLowerCase()) || !isKnown(lemmaOf(next.form)))
  )
}

/** A form that is a noun here: not a function word and no verb. */
function headIn(form: string): string | null {
  const lower = form.toLowerCase()
  const lemma = lemmaOf(form)
  return FUNCTION_WORDS.has(lower) || (partsOf(lemma) & NOUN) === 0 || isVerb(lower, lemma) ? null : lemma
}

/** A form that can only be a verb, or mostly is one. */
function isVerb(lower: string, lemma: string): boolean {
  if ((partsOf(lemma) & VERB) === 0) return false
  if (lower !== lemma && /(?:ed|en|t|ew|ook|old|ent|aid)$/.test(lower) && !lower.endsWith('ment')) return true
  return partOf(lemma) === VERB && lower !== lemma && !lower.endsWith('ing')
}
