/**
 * What the questions about a document showed, by document. Which documents they are is kept with the answers, and no reason may hold a
 * name that a third of them has.
 */
import type { ShownDocument } from '../../models/question.js'
import { searchWords } from '../../models/search-words.js'

export class ShownTexts {
  private readonly texts = new Map<string, Set<string>>()
  private readonly words = new Map<string, ReadonlySet<string>>()

  add({ documentId, name, issuer }: ShownDocument, texts: Iterable<string>): void {
    const known = this.texts.get(documentId) ?? new Set([name, issuer ?? ''])
    for (const text of texts) known.add(text)
    this.texts.set(documentId, known)
    this.words.delete(documentId)
  }

  documentIds(): string[] {
    return [...this.texts.keys()]
  }

  /** Whether a document other than these has the word. */
  isElsewhere(word: string, documentIds: readonly string[]): boolean {
    return this.documentIds().some(each => !documentIds.includes(each) && this.wordsOf(each).has(word))
  }

  private wordsOf(documentId: string): ReadonlySet<string> {
    const known = this.words.get(documentId) ?? new Set(searchWords([...(this.texts.get(documentId) ?? [])].join(' ')))
    this.words.set(documentId, known)
    return known
  }
}
