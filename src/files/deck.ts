/**
 * The slides of a PPTX: the title of each as a heading, then its texts, items and tables in their order, then what its notes say.
 * Numbers of slides, dates and lines at their foot are left out.
 */

import { type Extracted, FileFault } from './extraction.js'
import { relationsOf } from './relations.js'
import { TextWriter } from './text-writer.js'
import { attribute, type Parts, parseXml } from './xml.js'

type Block = { kind: 'text'; text: string; listed: boolean } | { kind: 'table'; rows: string[][] }

interface Shapes {
  title: string
  blocks: Block[]
}

const mostSlides = 5000
export const notesHeading = '## Notes'

export function readDeck(parts: Parts, maxChars: number): Extracted {
  const presentation = parts.read('ppt/presentation.xml')
  if (presentation === null) throw new FileFault('BROKEN')
  const out = new TextWriter({ kind: 'page', maxChars })
  const relations = relationsOf(parts, 'ppt/presentation.xml')
  let number = 0
  let hidden = 0
  parseXml(presentation, {
    open(name, attributes) {
      if (name !== 'sldId') return
      if (++number > mostSlides) throw new FileFault('TOO_COMPLEX')
      const part = relations.get(relationOf(attributes))?.target
      const xml = part === undefined ? null : parts.read(part)
      if (part === undefined || xml === null) return
      out.gap(2).at(String(number))
      if (/<(?:\w+:)?sld\s[^>]*\bshow="(?:0|false)"/.test(xml.slice(0, 4000))) hidden++
      writeSlide(out, parts, { part, xml })
    },
  })
  return out.finish(hidden === 0 ? [] : [`Slides that are not shown when it is presented, read like the others: ${hidden}.`])
}

/** Beside it stands an id of its own, without a prefix. */
function relationOf(attributes: Record<string, string>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
}

function writeSlide(out: TextWriter, parts: Parts, { part, xml }: { part: string; xml: string }): void {
  const { title, blocks } = shapesIn(xml, 'slide')
  const heading = title.replaceAll(/\s+/g, ' ').trim()
  if (heading !== '') out.gap(2).write(`# ${heading}`).gap(2)
  write(out, blocks)
  for (const { type, target } of relationsOf(parts, part).values()) {
    if (type === 'diagramData') write(out, shapesIn(parts.read(target) ?? '', 'slide').blocks)
    if (type !== 'notesSlide') continue
    const notes = shapesIn(parts.read(target) ?? '', 'notes').blocks
    if (notes.length === 0) continue
    out.gap(2).write(notesHeading).gap(2)
    write(out, notes)
  }
}

function write(out: TextWriter, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'table') out.table(block.rows)
    else if (block.listed) out.line(`- ${block.text}`)
    else out.paragraph(block.text)
  }
}

/** What stands on every slide, and what a page of notes shows beside them. */
const unread = { slide: /^(?:sldNum|dt|ftr|hdr)$/, notes: /^(?!body$)/ }
const isTitle = /^(?:title|ctrTitle)$/

function shapesIn(xml: string, of: keyof typeof unread): Shapes {
  const shapes: Shapes = { title: '', blocks: [] }
  /** What the layout calls the shape; null for a shape of its own. */
  let place: string | null = null
  let inShape = false
  let text: string | null = null
  let inText = false
  let listed = true
  let table: { rows: string[][]; row: string[]; cell: string[] | null } | null = null
  const isLeftOut = () => (of === 'notes' && !(inShape && place === 'body')) || (place !== null && unread[of].test(place))
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'sp') [inShape, place] = [true, null]
      else if (name === 'ph') place = attribute(attributes, 'type') ?? 'body'
      else if (name === 'tbl') table = { rows: [], row: [], cell: null }
      else if (table !== null && name === 'tr') table.row = []
      else if (table !== null && name === 'tc') table.cell = []
      else if (name === 'p') [text, listed] = ['', true]
      else if (name === 'buNone') listed = false
      else if (name === 't') inText = true
      else if (text !== null && name === 'br') text += '\n'
    },
    text(piece) {
      if (inText && text !== null) text += piece
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'sp') [inShape, place] = [false, null]
      else if (name === 'tc' && table?.cell) {
        table.row.push(table.cell.join(' '))
        table.cell = null
      } else if (name === 'tr' && table !== null) {
        if (table.row.some(cell => cell !== '')) table.rows.push(table.row)
      } else if (name === 'tbl' && table !== null) {
        if (table.rows.length > 0) shapes.blocks.push({ kind: 'table', rows: table.rows })
        table = null
      } else if (name === 'p' && text !== null) {
        const said = text.trim()
        text = null
        if (said === '' || isLeftOut()) return
        if (table?.cell) table.cell.push(said)
        else if (place !== null && isTitle.test(place)) shapes.title += `${said} `
        else shapes.blocks.push({ kind: 'text', text: said, listed: of === 'slide' && listed && (place === 'body' || place === 'obj') })
      }
    },
  })
  return shapes
}
