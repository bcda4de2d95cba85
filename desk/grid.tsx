/** Rows and columns with their heads. Of a long sheet a stretch of rows is shown, the one with the marked cell first. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Passage } from './passages'

export interface GridCell {
  column: number
  shown: ComponentChildren
  mark?: Passage | undefined
}

export interface GridRow {
  number: number
  cells: readonly GridCell[]
}

const rowsShown = 200
const mostColumns = 200

export function Grid({ label, rows }: { label: string; rows: readonly GridRow[] }) {
  const marked = rows.findIndex(row => row.cells.some(cell => cell.mark?.kind === 'main' || cell.mark?.kind === 'differs'))
  const [first, setFirst] = useState(() => Math.max(0, Math.floor(Math.max(0, marked) / rowsShown) * rowsShown))
  const stretch = rows.slice(first, first + rowsShown)
  const width = Math.min(
    mostColumns,
    1 + stretch.reduce((most, row) => row.cells.reduce((own, cell) => Math.max(own, cell.column), most), 0),
  )
  const columns = Array.from({ length: width }, (_, column) => column)
  return (
    <>
      {rows.length > rowsShown && (
        <p class="small grid-steps">
          <button type="button" disabled={first === 0} onClick={() => setFirst(Math.max(0, first - rowsShown))}>
            Earlier rows
          </button>{' '}
          Rows {stretch[0]?.number.toLocaleString()} to {stretch.at(-1)?.number.toLocaleString()} of {rows.length.toLocaleString()}{' '}
          <button type="button" disabled={first + rowsShown >= rows.length} onClick={() => setFirst(first + rowsShown)}>
            Later rows
          </button>
        </p>
      )}
      <table class="grid-table" aria-label={label}>
        <thead>
          <tr>
            <td />
            {columns.map(column => (
              <th key={column} scope="col">
                {columnName(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stretch.map(row => (
            <Row key={row.number} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Row({ row, columns }: { row: GridRow; columns: readonly number[] }) {
  const byColumn = new Map(row.cells.map(cell => [cell.column, cell]))
  return (
    <tr>
      <th scope="row">{row.number}</th>
      {columns.map(column => {
        const cell = byColumn.get(column)
        return (
          <td key={column} class={cell?.mark === undefined ? '' : `marked ${cell.mark.kind}`} data-id={cell?.mark?.id}>
            {cell?.shown}
          </td>
        )
      })}
    </tr>
  )
}

export function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}
