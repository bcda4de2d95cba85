/**
 * Typed values with offsets: money, percent, ratios, counts with units, fractions, ranges. Scans numbers left to
 * right and looks at what stands around each, so the cost is linear whatever the text.
 */

import { squeeze } from '../layout/squeeze.js'
import type { NumberValue } from '../types.js'
import { type Bound, qualifiersOf } from './bounds.js'
import { MONTH } from './periods.js'
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

const NUMBER = new RegExp(
  `\\d{1,3}(?:[,'’\\u00a0\\u202f]\\d{3})+(?:\\.\\d{1,9})?|\\d{1,3}(?:\\.\\d{3}){2,}(?:,\\d{1,4})?|\\d{1,15}(?:[.,]\\d{1,9})?|\\b(?:${NUMBER_WORD})\\b(?![-\\w])`,
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
  let plain = text.replace(/['’\u00a0\u202f]/g, '')
  if (/^\d{1,3}(\.\d{3}){2,}/.test(plain)) plain = plain.replace(/\./g, '').replace(',', '.')
  else if (/^\d{1,3}(,\d{3})+(\.|$)/.test(plain)) plain = plain.replace(/,/g, '')
  else plain = plain.replace(',', '.')
  const decimals = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0
  return { n: Number(plain), precision: 10 ** -decimals }
}

const before = (text: string, at: number): string => text.slice(Math.max(0, at - 8), at)

function leftOf(text: string, start: number): { start: number; currency: string | null; negative: boolean; paren: boolean } {
  let at = start
  let negative = false
  let paren = false
  const skip = (): void => {
    let spaces = 0
    while (at > 0 && spaces < 8 && (text[at - 1] === ' ' || text[at - 1] === '\u00a0' || text[at - 1] === '\t')) {
      at--
      spaces++
    }
  }
  const sign = (): void => {
    const c = text[at - 1]
    // "+/-5 %" is as much either way.
    if (c === '-' && /\+\s?\/\s?-$/.test(before(text, at))) return
    if (c === '-' || c === '−' || c === '–') {
      const previous = text[at - 2] ?? ' '
      if (!/[\p{L}\p{N}%)]/u.test(previous)) {
        negative = true
        at--
      }
    } else if (c === '+') at--
  }
  const minus = (): void => {
    if (text[at - 1] !== ' ' || !/[sſ]/i.test(text[at - 2] ?? '') || !/(?:^|[^\p{L}])minus $/iu.test(before(text, at))) return
    negative = true
    at -= 6
  }
  sign()
  minus()
  if (text[at - 1] === '(' && /[\p{Lu}€$£¥]\s*$/u.test(before(text, at - 1))) {
    paren = true
    at--
  }
  const mark = at
  skip()
  const near = before(text, at)
  const symbol = /[€$£¥₹]$/.test(near) ? /(?:US\$|C\$|A\$|[€$£¥₹])$/i.exec(near) : null
  const code = /[A-Z]{3}$/.test(near) ? /(?:^|[^\p{L}\p{N}])([A-Z]{3})$/u.exec(near) : null
  let currency: string | null = null
  if (symbol) {
    currency = CURRENCY_WORDS[symbol[0].toLowerCase()] ?? 'USD'
    at -= symbol[0].length
  } else if (code && CODES.has(code[1]!)) {
    currency = code[1]!
    at -= 3
  } else {
    at = mark
    if (paren) {
      paren = false
      at = mark + 1
    }
  }
  if (currency) {
    sign()
    minus()
  }
  return { start: at, currency, negative: negative || paren, paren }
}

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
    if (word === '%' || word === 'percent' || word === 'pct') {
      result.kind = 'percent'
      result.end = stop
      const more = /^[ \u00a0\n]?(?:age )?points?\b/i.exec(text.slice(stop, stop + 12))
      if (more) {
        result.points = true
        result.end = stop + more[0].length
      }
      return result
    }
    if (word === 'per' && /^[ \n]?cent\b/i.test(text.slice(stop, stop + 6))) return { ...result, kind: 'percent', end: stop + 5 }
    if (word === 'percentage' && /^[ \n]points?\b/i.test(text.slice(stop, stop + 8)))
      return { ...result, kind: 'percent', points: true, end: stop + 7 }
    if (word === 'pp' || word === 'pps') return { ...result, kind: 'percent', points: true, end: stop }
    if (word === 'bps' || word === 'bp') return { ...result, unit: 'bps', end: stop }
    if (word === 'basis' && /^[ \n]points?\b/i.test(text.slice(stop, stop + 8))) return { ...result, unit: 'bps', end: stop + 7 }
    if (word === 'x' && tight) return { ...result, unit: 'x', end: stop }
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

const IDENTIFIER_AFTER = new RegExp(
  `^(?:/\\d{1,2}\\s${MONTH}|-\\d+[-/]\\d|-0\\d|[_:]\\d|\\.\\d+\\.\\d|[-_/](?=[A-Z])|\\p{Lu}{2}|[a-z]{1,2}\\d)`,
  'u',
)
const TOKEN_LIMIT = 24

/** A number that is part of a name ("EP3847291", "IA-2025-009", "v1.1", "09:42") is never a quantity. */
function isIdentifier(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - 2), start)
  if (near.includes('#') || near.includes('№')) return true
  const own = text.slice(start, end)
  if (near !== '' && !near.endsWith(' ')) {
    let from = start
    while (from > 0 && start - from < TOKEN_LIMIT && /[\p{L}\p{N}_./–-]/u.test(text[from - 1]!)) from--
    const before = text.slice(from, start)
    if (/\d[:_]$/.test(near)) return true
    if (/^\p{L}/u.test(before)) return !CODES.has(before)
    // "4.2.1" is a version or a section, "07-012" a code, "8-12" a range.
    if (/\d\.$|^0\d*[-/]|^\d+[-/]\d+[-/]/.test(before) || (/^0\d/.test(own) && before.endsWith('-'))) return true
  }
  if (end === text.length || text[end] === ' ') return false
  const right = text.slice(end, end + 12)
  if ((own.includes('.') && /^\.[\dx]/.test(right)) || (/^0\d/.test(own) && /^-\d{3}/.test(right))) return true
  return IDENTIFIER_AFTER.test(right) && !/^(?:EUR|USD|GBP|CHF|MW|GW|MB|GB|TB|TW|MV)/.test(right)
}

function scan(text: string, masked: (at: number) => number): Raw[] {
  const raws: Raw[] = []
  NUMBER.lastIndex = 0
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const digits = match[0]
    const at = match.index
    if (at < (raws.at(-1)?.end ?? 0)) continue
    const hidden = masked(at)
    // "2025-01-04,4275.00": what stands behind a date is a figure of its own.
    if (hidden >= 0) NUMBER.lastIndex = Math.max(hidden, at + 1)
    if (hidden >= 0 || isIdentifier(text, at, at + digits.length)) continue
    const word = /^[a-z]/i.test(digits)
    const { n, precision } = parseNumber(digits)
    const left = word ? { start: at, currency: null, negative: false, paren: false } : leftOf(text, at)
    const right = rightOf(text, at + digits.length, left.currency !== null)
    const kind = left.currency ? 'money' : right.kind
    let end = right.end
    if (left.paren && text[end] === ')') end++
    const magnitude = right.magnitude
    raws.push({
      start: left.start,
      end,
      n: (left.negative ? -n : n) * magnitude,
      precision: precision * magnitude,
      kind,
      unit: left.currency ?? right.unit,
      points: right.points,
      magnitude,
      magnitudeWritten: right.magnitudeWritten,
    })
  }
  return raws
}

const JOIN = /^\s{0,2}(?:[-–—]|to|and|until|bis)\s{1,3}$|^\s?[-–—]\s?$/

function joins(text: string, a: Raw, b: Raw): boolean {
  const between = text.slice(a.end, b.start)
  if (between.length > 6 || !JOIN.test(between)) return false
  if (/\band\b/.test(between) && !/\bbetween\s(?:approximately\s|about\s)?$/i.test(text.slice(Math.max(0, a.start - 24), a.start)))
    return false
  // "from 135% to 155%" is a change, "ranging from 3% to 8%" a range.
  if (
    /\bto\b/.test(between) &&
    /\bfrom\s(?:approximately\s|about\s|around\s|~)?$/i.test(text.slice(Math.max(0, a.start - 24), a.start)) &&
    !/\brang\w*\s+(?:in\s\w+\s)?from\s/i.test(text.slice(Math.max(0, a.start - 40), a.start))
  )
    return false
  if (a.unit && b.unit && a.unit !== b.unit) return false
  return Math.abs(scaled(a, b)) <= Math.abs(b.n) || b.n < 0 || a.n < 0
}

/** "8-12M": the first takes its size from the second. */
function scaled(a: Raw, b: Raw): number {
  return a.magnitudeWritten || !b.magnitudeWritten ? a.n : a.n * b.magnitude
}

function finish(text: string, first: Raw, last: Raw): FoundValue {
  const low = scaled(first, last)
  const { approximate, bound } = qualifiersOf(text, first.start, last.end)
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
  return {
    start: first.start,
    end: last.end,
    value,
    text: squeeze(text.slice(first.start, last.end)),
    bound,
  }
}

/** Values in order. `masked` gives the end of the date or name that covers an offset, or -1. */
export function findValues(text: string, masked: (at: number) => number): FoundValue[] {
  const raws = scan(text, masked)
  const found: FoundValue[] = []
  for (let i = 0; i < raws.length; i++) {
    const raw = raws[i]!
    const next = raws[i + 1]
    if (next && joins(text, raw, next)) {
      found.push(finish(text, raw, next))
      i++
    } else if (next && text.slice(raw.end, next.start) === '/' && raw.kind === 'quantity' && !raw.unit) {
      // A fraction "9/116" keeps its numerator; its share usually follows in percent.
      found.push(finish(text, raw, raw))
      i++
    } else found.push(finish(text, raw, raw))
  }
  return found
}
