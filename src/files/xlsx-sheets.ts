/**
 * The sheets of a workbook as rows of cells, and as the text they make. Reads what an archive gives, wherever that was unpacked:
 * the browser that shows a sheet runs this too, so that it finds each word of the text in its cell.
 */

import { type Extracted, FileFault, mostPlaces } from './extraction.js'
import { type Relations, relationsOf } from './relations.js'
import { inCell, TextWriter } from './text-writer.js'
import { type CellFormat, formatNumber, readFormats } from './xlsx-formats.js'
import { attribute, type Parts, parseXml } from './xml.js'

export const mostSheets = 500
export const mostCells = 500_000

interface Cell {
  column: number
  text: string
}

export interface SheetRow {
  number: number
  cells: Cell[]
}

export interface Sheet {
  name: string
  rows: SheetRow[]
}

export function readSheets(parts: Parts): Sheet[] {
  const workbook = parts.read('xl/workbook.xml')
  if (workbook === null) throw new FileFault('BROKEN')
  const { sheets, from1904 } = sheetsOf(workbook, relationsOf(parts, 'xl/workbook.xml'))
  if (sheets.length > mostSheets) throw new FileFault('TOO_COMPLEX')
  const strings = stringsOf(parts)
  const formats = readFormats(parts.read('xl/styles.xml') ?? '')
  const left = { cells: mostCells }
  return sheets.flatMap(({ name, part }) => {
    const xml = parts.read(part)
    return xml === null ? [] : [{ name, rows: rowsOf(xml, { strings, formats, from1904, left }) }]
  })
}

export function writeSheets(sheets: readonly Sheet[], maxChars: number): Extracted {
  const out = new TextWriter({ kind: 'cell', maxChars })
  for (const sheet of sheets) writeSheet(out, sheet)
  return out.finish()
}

function writeSheet(out: TextWriter, { name, rows }: Sheet): void {
  if (rows.length === 0) return
  out
    .gap(2)
    .at(name)
    .write(`# ${inCell(name)}`)
    .gap(2)
  for (const block of blocksOf(rows)) {
    const columns = columnsOf(block)
    if (columns.length === 1 || block.length === 1) {
      for (const row of block) writeLine(out, name, row)
      out.gap(2)
      continue
    }
    const places = new Map(columns.map((column, place) => [column, place]))
    const grid = block.map(row => {
      const texts = columns.map(() => '')
      for (const cell of row.cells) texts[places.get(cell.column)!] = cell.text
      return texts
    })
    out.gap(2)
    out.table(grid, (row, place) => out.at(placeOf(name, columns[place]!, block[row]!.number)))
  }
}

/** Cells of a table, empty ones included, that is written as wide as it is. */
const mostWide = 100_000

/** From the first to the last that says something; of a table that is far wider than what it says, by a stray cell, those alone. */
function columnsOf(rows: readonly SheetRow[]): number[] {
  const used = [...new Set(rows.flatMap(row => row.cells.map(cell => cell.column)))].sort((a, b) => a - b)
  const [first = 0, last = 0] = [used[0], used.at(-1)]
  const width = last - first + 1
  const isWide = width * rows.length > mostWide && width > 2 * used.length
  if ((isWide ? used.length : width) * rows.length > mostPlaces) throw new FileFault('TOO_COMPLEX')
  return isWide ? used : Array.from({ length: width }, (_, place) => first + place)
}

function writeLine(out: TextWriter, name: string, row: SheetRow): void {
  out.gap(1)
  for (const [index, cell] of row.cells.entries()) {
    if (index > 0) out.write('   ')
    out.at(placeOf(name, cell.column, row.number)).write(inCell(cell.text))
  }
  out.gap(1)
}

/** Rows with nothing between them belong together: an empty row parts a title from a table, or two tables. */
function blocksOf(rows: readonly SheetRow[]): SheetRow[][] {
  const blocks: SheetRow[][] = []
  for (const row of rows) {
    const block = blocks.at(-1)
    const last = block?.at(-1)
    const alone = block?.length === 1 && last !== undefined && last.cells.length === 1 && row.cells.length > 2
    if (block !== undefined && last !== undefined && row.number === last.number + 1 && !alone) block.push(row)
    else blocks.push([row])
  }
  return blocks
}

function placeOf(sheet: string, column: number, row: number): string {
  return `${sheet}!${columnName(column)}${row}`
}

export function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

function sheetsOf(xml: string, relations: Relations) {
  const sheets: { name: string; part: string }[] = []
  let from1904 = false
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const part = relations.get(attribute(attributes, 'id') ?? '')?.target
      if (part !== undefined) sheets.push({ name: attributes['name'] ?? `Sheet ${sheets.length + 1}`, part })
    },
  })
  return { sheets, from1904 }
}

function stringsOf(parts: Parts): string[] {
  const strings: string[] = []
  let current: string | null = null
  let phonetic = 0
  let inText = false
  parseXml(parts.read('xl/sharedStrings.xml') ?? '', {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') phonetic++
      inText = name === 't' && phonetic === 0
    },
    text(text) {
      if (inText && current !== null) current += text
    },
    close(name) {
      if (name === 't') inText = false
      if (name === 'rPh') phonetic--
      if (name !== 'si' || current === null) return
      strings.push(current)
      current = null
    },
  })
  return strings
}

interface SheetContext {
  strings: readonly string[]
  formats: readonly CellFormat[]
  from1904: boolean
  left: { cells: number }
}

function rowsOf(xml: string, context: SheetContext): SheetRow[] {
  const rows: SheetRow[] = []
  let row: SheetRow = { number: 0, cells: [] }
  let cell = { column: -1, type: '', style: 0, value: '' }
  let inValue = false
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'row') row = { number: Number(attributes['r']) || row.number + 1, cells: [] }
      if (name === 'c') {
        const column = columnOf(attributes['r'] ?? '') ?? cell.column + 1
        cell = { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: '' }
      }
      inValue = name === 'v' || name === 't'
    },
    text(text) {
      if (inValue) cell.value += text
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      if (name === 'c') {
        const text = textOf(cell, context).trim()
        if (text === '') return
        if (--context.left.cells < 0) throw new FileFault('TOO_COMPLEX')
        row.cells.push({ column: cell.column, text })
      }
      if (name === 'row') {
        if (row.cells.length > 0) rows.push(row)
        cell = { ...cell, column: -1 }
      }
    },
  })
  return rows
}

function textOf({ type, style, value }: { type: string; style: number; value: string }, context: SheetContext): string {
  if (type === 's') return context.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return value
  return formatNumber(Number(value), value, context.formats[style], context.from1904)
}

function columnOf(reference: string): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1]
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
