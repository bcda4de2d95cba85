/**
 * Markdown as plain text, line by line: headings as `# `, bullets as `- `, tables with outer bars, inline markup gone; quotes,
 * fences and comments lose their marks. Line breaks are kept, so that blocks stay as the author separated them.
 */
import { renderInline } from './markdown-inline.js'
import type { Rendering } from './rendering.js'

const heading = /^[ \t]{0,3}(#{1,6})[ \t]+/
const bullet = /^([ \t]*)([-*+])[ \t]+(?=\S)/
const delimiterRow = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
const rule = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const underline = /^[ \t]{0,3}(?:=+|-{2,})[ \t]*$/
const fence = /^[ \t]{0,12}(`{3,}|~{3,})/
const definition = /^[ \t]{0,3}\[([^\]\r\n]{1,200})\]:[ \t]*/

interface Line {
  readonly start: number
  /** Where the text of the line ends. */
  readonly end: number
  /** Where the next line starts, after the line break. */
  readonly next: number
}

export function renderMarkdown(out: Rendering, source: string, from: number): Rendering {
  return new MarkdownReader(out, source, linesOf(source, from)).read()
}

/** LF, CRLF and CR alike. A last line without a line break counts; an empty rest does not. */
function linesOf(source: string, from: number): Line[] {
  const lines: Line[] = []
  const breaks = /\r\n|\n|\r/g
  breaks.lastIndex = from
  let start = from
  for (let match = breaks.exec(source); match !== null; match = breaks.exec(source)) {
    lines.push({ start, end: match.index, next: breaks.lastIndex })
    start = breaks.lastIndex
  }
  if (start < source.length) lines.push({ start, end: source.length, next: source.length })
  return lines
}

class MarkdownReader {
  private readonly out: Rendering
  private readonly source: string
  private readonly lines: readonly Line[]
  private index = 0
  /** The first line after the front matter. */
  private top = 0
  private readonly lastCommentEnd: number

  constructor(out: Rendering, source: string, lines: readonly Line[]) {
    this.out = out
    this.source = source
    this.lines = lines
    this.lastCommentEnd = source.lastIndexOf('-->')
  }

  read(): Rendering {
    this.frontMatter()
    let openFence: string | null = null
    while (this.index < this.lines.length) {
      const line = this.lines[this.index]
      if (line === undefined) break
      const mark = fence.exec(this.textOf(line))?.[1] ?? null
      if (openFence !== null) {
        if (mark?.startsWith(openFence)) openFence = null
        else this.out.copy(line.start, line.next)
        this.index++
      } else if (mark !== null) {
        openFence = mark
        this.index++
      } else if (!this.comment(line)) this.block(line)
    }
    return this.out
  }

  private textOf(line: Line): string {
    return this.source.slice(line.start, line.end)
  }

  /** The lines between two `---` at the very top are key-value lines, and the second `---` underlines nothing. */
  private frontMatter(): void {
    const first = this.lines[0]
    if (first === undefined || this.textOf(first).trimEnd() !== '---') return
    const close = this.lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(this.textOf(line)))
    if (close < 0) return
    for (const line of this.lines.slice(1, close)) this.out.copy(line.start, line.next)
    const end = this.lines[close]
    if (end !== undefined) this.out.copy(end.end, end.next)
    this.index = this.top = close + 1
  }

  /** A comment that goes on after its first line is dropped whole; what follows it on its last line is read. */
  private comment(line: Line): boolean {
    const open = this.textOf(line).lastIndexOf('<!--')
    if (open < 0) return false
    const start = line.start + open
    if (start > this.lastCommentEnd || this.source.slice(start, line.end).includes('-->')) return false
    const close = this.source.indexOf('-->', start) + 3
    this.inline(line.start, start)
    while ((this.lines[this.index]?.end ?? Number.POSITIVE_INFINITY) < close) this.index++
    const last = this.lines[this.index]
    if (last !== undefined) {
      this.inline(close, last.end)
      this.out.copy(last.end, last.next)
    }
    this.index++
    return true
  }

  private block(line: Line): void {
    const start = this.afterQuoteMarks(line)
    const text = this.source.slice(start, line.end)
    const hashes = heading.exec(text)
    if (hashes !== null) {
      const level = start + hashes[0].indexOf('#')
      this.out.copy(level, level + (hashes[1]?.length ?? 1)).add(' ', level)
      this.inline(start + hashes[0].length, start + trimHashes(text).length)
      this.endLine(line)
    } else if (rule.test(text)) {
      this.out.copy(start, line.next)
      this.index++
    } else if (this.isTableAt(start, line)) this.table()
    else if (this.isUnderlined(text)) {
      this.out.add('# ', start)
      this.inline(start + text.length - text.trimStart().length, line.end)
      this.endLine(line)
      this.index++
    } else this.item(start, text, line)
  }

  private item(start: number, text: string, line: Line): void {
    const defined = definition.exec(text)
    const mark = bullet.exec(text)
    if (defined !== null) {
      // Definitions of links are addresses; definitions of notes are text.
      if (defined[1]?.startsWith('^')) this.inline(start + defined[0].length, line.end)
    } else if (mark !== null) {
      const place = start + (mark[1]?.length ?? 0)
      this.out.copy(start, place)
      if (mark[2] === '-') this.out.copy(place, place + 1)
      else this.out.decode('-', place, place + 1)
      this.inline(place + 1, line.end)
    } else this.inline(start, line.end)
    this.endLine(line)
  }

  private inline(start: number, end: number): void {
    renderInline(this.out, this.source, start, end)
  }

  private endLine(line: Line): void {
    this.out.copy(line.end, line.next)
    this.index++
  }

  private afterQuoteMarks(line: Line): number {
    const marks = /^[ \t]{0,3}>[ \t>]*/.exec(this.textOf(line))
    return line.start + (marks?.[0].length ?? 0)
  }

  private isUnderlined(text: string): boolean {
    if (text.trim() === '' || text.length > 200 || bullet.test(text) || text.includes('|')) return false
    const next = this.lines[this.index + 1]
    if (next === undefined || !underline.test(this.textOf(next))) return false
    const before = this.lines[this.index - 1]
    return before === undefined || this.index === this.top || this.textOf(before).trim() === ''
  }

  private isTableAt(start: number, line: Line): boolean {
    const next = this.lines[this.index + 1]
    if (next === undefined || !this.source.slice(start, line.end).includes('|')) return false
    const text = this.source.slice(this.afterQuoteMarks(next), next.end)
    return text.includes('-') && text.includes('|') && delimiterRow.test(text)
  }

  private table(): void {
    const header = this.index
    for (; this.index < this.lines.length; this.index++) {
      const line = this.lines[this.index]
      if (line === undefined) return
      const start = this.afterQuoteMarks(line)
      const cells = cellsOf(this.source, start, line.end)
      if (this.index === header + 1) this.out.add('|---'.repeat(cells.length) + '|', start)
      else if (this.index > header + 1 && !this.source.slice(start, line.end).includes('|')) return
      else this.row(cells, start)
      this.out.copy(line.end, line.next)
    }
  }

  private row(cells: readonly { start: number; end: number }[], at: number): void {
    for (const cell of cells) {
      this.out.add('| ', at)
      this.inline(cell.start, cell.end)
      this.out.add(' ', cell.end)
    }
    this.out.add('|', at)
  }
}

/** Cells between unescaped bars, without outer bars and surrounding blanks. */
function cellsOf(source: string, start: number, end: number): { start: number; end: number }[] {
  const cells: { start: number; end: number }[] = []
  const text = source.slice(start, end)
  const first = text.length - text.trimStart().length
  const last = text.trimEnd().length
  let from = text[first] === '|' ? first + 1 : first
  const close = (to: number): void => {
    const cell = text.slice(from, to)
    const lead = cell.length - cell.trimStart().length
    cells.push({ start: start + from + Math.min(lead, cell.length), end: start + from + Math.max(cell.trimEnd().length, lead) })
    from = to + 1
  }
  for (let at = from; at < last; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '|') close(at)
  }
  if (from < last) close(last)
  return cells
}

function trimHashes(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (end > 0 && trimmed[end - 1] === '#') end--
  return end < trimmed.length && /[ \t]/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end).trimEnd() : trimmed
}
