/**
 * Html as plain text: headings as `# ` lines, items as `- ` lines, definitions and header-value tables as `key: value` lines, other
 * tables as pipe tables, paragraphs apart. Nothing is required to be well formed or to end.
 */
import { Blocks, barInCell } from './blocks.js'
import { decodeEntity } from './entities.js'
import { type HtmlCell, type HtmlRow, type SpanBudget, writeHtmlTable } from './html-table.js'
import { htmlTokens } from './html-tags.js'
import { isNoteMark } from './note-mark.js'
import type { Rendering } from './rendering.js'

const paragraphTags = new Set(
  (
    'p div section article header footer main aside nav blockquote form fieldset figure figcaption address details summary body html head ' +
    'ul ol menu dl center pre hr legend'
  ).split(' '),
)
const itemTags = new Set(['li', 'dt', 'dd', 'option'])
const cellTags = new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'caption'])

interface OpenTable {
  rows: HtmlRow[]
  cell: HtmlCell | null
  inHead: boolean
  /** Its cells hold headings or tables: it arranges the page and is written as blocks. */
  isLayout: boolean
}

export function renderHtml(source: string, from: number): Rendering {
  return new HtmlReader(source).read(from)
}

class HtmlReader {
  private readonly source: string
  private readonly blocks: Blocks
  private readonly showsTitle: boolean
  private readonly tables: OpenTable[] = []
  /** The line or cell being filled, and what comes before it when it is written. */
  private line: Rendering
  private prefix = ''
  private blank: { start: number; end: number } | null = null
  private raised: Rendering | null = null
  private listDepth = 0
  private preDepth = 0
  private isHeading = false
  private isTerm = false
  private readonly budget: SpanBudget

  constructor(source: string) {
    this.source = source
    this.budget = { characters: source.length }
    this.blocks = new Blocks(source)
    this.line = this.blocks.piece()
    this.showsTitle = !/<h1[\s>]/i.test(source)
  }

  read(from: number): Rendering {
    for (const token of htmlTokens(this.source, from)) {
      if (token.type === 'text') this.text(token.start, token.end)
      else if (token.type === 'tag') this.tag(token.name, token.closing, token.start, token.end)
      else if (this.showsTitle) this.title(token.start, token.end)
    }
    this.endCell()
    this.flush()
    while (this.tables.length > 0) this.closeTable()
    return this.blocks.out
  }

  private get table(): OpenTable | undefined {
    const last = this.tables[this.tables.length - 1]
    return last?.isLayout ? undefined : last
  }

  private title(start: number, end: number): void {
    this.breakBlock(2)
    this.prefix = '# '
    this.text(start, end)
    this.breakBlock(2)
  }

  private text(start: number, end: number): void {
    const verbatim = this.preDepth > 0 && this.table === undefined
    let from = start
    for (let at = start; at < end; ) {
      const code = this.source.charCodeAt(at)
      if (code === 0x26) {
        const entity = decodeEntity(this.source, at, end)
        if (entity !== null) {
          this.words(from, at)
          this.decoded(entity.text, at, entity.end)
          at = from = entity.end
          continue
        }
      } else if (code === 0x7c && this.table !== undefined) {
        this.words(from, at)
        this.decoded(barInCell, at, at + 1)
        from = at + 1
      } else if (isBlank(code) && !(verbatim && code !== 0x0a && code !== 0x0d)) {
        this.words(from, at)
        from = at = this.blanks(at, end, verbatim)
        continue
      }
      at++
    }
    this.words(from, end)
  }

  private blanks(start: number, end: number, verbatim: boolean): number {
    if (verbatim) {
      this.flush()
      const size = this.source.startsWith('\r\n', start) ? 2 : 1
      if (isBreak(this.source.charCodeAt(start + size))) this.blocks.gap(2)
      return Math.min(start + size, end)
    }
    let at = start
    while (at < end && isBlank(this.source.charCodeAt(at))) at++
    this.blank ??= { start, end: at }
    return at
  }

  private words(start: number, end: number): void {
    if (start >= end) return
    this.space()
    this.line.copy(start, end)
  }

  private decoded(text: string, start: number, end: number): void {
    if (text === ' ') this.blank ??= { start, end }
    else if (text !== '') {
      this.space()
      this.line.decode(text, start, end)
    }
  }

  private space(): void {
    const blank = this.blank
    this.blank = null
    if (blank === null || this.line.length === 0) return
    if (this.source.charCodeAt(blank.start) === 0x20 && blank.end === blank.start + 1) this.line.copy(blank.start, blank.end)
    else this.line.decode(' ', blank.start, blank.end)
  }

  private tag(name: string, closing: boolean, start: number, end: number): void {
    if (/^h[1-6]$/.test(name)) this.heading(Number(name[1]), closing)
    else if (name === 'table') this.tableTag(closing)
    else if (cellTags.has(name)) this.cellTag(name, closing, start, end)
    else if (name === 'sup') this.superscript(closing)
    else if (name === 'br' || (this.table?.cell && (paragraphTags.has(name) || itemTags.has(name)))) this.lineBreak(start, end)
    else if (itemTags.has(name)) this.item(name, closing)
    else if (paragraphTags.has(name)) this.paragraphTag(name, closing)
  }

  private heading(level: number, closing: boolean): void {
    if (this.table !== undefined) this.dissolve()
    this.breakBlock(2)
    this.isHeading = !closing
    this.prefix = closing ? '' : '#'.repeat(level) + ' '
  }

  private lineBreak(start: number, end: number): void {
    if (this.isHeading || this.table !== undefined) this.blank ??= { start, end }
    else this.breakBlock(1)
  }

  private item(name: string, closing: boolean): void {
    if (name === 'dd' && !closing && this.isTerm && this.line.length > 0) {
      this.endRaised()
      this.blank = null
      this.line.add(this.line.ending(1) === ':' ? ' ' : ': ', this.line.tail)
    } else if (!(name === 'dt' && closing)) {
      this.breakBlock(1)
      this.prefix = name === 'li' && !closing ? '  '.repeat(Math.min(Math.max(this.listDepth - 1, 0), 5)) + '- ' : ''
    }
    this.isTerm = name === 'dt'
  }

  private paragraphTag(name: string, closing: boolean): void {
    const isList = name === 'ul' || name === 'ol' || name === 'menu'
    if (isList) this.listDepth = Math.max(0, this.listDepth + (closing ? -1 : 1))
    if (name === 'pre') this.preDepth = Math.max(0, this.preDepth + (closing ? -1 : 1))
    const nested = isList && this.listDepth > (closing ? 0 : 1)
    this.breakBlock(nested || this.prefix.endsWith('- ') ? 1 : 2)
  }

  private superscript(closing: boolean): void {
    if (closing) {
      this.endRaised()
      return
    }
    if (this.raised !== null) return
    this.space()
    this.raised = this.line
    this.line = this.blocks.piece()
  }

  /** What was raised joins the line unless it is the mark of a note. */
  private endRaised(): void {
    const base = this.raised
    if (base === null) return
    const content = this.line
    this.raised = null
    this.line = base
    if (content.length > 12 || !isNoteMark(base.ending(4), content.toString())) base.append(content)
  }

  /** Ends the current line or paragraph; a pending item mark waits for its text. */
  private breakBlock(newlines: 1 | 2): void {
    this.flush()
    this.blocks.gap(newlines)
  }

  private flush(): void {
    this.endRaised()
    this.blank = null
    if (this.line.length === 0) return
    this.blocks.line(this.line, this.prefix)
    this.line = this.blocks.piece()
    this.prefix = ''
    this.isHeading = false
  }

  private tableTag(closing: boolean): void {
    if (closing) {
      this.endCell()
      this.breakBlock(2)
      if (this.tables.length > 0) this.closeTable()
      return
    }
    if (this.table !== undefined) this.dissolve()
    this.prefix = ''
    this.breakBlock(2)
    this.tables.push({ rows: [], cell: null, inHead: false, isLayout: false })
  }

  private cellTag(name: string, closing: boolean, start: number, end: number): void {
    const table = this.table
    if (table === undefined) {
      this.breakBlock(name === 'td' || name === 'th' ? 1 : 2)
      return
    }
    this.endCell()
    // Text between cells belongs to no cell: a caption, or a slip that browsers show before the table.
    this.breakBlock(1)
    if (name === 'thead' || name === 'tbody' || name === 'tfoot') table.inHead = name === 'thead' && !closing
    else if (name === 'tr' && !closing) table.rows.push({ cells: [], inHead: table.inHead })
    else if ((name === 'td' || name === 'th') && !closing) {
      if (table.rows.length === 0) table.rows.push({ cells: [], inHead: table.inHead })
      const attributes = this.source.slice(start, Math.min(end, start + 500))
      table.cell = {
        content: this.line,
        isHeader: name === 'th',
        columns: spanOf(attributes, /\bcolspan\s?=\s?["']?(\d{1,4})/i),
        rows: spanOf(attributes, /\browspan\s?=\s?["']?(\d{1,4})/i),
      }
      table.rows[table.rows.length - 1]?.cells.push(table.cell)
    }
  }

  private endCell(): void {
    const table = this.table
    if (!table?.cell) return
    this.endRaised()
    this.blank = null
    this.line = this.blocks.piece()
    table.cell = null
  }

  /** A table that turns out to arrange the page: what it has so far is written, what follows is read as blocks. */
  private dissolve(): void {
    const table = this.table
    if (table === undefined) return
    const open = table.cell
    const last = open === null ? undefined : table.rows.pop()
    this.endCell()
    writeHtmlTable(this.blocks, table.rows, this.budget)
    for (const cell of last?.cells ?? []) this.blocks.paragraph(cell.content)
    table.isLayout = true
  }

  private closeTable(): void {
    const table = this.tables.pop()
    if (table !== undefined && !table.isLayout) writeHtmlTable(this.blocks, table.rows, this.budget)
  }
}

function spanOf(attributes: string, pattern: RegExp): number {
  return Math.min(Math.max(Number(pattern.exec(attributes)?.[1] ?? 1), 1), 100)
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d
}
