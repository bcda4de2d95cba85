/**
 * A run of lines with cells as the rows of a table: which of them are headers, which cell names a row, what stands above
 * it.
 */
import type { Cell, Line } from './lines.js'

export interface TableLine {
  line: Line
  cells: Cell[]
}

export interface TableRow {
  line: Line
  label: Cell
  labelHeader: string
  /** What the row stands under: a less indented label, a group, the code the table gives it. */
  above: string[]
  cells: (Cell & { header: string })[]
  /** The code by which a register numbers the row, where another cell says what the row is. */
  code: string
}

const PERIODIC =
  /^(?:[QH][1-4]\b.*|(?:FY\s?)?(?:19|20)\d{2}\s?[A-Z]?(?:[/-]\d{2,4})?|\(?n\s?=\s?\d+\)?.{0,12}|.*\b(?:19|20)\d{2}|.*\d\.(?:19|20)\d{2})$/i

export function isFigure(cell: Cell): boolean {
  return /^(?:[\s(+<>≥≤~≈±€$£¥−–-]|[A-Z]{3}(?=[\s(]))*\d/.test(cell.text) && !PERIODIC.test(cell.text.trim())
}

const CODE = /^(?:\p{Lu}{1,6}[-./ ]?\d[\p{L}\d./-]{0,14}|\d{1,4}(?:\.\d{1,3})*\.?|\p{Lu})$/u

/** A row that only adds units or periods to the names of the columns above it. */
function completesHeader(row: TableLine): boolean {
  const first = row.cells[0]!
  return (
    (first.start - row.line.start > 6 || first.text === '') &&
    row.cells.every(cell => cell.text.length <= 24 && (!isFigure(cell) || PERIODIC.test(cell.text.trim())))
  )
}

/** How many rows name the columns. `ruled` is where a rule says the header ends, 0 without one. */
export function headerRows(rows: readonly TableLine[], piped: boolean, ruled: number): number {
  if (ruled > 0 && ruled < rows.length) return ruled
  const figures = rows.findIndex(row => row.cells.slice(1).some(isFigure))
  // Rows that all end in a date or a figure with words need no header.
  if (!piped && figures < 0 && rows.every(row => row.cells.slice(1).some(cell => /\d/.test(cell.text)))) return 0
  // Nobody writes a sentence above a column.
  if (!piped && rows[0]?.cells.slice(1).some(cell => cell.text.length > 45)) return 0
  if (figures === 0) return piped && rows.length > 1 && !rows[0]!.cells.slice(1).every(isFigure) ? 1 : 0
  const most = figures < 0 ? 1 : figures
  let count = Math.min(1, rows.length)
  while (count < most && (completesHeader(rows[count]!) || completesHeader(rows[count - 1]!))) count++
  // Codes name rows, not columns.
  return count === 1 && rows.length > 1 && isCode(rows[0]!.cells[0]!) && isCode(rows[1]!.cells[0]!) ? 0 : count
}

const isCode = (cell: Cell | undefined): boolean => cell !== undefined && CODE.test(cell.text) && /\d/.test(cell.text)

class Headers {
  private readonly lines: readonly TableLine[]
  private readonly piped: boolean

  constructor(lines: readonly TableLine[], piped: boolean) {
    this.lines = lines
    this.piped = piped
  }

  of(cell: Cell, index: number, line: Line): string {
    const names: string[] = []
    for (const header of this.lines) {
      if (this.piped) names.push(header.cells[index]?.text ?? '')
      else {
        const left = cell.start - line.start
        const right = cell.end - line.start
        const hit = header.cells.find(h => h.start - header.line.start < right + 1 && left - 1 < h.end - header.line.start)
        if (hit && !(header.cells[0] === hit && hit.start - header.line.start < 2 && index > 0)) names.push(hit.text)
      }
    }
    return names.filter(Boolean).join(' ')
  }
}

const TITLED =
  /\b(?:subject|title|descriptions?|actions?|findings?|issues?|items?|measures?|name|topic|recommendations?|heads?|matter|deliverable|milestone|requirement|task|risk|observation|event|works?|position|question|point|parameter)\b/i
const UNTITLED =
  /\b(?:status|state|rating|severity|level|owner|responsible|investigator|manager|person|contact|city|country|location|by|date|due|result|priority|type|category|class|share|amount)\b/i

const isDay = (cell: Cell | undefined): boolean =>
  cell !== undefined && /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.? \d{4})$/u.test(cell.text)

/** The column that says what the rows are, where the first only numbers or dates them; 0 when the first says it itself. */
function titleColumn(all: readonly TableLine[], headers: Headers): number {
  const rows = all.filter(row => !/^(?:(?:grand |sub-?)?total|sum|)$/i.test(row.cells[0]!.text))
  const coded = rows.every(row => isCode(row.cells[0]))
  if (rows.length < 2 || !rows.every(row => row.cells.length >= 3) || !(coded || rows.every(row => isDay(row.cells[0])))) return 0
  for (let column = 1; column <= 3; column++) if (isTitle(rows, headers, column)) return column
  return 0
}

function isTitle(rows: readonly TableLine[], headers: Headers, column: number): boolean {
  const titles = rows.map(row => row.cells[column])
  if (titles.some(cell => !cell || isFigure(cell) || isDay(cell) || !/\p{L}{3}/u.test(cell.text))) return false
  const header = headers.of(titles[0]!, column, rows[0]!.line)
  if (UNTITLED.test(header) && !TITLED.test(header)) return false
  const words = titles.reduce((sum, cell) => sum + cell!.text.split(/\s+/).length, 0)
  return new Set(titles.map(cell => cell!.text)).size >= titles.length * 0.8 && (TITLED.test(header) || words >= titles.length * 2)
}

/** The rows of a table below its headers. */
export function tableOf(lines: readonly TableLine[], piped: boolean, ruled: number): TableRow[] {
  const first = headerRows(lines, piped, ruled)
  const headers = new Headers(lines.slice(0, first), piped)
  const data = lines.slice(first)
  const titled = titleColumn(data, headers)
  const rows: TableRow[] = []
  let parent: { indent: number; text: string } | null = null
  data.forEach(({ line, cells }) => {
    const skip = cells[titled]?.text ? titled : 0
    const label = cells[skip]!
    const indent = cells[0]!.start - line.start
    if (/^of which\b/i.test(label.text) === false && (parent === null || indent <= parent.indent)) parent = { indent, text: label.text }
    const above = parent && indent > parent.indent ? [parent.text] : []
    if (skip && /\p{L}/u.test(cells[0]!.text) && !isDay(cells[0])) above.push(cells[0]!.text)
    const columns = cells
      .map((cell, index) => ({ ...cell, header: headers.of(cell, index, line) }))
      .filter((cell, index) => index > skip || (index < skip && (index > 0 || isDay(cell))))
    rows.push({
      line,
      label,
      code: titled && isCode(cells[0]) && /\p{L}/u.test(cells[0]!.text) ? cells[0]!.text : '',
      above,
      labelHeader: headers.of(label, skip, line),
      cells: columns,
    })
  })
  return rows
}
