/**
 * A document as passages: sentences, labels with their answers, cells with their row and column, items, headings. Cut by
 * layout and sentence alone, in any language: whoever is shown passages sees all of a document, not what the reader
 * understood of it.
 */
import { cut } from '../../platform/storable-text.js'
import { codePointOffsets } from '../normalize/code-points.js'
import { normalize } from '../normalize/normalize.js'
import { saidOf } from '../normalize/remarks.js'
import { type Block, blocksOf } from './blocks.js'
import { type Span, sentencesOf } from './sentences.js'
import { squeeze } from './squeeze.js'
import { rowName } from './tables.js'

export type PassageKind = 'sentence' | 'label' | 'cell' | 'heading' | 'item'

export interface Passage {
  /** Code points of the submitted text. */
  start: number
  end: number
  kind: PassageKind
  /** The nearest heading above, or the title; null where nothing heads it. */
  heading: string | null
  /** Of a cell: what names its row and its column, as far as the table says it. */
  row: string | null
  column: string | null
}

/** A passage in the text that the reader of lines sees. */
type Piece = Omit<Passage, 'heading'>

const LONGEST_NAME = 200

/** The first `most` of them. */
export function passagesOf(
  { text: source, type, name }: { text: string; type: string; name: string },
  most = Number.POSITIVE_INFINITY,
): Passage[] {
  const normalized = normalize(saidOf(source, type), type)
  const { text } = normalized
  const codePoint = codePointOffsets(source)
  const passages: Passage[] = []
  const title = titleOf(text, name)
  for (const block of blocksOf(text)) {
    const heading = block.path.at(-1) ?? title
    for (const { start, end, kind, row, column } of piecesOf(text, block)) {
      if (passages.length >= most) return passages
      const span = normalized.sourceSpan(start, end)
      const own = kind === 'heading' && block.path.length === 0
      passages.push({
        start: codePoint(span.start),
        end: codePoint(span.end),
        kind,
        heading: own ? null : nameOf(heading ?? ''),
        row,
        column,
      })
    }
  }
  return passages
}

const nameOf = (text: string): string | null =>
  cut(
    squeeze(text)
      .replace(/[*_#]{2,}|^#\s/g, '')
      .trim(),
    LONGEST_NAME,
  ) || null

/** What a document without headings stands under: its file's name, where somebody gave it one in words. */
function titleOf(text: string, name: string): string | null {
  const heading = /^#{1,2}\s+(.+)$/m.exec(text.slice(0, 2_000))?.[1]
  return heading ?? (/\p{L}{3}.*[\s_-].*\p{L}{3}/u.test(name) ? name.replace(/\.[a-z0-9]{2,5}$/i, '').replace(/[-_]+/g, ' ') : null)
}

function piecesOf(text: string, block: Block): Piece[] {
  if (block.kind === 'heading') return [piece('heading', block)]
  if (block.kind === 'row') return cellsOf(block)
  if (block.kind === 'item') return sentencesOf(text, block.body.start, block.body.end).map(span => piece('item', span))
  if (block.kind === 'pair') {
    const [first, ...rest] = sentencesOf(text, block.body.start, block.body.end)
    const label = block.label?.start ?? block.start
    if (!first) return [piece('label', { start: label, end: block.end })]
    return [piece('label', { start: label, end: first.end }), ...rest.map(span => piece('sentence', span))]
  }
  return sentencesOf(text, block.body.start, block.body.end).map(span => piece('sentence', span))
}

function cellsOf(block: Block): Piece[] {
  const row = nameOf(rowName(block))
  const cells = block.cells.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  if (cells.length === 0) return block.label && row ? [piece('cell', block.label)] : []
  return cells.map(cell => ({ ...piece('cell', cell), row, column: nameOf(cell.header) }))
}

const piece = (kind: PassageKind, { start, end }: Span): Piece => ({ start, end, kind, row: null, column: null })
