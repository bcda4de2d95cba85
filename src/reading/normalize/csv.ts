/**
 * Delimited text as plain text: tables as pipe tables, pairs of name and figure as `key: value` lines, lines of a
 * single field (titles, notes, a one-column file) as they are. Blank records separate blocks.
 */
import { Blocks, copyCell, copyName } from './blocks.js'
import { type CsvField, type CsvRecord, csvRecords } from './csv-records.js'
import type { Rendering } from './rendering.js'

/** A cell that is a figure or a full date cannot be the name of a column; years and periods (2024, Q1, FY24) can. */
const figure = /^[-+(]?\s?[$€£¥]?\s?\d[\d.,' ]*(?:%|[a-zA-Z]{0,3})?\)?$|^\d{4}-\d{2}-\d{2}/
const year = /^(?:19|20)\d\d$/

export function renderCsv(source: string, from: number): Rendering {
  const blocks = new Blocks(source)
  let block: CsvRecord[] = []
  const flush = (): void => {
    writeBlock(blocks, source, block)
    block = []
  }
  for (const record of csvRecords(source, from)) {
    const filled = record.filter(field => field.end > field.start)
    const single = filled.length === 1 && (record.length === 1 || block.length === 0) ? filled[0] : undefined
    if (single !== undefined || filled.length === 0) flush()
    if (single !== undefined) writeSingle(blocks, source, single)
    else if (filled.length === 0) blocks.gap(2)
    else block.push(record)
  }
  flush()
  return blocks.out
}

/** A title or note; what is as long as a sentence stands apart, or it would run into the next line. */
function writeSingle(blocks: Blocks, source: string, field: CsvField): void {
  const line = copyField(blocks.piece(), source, field)
  if (field.end - field.start > 40) blocks.paragraph(line)
  else blocks.line(line)
}

const filledIn = (record: CsvRecord): number => record.reduce((count, field) => count + (field.end > field.start ? 1 : 0), 0)

/** How many fields most records have. */
function commonWidth(records: readonly CsvRecord[], widthOf: (record: CsvRecord) => number): number {
  const counts = new Map<number, number>()
  for (const record of records) counts.set(widthOf(record), (counts.get(widthOf(record)) ?? 0) + 1)
  return [...counts].reduce((best, item) => (item[1] > best[1] ? item : best), [0, 0])[0]
}

/** "Generated: 4 June 2031" */
const labelled = /^\p{Lu}[\p{L} ]{1,30}:\s\S/u

const isComment = (source: string, record: CsvRecord): boolean => source[record[0]!.start] === '#'

/** Records above the header: comments, and what is narrower than the table. They say something of the whole file. */
function leadingRecords(source: string, records: readonly CsvRecord[]): number {
  const width = commonWidth(records, record => record.length)
  const filled = commonWidth(records, filledIn)
  let count = 0
  while (count < 8 && records.length - count > 2) {
    const record = records[count]!
    // A pair padded to the width of the table: "Date;4 June 2031;;".
    const isPair =
      record.length > 2 && filledIn(record) === 2 && filled > 2 && record[0]!.end > record[0]!.start && record[1]!.end > record[1]!.start
    const isNote =
      filledIn(record) > 1 && record.every(field => field.end === field.start || labelled.test(source.slice(field.start, field.end)))
    if (!isComment(source, record) && !((record.length < width || isPair || isNote) && records.length - count > 3)) break
    count++
  }
  return count
}

function writeLeading(blocks: Blocks, source: string, record: CsvRecord): void {
  const filled = record.filter(field => field.end > field.start)
  const [key, value] = filled
  if (filled.length === 2 && !isComment(source, record) && !labelled.test(source.slice(key!.start, key!.end))) {
    blocks.line(pair(blocks, source, key, value))
    return
  }
  for (const field of filled) {
    let start = field.start
    while (start < field.end && (source[start] === '#' || source[start] === ' ')) start++
    blocks.line(copyField(blocks.piece(), source, { ...field, start }))
  }
}

function writeBlock(blocks: Blocks, source: string, all: readonly CsvRecord[]): void {
  const leading = leadingRecords(source, all)
  for (const record of all.slice(0, leading)) writeLeading(blocks, source, record)
  const records = all.slice(leading)
  const header = records[0]
  if (header === undefined) return
  if (records.every(record => record.length === 2) && isFigure(source, header[1])) {
    blocks.gap(2)
    for (const [key, value] of records) blocks.line(pair(blocks, source, key, value))
    blocks.gap(2)
    return
  }
  const cells = (record: CsvRecord): Rendering[] => record.map(field => copyField(blocks.piece(), source, field))
  blocks.table([header.map(field => copyName(blocks.piece(), source, field.start, field.end)), ...records.slice(1).map(cells)])
}

function pair(blocks: Blocks, source: string, key: CsvField | undefined, value: CsvField | undefined): Rendering {
  const line = blocks.piece()
  if (key !== undefined) copyName(line, source, key.start, key.end)
  if (line.ending(1) !== ':') line.add(':', line.tail)
  line.add(' ', line.tail)
  return value === undefined ? line : copyField(line, source, value)
}

function isFigure(source: string, field: CsvField | undefined): boolean {
  if (field === undefined || field.end - field.start > 40) return false
  const text = source.slice(field.start, field.end)
  return figure.test(text) && !year.test(text)
}

/** Doubled quotes inside a quoted field are one quote. */
function copyField(out: Rendering, source: string, field: CsvField): Rendering {
  let from = field.start
  if (field.quoted) {
    const text = source.slice(field.start, field.end)
    for (let at = text.indexOf('""'); at >= 0; at = text.indexOf('""', at + 2)) {
      copyCell(out, source, from, field.start + at)
      out.decode('"', field.start + at, field.start + at + 2)
      from = field.start + at + 2
    }
  }
  return copyCell(out, source, from, field.end)
}
