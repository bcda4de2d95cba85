/** Values a model names, typed by our own code from the words of the quote they stand in: what is not written there has no value. */

import { cut } from '../platform/storable-text.js'
import { dimensionOf, type Interval, intervalOf, samePeriod } from '../reading/relations/compare-values.js'
import type { ClaimValue, Period } from '../reading/types.js'
import { NEGATION } from '../reading/words/lists.js'
import { tokensOf } from '../reading/words/tokens.js'

export interface TypedValue {
  value: ClaimValue
  /** As written. */
  text: string
  negated: boolean
}

/** Null when the words are not in the quote, as whole words: a 5 is not in 1500. With no words the quote itself is what is said. */
export function typedValue(quote: string, words: string | null, year: number | null): TypedValue | null {
  const plain = withoutTags(quote)
  const negated = isNegated(plain)
  if (words === null) return { value: { type: 'boolean', value: !negated }, text: cut(quote, 200), negated }
  const place = findWords(quote, words) ?? findWords(plain, words)
  if (place === null) return null
  const text = quote.slice(place.start, place.end)
  const { numbers, dates } = tokensOf(plain, year)
  const inside = ({ start, end }: { start: number; end: number }) => start < place.end && place.start < end
  const date = dates.find(inside)
  const number = numbers.find(inside)
  if (date !== undefined && (number === undefined || date.end - date.start >= number.end - number.start)) {
    const { from, to, grain } = date.period
    return { value: { type: 'date', from, to, grain }, text, negated }
  }
  if (number !== undefined) return { value: number.value, text, negated }
  return { value: { type: 'name', value: cut(text, 120) }, text, negated }
}

/** Whether the two say the same, so that there is nothing between them. What is only about a figure is the same as the figure, unless `exactly`. */
export function saysTheSame(a: TypedValue, b: TypedValue, exactly = false): boolean {
  const [x, y] = [a.value, b.value]
  if (x.type === 'date' && y.type === 'date') return samePeriod(period(x), period(y))
  if (isFigure(x) && isFigure(y)) {
    if (a.negated !== b.negated || dimensionOf(x) !== dimensionOf(y)) return false
    // Ranges and shares of a count: each figure has to be the same, not only the first, and not only some of the range.
    const [some, others] = [figuresIn(a.text), figuresIn(b.text)]
    if (some.length > 1 && others.length > 1 && some.join(' ') !== others.join(' ')) return false
    const interval = (value: typeof x) => intervalOf(exactly ? { ...value, approximate: false } : value, null)
    return overlap(interval(x), interval(y))
  }
  return a.negated === b.negated && folded(a.text) === folded(b.text)
}

function figuresIn(text: string): number[] {
  return (text.match(/\d+(?:[.,'’]\d+)*/g) ?? []).map(each => Number(each.replace(/[,'’](?=\d{3}(?!\d))/g, '').replace(',', '.')))
}

/** By more than a touch: five and six, both to the nearest one, are two figures. */
function overlap(a: Interval, b: Interval): boolean {
  const touch = 0.001 * Math.min(a.high - a.low, b.high - b.low)
  return a.low < b.high - touch && b.low < a.high - touch
}

/** Of the same length: a tag between two cells is neither a word nor a sign of comparison. */
function withoutTags(quote: string): string {
  return quote.replace(/<\/?[a-z][^<>]*>/gi, tag => ' '.repeat(tag.length))
}

export function isFigure(value: ClaimValue): value is Extract<ClaimValue, { type: 'money' | 'percent' | 'quantity' }> {
  return value.type === 'money' || value.type === 'percent' || value.type === 'quantity'
}

function period({ from, to, grain }: Extract<ClaimValue, { type: 'date' }>): Period {
  return { from, to, grain, label: from }
}

export function isNegated(text: string): boolean {
  return (text.match(new RegExp(NEGATION.source, `${NEGATION.flags.replace('g', '')}g`)) ?? []).length % 2 === 1
}

/** Where words stand in a text, as whole words, whatever the case and the blanks between them. */
export function findWords(text: string, words: string): { start: number; end: number } | null {
  const parts = words.trim().split(/\s+/).filter(Boolean).map(escaped)
  if (parts.length === 0) return null
  // Digits on the other side of a point, or of a separator with three of them, would make it another number.
  const before = /^\d/.test(words.trim()) ? "(?<!\\d\\.)(?<!\\d[,'’](?=\\d{3}(?!\\d)))" : ''
  const behind = /\d$/.test(words.trim()) ? "(?!\\.\\d)(?![,'’]\\d{1,3}(?!\\d))" : ''
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${before}${parts.join('\\s+')}(?![\\p{L}\\p{N}])${behind}`, 'iu')
  const match = pattern.exec(text)
  return match === null ? null : { start: match.index, end: match.index + match[0].length }
}

function escaped(part: string): string {
  return part
    .replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
    .replace(/["“”„]/g, '["“”„]')
    .replace(/['‘’]/g, "['‘’]")
    .replace(/\\-|[–—]/g, '[-–—]')
}

export function folded(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}%]+/gu) ?? []
  ).join(' ')
}
