/**
 * The parts of a DOCX that hold its words, as blocks. Links, pictures and fields' instructions are left where they are; what a
 * field shows is text.
 */

import { FileFault } from './extraction.js'
import { BlockBuilder, type Change, dayOf, type Run, type WordComment, type WordContent } from './word-blocks.js'
import { attribute, type Parts, parseXml } from './xml.js'

export function readWord(parts: Parts & { readonly names: readonly string[] }, maxChars: number): WordContent {
  const main = parts.names.find(name => /^word\/document\d*\.xml$/.test(name))
  const xml = main === undefined ? null : parts.read(main)
  if (xml === null) throw new FileFault('BROKEN')
  const builder = new BlockBuilder(maxChars)
  const headings = headingStyles(parts)
  for (const part of [xml, parts.read('word/footnotes.xml'), parts.read('word/endnotes.xml')]) {
    if (part !== null) new BodyReader(builder, headings).read(part)
  }
  return { blocks: builder.blocks, comments: commentsIn(parts.read('word/comments.xml') ?? '', maxChars) }
}

/** Style → level of heading, by its name or its level in the outline, also when it is based on one that is. */
function headingStyles(parts: Parts): Map<string, number> {
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
      if (name === 'outlineLvl') style.level ??= outlineLevel(value)
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

function outlineLevel(value: string): number | null {
  return Number(value) < 9 ? Number(value) + 1 : null
}

function commentsIn(xml: string, maxChars: number): WordComment[] {
  const comments: WordComment[] = []
  let chars = 0
  let inText = false
  parseXml(xml, {
    open(name, attributes) {
      const by = attribute(attributes, 'author') ?? null
      if (name === 'comment')
        comments.push({ id: attribute(attributes, 'id') ?? '', by, on: dayOf(attribute(attributes, 'date')), text: '' })
      inText = name === 't'
      const comment = comments.at(-1)
      if (comment !== undefined && (name === 'p' || name === 'br' || name === 'tab')) comment.text += ' '
    },
    text(text) {
      const comment = comments.at(-1)
      if (!inText || comment === undefined) return
      chars += text.length
      if (chars > maxChars * 2) throw new FileFault('TOO_LONG')
      comment.text += text
    },
    close(name) {
      if (name === 't') inText = false
    },
  })
  return comments
}

/** Text that is there in the file and not in the document: instructions, properties of before, or a copy for programs that draw less. */
const skipped = new Set(['Fallback', 'instrText', 'delInstrText', 'pPrChange', 'rPrChange'])
const changes: ReadonlyMap<string, Change['kind']> = new Map([
  ['ins', 'inserted'],
  ['moveTo', 'inserted'],
  ['del', 'deleted'],
  ['moveFrom', 'deleted'],
])
/** Comments on the same words that are told apart. */
const mostComments = 50

class BodyReader {
  private readonly builder: BlockBuilder
  private readonly headings: ReadonlyMap<string, number>
  private readonly changes: Change[] = []
  private comments: readonly string[] = []
  private readonly runs: Run[] = []
  /** Of each open paragraph: how the mark at its end was deleted, which joins it with the next. */
  private readonly marks: (Change | null)[] = []
  private inProperties = false
  private inMark = false
  private skip = 0
  private inText = false

  constructor(builder: BlockBuilder, headings: ReadonlyMap<string, number>) {
    this.builder = builder
    this.headings = headings
  }

  read(xml: string): void {
    parseXml(xml, {
      open: (name, attributes) => this.begin(name, attributes),
      close: name => this.end(name),
      text: text => {
        if (this.inText && this.skip === 0) this.say(text)
      },
    })
    this.builder.endText()
  }

  private begin(name: string, attributes: Record<string, string>): void {
    if (skipped.has(name)) this.skip++
    if (this.skip > 0) return
    const change = changes.get(name)
    if (change !== undefined) {
      const made = { kind: change, by: attribute(attributes, 'author') ?? null, on: dayOf(attribute(attributes, 'date')) }
      this.changes.push(made)
      if (this.inMark && change === 'deleted') this.marks[this.marks.length - 1] = made
    } else if (name === 'p') this.beginParagraph()
    else if (name === 'pPr') this.inProperties = true
    else if (name === 'rPr' && this.inProperties) this.inMark = true
    else if (name === 'r') this.runs.push(this.newRun())
    else if (name === 't' || name === 'delText') {
      this.inText = true
      const run = this.runs.at(-1)
      // Deleted, wherever it stands.
      if (name === 'delText' && run !== undefined && run.change?.kind !== 'deleted') run.change = { kind: 'deleted', by: null, on: null }
    } else if (name === 'tbl') this.builder.beginTable()
    else if (name === 'tr') this.builder.beginRow()
    else if (name === 'tc') this.builder.beginCell()
    else if (name === 'commentRangeStart') this.comments = [...this.comments, attribute(attributes, 'id') ?? ''].slice(-mostComments)
    else if (name === 'commentRangeEnd') this.comments = this.comments.filter(id => id !== attribute(attributes, 'id'))
    else this.property(name, attribute(attributes, 'val') ?? '')
  }

  private beginParagraph(): void {
    this.builder.beginParagraph()
    this.marks.push(null)
  }

  private property(name: string, value: string): void {
    const run = this.runs.at(-1)
    const paragraph = this.builder.paragraph
    const cell = this.builder.cell
    if (name === 'tab' && run !== undefined) this.say('\t')
    else if (name === 'br' || name === 'cr') this.say('\n')
    else if (name === 'noBreakHyphen') this.say('-')
    else if (run !== undefined && (name === 'b' || name === 'i' || name === 'u')) {
      const isOn = !['0', 'false', 'none'].includes(value)
      if (name === 'b') run.bold = isOn
      else if (name === 'i') run.italic = isOn
      else run.underline = isOn
    } else if (paragraph !== undefined && name === 'pStyle') paragraph.level = this.headings.get(value) ?? null
    else if (paragraph !== undefined && name === 'outlineLvl') paragraph.level ??= outlineLevel(value)
    else if (paragraph !== undefined && name === 'numId') paragraph.listed = value !== '0'
    else if (cell !== null && name === 'gridSpan') cell.span = Math.min(60, Number(value) || 1)
    else if (cell !== null && name === 'vMerge') cell.goesOn = value !== 'restart'
  }

  private end(name: string): void {
    if (skipped.has(name)) {
      this.skip--
      return
    }
    if (this.skip > 0) return
    if (changes.has(name)) this.changes.pop()
    else if (name === 't' || name === 'delText') this.inText = false
    else if (name === 'r') this.endRun()
    else if (name === 'p') this.builder.endParagraph(this.marks.pop() ?? null)
    else if (name === 'pPr') this.inProperties = false
    else if (name === 'rPr') this.inMark = false
    else if (name === 'tc') this.builder.endCell()
    else if (name === 'tr') this.builder.endRow()
    else if (name === 'tbl') this.builder.endTable()
  }

  private say(text: string): void {
    const run = this.runs.at(-1)
    if (run !== undefined) run.text += text
    else this.builder.add({ ...this.newRun(), text })
  }

  private endRun(): void {
    const run = this.runs.pop()
    if (run !== undefined) this.builder.add(run)
  }

  private newRun(): Run {
    return { text: '', bold: false, italic: false, underline: false, change: this.changes.at(-1) ?? null, comments: this.comments }
  }
}
