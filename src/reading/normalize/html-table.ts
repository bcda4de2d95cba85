/**
 * An html table as it is collected, and how it is written: as `key: value` lines when its rows are header and value, as lines
 * when it only lays out single cells, else as a pipe table with its spans filled in. What its rows mean is told from their
 * lines, as of any table.
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
  if (rows.every(isKeyed)) {
    blocks.group(rows.map(row => keyed(blocks, row)))
    return
  }
  const most = Math.min(headerRowsMost, rows.length - 1)
  const below = rows.findIndex((row, index) => index >= most || !(row.inHead || row.cells.every(cell => cell.isHeader)))
  const grid = expand(blocks, rows, below, budget)
  // Rows that are all named by their first cell need no header; an empty one says so.
  const isNamed = below === 0 && rows.every(row => row.cells[0]?.isHeader)
  if (isNamed) blocks.table([(grid[0] ?? []).map(() => blocks.piece()), ...grid], 1)
  else blocks.table(grid, below)
}

/** A label with its answer; one cell heads those below it. */
const isKeyed = ({ cells: [key, value, ...further], inHead }: HtmlRow): boolean =>
  further.length === 0 && !inHead && (value === undefined || (key!.isHeader && !value.isHeader))

function keyed(blocks: Blocks, { cells: [key, value] }: HtmlRow): Rendering {
  const line = blocks.piece()
  if (key !== undefined) line.append(key.content)
  return value !== undefined && value.content.length > 0 ? addColon(line).append(value.content) : line
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
