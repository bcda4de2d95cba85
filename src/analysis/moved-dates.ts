/** Dates that a text gives up for others: "from 1 June to 15 September", "30 April (previously 31 March)", "due 1 May, moved to 9 June". */
import type { Clause } from './clause.js'
import { pattern } from './pattern.js'
import { type FoundPeriod, findPeriods } from './periods.js'
import type { Period } from './types.js'

/** A date of a sentence with the older one it takes the place of. */
export interface ToldDate {
  found: FoundPeriod
  period: Period
  prior: Period | null
  /** The words say that the date was moved. */
  moved: boolean
}

const MOVES =
  '(?:postponed|moves?|moved|extends?|extended|extension|rescheduled|changed|delayed|deferred|brought forward|shifted|slipped|slips|slip|pushed|put back|put off|set back|adjourned|revised|adjusted|advanced|prolonged|corrected|amended)'
/** "is extended", "has moved again from": what stands before the older date. */
const MOVED_FROM = pattern(new RegExp(`\\b${MOVES}\\b[^.;:\\d]{0,40}\\bfrom\\s*$`, 'i'))
const MOVED_TO = pattern(
  new RegExp(`\\b${MOVES}\\b(?:[^.;:\\d]{0,30}|[^.;:,\\d]{0,60})(?:, )?\\b(?:to|until|till|for)\\s*(?:the\\s)?(?:end of\\s)?$`, 'i'),
)
/** Nothing but the move stands between the two dates. */
const THEN_MOVED = pattern(new RegExp(`^[\\s,;()–—-]*(?:(?:and|but|then|now|later|since|has|been|was|is|it)\\s){0,4}${MOVES}\\b`, 'i'))
const CITED = pattern(
  /(?:\b(?:previously|formerly|originally|initially|instead of|rather than|earlier|original(?: date)?|previous(?: date)?|old(?: date)?)|[(,]\s?(?:was|were|not|before))[\s:]{1,2}(?:(?:it\s)?(?:was\s|were\s)?(?:scheduled|planned|expected|foreseen|due|set|fixed|announced|stated|given|agreed)\s(?:as\s)?)?(?:(?:on|in|by|for|until|to|at|end of|the)\s){0,2}$/i,
)
const ARROW = /^\s?(?:->|→|=>|⇒)\s?$/

const isMove = (text: string): boolean => MOVED_TO.test(text)

/** The two dates of a range that is no range but a move. */
function split(clause: Clause, found: FoundPeriod, year: number | null): ToldDate | null {
  if (found.period.grain !== 'range' || !MOVED_FROM.test(clause.text.slice(Math.max(0, found.start - 80), found.start))) return null
  const [from, to] = findPeriods(clause.text.slice(found.start, found.end), year)
  return from && to ? { found, period: to.period, prior: from.period, moved: true } : null
}

/** "brought forward from 9 June to 4 May": no range, as the second lies before the first. Where the first stands the words lead to both. */
function brought(clause: Clause, found: FoundPeriod, first: FoundPeriod | undefined): ToldDate | null {
  if (!first || !/^\s?to\s?$/.test(clause.text.slice(first.end, found.start))) return null
  if (!MOVED_FROM.test(clause.text.slice(Math.max(0, first.start - 80), first.start))) return null
  return { found: first, period: found.period, prior: first.period, moved: true }
}

/** The dates a sentence claims, each with the older one cited beside it; dates that are only cited are none of them. */
export function datesTold(clause: Clause, year: number | null): ToldDate[] {
  const told: ToldDate[] = []
  const cited: FoundPeriod[] = []
  const { text, periods } = clause
  for (const [i, found] of periods.slice(0, 8).entries()) {
    const left = text.slice(Math.max(0, found.start - 100), found.start)
    const next = periods[i + 1]
    const between = next ? text.slice(found.end, next.start) : ''
    const apart = split(clause, found, year) ?? brought(clause, found, periods[i - 1])
    if (apart) told.push(apart)
    else if (next && brought(clause, next, found)) continue
    else if (CITED.test(left) || (next && ARROW.test(between))) cited.push(found)
    else if (next && THEN_MOVED.test(between) && isMove(text.slice(0, next.start).slice(-100))) cited.push(found)
    else told.push({ found, period: found.period, prior: null, moved: isMove(left) })
  }
  for (const older of cited) {
    const near = told.filter(item => item.prior === null).sort((a, b) => away(a.found, older) - away(b.found, older))[0]
    if (near && near.period.from !== older.period.from) near.prior = older.period
  }
  return told
}

const away = (a: FoundPeriod, b: FoundPeriod): number => Math.abs(a.start - b.start)
