/** Stretches of a text that are marked, and any other stretch of it shown with those marks. What is shown may leave signs out. */

import type { ComponentChildren } from 'preact'
import { indexesOf, type Passage } from './passages'

export interface Span {
  /** Indexes of the string. */
  from: number
  to: number
  passage: Passage
}

export function spansOf(text: string, passages: readonly Passage[]): Span[] {
  const at = indexesOf(
    text,
    passages.flatMap(each => [each.start, each.end]),
  )
  return passages
    .map(passage => ({ passage, from: at.get(passage.start) ?? 0, to: at.get(passage.end) ?? 0 }))
    .filter(span => span.to > span.from)
    .sort((a, b) => a.from - b.from || a.to - b.to)
}

const strength: Record<Passage['kind'], number> = { differs: 3, main: 2, soft: 1, claim: 0 }

export function strongest(passages: readonly Passage[]): Passage | undefined {
  return passages.reduce<Passage | undefined>((most, each) => (most && strength[most.kind] >= strength[each.kind] ? most : each), undefined)
}

/** The text between two indexes, marked where a span lies over it. */
export function markedBetween(text: string, from: number, to: number, spans: readonly Span[]): ComponentChildren[] {
  const own = spansOver(spans, from, to)
  if (own.length === 0) return from < to ? [text.slice(from, to)] : []
  const edges = new Set([from, to])
  for (const span of own) edges.add(Math.max(from, span.from)).add(Math.min(to, span.to))
  const places = [...edges].sort((a, b) => a - b)
  return places.slice(0, -1).map((start, index) => {
    const end = places[index + 1] as number
    const passage = strongest(own.filter(span => span.from < end && span.to > start).map(span => span.passage))
    if (passage === undefined) return text.slice(start, end)
    return (
      <mark key={start} class={passage.kind} data-id={passage.id}>
        {text.slice(start, end)}
      </mark>
    )
  })
}

function spansOver(spans: readonly Span[], from: number, to: number): Span[] {
  const own: Span[] = []
  for (let at = firstOver(spans, from); at < spans.length && (spans[at] as Span).from < to; at++)
    if ((spans[at] as Span).to > from) own.push(spans[at] as Span)
  return own
}

/** Spans are in order: those that begin long before are few, and looked at. */
function firstOver(spans: readonly Span[], from: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span).from < from) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 64)
}

export function passageOver(spans: readonly Span[], from: number, to: number): Passage | undefined {
  return strongest(spansOver(spans, from, to).map(span => span.passage))
}
