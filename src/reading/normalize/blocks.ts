/** Writes lines, paragraphs, headings and pipe tables into a rendering, with the blank lines between them that tell blocks apart. */
import { Rendering } from './rendering.js'

export class Blocks {
  readonly out: Rendering
  private readonly source: string
  private pendingNewlines = 0

  constructor(source: string) {
    this.source = source
    this.out = new Rendering(source)
  }

  /** An empty piece of rendering over the same source. */
  piece(): Rendering {
    return new Rendering(this.source)
  }

  /** What follows starts on a new line (1) or after a blank line (2). */
  gap(newlines: 1 | 2): this {
    if (this.out.length > 0) this.pendingNewlines = Math.max(this.pendingNewlines, newlines)
    return this
  }

  /** One line; empty content writes nothing. */
  line(content: Rendering, prefix = ''): this {
    if (content.length === 0) return this
    this.gap(1)
    this.out.add('\n'.repeat(this.pendingNewlines) + prefix, content.anchor).append(content)
    this.pendingNewlines = 1
    return this
  }

  paragraph(content: Rendering, prefix = ''): this {
    return this.gap(2).line(content, prefix).gap(2)
  }

  /** The first row is the header. Rows are not padded: one wide row must not widen ten thousand narrow ones. */
  table(rows: readonly (readonly Rendering[])[]): this {
    this.gap(2)
    rows.forEach((row, index) => {
      const line = this.piece()
      for (const cell of row) line.add(line.length === 0 ? '| ' : ' | ', cell.length > 0 ? cell.anchor : line.tail).append(cell)
      this.line(line.add(' |', line.tail))
      if (index === 0) this.line(this.piece().add('|---'.repeat(row.length) + '|', line.tail))
    })
    return this.gap(2)
  }
}

/** Copies a source range as the content of a table cell: line breaks become blanks, bars become broken bars. */
export function copyCell(out: Rendering, source: string, start: number, end: number): Rendering {
  let from = start
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at)
    if (code !== 0x7c && code !== 0x0a && code !== 0x0d) continue
    out.copy(from, at)
    const size = code === 0x0d && at + 1 < end && source.charCodeAt(at + 1) === 0x0a ? 2 : 1
    out.decode(code === 0x7c ? barInCell : ' ', at, at + size)
    at += size - 1
    from = at + 1
  }
  return out.copy(from, end)
}

/** Stands in a cell for a literal bar, which would end the cell. */
export const barInCell = '¦'

/** Machine names (`net_revenue`) read as words: underscores become blanks where no blank separates words already. */
export function copyName(out: Rendering, source: string, start: number, end: number): Rendering {
  const name = source.slice(start, end)
  if (!name.includes('_') || /[\s|]/.test(name)) return copyCell(out, source, start, end)
  let from = start
  for (let at = source.indexOf('_', start); at >= 0 && at < end; at = source.indexOf('_', at + 1)) {
    out.copy(from, at).decode(' ', at, at + 1)
    from = at + 1
  }
  return out.copy(from, end)
}
