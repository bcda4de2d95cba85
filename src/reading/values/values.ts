/**
 * Typed values with offsets: money, percent, ratios, counts with units, fractions, ranges. Scans numbers left to
 * right and looks at what stands around each, so the cost is linear whatever the text.
 */

import { squeeze } from '../layout/squeeze.js'
import type { NumberValue } from '../types.js'
import { NUMBERED_THING } from '../words/numbered-things.js'
import { type Bound, qualifiersOf } from './bounds.js'
import { CODES, CURRENCY_WORDS, LETTER_UNITS, MAGNITUDES, NUMBER_WORD, NUMBER_WORDS, unitOf } from './unit-table.js'

/** A figure and where it stands. */
export interface FoundFigure {
  start: number
  end: number
  text: string
  value: NumberValue
}

export interface FoundValue extends FoundFigure {
  /** "at least" and "up to", as written. */
  bound: Bound
}

/**
 * "500 000 EUR", "EUR 8 600", "1 234 567": groups parted by blanks, where a currency stands beside them, the last of several is "000"
 * or the first is shorter than the others. Never from within a list of figures.
 */
const CODE = '(?:[€£$¥]|\\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF)\\b|euros?\\b)'
const SPACED = `(?<![\\d.,]|(?<!\\d)\\d{1,3} )[1-9]\\d{0,2}(?:(?: \\d{3}){1,4} 000|(?<=(?<!\\d)\\d{1,2})(?: \\d{3}){2,4}|(?<=${CODE} ?\\d{1,3})(?: \\d{3}){1,5}|(?: \\d{3}){1,5}(?=(?:[.,]\\d{1,2})? ?${CODE}))(?! ?\\d)(?:[.,]\\d{1,2}(?!\\d))?`
const NUMBER = new RegExp(
  `${SPACED}|\\d{1,3}(?:[,'’\\u00a0\\u202f]\\d{3}){1,6}(?:\\.\\d{1,9})?|\\d{1,3}(?:\\.\\d{3}){2,6}(?:,\\d{1,4})?|\\d{1,15}(?:[.,]\\d{1,9})?|\\b(?:${NUMBER_WORD})\\b(?![-\\w])`,
  'giu',
)

interface Raw {
  start: number
  end: number
  n: number
  precision: number
  kind: 'money' | 'percent' | 'quantity'
  unit: string | null
  points: boolean
  magnitude: number
  magnitudeWritten: boolean
}

/** The number a person wrote, and the size of its last written digit. */
export function parseNumber(text: string): { n: number; precision: number } {
  if (/^\d+$/.test(text)) return { n: Number(text), precision: 1 }
  const word = NUMBER_WORDS[text.toLowerCase()]
  if (word !== undefined) return { n: word, precision: 1 }
  let plain = text.replace(/['’\u00a0\u202f ]/g, '')
  if (/^\d{1,3}(\.\d{3}){2,}/.test(plain)) plain = plain.replace(/\./g, '').replace(',', '.')
  else if (/^\d{1,3}(,\d{3})+(\.|$)/.test(plain)) plain = plain.replace(/,/g, '')
  else plain = plain.replace(',', '.')
  const decimals = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0
  return { n: Number(plain), precision: 10 ** -decimals }
}

/** What is called so has no number behind it. */
const ONE_OF_ITS_KIND =
  /^(?:the|this|that|a|an|each|every|per|one|der|die|das|dem|den|des|einer?|eines|pro|je|le|la|les|un|une|el|los|una|il|lo)$/i

const before = (text: string, at: number): string => text.slice(Math.max(0, at - 8), at)

const CURRENCY = /(?:((?:[Uu][Ss]|[CcAa])?\$|[€£¥₹])|(?<![\p{L}\p{N}])([A-Z]{3}))\s{0,3}(\()?$/u

function leftOf(text: string, start: number): { start: number; currency: string | null; negative: boolean; paren: boolean } {
  let at = start
  let negative = false
  const sign = (): void => {
    const c = text[at - 1] ?? ' '
    const isMinus = '-−–'.includes(c) && !/[\p{L}\p{N}%)/]/u.test(text[at - 2] ?? ' ')
    const [word = ''] = c === ' ' ? (/(?<!\p{L})minus $/iu.exec(before(text, at)) ?? []) : []
    negative ||= isMinus || word !== ''
    at -= isMinus ? 1 : word.length
  }
  sign()
  const [said = '', symbol, code, paren] = CURRENCY.exec(before(text, at)) ?? []
  const currency = symbol ? (CURRENCY_WORDS[symbol.toLowerCase()] ?? 'USD') : code && CODES.has(code) ? code : null
  if (currency) {
    at -= said.length
    sign()
  }
  const isNegative = currency !== null && paren !== undefined
  return { start: at, currency, negative: negative || isNegative, paren: isNegative }
}

/** "5 %", "2 percentage points", "30 bps". */
const SHARE =
  /^[ \u00a0]?(?:-[ ]?)?(?:(?:%|percent\b|pct\b|per[ \n]cent\b)([ \u00a0\n]?(?:age )?points?\b)?|(percentage[ \n]points?\b|pps?\b)|(bps?\b|basis[ \n]points?\b))/i
const AFTER = /^[ \u00a0]?(?:-[ ]?)?(%|‰|[\p{L}°][\p{L}²³]{0,14}\d?(?:\/\p{L}[\p{L}²³]{0,8}\d?)?|€|£)/u
function rightOf(text: string, end: number, isMoney: boolean): Omit<Raw, 'start' | 'n' | 'precision'> {
  const result: ReturnType<typeof rightOf> = { end, kind: 'quantity', unit: null, points: false, magnitude: 1, magnitudeWritten: false }
  let at = end
  for (let round = 0; round < 2; round++) {
    const ahead = text.slice(at, at + 24)
    const match = AFTER.exec(ahead)
    if (!match) return result
    const raw = match[1]!
    const word = raw.toLowerCase()
    const tight = !' \u00a0-'.includes(ahead[0]!)
    const stop = at + match[0].length
    const [share, points, percentagePoints, basis] = SHARE.exec(ahead) ?? []
    if (share !== undefined && basis !== undefined) return { ...result, unit: 'bps', end: at + share.length }
    if (share !== undefined)
      return { ...result, kind: 'percent', points: (points ?? percentagePoints) !== undefined, end: at + share.length }
    const currency = CURRENCY_WORDS[word] ?? (CODES.has(raw) ? raw : undefined)
    if (currency) return { ...result, kind: 'money', unit: currency, end: stop }
    const magnitude = MAGNITUDES[word]
    if (round === 0 && magnitude && (tight || word.length > 1) && !(word === 'mm' && !(tight && isMoney))) {
      result.magnitude = magnitude
      result.magnitudeWritten = true
      result.end = stop
      at = stop
      continue
    }
    const unit = word.length > 1 ? unitOf(raw) : isMoney ? null : LETTER_UNITS[raw]
    return unit ? { ...result, unit, end: stop } : result
  }
  return result
}

/** "in 2019 hours fell", "the 2024 year end": a year, and what is told of it. */
const OF_YEAR = /\b(?:in|since|during|until|till)\s$/i
const NO_UNIT_OF_MANY = /^\s?(?:A|second|minute|hour|day|week|month|year)\b/
const TO_NEXT = /^(?:\s?[-–]\s?|\s(?:to|and|or)\s)\d[\d.,]*/
const FROM_LAST = /(\d[\d.,]*)(?:\s?[-–]\s?|\sto\s)$/

/** Whether four digits are an amount by the currency or unit beside them or at the other end of their range, and so no year. */
export function isAmount(text: string, start: number, end: number): boolean {
  const [last, low = ''] = FROM_LAST.exec(text.slice(Math.max(0, start - 16), start)) ?? []
  // "EUR 41,000 to 2030" is no range.
  const from = last && parseNumber(low).n < Number(text.slice(start, end)) ? start - last.length : start
  const until = end + (TO_NEXT.exec(text.slice(end, end + 16))?.[0].length ?? 0)
  // "EUR 2024: 41,000" heads a column.
  if (text[end] !== ':' && leftOf(text, from).currency !== null) return true
  const ahead = text.slice(until, until + 24)
  const right = rightOf(text, until, false)
  if (right.end === until || NO_UNIT_OF_MANY.test(ahead)) return false
  // "2024 EUR 41,000": the currency of what follows.
  const isOfNext = right.kind === 'money' && /^\s{0,3}\d/.test(text.slice(right.end))
  return !isOfNext && !(right.end - until > 4 && OF_YEAR.test(text.slice(0, from)))
}

/** "Rent of flat 4 850 EUR": a number that says which of several is none of the figure behind it. "The price of the flat 250 000 EUR" has none. */
function ofThing(text: string, at: number, digits: string): string {
  const gap = digits.indexOf(' ')
  if (gap < 0 || digits[gap + 1] === '0') return digits
  const [, before = '', noun = ''] = /(?:(\p{L}+)\s)?(\p{L}{2,20})\.?\s$/u.exec(text.slice(Math.max(0, at - 32), at)) ?? []
  return NUMBERED_THING.has(noun.toLowerCase()) && !ONE_OF_ITS_KIND.test(before) ? digits.slice(0, gap) : digits
}

function scan(text: string, masked: (at: number) => number): Raw[] {
  const raws: Raw[] = []
  NUMBER.lastIndex = 0
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const at = match.index
    const digits = ofThing(text, at, match[0])
    NUMBER.lastIndex = at + digits.length
    if (at < (raws.at(-1)?.end ?? 0)) continue
    const hidden = masked(at)
    // "2025-01-04,4275.00": what stands behind a date is a figure of its own.
    if (hidden >= 0) NUMBER.lastIndex = Math.max(hidden, at + 1)
    if (hidden >= 0) continue
    const word = /^[a-z]/i.test(digits)
    const { n, precision } = parseNumber(digits)
    const left = word ? { start: at, currency: null, negative: false, paren: false } : leftOf(text, at)
    const right = rightOf(text, at + digits.length, left.currency !== null)
    const { magnitude } = right
    raws.push({
      ...right,
      start: left.start,
      end: right.end + Number(left.paren && text[right.end] === ')'),
      n: (left.negative ? -n : n) * magnitude,
      precision: precision * magnitude,
      kind: left.currency ? 'money' : right.kind,
      unit: left.currency ?? right.unit,
    })
  }
  return raws
}

const JOIN = /^\s{0,2}(?:[-–—]|to|and|until|bis)\s{1,3}$|^\s?[-–—]\s?$/

function joins(text: string, a: Raw, b: Raw): boolean {
  const between = text.slice(a.end, b.start)
  if (between.length > 6 || !JOIN.test(between)) return false
  const lead = text.slice(Math.max(0, a.start - 40), a.start)
  if (/\band\b/.test(between) && !/\bbetween\s(?:approximately\s|about\s)?$/i.test(lead)) return false
  // "from 135% to 155%" is a change, "ranging from 3% to 8%" a range.
  if (/\bto\b/.test(between) && /(?<!\brang\w*\s)\bfrom\s(?:approximately\s|about\s|around\s|~)?$/i.test(lead)) return false
  if (a.unit && b.unit && a.unit !== b.unit) return false
  return Math.abs(scaled(a, b)) <= Math.abs(b.n) || b.n < 0 || a.n < 0
}

/** "8-12M": the first takes its size from the second. */
function scaled(a: Raw, b: Raw): number {
  return a.magnitudeWritten || !b.magnitudeWritten ? a.n : a.n * b.magnitude
}

function finish(text: string, first: Raw, last: Raw): FoundValue {
  const low = scaled(first, last)
  const { approximate, bound } = qualifiersOf(text, first.start)
  const kind = last.kind === 'quantity' && first.kind !== 'quantity' ? first.kind : last.kind
  const unit = last.unit ?? first.unit
  const numbers = {
    low: Math.min(low, last.n),
    high: Math.max(low, last.n),
    precision: Math.min(first.precision, last.precision),
    approximate,
  }
  const value: FoundValue['value'] =
    kind === 'money'
      ? { type: 'money', currency: unit, ...numbers }
      : kind === 'percent'
        ? { type: 'percent', points: last.points, ...numbers }
        : { type: 'quantity', unit, ...numbers }
  return { start: first.start, end: last.end, value, text: squeeze(text.slice(first.start, last.end)), bound }
}

/** Values in order. `masked` gives the end of the date or name that covers an offset, or -1. */
export function findValues(text: string, masked: (at: number) => number): FoundValue[] {
  const raws = scan(text, masked)
  const found: FoundValue[] = []
  for (let i = 0; i < raws.length; i++) {
    const raw = raws[i]!
    const next = raws[i + 1]
    const last = next && joins(text, raw, next) ? next : raw
    found.push(finish(text, raw, last))
    // A fraction "9/116" keeps its numerator; its share usually follows in percent.
    if (last === next || (next && text.slice(raw.end, next.start) === '/')) i++
  }
  return found
}
