/**
 * Splits prose into sentences by offsets, in any language. Line breaks inside a paragraph are spaces; neither an
 * abbreviation nor the number of a day or a place in a row ("3. März", "der 2. Stock") ends a sentence.
 */

import { memo } from '../memo.js'

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

/** Sentences of text[start, end), each without surrounding space. */
export function sentencesOf(text: string, start: number, end: number): Span[] {
  return sentencesIn(text.slice(start, end)).map(span => ({ start: start + span.start, end: start + span.end }))
}

const WINDOW = 1_024

/**
 * Where sentences end. Each one that the platform finds holds on to a copy of all it was given, so it is given little at a time: the last
 * cut of a window may depend on what follows, and is made again from the one before.
 */
function cutsIn(part: string): number[] {
  const cuts: number[] = []
  let from = 0
  let size = WINDOW
  while (from + size < part.length) {
    const found = Array.from(segmenter.segment(part.slice(from, from + size)), ({ index }) => from + index).slice(1, -1)
    cuts.push(...found)
    size = found.length === 0 ? size * 2 : WINDOW
    from = found.at(-1) ?? from
  }
  for (const { index } of segmenter.segment(part.slice(from))) if (index > 0) cuts.push(from + index)
  return [...cuts, part.length]
}

/** Several readers go over the same stretches of a document. */
const sentencesIn = memo(64, (text: string): Span[] => {
  const spans: Span[] = []
  const part = text.replace(/[\n\r\u0085\u2028\u2029]/g, ' ')
  const cuts = cutsIn(part)
  let from = 0
  for (const to of cuts) {
    const said = part.slice(from, to)
    if (to < part.length && goesOn(said, part.slice(to, to + 24))) continue
    const trimmed = said.trim()
    const first = from + said.indexOf(trimmed)
    if (trimmed !== '') spans.push({ start: first, end: first + trimmed.length })
    from = to
  }
  return spans
})
