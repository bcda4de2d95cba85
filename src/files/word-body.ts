/**
 * The text of a DOCX: headings, lists, tables, footnotes and paragraphs in their order, as it reads with all changes
 * accepted. Links, pictures and fields' instructions are left where they are; what a field shows is text.
 */

import { type Extracted, FileFault } from './extraction.js'
import { TextWriter } from './text-writer.js'
import { attribute, parseXml } from './xml.js'

/** Wherever they were unpacked: the browser that shows the document runs this too. */
interface Parts {
  readonly names: readonly string[]
  /** Null when there is no such part. */
  read(name: string): string | null
}

/** The parts that hold its words, in their order. */
export function wordParts(parts: Parts): string[] {
  const main = parts.names.find(name => /^word\/document\d*\.xml$/.test(name))
  const xml = main === undefined ? null : parts.read(main)
  if (xml === null) throw new FileFault('BROKEN')
  const notes = ['word/footnotes.xml', 'word/endnotes.xml'].map(part => parts.read(part))
  return [xml, ...notes.filter(each => each !== null)]
}

export function readWord(parts: Parts, maxChars: number): Extracted {
  const out = new TextWriter({ kind: 'paragraph', maxChars })
  const reader = new BodyReader(out, headingStyles(parts))
  for (const xml of wordParts(parts)) reader.read(xml)
  return out.finish()
}

/** Style → level of heading, by its name or its level in the outline, also when it is based on one that is. */
export function headingStyles(parts: Pick<Parts, 'read'>): Map<string, number> {
  const styles = new Map<string, { level: number | null; basedOn: string | null }>()
  let id: string | null = null
  parseXml(parts.read('word/styles.xml') ?? '', {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? ''
      if (name === 'style') {
        id = attribute(attributes, 'styleId') ?? null
        if (id !== null) styles.set(id, { level: null, basedOn: null })
      }
      const style = id === null ? undefined : styles.get(id)
      if (style === undefined) return
      if (name === 'name') style.level ??= levelOfName(value)
      if (name === 'outlineLvl') style.level ??= Number(value) < 9 ? Number(value) + 1 : null
      if (name === 'basedOn') style.basedOn = value
    },
    close(name) {
      if (name === 'style') id = null
    },
  })
  const levelOf = (name: string, depth = 0): number | null => {
    const style = styles.get(name)
    if (style === undefined || depth > 10) return null
    return style.level ?? (style.basedOn === null ? null : levelOf(style.basedOn, depth + 1))
  }
  return new Map(
    [...styles.keys()].flatMap(name => [[name, levelOf(name)] as const]).filter((each): each is [string, number] => each[1] !== null),
  )
}

function levelOfName(name: string): number | null {
  if (/^title$/i.test(name)) return 1
  const level = /^heading (\d)$/i.exec(name)?.[1]
  return level === undefined ? null : Number(level)
}

interface Paragraph {
  text: string
  level: number | null
  listed: boolean
}

interface TableState {
  rows: string[][]
  row: string[]
  cell: string[]
  span: number
  goesOn: boolean
}

/** Text that is there in the file and not in the document: deleted, moved away, or a copy for programs that draw less. */
const skipped = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText', 'pict'])

class BodyReader {
  private readonly out: TextWriter
  private readonly headings: ReadonlyMap<string, number>
  private paragraphs = 0
  private readonly open: Paragraph[] = []
  private readonly tables: TableState[] = []
  private skip = 0
  private inText = false
  private readonly boxes: Paragraph[] = []

  constructor(out: TextWriter, headings: ReadonlyMap<string, number>) {
    this.out = out
    this.headings = headings
  }

  read(xml: string): void {
    parseXml(xml, {
      open: (name, attributes) => this.begin(name, attributes),
      close: name => this.end(name),
      text: text => {
        const paragraph = this.open.at(-1)
        if (this.inText && this.skip === 0 && paragraph !== undefined) paragraph.text += text
      },
    })
  }

  private begin(name: string, attributes: Record<string, string>): void {
    if (skipped.has(name)) this.skip++
    if (this.skip > 0) return
    const paragraph = this.open.at(-1)
    const table = this.tables.at(-1)
    if (name === 'p') this.open.push({ text: '', level: null, listed: false })
    else if (name === 't') this.inText = true
    else if (name === 'tbl') this.tables.push({ rows: [], row: [], cell: [], span: 1, goesOn: false })
    else if (table !== undefined && name === 'tr') table.row = []
    else if (table !== undefined && name === 'tc') Object.assign(table, { cell: [], span: 1, goesOn: false })
    else if (table !== undefined && name === 'gridSpan') table.span = Math.min(60, Number(attribute(attributes, 'val')) || 1)
    else if (table !== undefined && name === 'vMerge') table.goesOn = attribute(attributes, 'val') !== 'restart'
    else if (paragraph !== undefined) inParagraph(paragraph, name, attributes, this.headings)
  }

  private end(name: string): void {
    if (skipped.has(name)) {
      this.skip--
      return
    }
    if (this.skip > 0) return
    if (name === 't') this.inText = false
    else if (name === 'p') this.endParagraph()
    else if (name === 'tc') this.endCell()
    else if (name === 'tr') {
      const table = this.tables.at(-1)
      if (table?.row.some(cell => cell !== '')) table.rows.push(table.row)
    } else if (name === 'tbl') this.endTable()
  }

  private endParagraph(): void {
    const paragraph = this.open.pop()
    if (paragraph === undefined) return
    // A box of text is a paragraph within one; what it says follows that one.
    if (this.open.length > 0) {
      this.boxes.push(paragraph)
      return
    }
    const own = [paragraph, ...this.boxes.splice(0)].filter(each => each.text.trim() !== '')
    for (const each of own) {
      const table = this.tables.at(-1)
      if (table !== undefined) table.cell.push(each.text.trim())
      else this.write(each)
    }
  }

  private write({ text, level, listed }: Paragraph): void {
    this.out.gap(listed ? 1 : 2).at(String(++this.paragraphs))
    const flat = text.trim()
    if (level !== null) this.out.write(`${'#'.repeat(Math.min(6, level))} ${flat.replaceAll(/\s*\n\s*/g, ' ')}`).gap(2)
    else if (listed) this.out.write(`- ${flat}`).gap(1)
    else this.out.write(flat).gap(2)
  }

  private endCell(): void {
    const table = this.tables.at(-1)
    if (table === undefined) return
    table.row.push(table.goesOn ? (table.rows.at(-1)?.[table.row.length] ?? '') : table.cell.join(' '))
    for (let more = 1; more < table.span; more++) table.row.push('')
  }

  /** A table within a cell is text of that cell. */
  private endTable(): void {
    const table = this.tables.pop()
    if (table === undefined) return
    const outer = this.tables.at(-1)
    if (outer !== undefined) {
      for (const row of table.rows) outer.cell.push(row.filter(cell => cell !== '').join(', '))
      return
    }
    const first = this.paragraphs + 1
    this.paragraphs += table.rows.length
    this.out.gap(2)
    this.out.table(table.rows, row => this.out.at(String(first + row)))
  }
}

function inParagraph(paragraph: Paragraph, name: string, attributes: Record<string, string>, headings: ReadonlyMap<string, number>): void {
  const value = attribute(attributes, 'val') ?? ''
  if (name === 'tab') paragraph.text += '\t'
  else if (name === 'br' || name === 'cr') paragraph.text += '\n'
  else if (name === 'noBreakHyphen') paragraph.text += '-'
  else if (name === 'pStyle') paragraph.level = headings.get(value) ?? null
  else if (name === 'outlineLvl') paragraph.level ??= Number(value) < 9 ? Number(value) + 1 : null
  else if (name === 'numId') paragraph.listed = value !== '0'
}
