/**
 * One stretch of words with everything found in it: dates, values, tagged tokens. Knows which period belongs to which
 * value and which values are only cited.
 */

import { namesByNumber } from './marks.js'
import { pattern } from './pattern.js'
import { type FoundPeriod, findPeriods, MONTH, mergeRanges } from './periods.js'
import { type Tok, tagged } from './tagging.js'
import type { Period } from './types.js'
import { NUMBER_WORD } from './units.js'
import { type FoundValue, findValues } from './values.js'
import { wordsOf } from './words.js'

export interface Clause {
  /** The words; offsets below are relative to it. */
  text: string
  base: number
  periods: FoundPeriod[]
  values: FoundValue[]
  toks: Tok[]
}

/** "Site 07", "Phase II", "Art. 18": a number that names; it is no quantity. */
const NAMED_NUMBER =
  /(?:\b(?:[Aa]rt(?:icle)?s?|[Ss]ec(?:tion)?s?|[Dd]ocuments?|[Nn]os?|[Rr]ef|[Pp]hase|[Ss]ite|[Tt]ype|[Tt]ier|[Gg]rades?|[Gg]r|[Ss]tage|[Cc]laims?|[Oo]bservations?|[Cc]ases?|[Gg]uidelines?|[Pp]atient|[Cc]ycles?|[Dd]ay|[Pp]art|[Tt]able|[Ff]igure|[Aa]nnex|[Aa]ppendix|[Cc]lass|[Ss]tep|[Oo]ption|[Nn]ote|[Ii]tem|[Pp]oints?|[Pp]ara(?:graph)?s?|[Rr]ecommendations?|[Rr]equirements?|[Qq]uestions?|[Ff]irmware|[Ss]oftware|[Ee]ndorsement|[Aa]mendment|[Ii]ssue|[Rr]elease|[Cc]lause|[Ss]chedule|[Pp]age|[Uu]nit|[Bb]lock|[Ll]ot|[Bb]atch|[Ll]evel|[Vv]ersion|[Rr]evision|[Ww]eek|[Rr]oom|[Ll]ine|[Pp]illar|[Ss]cope|[Tt]op|IFRS|IAS|ISO|SOC|ASC|CFR|GAAP|RECIST|CTCAE|TNM|ICH|Directive|Regulation)\.?\s?#?|(?:^|[^\p{L}])v)$/u

/** A day whose year is not known is still no quantity. */
const DAY_OF_MONTH = new RegExp(`^\\d{1,2}(?:st|nd|rd|th)?\\.?(?:(?: (?:and|to|or|until) | ?[-–] ?)\\d{1,2})?\\s${MONTH}(?![a-z])`, 'i')

/** Behind a number that names: it is something, or says something. */
const NAMES_WHAT =
  /^\d{1,2}(?:\.\d{1,2})? (?:is|was|requires|says|states|provides|limits|sets) (?:an? |the |to |only |at |now )*[\p{L}€$£]*\s?\d/u

function namedNumbers(text: string): (at: number) => boolean {
  return at => {
    const before = text.slice(Math.max(0, at - 16), at)
    if (NAMED_NUMBER.test(before) || DAY_OF_MONTH.test(text.slice(at, at + 20))) return true
    // "the freeboard in condition 9 is 2.0 m"
    if (
      /\p{Ll}{4} $/u.test(before) &&
      NAMES_WHAT.test(text.slice(at, at + 24)) &&
      !/\b(?:from|than|only|about|over|under|total) $/.test(before)
    )
      return true
    const word = /(?:^|[^\p{L}])(\p{L}{3,14}) $/u.exec(before)?.[1]
    // "gate 4 did not open", but "per container 12 tonnes".
    return (
      word !== undefined &&
      namesByNumber(word.toLowerCase()) &&
      /^\d{1,3}(?![\d.,]*\d|\s?[%€$£]|\s\p{L}+s\b)/u.test(text.slice(at, at + 24))
    )
  }
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

function readClause(raw: string, start: number, year: number | null): Clause {
  const slice = raw.replace(/[\n\r\t\u00a0]/g, ' ')
  const periods = mergeRanges(slice, findPeriods(slice, year))
  const named = namedNumbers(slice)
  const masked = (at: number): number => {
    for (const p of periods) if (at >= p.start && at < p.end) return p.end
    return named(at) ? at + 1 : -1
  }
  const values = HAS_NUMBER.test(slice) ? findValues(slice, masked) : []
  const covers = (at: number): { tag: 'V' | 'T'; start: number; end: number } | null => {
    for (const v of values) if (at >= v.start && at < v.end) return { tag: 'V', start: v.start, end: v.end }
    for (const p of periods) if (at >= p.start && at < p.end) return { tag: 'T', start: p.start, end: p.end }
    return null
  }
  return { text: slice, base: start, periods, values, toks: tagged(slice, wordsOf(slice), covers) }
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
