/**
 * A document as blocks with their section path: headings, pairs, table rows, items and paragraphs. A heading or a less
 * indented line above is part of the path of what stands below it. Every block knows the zone it is in.
 */
import { isHeaderLabel } from './header-labels.js'
import { alignedCells, bulletLength, type Cell, headingShape, isRule, type Line, pairShape, pipeCells, splitLines } from './lines.js'
import { runInOf } from './run-in.js'
import { breaksOff, isSentence } from './running-text.js'
import { apart } from './side-by-side.js'
import {
  answerColumn,
  headerRows,
  holdsWords,
  isColumn,
  isFigure,
  isForm,
  isPlainHeader,
  namesColumns,
  type TableLine,
  tableOf,
} from './tables.js'

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
  /** Pair: its label. Row: its first cell. */
  label: Cell | null
  /** Pair, item, paragraph: where the words are. */
  body: { start: number; end: number }
  /** Row: the further cells with the header of their column. */
  cells: (Cell & { header: string })[]
  /** Row: header of the column its label stands in. */
  labelHeader: string
  /** Row: the code a register gives it, when its label is a title. */
  code: string
  /** Row: what tells it from others of the same label. */
  keys: Cell[]
}

interface Parent {
  level: number
  text: string
}

const CLOSING_HEAD =
  /\b(?:sign-?off|signatures?|distribution list|attendees|present|apologies|in attendance|contacts?|glossary|references|document history|version history|copy list)\b/i
const CLOSING_LINE =
  /^(?:yours (?:sincerely|faithfully|truly)|(?:(?:kind|best|warm) )?regards|(?:best|cheers|(?:many )?thanks),|sincerely|respectfully(?: submitted)?|cc:|mit freundlichen)/i

interface Shape {
  rule: boolean
  heading: ReturnType<typeof headingShape>
  pair: ReturnType<typeof pairShape>
  pipes: Cell[] | null
  aligned: Cell[] | null
  bullet: number
}

const EMPTY: Shape = { rule: false, heading: null, pair: null, pipes: null, aligned: null, bullet: 0 }

function shapeOf(lines: readonly Line[], rules: readonly boolean[], i: number): Shape {
  const line = lines[i]!
  if (line.blank) return EMPTY
  if (rules[i]) return { ...EMPTY, rule: true }
  const quiet = (at: number): boolean => at < 0 || at >= lines.length || lines[at]!.blank || rules[at]!
  const above = quiet(i - 1)
  const next = lines[i + 1]
  const deeper = next !== undefined && !next.blank && next.indent > line.indent
  const pipes = pipeCells(line)
  const bullet = bulletLength(line.text.trimStart())
  return {
    rule: false,
    heading: pipes
      ? null
      : headingShape(line, above && quiet(i + 1), deeper, above && i > 0 && next !== undefined && isContent(next), next),
    pair: pairShape(line, bullet),
    pipes,
    aligned: pipes ? null : alignedCells(line),
    bullet,
  }
}

/** A line that says something: a sentence, or a pair. */
function isContent(line: Line): boolean {
  const text = line.text.trim()
  return (text.length >= 40 && /[\p{Ll}]/u.test(text)) || /^[^:]{2,40}:\s+\S/.test(text) || (/[.!?]$/.test(text) && /\s\S+\s/.test(text))
}

/** How often all lines together are gone over in vain. */
const MOST_PASSES = 20

const MARKDOWN_RULE = /^\s*\|\s*:?-{2,}/

/** Up to three rows without figures, as they stand above a rule. */
function isHeader(rows: readonly TableLine[]): boolean {
  return rows.length > 0 && rows.length <= 3 && !rows.some(row => row.cells.some(isFigure))
}

class Reader {
  readonly text: string
  readonly lines: Line[]
  readonly shapes: Shape[]
  /** How wide the text is set. */
  readonly width: number
  /** Many lines are about as wide: somebody broke them. */
  readonly isSet: boolean
  /** So many that a capital at the beginning of a line tells nothing. */
  readonly isProse: boolean
  readonly blocks: Block[] = []
  headings: Parent[] = []
  parents: Parent[] = []
  zone: Zone = 'header'
  headerPairs = 0
  /** No table without bars starts before this line. */
  noTableBefore = 0
  /** Lines gone over for tables with rules that were none in the end. */
  wastedLines = 0
  i = 0

  constructor(text: string) {
    this.text = text
    this.lines = apart(splitLines(text))
    this.width = this.lines.reduce((most, { text: { length } }) => Math.max(most, length), 0)
    const said = this.lines.filter(({ blank }) => !blank)
    const full = said.filter(({ text: { length } }) => length >= this.width * 0.75).length
    this.isSet = full >= 2 && full >= said.length * 0.3
    this.isProse = full >= 4
    const rules = this.lines.map(isRule)
    this.shapes = this.lines.map((_, i) => shapeOf(this.lines, rules, i))
  }

  path(): string[] {
    return [...this.headings, ...this.parents].slice(-6).map(parent => parent.text)
  }

  emit(block: Partial<Block> & Pick<Block, 'kind' | 'start' | 'end'>): void {
    this.blocks.push({
      zone: this.zone,
      top: this.zone === 'header',
      path: this.path(),
      label: null,
      body: { start: block.start, end: block.end },
      cells: [],
      labelHeader: '',
      code: '',
      keys: [],
      ...block,
    })
  }

  /** Only labels by which a document speaks of itself are metadata; a form below the title says something. */
  emitPair(start: number, end: number, label: Cell, body: { start: number; end: number }): void {
    const zone = this.zone === 'header' && !isHeaderLabel(label.text) ? 'body' : this.zone
    this.emit({ kind: 'pair', start, end, label, body, zone })
  }

  pop(level: number): void {
    while (this.parents.length && this.parents.at(-1)!.level >= level) this.parents.pop()
  }

  /** First line after `i` that does not continue the words begun on it. */
  continuation(i: number, indent: number, bulleted: boolean): number {
    let j = i + 1
    for (; j < this.lines.length; j++) {
      const line = this.lines[j]!
      const shape = this.shapes[j]!
      if (line.blank || shape.rule || shape.pipes || shape.bullet) break
      const wrapped = this.isWrapped(j - 1)
      const lowercase = /^\s*[\p{Ll}("]/u.test(line.text)
      if (shape.heading && !(lowercase && wrapped)) break
      if (shape.pair && !(wrapped && lowercase && !/\s\.{2,}\s/.test(line.text))) break
      if (shape.aligned && !shape.pair && (shape.aligned.length > 2 || this.isAnswer(j))) break
      if (line.indent > indent) {
        // A deeper line that starts afresh is a child, not a continuation, unless the text before broke off.
        if (!bulleted && !lowercase && !wrapped && /^\s*\p{Lu}/u.test(line.text) && /[.:]$|\*\*$/.test(this.lines[j - 1]!.text.trim()))
          break
        continue
      }
      if (wrapped && line.indent === indent && (lowercase || this.isProse)) continue
      if (lowercase && (wrapped || breaksOff(this.lines[j - 1]!.text, line.text))) continue
      break
    }
    return j
  }

  /** A label with its answer, as the line above or below it has one in the same column. */
  isAnswer(j: number): boolean {
    const at = (k: number): number | null =>
      this.lines[k] && !this.shapes[k]!.pair ? answerColumn(this.lines[k]!, this.shapes[k]!.aligned) : null
    const column = at(j)
    return column !== null && [at(j - 1), at(j + 1)].some(other => other !== null && Math.abs(other - column) <= 1)
  }

  /** A line that was broken because the first word of the next one did not fit. */
  isWrapped(i: number): boolean {
    const { length } = this.lines[i]!.text.trimEnd()
    const next = /^\s*(\S+)/.exec(this.lines[i + 1]?.text ?? '')?.[1] ?? ''
    return this.isSet && length >= 52 && length + 1 + next.length > this.width
  }

  heading(i: number): void {
    const line = this.lines[i]!
    const shape = this.shapes[i]!.heading!
    const counted = this.blocks.length > 1 && /^(?:\d|Item|Agenda|Section|Part|Chapter)/.test(line.text.trim())
    if (this.zone === 'header' && (this.headerPairs > 0 || this.blocks.length > 6 || counted)) this.zone = 'body'
    if (this.zone !== 'header') this.zone = CLOSING_HEAD.test(shape.title) && shape.title.length < 60 ? 'closing' : 'body'
    while (this.headings.length && this.headings.at(-1)!.level >= shape.level) this.headings.pop()
    this.parents = []
    this.emit({ kind: 'heading', start: line.start + line.indent, end: line.start + line.text.trimEnd().length })
    this.headings.push({ level: shape.level, text: shape.title })
    this.i = i + 1
  }

  table(i: number): boolean {
    const rows: TableLine[] = []
    const piped = this.shapes[i]!.pipes !== null
    if (!piped && i < this.noTableBefore) return false
    // The first rule below rows without figures says where the header ends.
    let headed = 0
    let ruled = false
    let j = i
    let gap = 0
    for (; j < this.lines.length; j++) {
      const shape = this.shapes[j]!
      const line = this.lines[j]!
      if (shape.rule) {
        ruled = true
        if (headed === 0 && (MARKDOWN_RULE.test(line.text) || (!piped && isHeader(rows)))) headed = rows.length
        continue
      }
      if (line.blank && !piped && gap === 0 && rows.length > 0 && rows.length <= 2 && this.shapes[j + 1]?.aligned) {
        gap++
        continue
      }
      const cells = piped
        ? shape.pipes
        : shape.aligned && !(shape.pair && shape.aligned.length === 2) && !shape.bullet
          ? shape.aligned
          : null
      if (!cells) break
      rows.push({ line, cells })
    }
    while (j > i && (this.lines[j - 1]!.blank || this.shapes[j - 1]!.rule)) j--
    if (piped && rows.every(row => row.cells.every(cell => /^[\p{L}_ ]{2,40}:\s?\S/u.test(cell.text)))) return this.inlinePairs(rows, j)
    const says =
      headed > 0 ||
      rows.some(row => row.cells.slice(1).some(cell => /\d/.test(cell.text))) ||
      (rows[0] && namesColumns(rows[0])) ||
      isColumn(rows)
    if (!piped && (rows.length < 2 || !says)) {
      // What is no table from here is none from the next line either, unless a rule makes a header of it. A hostile text has a
      // rule below each of its lines: looking again from every one of them would be quadratic.
      this.wastedLines += j - i
      if (!ruled || this.wastedLines > MOST_PASSES * this.lines.length) this.noTableBefore = j
      return false
    }
    if (!piped && headed === 0 && isForm(rows)) this.emitPairs(rows)
    else {
      if (this.zone === 'header') this.zone = 'body'
      this.emitTable(rows, piped, headed)
    }
    this.i = j
    return true
  }

  inlinePairs(rows: TableLine[], next: number): boolean {
    for (const { cells } of rows) {
      for (const cell of cells) {
        const colon = cell.text.indexOf(':')
        const body = cell.text.slice(colon + 1).trim()
        const label = { start: cell.start, end: cell.start + colon, text: cell.text.slice(0, colon).replace(/_/g, ' ') }
        this.emitPair(cell.start, cell.end, label, { start: cell.end - body.length, end: cell.end })
      }
    }
    this.i = next
    return true
  }

  /** Two columns without a header to speak of: labels and what is said of them. */
  emitPairs(rows: TableLine[]): void {
    for (const { cells } of rows) {
      const [label, body] = [cells[0]!, cells[1]]
      if (label.text && body?.text) this.emitPair(label.start, body.end, label, { start: body.start, end: body.end })
    }
  }

  emitTable(lines: TableLine[], piped: boolean, ruled: number): void {
    const first = headerRows(lines, piped, ruled)
    const headers = lines.slice(0, first)
    if (first <= 1 && lines.every(row => row.cells.length <= 2)) {
      const isForm = !piped && ruled === 0 && holdsWords(lines)
      if (isForm || isPlainHeader(headers[0]?.cells ?? [])) {
        this.emitPairs(isForm ? lines : lines.slice(first))
        return
      }
    }
    const base = this.path()
    for (const { line, label, labelHeader, above, cells, code, keys } of tableOf(lines, piped, ruled)) {
      const last = cells.at(-1) ?? label
      const end = Math.max(line.start + line.text.trimEnd().length, last.end)
      this.emit({ kind: 'row', start: line.start + line.indent, end, label, path: [...base, ...above], labelHeader, cells, code, keys })
    }
  }

  /** A paragraph or item; a title before its first stop stands above it. */
  emitWords(bulleted: boolean, start: number, end: number): void {
    const kind = bulleted ? 'item' : 'paragraph'
    const titled = this.zone === 'body' ? runInOf(this.text.slice(start, Math.min(end, start + 200)), bulleted) : null
    if (!titled) this.emit({ kind, start, end })
    else {
      const path = titled.title ? [...this.path(), titled.title] : this.path()
      this.emit({ kind, start: start + titled.length, end, body: { start: start + titled.length, end }, path })
    }
  }

  words(i: number): void {
    const line = this.lines[i]!
    const shape = this.shapes[i]!
    const bulleted = shape.bullet > 0
    const colon = /:$/.test(line.text.trim()) && line.text.length <= 140
    const level = line.indent - (bulleted ? 0 : 0.5)
    this.pop(level)
    if (colon && !shape.pair) {
      this.parents.push({ level, text: line.text.trim().slice(shape.bullet).replace(/:$/, '') })
      this.i = i + 1
      return
    }
    const next = this.continuation(i, line.indent, bulleted || shape.pair !== null)
    const last = this.lines[next - 1]!
    const end = last.start + last.text.trimEnd().length
    const start = line.start + line.indent + shape.bullet
    if (shape.pair) {
      // After a gap, a label that says nothing of the document starts what the document says.
      if (this.zone === 'header' && this.headerPairs > 1 && this.lines[i - 1]?.blank && !isHeaderLabel(shape.pair.label.text))
        this.zone = 'body'
      if (this.zone === 'header') this.headerPairs++
      this.emitPair(start, end, shape.pair.label, { start: shape.pair.body.start, end })
    } else {
      if (this.zone === 'header' && !bulleted && end - start > 100 && this.headerPairs > 0) this.zone = 'body'
      if (this.zone === 'header' && this.blocks.length > 1 && isSentence(this.text.slice(start, end).trim())) this.zone = 'body'
      if (CLOSING_LINE.test(line.text.trim())) this.zone = 'closing'
      this.emitWords(bulleted, start, end)
    }
    const child = this.lines[next]
    if (child && !child.blank && child.indent > line.indent && end - start <= 160) {
      const raw = line.text.trim().slice(shape.bullet)
      this.parents.push({ level, text: raw.replace(/\*\*/g, '').trim() })
    }
    this.i = next
  }

  run(): Block[] {
    while (this.i < this.lines.length) {
      const i = this.i
      const shape = this.shapes[i]!
      if (this.lines[i]!.blank || shape.rule) {
        this.i++
        continue
      }
      if ((shape.pipes || (shape.aligned && !shape.bullet && !(shape.pair && shape.aligned.length === 2))) && this.table(i)) continue
      if (shape.heading && !(shape.pair && this.zone === 'header' && this.headerPairs > 0)) this.heading(i)
      else this.words(i)
    }
    // A note of a few lines has no header to speak of: what it says starts at once.
    if (this.blocks.every(block => block.top || block.zone === 'closing'))
      for (const block of this.blocks) if (block.kind !== 'heading' && block.zone === 'header') block.zone = 'body'
    // A text of headings alone says what stands in them.
    if (this.blocks.every(block => block.kind === 'heading'))
      return this.blocks.map(block => ({ ...block, kind: 'paragraph', path: [], zone: 'body' }))
    return this.blocks
  }
}

export function blocksOf(text: string): Block[] {
  return new Reader(text).run()
}
