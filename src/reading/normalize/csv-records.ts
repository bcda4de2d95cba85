/**
 * Reads delimited text into records of fields by offset: finds the delimiter (tab, semicolon, bar or comma), honours quotes.
 * A quote that is never closed is text. Linear: each character is read once per candidate delimiter at most.
 */

export interface CsvField {
  /** The field's text without its quotes; doubled quotes inside are still doubled. */
  readonly text: string
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

export type CsvRecord = readonly CsvField[]

/** Preferred in this order when several fit equally: commas also occur in numbers and prose, so they come last. */
const delimiters = ['\t', ';', '|', ','] as const
const sampleCharacters = 64_000
const sampleRecords = 50

export function csvRecords(source: string): Iterable<CsvRecord> {
  return records(source, sniff(source.slice(0, sampleCharacters)))
}

/** The delimiter that splits most records into the same number of fields; none when none splits half of them. */
function sniff(sample: string): string {
  let best = { delimiter: '', share: 0 }
  for (const delimiter of delimiters) {
    const widths = new Map<number, number>()
    let total = 0
    for (const record of records(sample, delimiter)) {
      if (record.length === 1 && record[0]?.text === '') continue
      widths.set(record.length, (widths.get(record.length) ?? 0) + 1)
      if (++total >= sampleRecords) break
    }
    widths.delete(1)
    const share = Math.max(0, ...widths.values()) / total
    if (share >= 0.5 && share > best.share) best = { delimiter, share }
  }
  return best.delimiter
}

function* records(source: string, delimiter: string): Generator<CsvRecord> {
  // A field in quotes or none, words behind the quotes perhaps, and what ends it: this matches anywhere.
  const pattern = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?!"))?([^${delimiter}\\r\\n]*)(\\r\\n|[${delimiter}\\r\\n]|$)`, 'y')
  let fields: CsvField[] = []
  while (pattern.lastIndex < source.length || fields.length > 0) {
    const start = pattern.lastIndex
    const [all = '', quoted, rest = '', stop = ''] = pattern.exec(source) ?? []
    fields.push(
      quoted !== undefined && rest.trim() === '' ? inQuotes(quoted, start + 1) : bare(all.slice(0, all.length - stop.length), start),
    )
    if (stop !== '' && stop === delimiter) continue
    yield fields
    fields = []
  }
}

function inQuotes(text: string, start: number): CsvField {
  return { text, start, end: start + text.length, quoted: true }
}

/** Where words follow the closing quote, the quotes belong to the text. */
function bare(field: string, at: number): CsvField {
  const text = field.trim()
  const start = at + field.length - field.trimStart().length
  return { text, start, end: start + text.length, quoted: false }
}
