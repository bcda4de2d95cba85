/** Writes lines, paragraphs, headings and pipe tables into a rendering, with the blank lines between them that tell blocks apart. */
import { Rendering } from './rendering.js'

/** Stands in a cell for a literal bar, which would end the cell. */
export const barInCell = '¦'

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

  /** Lines that stand together, apart from what comes before and after. */
  group(lines: readonly Rendering[], prefix = ''): this {
    this.gap(2)
    for (const line of lines) this.line(line, prefix)
    return this.gap(2)
  }

  /** With a rule below its header rows. Rows are not padded: one wide row must not widen ten thousand narrow ones. */
  table(rows: readonly (readonly Rendering[])[], headers = 1): this {
    const lines = rows.map(row => {
      const line = this.piece()
      for (const cell of row) line.add(line.length === 0 ? '| ' : ' | ', cell.length > 0 ? cell.anchor : line.tail).append(cell)
      return line.add(' |')
    })
    const ruler = this.piece().add('|---'.repeat(rows[0]?.length ?? 0) + '|', lines[0]?.tail)
    return this.group(headers === 0 ? lines : lines.toSpliced(headers, 0, ruler))
  }
}

/** Begins the value of a key; a key may bring its own colon. */
export function addColon(key: Rendering): Rendering {
  return key.add(key.ending(1) === ':' ? ' ' : ': ')
}
