/**
 * One stretch of words with everything found in it: dates, values, tagged tokens. Knows which period belongs to which
 * value and which values are only cited.
 */

import { countsNothing, stretched, timesIn } from './no-counts.js'
import { pattern } from './pattern.js'
import { type FoundPeriod, findPeriods, mergeRanges } from './periods.js'
import { type Tok, tagged } from './tagging.js'
import type { Period } from './types.js'
import { NUMBER_WORD } from './units.js'
import { type FoundValue, findValues } from './values.js'
import { wordsOf } from './words.js'

export interface Clause {
  /** The words, each line break a single space; offsets below are relative to it. */
  text: string
  /** Where it stands in the document. */
  base: number
  length: number
  periods: FoundPeriod[]
  values: FoundValue[]
  toks: Tok[]
}

const CLAUSE_LIMIT = 3_000

/** A clause is asked for by several readers; the last few are kept. */
const recent = new Map<string, { clause: Clause; year: number | null }>()

export function clauseOf(text: string, start: number, end: number, year: number | null): Clause {
  const slice = text.slice(start, Math.min(end, start + CLAUSE_LIMIT))
  const known = recent.get(slice)
  if (known?.year === year) return known.clause.base === start ? known.clause : { ...known.clause, base: start }
  const clause = readClause(slice, start, year)
  if (recent.size >= 64) recent.clear()
  recent.set(slice, { clause, year })
  return clause
}

const HAS_NUMBER = new RegExp(`\\d|\\b(?:${NUMBER_WORD})\\b`, 'i')

/** A line break with the indent of the next line. */
const LINE_BREAK = /[\n\r][\s\u00a0]{0,80}/g

function readClause(raw: string, start: number, year: number | null): Clause {
  const slice = raw.replace(LINE_BREAK, ' ').replace(/[\t\u00a0]/g, ' ')
  const periods = stretched(slice, mergeRanges(slice, findPeriods(slice, year)))
  const times = timesIn(slice)
  const none = countsNothing(slice)
  const masked = (at: number): number => {
    for (const p of periods) if (at >= p.start && at < p.end) return p.end
    for (const time of times) if (at >= time.start && at < time.end) return time.end
    return none(at) ? at + 1 : -1
  }
  const values = HAS_NUMBER.test(slice) ? findValues(slice, masked) : []
  const covers = (at: number): { tag: 'V' | 'T'; start: number; end: number } | null => {
    for (const v of values) if (at >= v.start && at < v.end) return { tag: 'V', start: v.start, end: v.end }
    for (const p of periods) if (at >= p.start && at < p.end) return { tag: 'T', start: p.start, end: p.end }
    for (const time of times) if (at >= time.start && at < time.end) return { tag: 'T', start: time.start, end: time.end }
    return null
  }
  return { text: slice, base: start, length: raw.length, periods, values, toks: tagged(slice, wordsOf(slice), covers) }
}

const AS_OF = pattern(/\b(?:as (?:of|at)|at|ended|ending|per|until|to|position|by end of|year[- ]end|balance)\s*\(?$/i)
const EVENT = pattern(
  /\b(?:on|dated|signed|approved|filed|effective|from|since|due|by|scheduled|issued|received|published|submitted|completed|for|review|letter|report|decision|meeting|before|after)\s*\(?$/i,
)

/** A period that dates the value, not an event beside it. */
function datesValues(clause: Clause, p: FoundPeriod): boolean {
  if (p.period.grain !== 'day')
    return !/\b(?:since|founded|acquired|signed|until|effective|scheduled|due|by)\s(?:in\s|for\s)?$/i.test(
      clause.text.slice(Math.max(0, p.start - 20), p.start),
    )
  const left = clause.text.slice(Math.max(0, p.start - 24), p.start)
  // "11,340 (30 June 2031)"
  if (clause.text[p.end] === ')' && clause.values.some(value => /^ ?\($/.test(clause.text.slice(value.end, p.start)))) return true
  return AS_OF.test(left) && !EVENT.test(left)
}

/** The period a value is said for, if the clause says it. */
export function periodFor(clause: Clause, value: FoundValue): Period | null {
  const usable = clause.periods.filter(p => datesValues(clause, p))
  if (!usable.length) return null
  const after = usable.find(p => p.start >= value.end && !clause.values.some(v => v.start >= value.end && v.end <= p.start))
  // "38 minutes (2022: 43)": the year is the other figure's.
  const isOthers = after !== undefined && /^\s?[:=]\s?[A-Z€$£]{0,4}\s?\d/.test(clause.text.slice(after.end, after.end + 8))
  if (after && !isOthers && after.start - value.end <= 56 && !/[.;]\s/.test(clause.text.slice(value.end, after.start))) {
    const between = clause.text.slice(value.end, after.start)
    if (
      /^\s?\(|^\s*(?:for|in|as|at|of|during|\()/i.test(between) ||
      between.trim().length <= 24 ||
      /^[^,;()\d]{0,48}\b(?:in|for|during|of|at)\s*$/.test(between)
    )
      return fits(between) ? after.period : null
  }
  // "from 142% (Q4 2025) to": what stands in parentheses behind a value is that value's.
  const taken = (p: FoundPeriod): boolean => clause.values.some(v => v !== value && /^\s?\($/.test(clause.text.slice(v.end, p.start)))
  const before = usable.filter(p => p.end <= value.start && !taken(p))
  const last = before.at(-1)
  if (last && !clause.values.some(v => v.start >= last.end && v.end <= value.start)) return last.period
  const first = usable[0]!
  if (usable.length === 1 && !isOthers && !taken(first) && clause.values[0] && first.end <= clause.values[0].start) return first.period
  return null
}

/** "down from 40.1% in Q4": the words between must not start a comparison. */
function fits(between: string): boolean {
  return !/\b(?:from|compared|versus|vs|against|than|since|over|and|while|but)\b/i.test(between)
}
