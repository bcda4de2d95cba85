/**
 * Terms of a name: content words as stems in order, without function words, periods and plain numbers. Shared by everything
 * that builds a slot, so that a table header, a label and a noun phrase of prose meet.
 */
import { findPeriods } from './periods.js'
import { FUNCTION_WORDS, isNumeric, splitCompound, stem, tokenize } from './words.js'

/** Words that state a role, a version or a time; they are read elsewhere and are not part of the name. */
const ROLE_WORDS = new Set(
  `target minimum maximum limit threshold boundary budget budgeted forecast projected projection guidance expected planned anticipated estimate estimated estimates proposed
   indicative recommended offered previous previously prior original originally revised restated corrected updated amended recalculated recalibrated new old former current currently final preliminary prelim interim
   was is reported self-reported unchanged approximately approx est pre post correction corrected precorrection postcorrection e f a`
    .split(/\s+/)
    .map(word => stem(word)),
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

const CHANGE = new Set(
  'change increase decrease rise reduction decline growth delta variance difference movement drop gain uplift fall shift'
    .split(' ')
    .map(word => stem(word)),
)

export function termOf(lower: string): string[] {
  const relative = RELATIVE.get(lower)
  if (relative) return [relative]
  return splitCompound(lower).map(part => {
    const s = stem(part)
    return CHANGE.has(s) ? 'change' : s
  })
}

export function isNameTerm(term: string): boolean {
  return term.length > 1 && !ROLE_WORDS.has(term) && !isNumeric(term)
}

/** Terms of a short text: label, header, heading. */
export function termsOf(text: string): string[] {
  const bounded = text.slice(0, 300)
  const known = read.get(bounded)
  if (known) return [...known]
  const terms = readTerms(bounded)
  if (read.size >= 2_000) read.clear()
  read.set(bounded, terms)
  return [...terms]
}

/** Labels and headings come again and again; the cache only saves time. */
const read = new Map<string, string[]>()

function readTerms(bounded: string): string[] {
  const periods = findPeriods(bounded, 2000)
  const terms: string[] = []
  for (const token of tokenize(bounded)) {
    if (FUNCTION_WORDS.has(token.lower) || isNumeric(token.lower)) continue
    if (periods.some(p => token.start >= p.start && token.start < p.end)) continue
    for (const term of termOf(token.lower)) if (isNameTerm(term) && !FUNCTION_WORDS.has(term)) terms.push(term)
  }
  return terms
}

/** All content stems of a longer text, for context; bounded. */
export function contextTerms(text: string, limit = 48): string[] {
  const bounded = text.slice(0, 800)
  const key = `${limit}|${bounded}`
  const known = around.get(key)
  if (known) return [...known]
  const terms = readContext(bounded, limit)
  if (around.size >= 256) around.clear()
  around.set(key, terms)
  return [...terms]
}

/** Every value and state of a sentence asks for the same words. */
const around = new Map<string, string[]>()

function readContext(bounded: string, limit: number): string[] {
  const terms = new Set<string>()
  for (const token of tokenize(bounded)) {
    if (terms.size >= limit) break
    if (FUNCTION_WORDS.has(token.lower) || isNumeric(token.lower)) continue
    for (const term of termOf(token.lower)) if (term.length > 1) terms.add(term)
  }
  return [...terms]
}
