/** Values a model names, typed by our own code from the words of the quote they stand in: what is not written there has no value. */

import { cut } from '../platform/storable-text.js'
import type { ClaimValue } from '../reading/types.js'
import { NEGATION } from '../reading/words/stems.js'
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

/** Of the same length: a tag between two cells is neither a word nor a sign of comparison. */
function withoutTags(quote: string): string {
  return quote.replace(/<\/?[a-z][^<>]*>/gi, tag => ' '.repeat(tag.length))
}

export function isFigure(value: ClaimValue): value is Extract<ClaimValue, { type: 'money' | 'percent' | 'quantity' }> {
  return value.type === 'money' || value.type === 'percent' || value.type === 'quantity'
}

function isNegated(text: string): boolean {
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
