/** What two statements both say, and what only one of them says, weighed by how rare the words are. */
import { type FrameWord, LABEL, NAME } from '../document/frames.js'
import { GENERIC } from '../words/lists.js'
import type { StatementView } from './views.js'
import { type Word, type WordSet, wordOf } from './vocabulary.js'

/** Words both statements say themselves. */
export function sharedWords(s: StatementView, t: StatementView): Word[] {
  const shared: Word[] = []
  for (const [at, word] of s.words.entries())
    if (word.lemma.length > 1 && isIn(t.lemmas, word, s.frame.words[at]!) && !shared.includes(word)) shared.push(word)
  for (const id of s.identifiers) if (t.allIdentifiers.has(id)) shared.push(wordOf(id))
  for (const id of t.identifiers) if (s.allIdentifiers.has(id) && !shared.includes(wordOf(id))) shared.push(wordOf(id))
  // A label says little by itself; what stands above it says what it is about.
  if (!t.isSentence) addSaidBy(s, t, shared)
  if (!s.isSentence) addSaidBy(t, s, shared)
  return shared
}

/** A name is another name's synonym in the dictionary alone: St Brigid and St Bride are two schools. */
const isIn = (words: WordSet, word: Word, [, flags]: FrameWord): boolean => ((flags & NAME) !== 0 ? words.has(word) : words.covers(word))

function addSaidBy(own: StatementView, other: StatementView, shared: Word[]): void {
  for (const word of own.words) if (word.lemma.length > 1 && other.all.has(word) && !shared.includes(word)) shared.push(word)
}

export const said = (words: readonly FrameWord[]): string => words.map(([lemma]) => lemma).join(' ')

export const massOf = (words: readonly Word[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

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
  for (const [at, said] of s.frame.words.entries()) {
    const word = s.words[at]!
    if (word.lemma.length < 2 || isGeneric(said)) continue
    const weight = weightIn(word, said)
    total += weight
    if (isIn(t.all, word, said)) continue
    words.push(said)
    mass += weight
  }
  return { words, mass, total }
}

/** "Rating", "Result": a label that its answer explains as well. */
const isGeneric = ([lemma, flags]: FrameWord): boolean => (flags & LABEL) !== 0 && GENERIC.has(lemma)

export const weightOf = (said: FrameWord): number => weightIn(wordOf(said[0]), said)

const weightIn = ({ rarity }: Word, [, flags]: FrameWord): number => ((flags & NAME) !== 0 ? Math.max(3.5, rarity) : rarity)

export const has = (words: WordSet, lemma: string): boolean => words.has(wordOf(lemma))

export const covers = (words: WordSet, lemma: string): boolean => words.covers(wordOf(lemma))

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
