/**
 * The words of an OpenDocument text as blocks: headings, lists, tables, boxes and notes, with tracked changes and comments. What was
 * deleted stands before the body in such a file and is put back to where it was taken out.
 */

import { FileFault } from './extraction.js'
import { BlockBuilder, type Change, dayOf, type Run, type WordComment, type WordContent } from './word-blocks.js'
import { attribute, type Parts, parseXml } from './xml.js'

/** The content of a file that is not encrypted. */
export function odfContent(parts: Parts): string {
  if ((parts.read('META-INF/manifest.xml') ?? '').includes('encryption-data')) throw new FileFault('ENCRYPTED')
  const content = parts.read('content.xml')
  if (content === null) throw new FileFault('BROKEN')
  return content
}

export function readOdt(parts: Parts, maxChars: number): WordContent {
  const builder = new BlockBuilder(maxChars)
  const reader = new OdtReader(builder)
  parseXml(odfContent(parts), {
    open: (name, attributes) => reader.begin(name, attributes),
    close: name => reader.end(name),
    text: text => reader.say(text.replaceAll(/\s+/g, ' ')),
  })
  return { blocks: builder.blocks, comments: reader.comments }
}

type Style = Pick<Run, 'bold' | 'italic' | 'underline'> & { parent: string }

function headingLevel(style: string): number | null {
  if (style === 'Title') return 1
  const level = /^Heading_20_([1-6])$/.exec(style)?.[1]
  return level === undefined ? null : Number(level)
}

/** Text that is not in the document as it reads. */
const skipped = new Set([
  ...['forms', 'scripts', 'sequence-decls', 'variable-decls', 'note-citation', 'bibliography-mark', 'image', 'object'],
  ...['sender-initials', 'creator-initials'],
])
/** Said of a picture or a table; within words, the title of the document. */
const described = new Set(['title', 'desc'])
const withinWords = new Set(['p', 'h', 'span', 'a', 'meta', 'meta-field', 'ruby-base'])
/** Comments on the same words that are told apart. */
const mostComments = 50
const mostSpaces = 1000

class OdtReader {
  readonly comments: WordComment[] = []
  private readonly builder: BlockBuilder
  private readonly styles = new Map<string, Style>()
  private style: Style | null = null
  private skip = 0
  private lists = 0
  private readonly spans: (Style | undefined)[] = []
  /** What was changed, by its id; `text` is what was deleted. */
  private readonly regions = new Map<string, Change & { text: string }>()
  private region: (Change & { text: string }) | null = null
  private inserting: string[] = []
  /** Cells that the last one spans beside itself. */
  private spanned = 0
  private open: readonly string[] = []
  private comment: WordComment | null = null
  /** Who or when: of a change or a comment. */
  private meta: 'creator' | 'date' | null = null
  private inBody = false
  private readonly path: string[] = []

  constructor(builder: BlockBuilder) {
    this.builder = builder
  }

  begin(name: string, attributes: Record<string, string>): void {
    const isSkipped = this.isSkipped(name)
    this.path.push(name)
    if (isSkipped) this.skip++
    if (this.skip > 0) return
    const of = (key: string) => attribute(attributes, key) ?? ''
    if (name === 'body') this.inBody = true
    else if (name === 'changed-region') this.beginRegion(of('id'))
    else if (name === 'creator' || name === 'date') this.meta = this.comment !== null || this.region !== null ? name : null
    else if (name === 'annotation') this.beginComment(of('name'))
    else if (name === 'annotation-end') this.open = this.open.filter(id => id !== of('name'))
    else if (!this.inBody) this.inStyles(name, of)
    else if (this.comment !== null || this.region !== null) this.beginAside(name)
    else this.beginPart(name, of)
  }

  private isSkipped(name: string): boolean {
    return skipped.has(name) || (described.has(name) && !withinWords.has(this.path.at(-1) ?? ''))
  }

  private inStyles(name: string, of: (key: string) => string): void {
    if (name === 'style') {
      this.style = { bold: false, italic: false, underline: false, parent: of('parent-style-name') }
      this.styles.set(of('name'), this.style)
    } else if (name === 'text-properties' && this.style !== null) {
      this.style.bold = /^(bold|[6-9]00)$/.test(of('font-weight'))
      this.style.italic = of('font-style') === 'italic'
      this.style.underline = !['', 'none'].includes(of('text-underline-style'))
    }
  }

  private beginRegion(id: string): void {
    this.region = { kind: 'deleted', by: null, on: null, text: '' }
    this.regions.set(id, this.region)
  }

  private beginComment(name: string): void {
    const id = name === '' ? `#${this.comments.length}` : name
    this.comment = { id, by: null, on: null, text: '' }
    this.comments.push(this.comment)
    this.open = [...this.open, id].slice(-mostComments)
  }

  /** Of a comment or of what was deleted: its paragraphs are words of it and not of the body. */
  private beginAside(name: string): void {
    const aside = this.comment ?? this.region
    if (aside === null) return
    if (name === 'insertion' && this.region !== null) this.region.kind = 'inserted'
    if (name === 'p' || name === 'h' || name === 'line-break') aside.text += '\n'
    else if (name === 's' || name === 'tab') aside.text += ' '
  }

  private beginPart(name: string, of: (key: string) => string): void {
    if (name === 'p' || name === 'h') this.beginParagraph(name, of)
    else if (name === 'list') this.lists++
    else if (name === 'span') this.spans.push(this.styles.get(of('style-name')))
    else if (name === 's') this.say(' '.repeat(Math.min(mostSpaces, Number(of('c')) || 1)))
    else if (name === 'tab') this.say('\t')
    else if (name === 'line-break') this.say('\n')
    else if (name === 'table') this.builder.beginTable()
    else if (name === 'table-row') this.builder.beginRow()
    else if (name === 'table-cell' || name === 'covered-table-cell') this.beginCell(name, of)
    else if (name === 'change-start') this.beginChange(of('change-id'))
    else if (name === 'change-end') this.inserting = this.inserting.filter(id => id !== of('change-id'))
    else if (name === 'change') this.putBack(of('change-id'))
  }

  /** A change of format alone marks words too: they stand as they are. */
  private beginChange(id: string): void {
    if (this.regions.get(id)?.kind === 'inserted') this.inserting = [...this.inserting, id].slice(-mostComments)
  }

  private beginParagraph(name: 'p' | 'h', of: (key: string) => string): void {
    const paragraph = this.builder.beginParagraph()
    const own = of('style-name')
    if (name === 'h') paragraph.level = Math.min(6, Number(of('outline-level')) || 1)
    else paragraph.level = headingLevel(own) ?? headingLevel(this.styles.get(own)?.parent ?? '')
    paragraph.listed = paragraph.level === null && this.lists > 0
  }

  /** A covered cell is spanned by the one beside it, which counts it, or goes on with the one above. */
  private beginCell(name: string, of: (key: string) => string): void {
    const isCovered = name === 'covered-table-cell'
    if (isCovered && this.spanned-- > 0) return
    this.builder.beginCell()
    const cell = this.builder.cell
    if (cell === null) return
    cell.goesOn = isCovered
    this.spanned = 0
    if (isCovered) return
    cell.span = Math.min(60, Number(of('number-columns-spanned')) || 1)
    this.spanned = cell.span - 1
  }

  private putBack(id: string): void {
    const region = this.regions.get(id)
    if (region !== undefined && region.kind === 'deleted') this.add(region.text.replace(/^\s+/, ''), region)
  }

  say(text: string): void {
    if (this.skip > 0) return
    const aside = this.comment ?? this.region
    if (aside !== null) {
      if (this.meta === 'creator') aside.by = (aside.by ?? '') + text
      else if (this.meta === 'date') aside.on ??= dayOf(text)
      else aside.text += text
    } else if (this.builder.paragraph !== undefined) this.add(text, this.regions.get(this.inserting.at(-1) ?? ''))
  }

  private add(text: string, change: Change | undefined): void {
    const { bold = false, italic = false, underline = false } = this.spans.at(-1) ?? {}
    const told = change === undefined ? null : { kind: change.kind, by: change.by, on: change.on }
    this.builder.add({ text, bold, italic, underline, change: told, comments: this.open })
  }

  end(name: string): void {
    this.path.pop()
    if (this.isSkipped(name)) {
      this.skip--
      return
    }
    if (this.skip > 0) return
    if (name === 'creator' || name === 'date') this.meta = null
    else if (name === 'annotation') this.comment = null
    else if (name === 'changed-region') this.region = null
    else if (name === 'style') this.style = null
    else if (this.inBody && this.comment === null && this.region === null) this.endPart(name)
  }

  private endPart(name: string): void {
    if (name === 'p' || name === 'h') {
      this.builder.endParagraph()
      // A comment without an end is on the paragraph it stands in.
      if (this.builder.paragraph === undefined && this.open.length > 0) this.open = this.open.filter(id => !id.startsWith('#'))
    } else if (name === 'list') this.lists--
    else if (name === 'span') this.spans.pop()
    else if (name === 'table-cell' || name === 'covered-table-cell') this.builder.endCell()
    else if (name === 'table-row') this.builder.endRow()
    else if (name === 'table') this.builder.endTable()
  }
}
