/** Labels and answers that stand in two columns without a header: the gap is wide, and the answers stand below each other. */
import type { Cell, Line } from './lines.js'
import type { TableLine } from './tables.js'

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
