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
  /** Where rows share their label, the further cells that tell them apart. */
  keys: Cell[]
  /** The code by which a register numbers the row, where another cell says what the row is. */
  code: string
}

const PERIODIC =
  /^(?:[QH][1-4]\b.*|(?:FY\s?)?(?:19|20)\d{2}\s?[A-Z]?(?:[/-]\d{2,4})?|\(?n\s?=\s?\d+\)?.{0,12}|.*\b(?:19|20)\d{2}|.*\d\.(?:19|20)\d{2})$/i

export function isFigure(cell: Cell): boolean {
  return /^(?:[\s(+<>≥≤~≈±€$£¥−–-]|[A-Z]{3}(?=[\s(]))*\d/.test(cell.text) && !PERIODIC.test(cell.text.trim())
}

const CODE = /^(?:\p{Lu}{1,6}[-./ ]?\d[\p{L}\d./-]{0,14}|\d{1,4}(?:\.\d{1,3})*\.?|\p{Lu})$/u

/** Labels with answers at their right, of whatever kind: a form, not a table with a header. */
export function isForm(rows: readonly TableLine[]): boolean {
  if (rows.length < 3 || !rows.every(row => row.cells.length === 2)) return false
  const columns = rows.map(row => row.cells[1]!.start - row.line.start)
  if (columns.filter(column => Math.abs(column - columns[0]!) <= 1).length < rows.length * 0.8) return false
  // Below a header stand figures alone, or words alone.
  const answers = rows.slice(1).map(row => /\d/.test(row.cells[1]!.text))
  return (answers.some(figure => figure) && answers.some(figure => !figure)) || !headsColumns(rows[0]!.cells)
}

const HEADS =
  /^(?:(?:\p{L}+ ){0,2}(?:amounts?|values?|results?|totals?|status|dates?|figures?|numbers?|counts?|share|rates?|units?|scores?|ratings?|actuals?|budget|forecast|targets?|limits?|costs?|prices?|quantit(?:y|ies)|answers?|balance|percent(?:age)?|years?|items?|descriptions?|terms?|measures?|parameters?|metrics?|indicators?|categor(?:y|ies)|part(?:y|ies)|sites?|types?|components?|tests?|events?|persons?|names?|periods?|positions?|reported|restated|verified|no\.?|%)|[A-Z]{3}(?: \p{L}+)?)$/iu

/** Whether two words beside each other can be the header of the columns below them. */
function headsColumns([left, right]: readonly Cell[]): boolean {
  const heads = (cell: Cell): boolean => HEADS.test(cell.text.replace(/\s?\([^()]*\)$/, '').trim()) || PERIODIC.test(cell.text.trim())
  return right !== undefined && (heads(right) || (heads(left!) && !/\d/.test(right.text)))
}

/** How many rows name the columns. `ruled` is where a rule says the header ends, 0 without one. */
export function headerRows(rows: readonly TableLine[], piped: boolean, ruled: number): number {
  if (ruled > 0 && ruled < rows.length) return ruled
  // Labels and answers between bars; words above figures alone are a header.
  const [head, ...below] = rows.map(row => row.cells)
  const headed = head?.[1] !== undefined && !isFigure(head[1]) && below.every(([, answer]) => answer !== undefined && isFigure(answer))
  if (piped && head && rows.every(row => row.cells.length === 2) && !headed && !headsColumns(head)) return 0
  const figures = rows.findIndex(row => row.cells.slice(1).some(isFigure))
  // Rows that all end in a date or a figure with words need no header.
  if (!piped && figures < 0 && rows.every(row => row.cells.slice(1).some(cell => /\d/.test(cell.text)))) return 0
  // Nobody writes a sentence above a column.
  if (!piped && rows[0]?.cells.slice(1).some(cell => cell.text.length > 45)) return 0
  if (figures === 0) return 0
  // Codes name rows, not columns.
  return rows.length === 0 || (rows.length > 1 && isCode(rows[0]!.cells[0]) && isCode(rows[1]!.cells[0])) ? 0 : 1
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

/** "No.  Subject  Status": words that name columns, of three or more. */
export function namesColumns({ cells }: TableLine): boolean {
  const heads = cells.filter(
    ({ text }) =>
      text.length <= 24 &&
      !/\d/.test(text) &&
      text.split(' ').length <= 3 &&
      (TITLED.test(text) || UNTITLED.test(text) || HEADS.test(text)),
  )
  return cells.length >= 3 && heads.length * 3 >= cells.length * 2
}

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

/** Rows that share their first cell are told apart by the second. */
function isGrouped(rows: readonly TableLine[], at: number): boolean {
  const [first, second] = rows[at]!.cells
  if (!first?.text || !second || rows[at]!.cells.length < 3 || isFigure(second) || !/\p{L}{3}/u.test(second.text)) return false
  return [rows[at - 1], rows[at + 1]].some(
    row => row?.cells[0]?.text === first.text && row.cells[1]?.text !== second.text && row.cells.length >= 3,
  )
}

/** The rows of a table below its headers. */
export function tableOf(lines: readonly TableLine[], piped: boolean, ruled: number): TableRow[] {
  const first = headerRows(lines, piped, ruled)
  const headers = new Headers(lines.slice(0, first), piped)
  const data = lines.slice(first)
  const titled = titleColumn(data, headers)
  const rows: TableRow[] = []
  let parent: { indent: number; text: string } | null = null
  data.forEach(({ line, cells }, at) => {
    const skip = titled && cells[titled]?.text ? titled : isGrouped(data, at) ? 1 : 0
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
      keys: keysOf(data, at, skip),
      code: titled && isCode(cells[0]) && /\p{L}/u.test(cells[0]!.text) ? cells[0]!.text : '',
      above,
      labelHeader: headers.of(label, skip, line),
      cells: columns,
    })
  })
  return rows
}

/** Rows are different things unless all their key cells are equal: a label that comes again is told on by the days and words behind it. */
function keysOf(rows: readonly TableLine[], at: number, first: number): Cell[] {
  const { cells } = rows[at]!
  const keys: Cell[] = []
  let same = rows.filter((row, other) => other !== at && row.cells[first]?.text === cells[first]?.text)
  for (let column = first + 1; column < cells.length && same.length > 0; column++) {
    const cell = cells[column]!
    if (cell.text === '' || cell.text.length > LONGEST_KEY || (isFigure(cell) && !isDay(cell))) continue
    const rest = same.filter(row => row.cells[column]?.text === cell.text)
    if (rest.length < same.length) keys.push(cell)
    same = rest
  }
  return keys
}

const LONGEST_KEY = 40

/** How far the answer of a line stands from the left; null where the gap may be chance. */
export function answerColumn(line: Line, aligned: readonly Cell[] | null): number | null {
  const [label, answer] = aligned ?? []
  if (!label || !answer || aligned!.length !== 2 || answer.start - label.end < 3 || /[.;!?]$/.test(label.text)) return null
  return answer.start - line.start
}

/** Rows of two cells whose answers stand below each other. */
export function isColumn(rows: readonly TableLine[]): boolean {
  const at = ({ line, cells }: TableLine): number => (cells[1]?.start ?? -1) - line.start
  return rows.length >= 3 && rows.every(row => row.cells.length === 2 && Math.abs(at(row) - at(rows[0]!)) <= 1)
}

const PLAIN_HEADER =
  /^(?:|items?|values?|details?|descriptions?|requirements?|informations?|particulars|fields?|entry|answers?|parameters?|topics?|figures?|data|quantit(?:y|ies)|results?|measures?|indicators?|metrics?|amounts?|numbers?|findings?|status|positions?|decisions?|outcomes?|questions?|matters?|points?|heads?|our position|remarks?)$/i

/** Words above a column that only say that labels or answers stand in it. */
export function isPlainHeader(cells: readonly Cell[]): boolean {
  return cells.every(cell => PLAIN_HEADER.test(cell.text.trim()))
}

/** A form says all kinds of things in its second column; below the header of a table stand figures. */
export function holdsWords(lines: readonly TableLine[]): boolean {
  const said = lines.slice(1).flatMap(row => row.cells[1] ?? [])
  const words = said.filter(cell => !isFigure(cell) && /\p{L}{3}/u.test(cell.text)).length
  return lines.length >= 3 && words >= 1 && words * 4 >= said.length
}
