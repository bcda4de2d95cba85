/** A run of lines with cells as the rows of a table: which of them are headers, which cell names a row, what tells it from others. */
import type { Cell, Line } from './lines.js'

export interface TableLine {
  line: Line
  cells: Cell[]
}

export interface TableRow {
  line: Line
  label: Cell
  labelHeader: string
  cells: (Cell & { header: string })[]
  /** The code that numbers the row, and its days where another row has the same label. */
  keys: Cell[]
}

/** What a row is called: its label and its keys, as they stand. */
export const rowName = ({ label, keys }: { label: Cell | null; keys: readonly Cell[] }): string =>
  [...(label ? [label] : []), ...keys]
    .sort((a, b) => a.start - b.start)
    .map(({ text }) => text)
    .join(' ')

/** A year or a quarter above a column is no figure. */
const PERIODIC = /^(?:[QH][1-4]\b.*|(?:FY\s?)?(?:19|20)\d{2}\s?[A-Z]?(?:[/-]\d{2,4})?|.*[\s.](?:19|20)\d{2})$/i
const isFigure = (cell: Cell | undefined): boolean =>
  cell !== undefined && /^(?:[\s(+<>≥≤~≈±€$£¥−–-]|[A-Z]{3}(?=[\s(]))*\d/.test(cell.text) && !PERIODIC.test(cell.text.trim())

/** Names what stands below it: short, without figures. */
const isName = ({ text }: Cell): boolean => text.length <= 45 && (!/\d/.test(text) || PERIODIC.test(text.trim()))

const PLAIN_HEADER =
  /^(?:|items?|values?|details?|descriptions?|requirements?|informations?|particulars|fields?|entry|answers?|parameters?|topics?|figures?|data|quantit(?:y|ies)|results?|measures?|indicators?|metrics?|amounts?|numbers?|findings?|status|positions?|decisions?|outcomes?|questions?|matters?|points?|heads?|our position|remarks?)$/i

/** How many rows name the columns. `ruled` is where a rule says the header ends, 0 without one. */
function headerRows(rows: readonly TableLine[], ruled: number): number {
  if (ruled > 0 && ruled < rows.length) return ruled
  const [head, ...below] = rows
  if (!head || below.length === 0 || !head.cells.slice(1).every(isName)) return 0
  // Two columns without figures below each other are labels and answers.
  if (rows.every(({ cells }) => cells.length === 2)) return below.every(({ cells }) => isFigure(cells[1])) ? 1 : 0
  return isCode(head.cells[0]) ? 0 : 1
}

/** Labels and answers, where two columns have no header or one that only says that they are; else null. */
export function pairsOf(rows: readonly TableLine[], ruled: number): readonly TableLine[] | null {
  if (!rows.every(({ cells }) => cells.length <= 2)) return null
  const first = headerRows(rows, ruled)
  return first === 0 || (first === 1 && rows[0]!.cells.every(({ text }) => PLAIN_HEADER.test(text))) ? rows.slice(first) : null
}

/** The rows of a table below its headers. */
export function tableOf(rows: readonly TableLine[], piped: boolean, ruled: number): TableRow[] {
  const first = headerRows(rows, ruled)
  const headers = rows.slice(0, first)
  const data = rows.slice(first)
  const named = titleColumn(data)
  const [labels, again] = [new Set<string>(), new Set<string>()]
  for (const { cells } of data) (labels.has(cells[named]?.text ?? '') ? again : labels).add(cells[named]?.text ?? '')
  return data.map(({ line, cells }) => {
    const title = cells[named]?.text ? named : 0
    const label = cells[title]!
    const headerOf = (cell: Cell, index: number): string =>
      [...new Set(headers.map(header => (piped ? header.cells[index] : headerAbove(header, cell, line))?.text ?? ''))].join(' ').trim()
    return {
      line,
      label,
      labelHeader: headerOf(label, title),
      keys: cells.filter((cell, at) => (at < title ? at === 0 : at > title && again.has(label.text) && isDay(cell))),
      cells: cells.map((cell, index) => ({ ...cell, header: headerOf(cell, index) })).slice(title + 1),
    }
  })
}

/** What stands above it, by its columns on the page. */
function headerAbove({ line, cells }: TableLine, cell: Cell, below: Line): Cell | undefined {
  const [left, right] = [cell.start - below.start, cell.end - below.start]
  return cells.find(({ start, end }) => start - line.start < right + 1 && left - 1 < end - line.start)
}

const isCode = (cell: Cell | undefined): boolean =>
  cell !== undefined && /\d/.test(cell.text) && /^(?:\p{Lu}{1,6}[-./ ]?\d[\p{L}\d./-]{0,14}|\d{1,4}(?:\.\d{1,3})*\.?)$/u.test(cell.text)
const isDay = (cell: Cell | undefined): boolean =>
  cell !== undefined && /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.? \d{4})$/u.test(cell.text)

/** The column that says what the rows are, where the first only numbers or dates them; 0 when the first says it itself. */
function titleColumn(rows: readonly TableLine[]): number {
  if (!rows.every(({ cells }) => cells.length >= 3 && (isCode(cells[0]) || isDay(cells[0])))) return 0
  const isTitle = (column: number): boolean =>
    rows.every(({ cells }) => cells[column] === undefined || (!isFigure(cells[column]) && /\p{L}{3}/u.test(cells[column].text)))
  return [1, 2, 3].find(isTitle) ?? 0
}
