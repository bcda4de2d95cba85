/**
 * A written document as paragraphs of runs and tables, with what was inserted, deleted and commented in them: the form that
 * Word's files and OpenDocument's are brought into, from which the text is written and which the desk shows. Paragraphs are
 * numbered as they read with all changes accepted.
 */

import { FileFault, mostPlaces } from './extraction.js'

export interface Change {
  kind: 'inserted' | 'deleted'
  by: string | null
  /** The day, as far as the file says one. */
  on: string | null
}

export interface Run {
  text: string
  bold: boolean
  italic: boolean
  underline: boolean
  change: Change | null
  /** Ids of the comments on it. */
  comments: readonly string[]
}

export interface WordParagraph {
  kind: 'paragraph'
  /** Null where it says nothing, and in tables. */
  number: number | null
  level: number | null
  listed: boolean
  runs: Run[]
}

export interface WordCell {
  span: number
  /** Belongs to the cell above it. */
  goesOn: boolean
  paragraphs: WordParagraph[]
}

export interface WordRow {
  /** Null where it says nothing. */
  number: number | null
  cells: WordCell[]
  /** What each column says; null where no cell says anything. */
  texts: string[] | null
}

export interface WordTable {
  kind: 'table'
  rows: WordRow[]
}

export type WordBlock = WordParagraph | WordTable

export interface WordComment {
  id: string
  by: string | null
  on: string | null
  text: string
}

export interface WordContent {
  blocks: WordBlock[]
  comments: WordComment[]
}

export const emptyParagraph = (): WordParagraph => ({ kind: 'paragraph', number: null, level: null, listed: false, runs: [] })

/** As it reads with all changes accepted. */
export function acceptedText({ runs }: Pick<WordParagraph, 'runs'>): string {
  return runs.map(run => (run.change?.kind === 'deleted' ? '' : run.text)).join('')
}

/** The day of a moment as office programs write it. */
export function dayOf(moment: string | undefined): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(moment ?? '')?.[0] ?? null
}

interface OpenTable {
  rows: WordRow[]
  row: WordCell[]
  cell: WordCell | null
  /** What the last row says that says something. */
  above: readonly string[]
}

interface OpenParagraph {
  paragraph: WordParagraph
  /** As it reads with all changes accepted. */
  says: boolean
}

/** Puts blocks together as a reader of XML meets their parts. */
export class BlockBuilder {
  readonly blocks: WordBlock[] = []
  private readonly maxChars: number
  private readonly open: OpenParagraph[] = []
  /** Says something, and goes on with the next one as deep as it: what parted them was deleted. */
  private unended: { paragraph: WordParagraph; depth: number } | null = null
  private readonly boxes: WordParagraph[] = []
  private readonly tables: OpenTable[] = []
  private numbered = 0
  private kept = 0
  private chars = 0

  constructor(maxChars: number) {
    this.maxChars = maxChars
  }

  get paragraph(): WordParagraph | undefined {
    return this.open.at(-1)?.paragraph
  }

  get cell(): WordCell | null {
    return this.tables.at(-1)?.cell ?? null
  }

  beginParagraph(): WordParagraph {
    const paragraph = emptyParagraph()
    const goesOn = this.unended?.depth === this.open.length
    if (goesOn && this.unended !== null) {
      paragraph.runs = this.unended.paragraph.runs
      this.unended = null
    }
    this.open.push({ paragraph, says: goesOn })
    return paragraph
  }

  add(run: Run): void {
    if (run.text === '') return
    this.chars += run.text.length
    // A character may take two places.
    if (this.chars > this.maxChars * 2) throw new FileFault('TOO_LONG')
    const open = this.open.at(-1)
    if (open === undefined) return
    open.paragraph.runs.push(run)
    open.says ||= run.change?.kind !== 'deleted' && run.text.trim() !== ''
  }

  /** Where its end was deleted, it goes on with the next one. One that was deleted whole stands for itself. */
  endParagraph(endDeleted: Change | null = null): void {
    const ended = this.open.pop()
    if (ended === undefined) return
    const { paragraph, says } = ended
    const depth = this.open.length
    if (this.unended !== null && this.unended.depth > depth) this.endText()
    if (endDeleted !== null && says) {
      paragraph.runs.push({ ...plain, text: '\n', change: endDeleted })
      this.unended = { paragraph, depth }
    } else this.put(paragraph, depth)
  }

  /** Nothing follows that the last paragraph could go on with. */
  endText(): void {
    const last = this.unended
    this.unended = null
    if (last !== null) this.put(last.paragraph, last.depth)
  }

  private put(paragraph: WordParagraph, depth: number): void {
    // A box of text is a paragraph within one; what it says follows that one.
    if (depth > 0) {
      this.boxes.push(paragraph)
      return
    }
    for (const each of [paragraph, ...this.boxes.splice(0)]) {
      if (each.runs.every(run => run.text.trim() === '')) continue
      if (++this.kept > mostPlaces) throw new FileFault('TOO_COMPLEX')
      const cell = this.cell
      if (cell !== null) cell.paragraphs.push(each)
      else if (this.tables.length === 0) {
        if (acceptedText(each).trim() !== '') each.number = ++this.numbered
        this.blocks.push(each)
      }
    }
  }

  beginTable(): void {
    this.endText()
    this.tables.push({ rows: [], row: [], cell: null, above: [] })
  }

  beginRow(): void {
    const table = this.tables.at(-1)
    if (table !== undefined) table.row = []
  }

  beginCell(): void {
    const table = this.tables.at(-1)
    if (table !== undefined) table.cell = { span: 1, goesOn: false, paragraphs: [] }
  }

  endCell(): void {
    this.endText()
    const table = this.tables.at(-1)
    if (table === undefined || table.cell === null) return
    if (++this.kept > mostPlaces) throw new FileFault('TOO_COMPLEX')
    table.row.push(table.cell)
    table.cell = null
  }

  endRow(): void {
    const table = this.tables.at(-1)
    if (table === undefined || table.row.length === 0) return
    const texts: string[] = []
    for (const cell of table.row) {
      texts.push(
        cell.goesOn
          ? (table.above[texts.length] ?? '')
          : cell.paragraphs
              .map(each => acceptedText(each).trim())
              .join(' ')
              .trim(),
      )
      for (let more = 1; more < cell.span; more++) texts.push('')
    }
    const says = texts.some(text => text !== '')
    if (says) table.above = texts
    table.rows.push({ number: null, cells: table.row, texts: says ? texts : null })
  }

  /** A table within a cell is text of that cell. */
  endTable(): void {
    const table = this.tables.pop()
    if (table === undefined) return
    const outer = this.cell
    if (outer !== null) outer.paragraphs.push(...table.rows.map(flattened))
    else if (this.tables.length === 0 && table.rows.length > 0) {
      for (const row of table.rows) if (row.texts !== null) row.number = ++this.numbered
      this.blocks.push({ kind: 'table', rows: table.rows })
    }
  }
}

function flattened({ cells }: WordRow): WordParagraph {
  const said = cells.map(cell => cell.paragraphs.flatMap(each => each.runs)).filter(runs => runs.length > 0)
  const runs = said.flatMap((each, index) => (index === 0 ? each : [{ ...plain, text: ', ' }, ...each]))
  return { ...emptyParagraph(), runs }
}

const plain: Run = { text: '', bold: false, italic: false, underline: false, change: null, comments: [] }
