/**
 * Html as plain text: headings as `# ` lines, items as `- ` lines, definitions and header-value tables as `key: value` lines, other
 * tables as pipe tables, paragraphs apart. Nothing is required to be well formed or to end.
 */
import { addColon, Blocks, barInCell } from './blocks.js'
import { decodeEntity, reference } from './entities.js'
import { type HtmlCell, type HtmlRow, type SpanBudget, writeHtmlTable } from './html-table.js'
import { type HtmlReader, readHtml } from './html-tags.js'
import { isNoteMark } from './note-mark.js'
import type { Rendering, SourceSpan } from './rendering.js'

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

export function renderHtml(source: string): Rendering {
  const renderer = new HtmlRenderer(source)
  readHtml(source, renderer)
  return renderer.finish()
}

const references = new RegExp(`${reference}|[\\t-\\r ]+`, 'gi')
const referencesAndBars = new RegExp(`${reference}|[\\t-\\r ]+|\\|`, 'gi')
const referencesAndLines = new RegExp(`${reference}|[\\r\\n]+`, 'gi')

class HtmlRenderer implements HtmlReader {
  private readonly source: string
  private readonly blocks: Blocks
  private readonly tables: OpenTable[] = []
  /** The line or cell being filled, and what comes before it when it is written. */
  private line: Rendering
  private prefix = ''
  private blank: SourceSpan | null = null
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
  }

  finish(): Rendering {
    this.endCell()
    this.flush()
    while (this.tables.length > 0) this.closeTable()
    return this.blocks.out
  }

  private get table(): OpenTable | undefined {
    const last = this.tables.at(-1)
    return last?.isLayout ? undefined : last
  }

  text(start: number, end: number): void {
    const pattern = this.table !== undefined ? referencesAndBars : this.preDepth > 0 ? referencesAndLines : references
    let from = start
    for (const { 0: found, index } of this.source.slice(start, end).matchAll(pattern)) {
      const at = start + index
      const text = found === '|' ? barInCell : found.startsWith('&') ? decodeEntity(found) : ' '
      if (text === null) continue
      this.words(from, at)
      from = at + found.length
      if (pattern === referencesAndLines && !found.startsWith('&')) this.breakBlock(/^(?:\r\n|.)$/s.test(found) ? 1 : 2)
      else this.decoded(text, at, from)
    }
    this.words(from, end)
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

  tag(name: string, closing: boolean, start: number, end: number): void {
    if (/^h[1-6]$|^title$/.test(name)) this.heading(Number(name[1]) || 1, closing)
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
      addColon(this.line)
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
