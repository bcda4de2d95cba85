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
  const leading = leadingRecords(all)
  for (const record of all.slice(0, leading)) writeLeading(blocks, record)
  const [header, ...records] = all.slice(leading)
  if (header === undefined) return
  if (header.length === 2 && records.every(record => record.length === 2) && isFigure(header[1]!.text)) {
    blocks.group([header, ...records].map(([key, value]) => pair(blocks, key!, value!)))
    return
  }
  const cells = (record: CsvRecord, isName: boolean): Rendering[] => record.map(field => copyField(blocks.piece(), field, isName))
  blocks.table([cells(header, true), ...records.map(record => cells(record, false))])
}

/** "Generated: 4 June 2031" */
const labelled = /^\p{Lu}[\p{L} ]{1,30}:\s\S/u

const isComment = (record: CsvRecord): boolean => record[0]!.text.startsWith('#')

/** Records above the header: comments, and what is narrower than the table. They say something of the whole file. */
function leadingRecords(records: readonly CsvRecord[]): number {
  const width = mostCommon(records.map(record => record.length))
  const filledWidth = mostCommon(records.map(record => filledIn(record).length))
  let count = 0
  for (; count < 8 && records.length - count > 2; count++) {
    const record = records[count]!
    const filled = filledIn(record)
    // A pair padded to the width of the table: "Date;4 June 2031;;".
    const isPair = record.length > 2 && filled.length === 2 && filledWidth > 2 && filled[1] === record[1]
    const isNote = filled.length > 1 && filled.every(field => labelled.test(field.text))
    if (!isComment(record) && !((record.length < width || isPair || isNote) && records.length - count > 3)) break
  }
  return count
}

function mostCommon(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].reduce((best, item) => (item[1] > best[1] ? item : best), [0, 0])[0]
}

function writeLeading(blocks: Blocks, record: CsvRecord): void {
  const filled = filledIn(record)
  if (filled.length === 2 && !isComment(record) && !labelled.test(filled[0]!.text)) {
    blocks.line(pair(blocks, filled[0]!, filled[1]!))
    return
  }
  for (const field of filled) {
    const start = field.end - field.text.replace(/^[# ]+/, '').length
    blocks.line(copyField(blocks.piece(), { ...field, start }))
  }
}

function pair(blocks: Blocks, key: CsvField, value: CsvField): Rendering {
  return copyField(addColon(copyField(blocks.piece(), key, true)), value)
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
