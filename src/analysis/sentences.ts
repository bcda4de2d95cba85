/** Splits prose into sentences by offsets. Line breaks inside a paragraph are spaces; abbreviations do not end a sentence. */

export interface Span {
  start: number
  end: number
}

const ABBREVIATION =
  /(?:^|[\s(])(?:Dr|Prof|Mr|Mrs|Ms|Herr|No|Nos|Nr|Art|Arts|Sec|Fig|Ref|Inc|Ltd|Co|Corp|St|vs|approx|est|ca|cf|e\.g|i\.e|etc|al|incl|excl|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|\p{Lu})$/u

/** Sentences of text[start, end), each without surrounding space. */
export function sentencesOf(text: string, start: number, end: number): Span[] {
  const spans: Span[] = []
  let from = start
  const push = (to: number): void => {
    let a = from
    let b = to
    while (a < b && /\s/.test(text[a]!)) a++
    while (b > a && /\s/.test(text[b - 1]!)) b--
    if (b > a) spans.push({ start: a, end: b })
    from = to
  }
  for (let i = start; i < end; i++) {
    const c = text[i]
    if (c !== '.' && c !== '!' && c !== '?') continue
    let j = i + 1
    while (j < end && j < i + 3 && /["'”’)\]]/.test(text[j]!)) j++
    if (j < end && !/\s/.test(text[j]!)) continue
    if (c === '.' && ABBREVIATION.test(text.slice(Math.max(from, i - 8), i))) continue
    let k = j
    while (k < end && /\s/.test(text[k]!)) k++
    if (k < end && /\p{Ll}/u.test(text[k]!)) continue
    push(j)
  }
  push(end)
  return spans
}
