/**
 * Reads delimited text into records of fields by offset: finds the delimiter (tab, semicolon, bar or comma), honours quotes.
 * A quote that is never closed is text. Linear: each character is read once per candidate delimiter at most.
 */

export interface CsvField {
  /** The field's text without its quotes; doubled quotes inside are still doubled. */
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

export type CsvRecord = readonly CsvField[]

/** Preferred in this order when several fit equally: commas also occur in numbers and prose, so they come last. */
const delimiters = ['\t', ';', '|', ','] as const
const sampleCharacters = 64_000
const sampleRecords = 50

export function csvRecords(source: string, from: number): CsvRecord[] {
  const delimiter = sniff(source, from)
  return [...records(source, from, source.length, delimiter)]
}

/** The delimiter that splits most records into the same number of fields; null when none does. */
function sniff(source: string, from: number): string | null {
  const end = Math.min(source.length, from + sampleCharacters)
  let best: { delimiter: string; share: number } | null = null
  for (const delimiter of delimiters) {
    const widths = new Map<number, number>()
    let total = 0
    for (const record of records(source, from, end, delimiter)) {
      if (record.length === 1 && record[0]?.start === record[0]?.end) continue
      widths.set(record.length, (widths.get(record.length) ?? 0) + 1)
      if (++total >= sampleRecords) break
    }
    const fitting = Math.max(0, ...[...widths].filter(([width]) => width > 1).map(([, count]) => count))
    const share = total === 0 ? 0 : fitting / total
    if (share >= 0.5 && (best === null || share > best.share)) best = { delimiter, share }
  }
  return best?.delimiter ?? null
}

function* records(source: string, from: number, end: number, delimiter: string | null): Generator<CsvRecord> {
  const lastQuote = source.lastIndexOf('"', end - 1)
  let fields: CsvField[] = []
  let at = from
  while (at < end) {
    const field = readField(source, at, end, delimiter, lastQuote)
    fields.push(field.value)
    at = field.next
    const stop = source[at]
    if (at < end && stop === delimiter) {
      at++
      if (at < end) continue
      fields.push({ start: end, end, quoted: false })
    } else if (at < end) at += stop === '\r' && source[at + 1] === '\n' ? 2 : 1
    yield fields
    fields = []
  }
}

function readField(
  source: string,
  at: number,
  end: number,
  delimiter: string | null,
  lastQuote: number,
): { value: CsvField; next: number } {
  if (source[at] === '"' && at < lastQuote) {
    let close = source.indexOf('"', at + 1)
    while (close >= 0 && close < end && source[close + 1] === '"') close = source.indexOf('"', close + 2)
    if (close >= 0 && close < end) {
      const next = fieldEnd(source, close + 1, end, delimiter)
      if (source.slice(close + 1, next).trim() === '') return { value: { start: at + 1, end: close, quoted: true }, next }
      // Words after the closing quote: the quotes belong to the text.
      return { value: { start: at, end: trimmedEnd(source, at, next), quoted: false }, next }
    }
  }
  const next = fieldEnd(source, at, end, delimiter)
  let start = at
  while (start < next && isBlank(source.charCodeAt(start))) start++
  return { value: { start, end: trimmedEnd(source, start, next), quoted: false }, next }
}

function fieldEnd(source: string, from: number, end: number, delimiter: string | null): number {
  let at = from
  for (; at < end; at++) {
    const character = source[at]
    if (character === delimiter || character === '\n' || character === '\r') break
  }
  return at
}

function trimmedEnd(source: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlank(source.charCodeAt(at - 1))) at--
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0xa0
}
