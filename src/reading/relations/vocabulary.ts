/**
 * The words of all statements that are compared in one go. A lemma may have sixty synonyms, of which a case has one or two:
 * asking for those alone is what makes comparing many statements cheap.
 */
import { synonymsOf } from '../words/dictionary.js'

export class Vocabulary {
  private readonly words = new Set<string>()
  private readonly synonyms = new Map<string, readonly string[]>()

  /** Words are only added before the first question. */
  add(words: Iterable<string>): void {
    for (const word of words) this.words.add(word)
  }

  /** Other words of the vocabulary that may stand for this one. */
  synonymsOf(lemma: string): readonly string[] {
    const known = this.synonyms.get(lemma)
    if (known !== undefined) return known
    const found = synonymsOf(lemma).filter(word => this.words.has(word))
    this.synonyms.set(lemma, found)
    return found
  }
}

/** Words of a statement, with those of what it stands below where they count as well. */
export class WordSet {
  readonly words: ReadonlySet<string>
  private readonly context: ReadonlySet<string> | null
  private readonly vocabulary: Vocabulary

  constructor(words: ReadonlySet<string>, context: ReadonlySet<string> | null, vocabulary: Vocabulary) {
    this.words = words
    this.context = context
    this.vocabulary = vocabulary
  }

  has(lemma: string): boolean {
    return this.words.has(lemma) || (this.context?.has(lemma) ?? false)
  }

  /** The word itself, or one that may stand for it. */
  covers(lemma: string): boolean {
    if (this.has(lemma)) return true
    for (const word of this.vocabulary.synonymsOf(lemma)) if (this.has(word)) return true
    return false
  }
}
