/**
 * Places as the rows they are stored in: arrays in PostgreSQL's own notation, written in the process that reads the file. The
 * service only hands them on, since half a million numbers and labels taken apart in its one thread would stop it for everybody.
 */

import type { Extracted, PlaceKind, Places } from './extraction.js'
import type { PageWords } from './recognised.js'
import { clean } from './text-writer.js'

export interface PlaceRow {
  /** The first of its starts. */
  firstAt: number
  starts: Buffer
  labels: Buffer
}

export interface PlaceRows {
  kind: PlaceKind
  rows: PlaceRow[]
}

/** What the service gets of a file that was read. */
export interface ExtractedFile extends Omit<Extracted, 'places'> {
  places: PlaceRows | null
  /** Of pages that were recognised. */
  words: WordRow[]
  /** Pages are left to be recognised, from it on. */
  nextPage?: number
}

/** Words of a page: arrays in PostgreSQL's notation. */
export interface WordRow {
  page: number
  starts: Buffer
  lengths: Buffer
  confidences: Buffer
  rectangles: Buffer
}

export function wordRowOf({ page, ...words }: PageWords): WordRow {
  const array = (numbers: readonly number[]) => Buffer.from(`{${numbers.join(',')}}`, 'latin1')
  const { starts, lengths, confidences, rectangles } = words
  return { page, starts: array(starts), lengths: array(lengths), confidences: array(confidences), rectangles: array(rectangles) }
}

/** Places in one row: enough that few rows are read for one, and few bytes for a row. */
const placesPerRow = 500

export function placeRowsOf({ kind, starts, labels }: Places): PlaceRows {
  const rows: PlaceRow[] = []
  for (let from = 0; from < starts.length; from += placesPerRow) {
    const to = from + placesPerRow
    rows.push({
      firstAt: starts[from] as number,
      starts: Buffer.from(`{${starts.slice(from, to).join(',')}}`, 'latin1'),
      labels: Buffer.from(`{${labels.slice(from, to).map(quoted).join(',')}}`, 'utf8'),
    })
  }
  return { kind, rows }
}

function quoted(label: string): string {
  return `"${clean(label).replaceAll(/["\\]/g, '\\$&')}"`
}
