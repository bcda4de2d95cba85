/** Puts a text together, counts its code points, notes where each part stands in the file, and ends what gets too long. */

import { type Extracted, FileFault, mostPlaces, type PlaceKind } from './extraction.js'

export class TextWriter {
  private readonly parts: string[] = []
  private readonly starts: number[] = []
  private readonly labels: string[] = []
  private count = 0
  private last = ''
  private readonly kind: PlaceKind | null
  private readonly maxChars: number

  constructor({ kind, maxChars }: { kind: PlaceKind | null; maxChars: number }) {
    this.kind = kind
    this.maxChars = maxChars
  }

  get length(): number {
    return this.count
  }

  /** What follows stands there. */
  at(label: string): this {
    if (this.labels.at(-1) === label) return this
    if (this.starts.at(-1) === this.count) this.labels[this.labels.length - 1] = label
    else {
      if (this.starts.length === mostPlaces) throw new FileFault('TOO_COMPLEX')
      this.starts.push(this.count)
      this.labels.push(label)
    }
    return this
  }

  write(text: string): this {
    if (text === '') return this
    const storable = clean(text)
    this.parts.push(storable)
    this.count += codePoints(storable)
    this.last = storable.slice(-2).padStart(2, this.last.slice(-1))
    if (this.count > this.maxChars) throw new FileFault('TOO_LONG')
    return this
  }

  /** What follows begins a line (1), or comes after a blank line (2). */
  gap(newlines: 1 | 2): this {
    if (this.count === 0) return this
    const there = this.last.endsWith('\n\n') ? 2 : this.last.endsWith('\n') ? 1 : 0
    return this.write('\n'.repeat(Math.max(0, newlines - there)))
  }

  paragraph(text: string): this {
    return text.trim() === '' ? this : this.gap(2).write(text.trim()).gap(2)
  }

  line(text: string): this {
    return text.trim() === '' ? this : this.gap(1).write(text.trimEnd()).gap(1)
  }

  /** Rows as a table with bars, the first of them the header. `at` is told each cell before it is written. */
  table(rows: readonly (readonly string[])[], at: (row: number, column: number) => void = () => undefined): this {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    if (width === 0) return this
    this.gap(2)
    for (const [index, row] of rows.entries()) {
      for (let column = 0; column < width; column++) {
        this.write(column === 0 ? '| ' : ' | ')
        at(index, column)
        this.write(inCell(row[column] ?? ''))
      }
      this.write(' |\n')
      if (index === 0) this.write(`${'|---'.repeat(width)}|\n`)
    }
    return this.gap(2)
  }

  finish(notes: string[] = []): Extracted {
    const text = this.parts.join('').trimEnd()
    if (text === '') throw new FileFault('NO_TEXT')
    const places = this.kind === null || this.starts.length === 0 ? null : { kind: this.kind, starts: this.starts, labels: this.labels }
    return { text, places, notes, attachments: [] }
  }
}

/** Bars would end the cell, line breaks the row. */
export function inCell(text: string): string {
  return text.replaceAll('|', '¦').replaceAll(/\s+/g, ' ').trim()
}

/** Without what PostgreSQL and UTF-8 cannot hold, and without control characters that mean nothing in a text. */
export function clean(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

export function codePoints(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  let count = 0
  for (const _each of text) count++
  return count
}
