/**
 * An html table as it is collected, and how it is written: as `key: value` lines when its rows are header and value, as lines
 * when it only lays out single cells, else as a pipe table with merged header rows and spans filled in.
 */
import { addColon, type Blocks } from './blocks.js'
import type { Rendering } from './rendering.js'

export interface HtmlCell {
  content: Rendering
  isHeader: boolean
  columns: number
  rows: number
}

export interface HtmlRow {
  cells: HtmlCell[]
  inHead: boolean
}

/** Repeating spanned cells may add at most this much, so that spans cannot multiply the text. */
export interface SpanBudget {
  characters: number
}

const repeatedCharacters = 80
const spannedColumns = 64
const headerRowsMost = 3

export function writeHtmlTable(blocks: Blocks, allRows: readonly HtmlRow[], budget: SpanBudget): void {
  const rows = allRows.filter(row => row.cells.some(cell => cell.content.length > 0))
  if (rows.every(row => row.cells.length === 1)) {
    for (const row of rows) for (const cell of row.cells) blocks.paragraph(cell.content)
    return
  }
  if (isKeyed(rows)) {
    blocks.group(rows.map(row => keyed(blocks, row)))
    return
  }
  const headers = headerRows(rows)
  const grid = expand(blocks, rows, headers, budget)
  const lead = rows[0]?.cells.some(cell => !cell.isHeader) && rows.every(row => row.cells[0]?.isHeader)
  const header = lead ? (grid[0] ?? []).map(() => blocks.piece()) : mergeHeader(blocks, grid.slice(0, headers))
  blocks.table([header, ...grid.slice(lead ? 0 : headers)])
}

function isKeyed(rows: readonly HtmlRow[]): boolean {
  if (rows.some(row => row.cells.length > 2 || row.inHead)) return false
  const pairs = rows.filter(row => row.cells.length === 2)
  if (pairs.every(row => row.cells[0]?.isHeader && !row.cells[1]?.isHeader)) return true
  // Without any header cell, a first row with a figure or several unlike answers is no header.
  if (!rows.some(row => row.cells.some(cell => cell.isHeader)) && pairs.length === rows.length && isForm(rows)) return true
  return pairs.filter(row => row.cells[0]?.content.ending(1) === ':').length * 2 > pairs.length
}

/** Answers that differ in kind, some with figures and some without, belong to a form; a header stands above figures alone. */
function isForm(rows: readonly HtmlRow[]): boolean {
  const answers = rows.map(row => row.cells[1]?.content.toString().slice(0, 200) ?? '')
  const [first, ...rest] = answers.map(answer => /\d/.test(answer))
  const kinds = new Set(answers.slice(1).map(answer => answer.replace(/[\d.,\s-]+/g, '')))
  return first === true || rest.some(figure => !figure) || kinds.size > 1
}

function keyed(blocks: Blocks, { cells: [key, value] }: HtmlRow): Rendering {
  const line = blocks.piece()
  if (key !== undefined) line.append(key.content)
  return value !== undefined && value.content.length > 0 ? addColon(line).append(value.content) : line
}

function headerRows(rows: readonly HtmlRow[]): number {
  let count = 0
  while (count < Math.min(headerRowsMost, rows.length - 1)) {
    const row = rows[count]
    if (!row?.inHead && !row?.cells.every(cell => cell.isHeader)) break
    count++
  }
  return Math.max(count, 1)
}

/** Cells under a row span get its content; header cells over several columns are repeated for each. */
function expand(blocks: Blocks, rows: readonly HtmlRow[], headers: number, budget: SpanBudget): Rendering[][] {
  const held = new Map<number, { content: Rendering; left: number }>()
  return rows.map((row, index) => {
    const cells: Rendering[] = []
    const fill = (): void => {
      if (budget.characters <= 0) held.clear()
      for (let span = held.get(cells.length); span !== undefined; span = held.get(cells.length)) {
        if (--span.left === 0) held.delete(cells.length)
        cells.push(repeated(blocks, span.content, budget))
      }
    }
    for (const cell of row.cells) {
      fill()
      const column = cells.length
      const columns = budget.characters > 0 ? cell.columns : 1
      for (let span = 0; span < columns; span++) {
        if (cell.rows > 1 && column + span < spannedColumns) held.set(column + span, { content: cell.content, left: cell.rows - 1 })
        if (span === 0) cells.push(cell.content)
        else cells.push(index < headers ? repeated(blocks, cell.content, budget) : blocks.piece())
      }
      budget.characters -= columns - 1
    }
    fill()
    return cells
  })
}

function repeated(blocks: Blocks, content: Rendering, budget: SpanBudget): Rendering {
  budget.characters -= 1 + content.length
  return budget.characters < 0 || content.length > repeatedCharacters ? blocks.piece() : content
}

function mergeHeader(blocks: Blocks, rows: readonly (readonly Rendering[])[]): Rendering[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return Array.from({ length: width }, (_, column) => {
    const merged = blocks.piece()
    const seen = new Set<string>()
    for (const row of rows) {
      const cell = row[column]
      const text = cell?.toString() ?? ''
      if (cell === undefined || text === '' || seen.has(text)) continue
      seen.add(text)
      if (merged.length > 0) merged.add(' ', merged.tail)
      merged.append(cell)
    }
    return merged
  })
}
