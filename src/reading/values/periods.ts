/**
 * Dates and periods as people write them, with offsets: days, months, quarters, halves, fiscal years, ranges.
 * Periods are half-open ISO days. What has no year takes it from the document; nothing here knows today's date.
 */

import { matchesOf } from '../matches.js'
import { memo } from '../memo.js'
import type { Period } from '../types.js'
import { isAmount } from './values.js'

export interface FoundPeriod {
  start: number
  end: number
  period: Period
  /** Written without its year; the year is the document's. */
  yearGuessed: boolean
}

/** The months in English, German and French. */
const MONTHS = [
  'Jan(?:uary?|vier)?|Jänner',
  'Feb(?:ruary?)?|f[ée]vrier',
  'Mar(?:ch|s)?|M(?:ä|ae)rz',
  'Apr(?:il)?|avril',
  'Ma[yi]',
  'Jun[ei]?|juin',
  'Jul[yi]?|juillet',
  'Aug(?:ust)?|ao[ûu]t',
  'Sept?(?:emb(?:er|re))?',
  'O[ck]t(?:ob(?:er|re))?',
  'Nov(?:emb(?:er|re))?',
  'De[cz](?:ember)?|d[ée]cembre',
]
/** As they are written, to stand in an expression. */
const MONTH = `(?:${MONTHS.join('|')})\\.?`
const EACH_MONTH = MONTHS.map(form => new RegExp(`^(?:${form})\\.?$`, 'i'))

const monthNumber = (word: string): number => EACH_MONTH.findIndex(form => form.test(word)) + 1

const pad = (n: number): string => String(n).padStart(2, '0')

/** A month or a day past the last is one of the next year or month. */
const isoDay = (year: number, month: number, day: number): string => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

function dayPeriod(year: number, month: number, day: number): Period | null {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  const from = isoDay(year, month, day)
  return { label: from, from, to: isoDay(year, month, day + 1), grain: 'day' }
}

function monthsPeriod(label: string, year: number, month: number, count: number, grain: Period['grain']): Period {
  return { label, from: isoDay(year, month, 1), to: isoDay(year, month + count, 1), grain }
}

const quarterPeriod = (year: number, quarter: number): Period => monthsPeriod(`Q${quarter} ${year}`, year, quarter * 3 - 2, 3, 'quarter')

const halfPeriod = (year: number, half: number): Period => monthsPeriod(`H${half} ${year}`, year, half * 6 - 5, 6, 'half')

const yearPeriod = (year: number, label = String(year)): Period => monthsPeriod(label, year, 1, 12, 'year')

/** "2 to 6 February 2026": several days of one month. */
function daysPeriod(year: number, month: number, first: number, last: number): Period | null {
  const [from, to] = [dayPeriod(year, month, first), dayPeriod(year, month, last)]
  return from && to && first < last ? { label: `${from.from} to ${to.from}`, from: from.from, to: to.to, grain: 'range' } : null
}

const YEAR = '((?:19|20|21)\\d{2})'
/** A date may be broken at the end of a line, and the next line indented. */
const GAP = '\\s{1,40}'

type Maker = (m: RegExpExecArray | RegExpMatchArray, year: number | null) => { period: Period | null; guessed?: boolean }

const num = (text: string | undefined): number => Number(text)

function fullYear(text: string): number {
  return text.length === 2 ? 2000 + num(text) : num(text)
}

/** "the year ended 31 March 2031": the months before a last day. */
function monthsTo(count: number, year: number, month: number, day: number): Period | null {
  if (day !== daysIn(year, month)) return null
  const grain = count === 12 ? 'year' : count === 3 ? 'quarter' : 'half'
  const label = month === 12 && count === 12 ? `FY${year}` : `${count} months to ${isoDay(year, month, day)}`
  return monthsPeriod(label, year, month - count + 1, count, grain)
}

/** In order of trust: the first pattern to cover a stretch of text has it. */
const PATTERNS: [RegExp, Maker][] = [
  [
    /(?<![\d-])((?:19|20|21)\d{2})-(\d{2})-(\d{2})(?![\d-])(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?Z?)?/g,
    m => ({ period: dayPeriod(num(m[1]), num(m[2]), num(m[3])) }),
  ],
  [
    new RegExp(
      `(?<![\\d.,-])(\\d{1,2})\\.?(?:\\s?[–—-]\\s?|\\s(?:to|and|until)\\s)(\\d{1,2})\\.?${GAP}(${MONTH}),?${GAP}${YEAR}(?!\\d)`,
      'gi',
    ),
    m => ({ period: daysPeriod(num(m[4]), monthNumber(m[3]!), num(m[1]), num(m[2])) }),
  ],
  [
    new RegExp(
      `\\b(year|quarter|half(?:[- ]year)?|(?:three|six|twelve) months)${GAP}end(?:ed|ing)${GAP}(?:on${GAP})?(\\d{1,2})(?:st|nd|rd|th)?\\.?${GAP}(${MONTH}),?${GAP}${YEAR}(?!\\d)`,
      'gi',
    ),
    m => ({
      period: monthsTo(/quarter|three/i.test(m[1]!) ? 3 : /half|six/i.test(m[1]!) ? 6 : 12, num(m[4]), monthNumber(m[3]!), num(m[2])),
    }),
  ],
  [
    new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er)?\\.?${GAP}(?:(?:day${GAP})?of${GAP})?(${MONTH}),?${GAP}${YEAR}(?!\\d)`, 'gi'),
    m => ({ period: dayPeriod(num(m[3]), monthNumber(m[2]!), num(m[1])) }),
  ],
  [
    new RegExp(`\\b(${MONTH})${GAP}(\\d{1,2})(?:st|nd|rd|th)?,?${GAP}${YEAR}(?!\\d)`, 'gi'),
    m => ({ period: dayPeriod(num(m[3]), monthNumber(m[1]!), num(m[2])) }),
  ],
  [
    /(?<![\d./])(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d{2})(?!\d|[./]\d)/g,
    m => ({ period: num(m[2]) > 12 ? dayPeriod(num(m[3]), num(m[1]), num(m[2])) : dayPeriod(num(m[3]), num(m[2]), num(m[1])) }),
  ],
  [
    /\b(?:Q([1-4])|([1-4])Q)[\s-]{0,2}(?:of\s|FY\s?)?'?((?:19|20|21)\d{2}|\d{2})(?!\d|[.,]\d|\s?%)/g,
    m => ({ period: quarterPeriod(fullYear(m[3]!), num(m[1] ?? m[2])) }),
  ],
  [/(?<!\d)((?:19|20|21)\d{2})[\s-]{0,2}Q([1-4])\b/g, m => ({ period: quarterPeriod(num(m[1]), num(m[2])) })],
  [
    /\b(first|second|third|fourth)\squarter\s(?:of\s)?(?:FY\s?|fiscal\s)?((?:19|20|21)\d{2})\b/gi,
    m => ({ period: quarterPeriod(num(m[2]), 1 + ['first', 'second', 'third', 'fourth'].indexOf(m[1]!.toLowerCase())) }),
  ],
  [/\bH([12])[\s-]{0,2}(?:of\s|FY\s?)?((?:19|20|21)\d{2})\b/g, m => ({ period: halfPeriod(num(m[2]), num(m[1])) })],
  [
    /\b(first|second)\shalf\s(?:of\s)?(?:FY\s?)?((?:19|20|21)\d{2})\b/gi,
    m => ({ period: halfPeriod(num(m[2]), m[1]!.toLowerCase() === 'first' ? 1 : 2) }),
  ],
  [
    /\b(?:FY|fiscal\syear|financial\syear|full[\s-]year|calendar\syear|year\sended?)\s?'?((?:19|20|21)\d{2}|\d{2})(?:\s?[/-]\s?(\d{2}|(?:19|20|21)\d{2}))?(?![\d%])/gi,
    m => ({ period: yearPeriod(fullYear(m[1]!), `FY${fullYear(m[1]!)}`) }),
  ],
  // "operating cost for 2024/25"
  [
    /(?<![\d.,/-])((?:19|20)\d{2})\/(\d{2})(?![\d/]|[.,]\d)/g,
    m => ({ period: (num(m[1]) + 1) % 100 === num(m[2]) ? yearPeriod(num(m[1]), `FY${m[1]}`) : null }),
  ],
  [
    new RegExp(`\\b(${MONTH}),?${GAP}${YEAR}(?!\\d)`, 'gi'),
    m => ({ period: monthsPeriod(`${num(m[2])}-${pad(monthNumber(m[1]!))}`, num(m[2]), monthNumber(m[1]!), 1, 'month') }),
  ],
  [
    new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er)?\\.?${GAP}(${MONTH})(?![a-z])`, 'gi'),
    (m, year) => ({ period: year === null ? null : dayPeriod(year, monthNumber(m[2]!), num(m[1])), guessed: true }),
  ],
  [
    new RegExp(`\\b(${MONTH})${GAP}(\\d{1,2})(?:st|nd|rd|th)?(?![\\d%,.]\\d|\\d|%)`, 'gi'),
    (m, year) => ({ period: year === null ? null : dayPeriod(year, monthNumber(m[1]!), num(m[2])), guessed: true }),
  ],
  [
    /(?<![\d.,/$€£-])((?:19|20)\d{2})(?=[EFAB]?\b)(?![\d.,]\d|[/-]\d|\s?(?:units|patients|employees))/g,
    m => ({ period: isAmount(m.input!, m.index!, m.index! + 4) ? null : yearPeriod(num(m[1])) }),
  ],
]

/** Every date and period in the text, in order, not overlapping. */
export function findPeriods(text: string, year: number | null): readonly FoundPeriod[] {
  return /\d/.test(text) ? periodsOf(`${year ?? ''} ${text}`) : []
}

/** Of a year and a text behind it. The same sentences, headings and labels are asked by several readers. */
const periodsOf = memo(64, (asked: string): readonly FoundPeriod[] => {
  const at = asked.indexOf(' ')
  const [year, text] = [at === 0 ? null : Number(asked.slice(0, at)), asked.slice(at + 1)]
  const found: FoundPeriod[] = []
  const taken: boolean[] = []
  for (const [form, make] of PATTERNS)
    for (const match of matchesOf(form, text)) {
      const start = match.index
      const end = start + match[0].length
      if (taken[start] || taken[end - 1]) continue
      const made = make(match, year)
      if (!made.period) continue
      for (let i = start; i < end; i++) taken[i] = true
      found.push({ start, end, period: made.period, yearGuessed: made.guessed === true })
    }
  return found.sort((a, b) => a.start - b.start)
})
