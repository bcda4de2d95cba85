/** Splits prose into sentences by offsets. Line breaks inside a paragraph are spaces; abbreviations do not end a sentence. */
import { isSmallAt, isSpaceAt } from './characters.js'

export interface Span {
  start: number
  end: number
}

const ABBREVIATION =
  /(?:^|[\s(])(?:Dr|Prof|Mr|Mrs|Ms|Capt|Cllr|Herr|No|Nos|Nr|Art|Arts|Sec|Fig|Ref|Inc|Ltd|Co|Corp|St|vs|approx|est|ca|cf|e\.g|i\.e|etc|al|incl|excl|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|\p{Lu})$/u

const STOP = 0x2e
const CLOSING = '"\'”’)]'

/** Several readers go over the same stretches of the document in hand. */
const inHand = { text: '', spans: new Map<string, readonly Span[]>() }

/** Sentences of text[start, end), each without surrounding space. */
export function sentencesOf(text: string, start: number, end: number): readonly Span[] {
  if (inHand.text !== text) {
    inHand.text = text
    inHand.spans.clear()
  }
  const key = `${start}-${end}`
  const known = inHand.spans.get(key)
  if (known) return known
  const spans = splitSentences(text, start, end)
  inHand.spans.set(key, spans)
  return spans
}

function splitSentences(text: string, start: number, end: number): Span[] {
  const spans: Span[] = []
  let from = start
  const push = (to: number): void => {
    let a = from
    let b = to
    while (a < b && isSpaceAt(text, a)) a++
    while (b > a && isSpaceAt(text, b - 1)) b--
    if (b > a) spans.push({ start: a, end: b })
    from = to
  }
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c !== STOP && c !== 0x21 && c !== 0x3f) continue
    let j = i + 1
    while (j < end && j < i + 3 && CLOSING.includes(text[j]!)) j++
    if (j < end && !isSpaceAt(text, j)) continue
    if (c === STOP && ABBREVIATION.test(text.slice(Math.max(from, i - 8), i))) continue
    let k = j
    while (k < end && isSpaceAt(text, k)) k++
    if (k < end && isSmallAt(text, k)) continue
    push(j)
  }
  push(end)
  return spans
}
