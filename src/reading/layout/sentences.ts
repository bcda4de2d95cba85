/**
 * Splits prose into sentences by offsets, in any language. Line breaks inside a paragraph are spaces; neither an
 * abbreviation nor the number of a day or a place in a row ("3. März", "der 2. Stock") ends a sentence.
 */

export interface Span {
  start: number
  end: number
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** One capital before a stop is an initial; two letters with stops between them are short for something: "z. B.", "S.A.", "e.g.". */
const ABBREVIATION =
  /(?:^|[\s("“„«])(?:\p{Lu}|(?:\p{L}\.\s?)+\p{L}|Dr|Prof|Mr|Mrs|Ms|Mme|Sr|Sra|Capt|Cllr|Herr|Hr|Fr|No|Nos|Nr|Núm|Art|Arts|Abs|Ziff|Sec|Fig|Abb|Ref|Az|Inc|Ltd|Co|Corp|St|vs|approx|est|ca|cf|vgl|etc|usw|bzw|al|incl|excl|inkl|zzgl|max|min|ggf|Tel|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Okt|Oct|Nov|Dec|Dez)\.$/u
const ORDINAL = /(?:^|\s)(\p{L}*)\s?\d{1,2}\.$/u
/** Words before a number in a row, where a stop makes it one. */
const BEFORE_ORDINAL = /^(?:am|an|ab|bis|dem|den|der|des|die|das|im|vom|zum|zur|seit|und|den|til|fra)$/i
const MONTHS_WITH_STOP = ['de', 'da', 'nb', 'fi', 'cs', 'sk', 'sl', 'hr', 'hu', 'et', 'lv', 'is', 'tr', 'pl']

let months: ReadonlySet<string> | undefined

/** The first letters of the months in languages that write days with a stop: enough for their inflected forms. */
function isMonth(word: string): boolean {
  months ??= new Set(
    MONTHS_WITH_STOP.flatMap(locale => {
      const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, month) =>
        format
          .format(Date.UTC(2000, month, 15))
          .toLowerCase()
          .slice(0, 4),
      )
    }),
  )
  return months.has(word.toLowerCase().slice(0, 4))
}

/** Whether what stands behind goes on with the sentence that seems to end here. */
function goesOn(before: string, behind: string): boolean {
  const end = before.trimEnd()
  if (!end.endsWith('.')) return false
  if (ABBREVIATION.test(end.slice(-14))) return true
  const ordinal = ORDINAL.exec(end.slice(-16))
  if (!ordinal) return false
  return BEFORE_ORDINAL.test(ordinal[1]!) || isMonth(/^\p{L}+/u.exec(behind)?.[0] ?? '')
}

/** What is written with these is cut here by the same rules (UAX 29), at a tenth of the cost. */
const PLAIN = /^[\0-\x7f‘’“”–—€£]*$/
const CLOSES = '"\'()[]{}‘’“”'
const GOES_ON = ',-:;–—'
/** Skips what is no letter and ends nothing. */
const TO_SMALL = /[^A-Za-z.!?]*[a-z]/y

/** Where sentences of plain text without line breaks begin. */
export function plainCuts(text: string): number[] {
  const cuts = [0]
  for (let stop = nextStop(text, 0); stop < text.length; ) {
    let at = stop + 1
    while (at < text.length && CLOSES.includes(text[at]!)) at++
    while (/\s/.test(text[at] ?? '')) at++
    if (at === text.length) break
    const isEnd = !'.!?'.includes(text[at]!) && !GOES_ON.includes(text[at]!) && !(text[stop] === '.' && staysOpen(text, stop, at))
    if (isEnd) cuts.push(at)
    stop = nextStop(text, isEnd ? at : stop + 1)
  }
  return cuts
}

function nextStop(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '.' && text[at] !== '!' && text[at] !== '?') at++
  return at
}

/** "3.5", "U.S", "etc. and": a point inside. */
function staysOpen(text: string, stop: number, next: number): boolean {
  const behind = text[stop + 1]!
  if (/\d/.test(behind) || (/[A-Z]/.test(behind) && /[A-Za-z]/.test(text[stop - 1] ?? ''))) return true
  TO_SMALL.lastIndex = next
  return TO_SMALL.test(text)
}

/** Only behind these is there another sentence; of most labels, cells and lines this is all there is to ask. */
const ENDS_INSIDE = /[\p{Sentence_Terminal}\u2024](?=.*\S)/su

/** Several readers go over the same stretches of the document in hand. */
const inHand = { text: '', spans: new Map<string, readonly Span[]>() }

/** Sentences of text[start, end), each without surrounding space. */
export function sentencesOf(text: string, start: number, end: number): readonly Span[] {
  if (inHand.text !== text) inHand.spans.clear()
  // The same words read once more are another string: until it is kept here, each call would compare them to the end.
  inHand.text = text
  const key = `${start}-${end}`
  const known = inHand.spans.get(key)
  if (known) return known
  const spans = splitSentences(text, start, end)
  inHand.spans.set(key, spans)
  return spans
}

function splitSentences(text: string, start: number, end: number): Span[] {
  const spans: Span[] = []
  const part = text.slice(start, end).replace(/[\n\r\u0085\u2028\u2029]/g, ' ')
  const isPlain = PLAIN.test(part)
  const cuts = isPlain ? plainCuts(part) : []
  // One at a time: each segment holds on to a copy of the whole part.
  if (!isPlain && ENDS_INSIDE.test(part)) for (const { index } of segmenter.segment(part)) cuts.push(index)
  else if (!isPlain) cuts.push(0)
  cuts.push(part.length)
  let from = 0
  for (const [at, to] of cuts.entries()) {
    if (at === 0) continue
    const said = part.slice(from, to)
    if (to < part.length && goesOn(said, part.slice(to, to + 24))) continue
    const trimmed = said.trim()
    if (trimmed !== '') {
      const first = start + from + said.indexOf(trimmed)
      spans.push({ start: first, end: first + trimmed.length })
    }
    from = to
  }
  return spans
}
