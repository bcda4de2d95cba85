/** The words a statement is found by: its lemmas and identifiers, without what nearly every document says. */

import { rarity } from './dictionary.js'
import { tokensOf } from './tokens.js'

const COMMON = 0.75

export function termsIn(text: string): string[] {
  const { words, identifiers } = tokensOf(text, null)
  const lemmas = words.map(word => word.lemma).filter(lemma => lemma.length > 1 && rarity(lemma) >= COMMON)
  return [...new Set([...lemmas, ...identifiers.map(each => each.key)])]
}
