/** Labels and answers in two columns: the gap is wide and the answers stand below each other, or a header that names nothing is above them. */
import type { Cell, Line } from './lines.js'
import { isFigure, type TableLine } from './tables.js'

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
