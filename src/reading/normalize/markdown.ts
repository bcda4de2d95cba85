/**
 * Markdown as plain text, line by line: headings as `# `, bullets as `- `, tables with outer bars, inline markup gone; quotes,
 * fences and comments lose their marks. Line breaks are kept, so that blocks stay as the author separated them.
 */
import { renderInline } from './markdown-inline.js'
import { Rendering, type SourceSpan } from './rendering.js'

const heading = /^[ \t]{0,3}(#{1,6})[ \t]+/
const bullet = /^([ \t]*)([-*+])[ \t]+(?=\S)/
const delimiterRow = /^[-:| \t]+$/
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
  /** Where the text begins after the marks of a quote, and the text from there. */
  readonly body: number
  readonly text: string
}

export function renderMarkdown(source: string): Rendering {
  return new MarkdownReader(source).read()
}

/** LF, CRLF and CR alike. A last line without a line break counts; an empty rest does not. */
function linesOf(source: string): Line[] {
  const lines: Line[] = []
  for (const { 0: all, 1: text = '', index: start } of source.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    const marks = /^[ \t]{0,3}>[ \t>]*/.exec(text)?.[0].length ?? 0
    if (all !== '') lines.push({ start, end: start + text.length, next: start + all.length, body: start + marks, text: text.slice(marks) })
  }
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

  constructor(source: string) {
    this.out = new Rendering(source)
    this.source = source
    this.lines = linesOf(source)
    this.lastCommentEnd = source.lastIndexOf('-->')
  }

  read(): Rendering {
    this.frontMatter()
    let openFence: string | null = null
    while (this.index < this.lines.length) {
      const line = this.lines[this.index]!
      const mark = fence.exec(this.source.slice(line.start, line.end))?.[1] ?? null
      if (openFence !== null || mark !== null) {
        if (openFence === null) openFence = mark
        else if (mark?.startsWith(openFence)) openFence = null
        else this.out.copy(line.start, line.next)
        this.index++
      } else if (!this.comment(line)) this.block(line)
    }
    return this.out
  }

  /** The lines between two `---` at the very top are key-value lines, and the second `---` underlines nothing. */
  private frontMatter(): void {
    if (this.lines[0]?.text.trimEnd() !== '---') return
    const close = this.lines.findIndex(({ text }, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text))
    const end = this.lines[close]
    if (end === undefined) return
    this.out.copy(this.lines[0].next, end.start).copy(end.end, end.next)
    this.index = this.top = close + 1
  }

  /** A comment that goes on after its first line is dropped whole; what follows it on its last line is read. */
  private comment(line: Line): boolean {
    const start = this.source.slice(line.start, line.end).lastIndexOf('<!--') + line.start
    if (start < line.start || start > this.lastCommentEnd) return false
    const close = this.source.indexOf('-->', start) + 3
    if (close <= line.end) return false
    this.inline(line.start, start)
    while (this.lines[this.index]!.end < close) this.index++
    this.inline(close, this.lines[this.index]!.end)
    this.endLine()
    return true
  }

  private block({ body, end, text, next }: Line): void {
    const hashes = heading.exec(text)
    const mark = bullet.exec(text)
    const defined = definition.exec(text)
    if (hashes !== null) {
      const level = body + hashes[0].indexOf('#')
      this.out.copy(level, level + hashes[1]!.length).add(' ', level)
      this.inline(body + hashes[0].length, body + lengthWithoutHashes(text))
    } else if (rule.test(text)) this.out.copy(body, end)
    else if (this.isTable(text)) {
      this.table()
      return
    } else if (this.isUnderlined(text)) {
      this.out.add('# ', body)
      this.inline(body + text.length - text.trimStart().length, end)
      this.out.copy(end, next)
      this.index += 2
      return
    } else if (defined !== null) {
      // Definitions of links are addresses; definitions of notes are text.
      if (defined[1]!.startsWith('^')) this.inline(body + defined[0].length, end)
    } else if (mark !== null) {
      const place = body + mark[1]!.length
      this.out.copy(body, place)
      if (mark[2] === '-') this.out.copy(place, place + 1)
      else this.out.decode('-', place, place + 1)
      this.inline(place + 1, end)
    } else this.inline(body, end)
    this.endLine()
  }

  private inline(start: number, end: number): void {
    renderInline(this.out, this.source, start, end)
  }

  private endLine(): void {
    const { end, next } = this.lines[this.index++]!
    this.out.copy(end, next)
  }

  private isUnderlined(text: string): boolean {
    if (text.trim() === '' || text.length > 200 || bullet.test(text) || text.includes('|')) return false
    const next = this.lines[this.index + 1]
    if (next === undefined || !underline.test(this.source.slice(next.start, next.end))) return false
    return this.index === this.top || this.lines[this.index - 1]!.text.trim() === ''
  }

  private isTable(text: string): boolean {
    const next = this.lines[this.index + 1]?.text ?? ''
    return text.includes('|') && next.includes('|') && next.includes('-') && delimiterRow.test(next)
  }

  private table(): void {
    const header = this.index
    while (this.index < this.lines.length) {
      const line = this.lines[this.index]!
      if (this.index > header + 1 && !line.text.includes('|')) return
      const cells = cellsOf(line)
      if (this.index === header + 1) this.out.add('|---'.repeat(cells.length) + '|', line.body)
      else this.row(cells, line.body)
      this.endLine()
    }
  }

  private row(cells: readonly SourceSpan[], at: number): void {
    for (const cell of cells) {
      this.out.add('| ', at)
      this.inline(cell.start, cell.end)
      this.out.add(' ', cell.end)
    }
    this.out.add('|', at)
  }
}

/** Cells between unescaped bars, without surrounding blanks. What is blank outside the first and last bar is no cell. */
function cellsOf({ body, text }: Line): SourceSpan[] {
  let at = body
  const cells = text.split(/(?<!\\)\|/).map(cell => {
    const start = at + cell.length - cell.trimStart().length
    const end = Math.max(start, at + cell.trimEnd().length)
    at += cell.length + 1
    return { start, end }
  })
  const isBlank = (cell: SourceSpan | undefined): boolean => cell?.start === cell?.end
  return cells.slice(isBlank(cells[0]) ? 1 : 0, isBlank(cells.at(-1)) ? -1 : undefined)
}

/** Hashes at the end of a heading close it, where a blank stands before them. */
function lengthWithoutHashes(text: string): number {
  const bare = text.trimEnd()
  let end = bare.length
  while (bare[end - 1] === '#') end--
  return /\s/.test(bare[end - 1] ?? '') ? bare.slice(0, end).trimEnd().length : bare.length
}
