/**
 * The text of a page in the order a person reads it, from pieces with places: lines, columns of text, tables, headings,
 * items and paragraphs. Pure. A PDF says where each piece stands and nothing more, so all of this is inferred from distances.
 */

import type { TextWriter } from './text-writer.js'

export interface Piece {
  text: string
  x: number
  /** Of the baseline, upwards. */
  y: number
  width: number
  /** Of the font. */
  size: number
  /** A rule stands between it and what is left of it. */
  ruled?: boolean
}

interface Cell {
  text: string
  x: number
  right: number
  pieces: Piece[]
}

interface Row {
  cells: Cell[]
  y: number
  size: number
}

/** As pdf.js gives it. */
export interface TextItem {
  str: string
  transform: number[]
  width: number
}

/** None where there is nothing to read. */
export function pieceOf({ str, transform, width }: TextItem): Piece | null {
  if (str.trim() === '') return null
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform
  return { text: str, x, y, width, size: Math.max(1, Math.hypot(c, d) || Math.hypot(a, b)) }
}

/** Distances in sizes of the font. */
const sameLine = 0.35
const wordGap = 0.18
const cellGap = 0.6
const wideGap = 3

/** Told, before each paragraph and each cell is written, which pieces it is made of, in the order of its text. */
export type Trace = (pieces: readonly Piece[]) => void

interface Page {
  bodySize: number
  trace: Trace
}

export function writePage(out: TextWriter, pieces: readonly Piece[], bodySize: number, trace: Trace = () => undefined): void {
  for (const column of splitColumns(pieces)) writeRows(out, rowsOf(column), { bodySize, trace })
}

/** Pieces of each column of text, from left to right; a band that crosses the columns stands between those above and below it. */
function splitColumns(pieces: readonly Piece[]): Piece[][] {
  const runs = runsOf(pieces)
  const gutter = findGutter(runs)
  if (gutter === null) return [[...pieces]]
  const parts: Piece[][] = []
  let band: { left: Piece[]; right: Piece[] } = { left: [], right: [] }
  const close = () => {
    parts.push(band.left, band.right)
    band = { left: [], right: [] }
  }
  for (const run of [...runs].sort((a, b) => b.y - a.y)) {
    if (run.right <= gutter) band.left.push(...run.pieces)
    else if (run.x >= gutter) band.right.push(...run.pieces)
    else {
      close()
      parts.push(run.pieces)
    }
  }
  close()
  return parts.filter(part => part.length > 0)
}

interface Run {
  pieces: Piece[]
  x: number
  right: number
  y: number
  chars: number
}

/** Pieces that follow each other on one line without a gap that separates cells. */
function runsOf(pieces: readonly Piece[]): Run[] {
  const runs: Run[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    const near =
      last !== undefined &&
      !piece.ruled &&
      Math.abs(last.y - piece.y) <= sameLine * piece.size &&
      piece.x >= last.x &&
      piece.x - last.right <= cellGap * piece.size
    if (near) {
      last.pieces.push(piece)
      last.right = Math.max(last.right, piece.x + piece.width)
      last.chars += piece.text.length
    } else runs.push({ pieces: [piece], x: piece.x, right: piece.x + piece.width, y: piece.y, chars: piece.text.length })
  }
  return runs
}

const leastRuns = 5
const leastChars = 25

/**
 * Where two columns of text part, or null. Columns are written one after the other and have long lines; the columns of a
 * table are written row by row and, mostly, are short.
 */
function findGutter(runs: readonly Run[]): number | null {
  const long = runs.filter(run => run.chars >= leastChars)
  if (long.length < 2 * leastRuns) return null
  const from = Math.min(...long.map(run => run.x))
  const to = Math.max(...long.map(run => run.right))
  let best: { at: number; crossing: number } | null = null
  for (let share = 0.35; share <= 0.65; share += 0.0125) {
    const at = from + share * (to - from)
    const left = long.filter(run => run.right <= at).length
    const right = long.filter(run => run.x >= at).length
    const crossing = long.length - left - right
    if (left >= leastRuns && right >= leastRuns && crossing < (best?.crossing ?? long.length / 4)) best = { at, crossing }
  }
  return best !== null && sidesTaken(long, best.at) <= 3 + 2 * best.crossing ? best.at : null
}

/** How often the order of writing changes sides. */
function sidesTaken(runs: readonly Run[], at: number): number {
  const sides = runs.map(run => (run.right <= at ? 'left' : run.x >= at ? 'right' : 'both'))
  return sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length
}

function rowsOf(pieces: readonly Piece[]): Row[] {
  const lines: { y: number; size: number; pieces: Piece[] }[] = []
  for (const piece of [...pieces].sort((a, b) => b.y - a.y || a.x - b.x)) {
    const line = lines.at(-1)
    if (line !== undefined && line.y - piece.y <= sameLine * Math.max(line.size, piece.size)) {
      line.pieces.push(piece)
      line.size = Math.max(line.size, piece.size)
    } else lines.push({ y: piece.y, size: piece.size, pieces: [piece] })
  }
  return lines.map(({ y, size, pieces: onLine }) => ({ y, size, cells: cellsOf(onLine, size) }))
}

/** What stands before an item is no cell of its own. */
const itemMark = /^\s*(?:[•◦▪●○■–\uf0b7\uf0a7·‣]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s*$/

function cellsOf(pieces: Piece[], size: number, edges: readonly number[] = []): Cell[] {
  const cells: Cell[] = []
  for (const piece of pieces.sort((a, b) => a.x - b.x)) {
    const cell = cells.at(-1)
    const gap = cell === undefined ? Number.POSITIVE_INFINITY : piece.x - cell.right
    const isMark = cell !== undefined && cells.length === 1 && gap < 4 * size && itemMark.test(cell.text)
    const isEdge = gap > 0 && edges.some(edge => Math.abs(edge - piece.x) <= 0.2 * size)
    if (cell === undefined || piece.ruled || ((gap > cellGap * size || isEdge) && !isMark)) {
      cells.push({ text: piece.text, x: piece.x, right: piece.x + piece.width, pieces: [piece] })
    } else {
      const spaced = gap > wordGap * size && !/\s$/.test(cell.text) && !/^\s/.test(piece.text)
      cell.text += (spaced ? ' ' : '') + piece.text
      cell.right = Math.max(cell.right, piece.x + piece.width)
      cell.pieces.push(piece)
    }
  }
  return cells
}

function writeRows(out: TextWriter, rows: readonly Row[], page: Page): void {
  const right = Math.max(...rows.map(row => row.cells.at(-1)?.right ?? 0))
  for (let at = 0; at < rows.length; ) {
    const table = tableAt(rows, at)
    if (table !== null) {
      out.table(table.rows, (row, column) => page.trace(table.pieces[row]?.[column] ?? []))
      at = table.end
    } else at = writeParagraph(out, rows, at, { ...page, right })
  }
}

interface Table {
  rows: string[][]
  /** Those of each cell. */
  pieces: Piece[][][]
  end: number
}

/** Two or more rows in a row with cells in the same columns. */
function tableAt(rows: readonly Row[], start: number): Table | null {
  const first = rows[start]!
  if (first.cells.length < 2) return null
  const own = [first]
  let lastFull = 0
  for (const row of rows.slice(start + 1)) {
    if (own.at(-1)!.y - row.y > 4 * row.size) break
    // Cells that nearly touch are told apart by where the cells above begin.
    const edges = own[lastFull]!.cells.slice(1).map(cell => cell.x)
    const split = {
      ...row,
      cells: cellsOf(
        row.cells.flatMap(cell => cell.pieces),
        row.size,
        edges,
      ),
    }
    if (split.cells.length >= 2) lastFull = own.length
    // Lines of a cell that goes on may stand alone, but not many.
    else if (own.length - lastFull > 2) break
    own.push(split)
  }
  own.length = trailing(own, lastFull)
  const columns = columnsOf(own)
  const full = own.filter(row => row.cells.length >= 2)
  if (columns.length < 2 || full.length < 2 || !isAligned(full)) return null
  const joinedRows = joinWrapped(own.map(row => ({ row, ...inColumns(row, columns) })))
  return { rows: joinedRows.map(({ texts }) => texts), pieces: joinedRows.map(({ pieces }) => pieces), end: start + own.length }
}

/** Gaps between words may look like cells; unlike those of a table they do not stand below each other. */
function isAligned(rows: readonly Row[]): boolean {
  const aligned = rows.filter((row, index) => {
    const other = rows[index - 1] ?? rows[index + 1]
    if (other === undefined) return false
    return row.cells.slice(1).some(cell => other.cells.slice(1).some(each => areInLine(cell, each, row.size)))
  })
  return aligned.length >= rows.length / 2
}

function areInLine(a: Cell, b: Cell, size: number): boolean {
  const tolerance = size / 2
  return [a.x - b.x, a.right - b.right, a.x + a.right - b.x - b.right].some(off => Math.abs(off) <= tolerance)
}

/** Lines below the last full row belong to it while they are as close as lines of one cell are. */
function trailing(rows: readonly Row[], lastFull: number): number {
  let last = lastFull
  while (last + 1 < rows.length && rows[last]!.y - rows[last + 1]!.y <= 1.3 * rows[last + 1]!.size) last++
  return last + 1
}

/** Ranges in which cells of different rows overlap; a cell over several columns does not make them one. */
function columnsOf(rows: readonly Row[]): { x: number; right: number }[] {
  const columns: { x: number; right: number }[] = []
  const cells = rows.flatMap(row => (row.cells.length >= 2 ? row.cells : [])).sort((a, b) => a.right - a.x - (b.right - b.x))
  for (const { x, right } of cells) {
    const over = columns.filter(column => x < column.right && right > column.x)
    if (over.length === 0) columns.push({ x, right })
    else if (over.length === 1) {
      over[0]!.x = Math.min(over[0]!.x, x)
      over[0]!.right = Math.max(over[0]!.right, right)
    }
  }
  return columns.sort((a, b) => a.x - b.x)
}

interface InColumns {
  texts: string[]
  pieces: Piece[][]
}

function inColumns(row: Row, columns: readonly { x: number; right: number }[]): InColumns {
  const texts = columns.map(() => '')
  const pieces = columns.map((): Piece[] => [])
  for (const cell of row.cells) {
    const overlap = columns.map(column => Math.min(cell.right, column.right) - Math.max(cell.x, column.x))
    const best = overlap.indexOf(Math.max(...overlap))
    texts[best] = texts[best] === '' ? cell.text : `${texts[best]} ${cell.text}`
    pieces[best]?.push(...cell.pieces)
  }
  return { texts, pieces }
}

/**
 * Lines that are parts of one row: closer than lines can be, a lone cell right below that goes on, or, where rows keep a
 * distance from each other, lines that do not.
 */
function joinWrapped(placed: readonly (InColumns & { row: Row })[]): InColumns[] {
  const close = lineDistance(placed.map(({ row }) => row))
  const out: (InColumns & { y: number })[] = []
  for (const [index, { row, texts, pieces }] of placed.entries()) {
    const last = out.at(-1)
    const gap = last === undefined ? Number.POSITIVE_INFINITY : last.y - row.y
    const next = placed[index + 1]
    const nextGap = next === undefined ? Number.POSITIVE_INFINITY : row.y - next.row.y
    const goesOn = texts.filter(text => text !== '').length === 1 && gap <= 1.35 * row.size && nextGap >= 1.15 * gap
    if (last !== undefined && (gap < 0.95 * row.size || gap <= close || goesOn)) {
      for (const [column, text] of texts.entries()) if (text !== '') last.texts[column] = joined(last.texts[column] ?? '', text)
      for (const [column, more] of pieces.entries()) last.pieces[column]?.push(...more)
      last.y = row.y
    } else out.push({ y: row.y, texts: [...texts], pieces: pieces.map(each => [...each]) })
  }
  return out
}

/** The distance of lines within rows, where many rows are farther apart than that; else 0. */
function lineDistance(rows: readonly Row[]): number {
  const gaps = rows.slice(1).map((row, index) => rows[index]!.y - row.y)
  const lines = gaps.filter((gap, index) => gap >= 0.95 * rows[index]!.size)
  const least = Math.min(...lines)
  const apart = lines.filter(gap => gap >= 1.4 * least)
  return least <= 1.35 * (rows[0]?.size ?? 0) && apart.length >= 0.4 * lines.length ? 1.1 * least : 0
}

const bullet = /^\s*[•◦▪●○■–\uf0b7\uf0a7·‣]\s*/

function writeParagraph(out: TextWriter, rows: readonly Row[], start: number, page: Page & { right: number }): number {
  const first = rows[start]!
  let text = textOf(first)
  const level = headingLevel(first, text, page.bodySize)
  let end = start + 1
  for (; end < rows.length; end++) {
    const before = rows[end - 1]!
    const row = rows[end]!
    const gap = before.y - row.y
    const same = Math.abs(row.size - before.size) < 0.1 * before.size
    if (!same || row.cells.length > 1 || gap > 1.7 * row.size || gap < 0 || bullet.test(row.cells[0]?.text ?? '')) break
    const full = (before.cells.at(-1)?.right ?? 0) >= page.right - 9 * before.size
    if (level === 0 && !full) break
    text = joined(text, textOf(row))
  }
  page.trace(rows.slice(start, end).flatMap(row => row.cells.flatMap(cell => cell.pieces)))
  if (level > 0) out.paragraph(`${'#'.repeat(level)} ${text}`)
  else if (bullet.test(text)) out.line(text.replace(bullet, '- '))
  else out.gap(isNewBlock(rows, start) ? 2 : 1).line(text)
  return end
}

function isNewBlock(rows: readonly Row[], at: number): boolean {
  const before = rows[at - 1]
  const row = rows[at]!
  return before === undefined || before.y - row.y > 1.5 * row.size
}

function textOf(row: Row): string {
  return row.cells
    .map((cell, index) => (index === 0 ? '' : cell.x - row.cells[index - 1]!.right > wideGap * row.size ? '   ' : ' ') + cell.text)
    .join('')
}

/** A word that was divided at the end of a line is one word again. */
function joined(before: string, after: string): string {
  const divided = /\p{Ll}[-\u00ad]$/u.test(before) && /^\p{Ll}/u.test(after)
  return divided ? before.slice(0, -1) + after : `${before.replace(/\u00ad$/, '')} ${after}`.replaceAll(/ {2}(?=\S)/g, ' ')
}

function headingLevel(row: Row, text: string, bodySize: number): number {
  if (row.cells.length !== 1 || text.length > 150 || !/\p{L}/u.test(text)) return 0
  const ratio = row.size / bodySize
  return ratio >= 1.7 ? 1 : ratio >= 1.35 ? 2 : ratio >= 1.15 ? 3 : 0
}
