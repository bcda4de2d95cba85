/** A document's passages as they are kept and shown, and the words they are found by. Pure; cut in a thread, for a long text takes seconds. */
import { passagesOf } from '../reading/layout/passages.js'
import { type CodePointSlice, codePointSlices } from '../reading/normalize/code-points.js'
import { longestPassage, type ShownPassage } from './question.js'
import { searchWords } from './search-words.js'

/** In code points; `about` is what it is about where its own words do not tell. */
export type CutPassage = [start: number, end: number, about: string | null]

export interface CutDocument {
  passages: CutPassage[]
  /** Each word with the places of the passages that have it. */
  terms: [term: string, at: number[]][]
  /** It has more passages than are kept: no question shows its end. */
  isPartial: boolean
}

/** Passages of layout and sentence that are kept of a document. */
const usualMost = 20_000

export function cutDocument(document: { text: string; type: string; name: string }, mostPassages = usualMost): CutDocument {
  const slice = codePointSlices(document.text)
  const found = passagesOf(document, mostPassages + 1)
  const passages = found.slice(0, mostPassages).flatMap(({ start, end, row, column }): CutPassage[] => {
    const text = slice(start, end)
    const parts = [row, column].filter((part): part is string => part !== null && !text.includes(part))
    const about = parts.length === 0 ? null : parts.join(', ')
    return shortSpans(text, start, end).map(span => [...span, about])
  })
  const terms = new Map<string, number[]>()
  for (const [at, [start, end, about]] of passages.entries()) {
    for (const word of new Set(searchWords(`${slice(start, end)} ${about ?? ''}`))) {
      const places = terms.get(word)
      if (places === undefined) terms.set(word, [at])
      else places.push(at)
    }
  }
  return { passages, terms: [...terms], isPartial: found.length > mostPassages }
}

/**
 * A passage in pieces that a question shows whole, between words where there are any: a sentence may have any length, and a text
 * without a full stop is one sentence.
 */
function shortSpans(text: string, start: number, end: number): [start: number, end: number][] {
  if (end - start <= longestPassage) return [[start, end]]
  const points = [...text]
  const isSpace = (at: number) => /\s/.test(points[at] ?? '')
  const spans: [number, number][] = []
  for (let from = 0; from < points.length; ) {
    const most = from + longestPassage
    let to = Math.min(points.length, most)
    if (to < points.length) {
      while (to > most - longestPassage / 2 && !isSpace(to)) to--
      if (!isSpace(to)) to = most
    }
    spans.push([start + from, start + to])
    from = to
    while (from < points.length && isSpace(from)) from++
  }
  return spans
}

export function shownPassages(documentId: string, slice: CodePointSlice, passages: readonly CutPassage[]): ShownPassage[] {
  return passages.map(([start, end, about]) => ({ documentId, start, end, text: slice(start, end), about }))
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
