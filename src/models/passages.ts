/** A document's passages as they are kept and shown, and the words they are found by. Pure; cut in a thread, for a long text takes seconds. */
import { passagesOf } from '../reading/layout/passages.js'
import type { ShownPassage } from './question.js'
import { searchWords } from './search-words.js'

/** In code points; `about` is what it is about where its own words do not tell. */
export type CutPassage = [start: number, end: number, about: string | null]

export interface CutDocument {
  passages: CutPassage[]
  /** Each word with the places of the passages that have it. */
  terms: [term: string, at: number[]][]
}

export function cutDocument(document: { text: string; type: string; name: string }): CutDocument {
  const points = [...document.text]
  const passages = passagesOf(document).map(({ start, end, row, column }): CutPassage => {
    const text = points.slice(start, end).join('')
    const parts = [row, column].filter((part): part is string => part !== null && !text.includes(part))
    return [start, end, parts.length === 0 ? null : parts.join(', ')]
  })
  const terms = new Map<string, number[]>()
  for (const [at, [start, end, about]] of passages.entries()) {
    for (const word of new Set(searchWords(`${points.slice(start, end).join('')} ${about ?? ''}`))) {
      const places = terms.get(word)
      if (places === undefined) terms.set(word, [at])
      else places.push(at)
    }
  }
  return { passages, terms: [...terms] }
}

export function shownPassages(documentId: string, points: readonly string[], passages: readonly CutPassage[]): ShownPassage[] {
  return passages.map(([start, end, about]) => ({ documentId, start, end, text: points.slice(start, end).join(''), about }))
}

/** Parts of a long document, each short enough for one question. */
export function partsOf(passages: readonly ShownPassage[], longest: number, sizeOf: (passage: ShownPassage) => number): ShownPassage[][] {
  const parts: ShownPassage[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const passage of passages) {
    size += sizeOf(passage)
    if (size > longest) {
      parts.push([])
      size = sizeOf(passage)
    }
    parts.at(-1)?.push(passage)
  }
  return parts
}
