/** What two statements both say, and what only one of them says, weighed by how rare the words are. */
import { type FrameWord, LABEL, NAME } from '../document/frames.js'
import { rarity } from '../words/dictionary.js'
import { GENERIC } from '../words/lists.js'
import type { StatementView } from './views.js'
import type { WordSet } from './vocabulary.js'

/** Words both statements say themselves. */
export function sharedWords(s: StatementView, t: StatementView): string[] {
  const shared: string[] = []
  for (const [lemma] of s.frame.words) if (lemma.length > 1 && covers(t.lemmas, lemma) && !shared.includes(lemma)) shared.push(lemma)
  for (const id of s.identifiers) if (t.allIdentifiers.has(id)) shared.push(id)
  for (const id of t.identifiers) if (s.allIdentifiers.has(id) && !shared.includes(id)) shared.push(id)
  // A label says little by itself; what stands above it says what it is about.
  for (const [own, other] of [
    [s, t],
    [t, s],
  ] as const)
    if (!other.isSentence)
      for (const [lemma] of own.frame.words) if (lemma.length > 1 && other.all.has(lemma) && !shared.includes(lemma)) shared.push(lemma)
  return shared
}

export const massOf = (lemmas: readonly string[]): number => lemmas.reduce((sum, lemma) => sum + (/\d/.test(lemma) ? 5 : rarity(lemma)), 0)

export interface Rest {
  words: FrameWord[]
  mass: number
  total: number
}

/** Words of a statement that the other one, what stands above it and its topic do not have. */
export function leftOver(s: StatementView, t: StatementView): Rest {
  const words: FrameWord[] = []
  let mass = 0
  let total = 0
  for (const word of s.frame.words) {
    if (word[0].length < 2 || isGeneric(word)) continue
    const weight = weightOf(word)
    total += weight
    if (covers(t.all, word[0])) continue
    words.push(word)
    mass += weight
  }
  return { words, mass, total }
}

/** "Rating", "Result": a label that its answer explains as well. */
const isGeneric = ([lemma, flags]: FrameWord): boolean => (flags & LABEL) !== 0 && GENERIC.has(lemma)

export const weightOf = ([lemma, flags]: FrameWord): number => ((flags & NAME) !== 0 ? Math.max(3.5, rarity(lemma)) : rarity(lemma))

export const covers = (words: WordSet, lemma: string): boolean => words.covers(lemma)

/** How much of a statement the other one has too, apart from what differs. */
export function coverOf({ words, total, mass }: Rest, differing: readonly FrameWord[] | undefined): number {
  let [rest, whole] = [mass, total]
  for (const word of differing ?? [])
    if (words.includes(word)) {
      rest -= weightOf(word)
      whole -= weightOf(word)
    }
  return whole <= 0.01 ? 1 : 1 - rest / whole
}
