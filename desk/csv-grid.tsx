/** A CSV file as the sheet it is. */

import { useMemo } from 'preact/hooks'
import { csvRows } from '../src/contract/csv-rows.js'
import { Grid, type GridRow } from './grid'
import type { Passage } from './passages'
import { passageOver, spansOf } from './spans'

export function CsvGrid({ text, passages }: { text: string; passages: readonly Passage[] }) {
  const rows = useMemo(() => {
    const spans = spansOf(text, passages)
    return csvRows(text).map((fields, index): GridRow => {
      const cells = fields.map((field, column) => ({ column, shown: field.text, mark: passageOver(spans, field.from, field.to) }))
      return { number: index + 1, cells }
    })
  }, [text, passages])
  return <Grid label="Sheet" rows={rows} />
}
