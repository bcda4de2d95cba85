/**
 * The words of a question somebody types, as claims are found by them, and the words of a claim to rank it by. Both sides are
 * read alike: lower case, words by their stem, figures without separators, codes as they are written.
 */

import { memo } from '../memo.js'
import { FUNCTION_WORDS, stemOf } from './stems.js'
import { tokensOf } from './tokens.js'

export interface SearchedWord {
  /** As `plainWords` has it. */
  word: string
  /** Under which claims may be found: a name is kept as it is written, any other word by its stem. None for a figure. */
  terms: string[]
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:[-./_'’,][\p{L}\p{M}\p{N}]+)*/gu
/** More say little about what is wanted, and each costs a lookup. */
const MOST_WORDS = 12

/** The words of a question, codes and figures first, then the longest, each once. */
export function searchedWords(text: string): SearchedWord[] {
  const found = new Map<string, Set<string>>()
  for (const form of (text.normalize('NFC').match(TOKEN) ?? []).flatMap(formsOf)) {
    const word = plain(form)
    const terms = found.get(word) ?? new Set()
    if (!isFigure(form)) for (const term of [word, form.replace(/['’]s?$/, '')]) terms.add(term)
    found.set(word, terms)
  }
  for (const { key } of tokensOf(text, null).identifiers) if (!found.has(key)) found.set(key, new Set([key]))
  const weight = (word: string): number => (/\d/.test(word) ? 100 : word.length)
  return [...found]
    .map(([word, terms]) => ({ word, terms: [...terms] }))
    .sort((a, b) => weight(b.word) - weight(a.word) || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS)
}

const plainWordsOf = memo(50_000, (token: string): readonly string[] => formsOf(token).map(plain))

export function plainWords(text: string): string[] {
  return (text.normalize('NFC').match(TOKEN) ?? []).flatMap(plainWordsOf)
}

/** Lower case, without words that tell nothing. */
function formsOf(token: string): string[] {
  const lower = token.toLowerCase()
  const parts = /\d/.test(lower) ? [lower] : lower.split(/[-./_,]/)
  return parts.filter(form => !FUNCTION_WORDS.has(form) && (form.length > 1 || /\d/.test(form)))
}

const isFigure = (form: string): boolean => !/\p{L}/u.test(form)

function plain(form: string): string {
  if (isFigure(form)) return form.replace(/[,'’](?=\d{3})/g, '')
  return /\d/.test(form) ? form : stemOf(form)
}
