/**
 * A document as blocks with their section path: headings, pairs, table rows, items and paragraphs. A heading or a less
 * indented line above is part of the path of what stands below it. Every block knows the zone it is in.
 */
import { isHeaderLabel } from './header-labels.js'
import { type Cell, type Line, type Shape, shapeOf, splitLines } from './lines.js'
import { pairsOf, type TableLine, tableOf } from './tables.js'

export type Zone = 'header' | 'body' | 'closing'

export interface Block {
  kind: 'heading' | 'pair' | 'row' | 'item' | 'paragraph'
  start: number
  end: number
  zone: Zone
  /** Stands at the top, where the document speaks of itself, whatever it says. */
  top: boolean
  /** Headings and labels above, outermost first. */
  path: string[]
  /** Pair: its label. Row: the cell that says what it is. */
  label: Cell | null
  /** Pair, item, paragraph: where the words are. */
  body: { start: number; end: number }
  /** Row: the further cells with the header of their column. */
  cells: (Cell & { header: string })[]
  /** Row: header of the column its label stands in. */
  labelHeader: string
  /** Row: what tells it from others of the same label. */
  keys: Cell[]
}

interface Parent {
  level: number
  text: string
}

const CLOSING_LINE =
  /^(?:yours (?:sincerely|faithfully|truly)|(?:(?:kind|best|warm) )?regards|(?:best|cheers|(?:many )?thanks),|sincerely|respectfully(?: submitted)?|cc:|mit freundlichen)/i

export function blocksOf(text: string): Block[] {
  return new Reader(text).run()
}

class Reader {
  private readonly text: string
  private readonly lines: Line[]
  private readonly shapes: Shape[]
  /** How wide the text is set, where many lines are about as wide: somebody broke them. */
  private readonly width: number
  /** So many that a capital at the beginning of a line tells nothing. */
  private readonly isProse: boolean
  private readonly blocks: Block[] = []
  private headings: Parent[] = []
  private parents: Parent[] = []
  private zone: Zone = 'header'
  private headerPairs = 0
  /** No table starts before this line. */
  private noTableBefore = 0

  constructor(text: string) {
    this.text = text
    this.lines = splitLines(text)
    this.shapes = this.lines.map((_, i) => shapeOf(this.lines, i))
    const width = this.lines.reduce((most, { text: { length } }) => Math.max(most, length), 0)
    const said = this.lines.filter(({ blank }) => !blank)
    const full = said.filter(({ text: { length } }) => length >= width * 0.75).length
    this.width = full >= 2 && full >= said.length * 0.3 ? width : Number.POSITIVE_INFINITY
    this.isProse = full >= 4
  }

  run(): Block[] {
    for (let i = 0; i < this.lines.length; ) {
      const { rule, heading } = this.shapes[i]!
      if (this.lines[i]!.blank || rule) i++
      else if (this.isRow(i) && i >= this.noTableBefore && this.table(i) > i) i = this.noTableBefore
      else if (heading) i = this.heading(i)
      else i = this.words(i)
    }
    // A note of a few lines has no header to speak of: what it says starts at once.
    if (this.blocks.every(block => block.top || block.zone === 'closing'))
      for (const block of this.blocks) if (block.kind !== 'heading' && block.zone === 'header') block.zone = 'body'
    // A text of headings alone says what stands in them.
    if (this.blocks.every(block => block.kind === 'heading'))
      return this.blocks.map(block => ({ ...block, kind: 'paragraph', path: [], zone: 'body' }))
    return this.blocks
  }

  private emit(block: Partial<Block> & Pick<Block, 'kind' | 'start' | 'end'>): void {
    this.blocks.push({
      zone: this.zone,
      top: this.zone === 'header',
      path: [...this.headings, ...this.parents].slice(-6).map(parent => parent.text),
      label: null,
      body: { start: block.start, end: block.end },
      cells: [],
      labelHeader: '',
      keys: [],
      ...block,
    })
  }

  /** Only labels by which a document speaks of itself are metadata; a form below the title says something. */
  private emitPair(start: number, end: number, label: Cell, body: { start: number; end: number }): void {
    const zone = this.zone === 'header' && !isHeaderLabel(label.text) ? 'body' : this.zone
    this.emit({ kind: 'pair', start, end, label, body, zone })
  }

  private heading(i: number): number {
    const line = this.lines[i]!
    const { level, title } = this.shapes[i]!.heading!
    if (this.zone !== 'header' || this.headerPairs > 0) this.zone = 'body'
    while (this.headings.length && this.headings.at(-1)!.level >= level) this.headings.pop()
    this.parents = []
    this.emit({ kind: 'heading', start: line.start + line.indent, end: line.start + line.text.trimEnd().length })
    this.headings.push({ level, text: title })
    return i + 1
  }

  /** Cells, and neither an item nor a label with its answer. */
  private isRow(i: number): boolean {
    const { cells, piped, pair, bullet } = this.shapes[i]!
    return cells !== null && (piped || (bullet === 0 && !(pair && cells.length === 2)))
  }

  /** Where the table that begins here ends; the same line where there is none, and then none begins before its end either. */
  private table(i: number): number {
    const { piped } = this.shapes[i]!
    const rows: TableLine[] = []
    // The first of several records names their fields.
    let ruled = piped && !/[|│┃║]/.test(this.lines[i]!.text) ? 1 : 0
    let j = i
    for (; j < this.lines.length; j++) {
      if (this.shapes[j]!.rule) {
        if (ruled === 0 && rows.length <= 3) ruled = rows.length
      } else if (this.isRow(j) && this.shapes[j]!.piped === piped) rows.push({ line: this.lines[j]!, cells: this.shapes[j]!.cells! })
      else break
    }
    this.noTableBefore = j
    const hasFigures = rows.some(({ cells }) => cells.slice(1).some(({ text }) => /\d/.test(text)))
    const isEven = rows.length >= 3 && rows.every(({ cells }) => cells.length === rows[0]!.cells.length)
    if (rows.length < 2 || !(piped || ruled > 0 || hasFigures || isEven)) return i
    const pairs = pairsOf(rows, ruled)
    for (const { cells } of pairs ?? []) {
      const [label, body] = cells
      if (label?.text && body?.text) this.emitPair(label.start, body.end, label, { start: body.start, end: body.end })
    }
    if (pairs) return j
    if (this.zone === 'header') this.zone = 'body'
    for (const { line, ...row } of tableOf(rows, piped, ruled))
      this.emit({ kind: 'row', start: line.start + line.indent, end: line.start + line.text.trimEnd().length, ...row })
    return j
  }

  /** A pair, an item or a paragraph, with the lines that go on with it; or a line that leads to what stands below it. */
  private words(i: number): number {
    const line = this.lines[i]!
    const { bullet, pair } = this.shapes[i]!
    const said = line.text.trim()
    const level = line.indent - (bullet > 0 ? 0 : 0.5)
    while (this.parents.length && this.parents.at(-1)!.level >= level) this.parents.pop()
    if (said.endsWith(':') && said.length <= 140 && !pair) {
      this.parents.push({ level, text: said.slice(bullet, -1) })
      return i + 1
    }
    let next = i + 1
    while (this.goesOn(next, line.indent)) next++
    const last = this.lines[next - 1]!
    const end = last.start + last.text.trimEnd().length
    const start = line.start + line.indent + bullet
    if (pair) {
      if (this.zone === 'header') this.headerPairs++
      this.emitPair(start, end, pair.label, { start: pair.body, end })
    } else {
      const isLong = bullet === 0 && end - start > 100 && this.headerPairs > 0
      if (this.zone === 'header' && (isLong || (this.blocks.length > 1 && isSentence(this.text.slice(start, end).trim()))))
        this.zone = 'body'
      if (CLOSING_LINE.test(said)) this.zone = 'closing'
      this.emit({ kind: bullet > 0 ? 'item' : 'paragraph', start, end })
    }
    const child = this.lines[next]
    if (child && !child.blank && child.indent > line.indent && end - start <= 160)
      this.parents.push({ level, text: said.slice(bullet).trim() })
    return next
  }

  /** A line that goes on with the words above it: set further in, or broken where the next word did not fit. */
  private goesOn(i: number, indent: number): boolean {
    const line = this.lines[i]
    const shape = this.shapes[i]
    if (!line || !shape || line.blank || shape.rule || shape.piped || shape.bullet > 0) return false
    const above = this.lines[i - 1]!.text.trimEnd()
    const isOpen = !/[.!?:;]$/.test(above)
    const lowercase = /^\s*[\p{Ll}("]/u.test(line.text)
    const [first = ''] = /\S+/.exec(line.text) ?? []
    const isWrapped = (lowercase || this.isProse) && above.length >= 52 && above.length + 1 + first.length > this.width
    const isBroken = isWrapped || (lowercase && isOpen && above.length >= 30 && JOINED.test(`${above.slice(-8)} ${first} `))
    if ((shape.heading || shape.pair) && !lowercase) return false
    return line.indent > indent ? lowercase || isOpen : isBroken
  }
}

/** A word at the end of a line or at the beginning of the next that joins them. */
const JOINED =
  /\s(?:of|in|on|at|to|for|from|by|with|and|or|as|the|a|an|is|are|was|were|that|which|who|than|but|not|its|their|until|since|per)\s/

/** Words that end like a sentence and are one. */
const isSentence = (text: string): boolean =>
  /^\p{Lu}/u.test(text) && /[.!?]["')]?$/.test(text) && text.split(/\s+/).length >= 4 && !/^(?:dear|yours)\b/i.test(text)
