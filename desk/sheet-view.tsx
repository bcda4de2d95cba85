/**
 * A workbook as sheets with the heads of its rows and columns. What made its text runs here again: where that gives the same
 * text, a passage is marked in its cells; where it does not, the sheet is shown without a mark and says so.
 */

import { useMemo, useState } from 'preact/hooks'
import { readOdsSheets } from '../src/files/odf-sheets.js'
import { readSheets, type Sheet, writeSheets } from '../src/files/xlsx-sheets.js'
import { columnName, Grid, type GridRow } from './grid'
import { NoMark } from './no-mark'
import type { Passage } from './passages'
import { strongest } from './spans'
import { unpackParts } from './unzip'

export interface Workbook {
  sheets: Sheet[]
  text: string
  /** From starts[i] on the text stands in cell labels[i]. */
  starts: number[]
  labels: string[]
}

const isSheetPart = (name: string) => name.startsWith('xl/') && /\.(xml|rels)$/.test(name) && !/\/(drawings|charts|media)\//.test(name)

export async function openWorkbook(file: Blob, kind: 'xlsx' | 'ods'): Promise<Workbook> {
  const sheets =
    kind === 'ods'
      ? readOdsSheets(await unpackParts(file, name => name === 'content.xml'))
      : readSheets(await unpackParts(file, isSheetPart))
  const { text, places } = writeSheets(sheets, Number.POSITIVE_INFINITY)
  return { sheets, text, starts: places?.starts ?? [], labels: places?.labels ?? [] }
}

export function SheetView({ book, text, passages }: { book: Workbook; text: string; passages: readonly Passage[] }) {
  const isSame = book.text === text
  const marks = useMemo(() => (isSame ? cellMarks(book, passages) : new Map<string, Passage>()), [book, passages, isSame])
  const marked = book.sheets.findIndex(({ name }) => [...marks].some(([cell, { kind }]) => kind !== 'claim' && cell.startsWith(`${name}!`)))
  const [chosen, setChosen] = useState<number>()
  const shown = chosen ?? Math.max(0, marked)
  const sheet = book.sheets[shown]
  const rows = useMemo(() => (sheet === undefined ? [] : gridOf(sheet, marks)), [sheet, marks])
  return (
    <>
      {!isSame && <NoMark />}
      {book.sheets.length > 1 && (
        <div class="sheets" role="group" aria-label="Sheets">
          {book.sheets.map(({ name }, index) => (
            <button key={index} type="button" aria-pressed={index === shown} onClick={() => setChosen(index)}>
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      )}
      <Grid key={shown} label={sheet?.name ?? 'Sheet'} rows={rows} />
    </>
  )
}

function cellMarks({ starts, labels, text }: Workbook, passages: readonly Passage[]): Map<string, Passage> {
  const marks = new Map<string, Passage>()
  const length = [...text].length
  for (const passage of passages) {
    let low = 0
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((starts[middle + 1] ?? length) <= passage.start) low = middle + 1
      else high = middle
    }
    for (let at = low; at < starts.length && (starts[at] as number) < passage.end; at++) {
      const label = labels[at] as string
      const known = marks.get(label)
      marks.set(label, known === undefined ? passage : (strongest([known, passage]) as Passage))
    }
  }
  return marks
}

function gridOf({ name, rows }: Sheet, marks: ReadonlyMap<string, Passage>): GridRow[] {
  return rows.map(({ number, cells }) => ({
    number,
    cells: cells.map(({ column, text }) => ({ column, shown: text, mark: marks.get(`${name}!${columnName(column)}${number}`) })),
  }))
}
