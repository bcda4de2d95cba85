/**
 * Delimited text as plain text: tables as pipe tables, pairs of name and figure as `key: value` lines, lines of a
 * single field (titles, notes, a one-column file) as they are. Blank records separate blocks.
 */
import { addColon, Blocks, barInCell } from './blocks.js'
import { type CsvField, type CsvRecord, csvRecords } from './csv-records.js'
import type { Rendering } from './rendering.js'

/** A cell that is a figure or a full date cannot be the name of a column; years and periods (2024, Q1, FY24) can. */
const figure = /^[-+(]?\s?[$€£¥]?\s?\d[\d.,' ]*(?:%|[a-zA-Z]{0,3})?\)?$|^\d{4}-\d{2}-\d{2}/
const year = /^(?:19|20)\d\d$/

export function renderCsv(source: string): Rendering {
  const blocks = new Blocks(source)
  let block: CsvRecord[] = []
  const flush = (): void => {
    writeBlock(blocks, block)
    block = []
  }
  for (const record of csvRecords(source)) {
    const filled = filledIn(record)
    const single = filled.length === 1 && (record.length === 1 || block.length === 0) ? filled[0] : undefined
    if (single !== undefined || filled.length === 0) flush()
    if (single !== undefined) writeSingle(blocks, single)
    else if (filled.length === 0) blocks.gap(2)
    else block.push(record)
  }
  flush()
  return blocks.out
}

const filledIn = (record: CsvRecord): CsvField[] => record.filter(field => field.text !== '')

/** A title or note; what is as long as a sentence stands apart, or it would run into the next line. */
function writeSingle(blocks: Blocks, field: CsvField): void {
  const line = copyField(blocks.piece(), field)
  if (field.text.length > 40) blocks.paragraph(line)
  else blocks.line(line)
}

function writeBlock(blocks: Blocks, all: readonly CsvRecord[]): void {
  const leading = all.findIndex(record => filledIn(record).length > 2)
  // Records above a table that fill only its first columns say something of all of it: "Date;4 June 2031;;".
  for (const record of leading < 1 ? [] : all.slice(0, leading)) blocks.line(pair(blocks, filledIn(record)))
  const [header, ...records] = all.slice(Math.max(leading, 0))
  if (header === undefined) return
  if (header.length === 2 && records.every(record => record.length === 2) && isFigure(header[1]!.text)) {
    blocks.group([header, ...records].map(record => pair(blocks, record)))
    return
  }
  const cells = (record: CsvRecord, isName: boolean): Rendering[] => record.map(field => copyField(blocks.piece(), field, isName))
  blocks.table([cells(header, true), ...records.map(record => cells(record, false))])
}

function pair(blocks: Blocks, [key, value]: CsvRecord): Rendering {
  const name = copyField(blocks.piece(), key!, true)
  return value === undefined ? name : copyField(addColon(name), value)
}

function isFigure(text: string): boolean {
  return text.length <= 40 && figure.test(text) && !year.test(text)
}

/**
 * Line breaks become blanks, bars broken bars, and doubled quotes inside quotes one quote. Machine names (`net_revenue`) read as
 * words: underscores become blanks where no blank separates words already.
 */
function copyField(out: Rendering, field: CsvField, isName = false): Rendering {
  const words = isName && !/\s/.test(field.text) ? '|_' : ''
  const pattern = new RegExp(`[|\\n]|\\r\\n?${field.quoted ? '|""' : ''}${words}`, 'g')
  return out.replace(field.start, field.end, pattern, found => (found === '""' ? '"' : found === '|' ? barInCell : ' '))
}
