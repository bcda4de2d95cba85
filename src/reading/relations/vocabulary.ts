/**
 * Words as comparing looks at them. What a word is worth and which others may stand for it is found once in a thread; among
 * the statements that are compared in one go each word has a place, so that a set of words is a row of bits.
 */
import { rarity, synonymsOf } from '../words/dictionary.js'

const MOST_REMEMBERED = 50_000
const remembered = new Map<string, Word>()
const last = { run: 0 }

export class Word {
  readonly lemma: string
  readonly rarity: number
  readonly isNumber: boolean
  readonly weight: number
  /** Its place among the words of a run, and which run that was. */
  place = 0
  run = 0
  private every: readonly Word[] | null = null
  private known: readonly Word[] = []
  private knownIn = 0

  constructor(lemma: string) {
    this.lemma = lemma
    this.rarity = rarity(lemma)
    this.isNumber = /\d/.test(lemma)
    this.weight = termWeight(lemma)
  }

  /** Other words that may stand for this one. */
  get synonyms(): readonly Word[] {
    this.every ??= synonymsOf(this.lemma).map(wordOf)
    return this.every
  }

  /** Those of them that a run has: of sixty one or two. */
  synonymsIn(run: number): readonly Word[] {
    if (this.knownIn !== run) {
      this.known = this.synonyms.filter(word => word.run === run)
      this.knownIn = run
    }
    return this.known
  }
}

/** How much it tells that two statements share a word or an identifier. */
export const termWeight = (term: string): number => (/\d/.test(term) ? 5 : rarity(term))

export function wordOf(lemma: string): Word {
  let word = remembered.get(lemma)
  if (word === undefined) {
    word = new Word(lemma)
    remembered.set(lemma, word)
  }
  return word
}

/** The words of all statements of one run; all are added before the first question. */
export class Vocabulary {
  readonly run: number
  size = 0

  constructor() {
    if (remembered.size > MOST_REMEMBERED) remembered.clear()
    this.run = ++last.run
  }

  add(lemma: string): Word {
    const word = wordOf(lemma)
    if (word.run !== this.run) {
      word.run = this.run
      word.place = this.size++
    }
    return word
  }
}

/** Most sets are never asked: the bits are made with the first question. */
export class WordSet {
  /** Those that are its own; it may have further ones. */
  readonly words: readonly Word[]
  private readonly further: readonly (readonly Word[])[]
  private readonly vocabulary: Vocabulary
  private bits: Uint32Array | null = null

  constructor(vocabulary: Vocabulary, words: readonly Word[], ...further: (readonly Word[])[]) {
    this.words = words
    this.further = further
    this.vocabulary = vocabulary
  }

  has({ place, run }: Word): boolean {
    this.bits ??= this.made()
    return run === this.vocabulary.run && (this.bits[place >>> 5]! & (1 << (place & 31))) !== 0
  }

  /** The word itself, or one that may stand for it. */
  covers(word: Word): boolean {
    if (this.has(word)) return true
    for (const other of word.synonymsIn(this.vocabulary.run)) if (this.has(other)) return true
    return false
  }

  private made(): Uint32Array {
    const bits = new Uint32Array((this.vocabulary.size + 31) >>> 5)
    for (const { place } of this.words) bits[place >>> 5]! |= 1 << (place & 31)
    for (const words of this.further) for (const { place } of words) bits[place >>> 5]! |= 1 << (place & 31)
    return bits
  }
}
