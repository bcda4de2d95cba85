/**
 * The text of a written document: headings, lists, tables and paragraphs in their order, as it reads with all changes accepted,
 * and below it what was inserted, deleted and commented, by whom and when.
 */

import { remarksHeading } from '../reading/normalize/remarks.js'
import type { Extracted } from './extraction.js'
import { TextWriter } from './text-writer.js'
import { acceptedText, type Change, type WordBlock, type WordContent, type WordParagraph, type WordRow } from './word-blocks.js'

export function writeBlocks(content: WordContent, maxChars: number): Extracted {
  const out = new TextWriter({ kind: 'paragraph', maxChars })
  for (const block of content.blocks) {
    if (block.kind === 'paragraph') writeParagraph(out, block)
    else {
      const rows = block.rows.filter((row): row is WordRow & { texts: string[] } => row.texts !== null)
      out.gap(2)
      out.table(
        rows.map(row => row.texts.map(unlike)),
        row => out.at(String(rows[row]!.number)),
      )
    }
  }
  const remarks = remarksIn(content)
  if (remarks.length === 0) return out.finish()
  out.gap(2).write(remarksHeading).gap(2)
  for (const { paragraph, words } of remarks) out.gap(1).at(String(paragraph)).write(words).gap(1)
  return out.finish([countsOf(remarks)])
}

function writeParagraph(out: TextWriter, { number, level, listed, runs }: WordParagraph): void {
  if (number === null) return
  const flat = unlike(acceptedText({ runs }).trim())
  out.gap(listed && level === null ? 1 : 2).at(String(number))
  if (level !== null) out.write(`${'#'.repeat(Math.min(6, Math.max(1, level)))} ${flat.replaceAll(/\s*\n\s*/g, ' ')}`).gap(2)
  else if (listed) out.write(`- ${flat}`).gap(1)
  else out.write(flat).gap(2)
}

/** What a document says is never taken for the line below which stands what was done to it. */
function unlike(text: string): string {
  return text.includes(remarksHeading) ? text.replaceAll(remarksHeading, `(${remarksHeading.slice(1, -1)})`) : text
}

interface WrittenRemark {
  kind: 'inserted' | 'deleted' | 'comment'
  paragraph: number
  words: string
}

function remarksIn({ blocks, comments }: WordContent): WrittenRemark[] {
  const remarks: WrittenRemark[] = []
  const commented = new Map<string, { paragraph: number; text: string }>()
  for (const { paragraph, at } of numberedParagraphs(blocks)) {
    const stretches = stretchesOf(paragraph)
    // Once for all that was deleted in it: a paragraph may have many thousands of changes.
    const former = stretches.length === 0 ? '' : formerText(paragraph)
    const itRead = ` (it read: “${shortened(former)}”)`
    for (const { change, text } of stretches) {
      const said = folded(text)
      if (said === '') continue
      // Where only a part of it was deleted: figures alone say nothing.
      const before = change.kind === 'deleted' && former !== said ? itRead : ''
      remarks.push({ kind: change.kind, paragraph: at, words: `Paragraph ${at}, ${change.kind}${byline(change)}: ${said}${before}` })
    }
    for (const { text, comments: ids } of paragraph.runs) {
      for (const id of ids)
        commented.set(id, { paragraph: commented.get(id)?.paragraph ?? at, text: (commented.get(id)?.text ?? '') + text })
    }
  }
  for (const { id, by, on, text } of comments) {
    const said = folded(text)
    if (said === '') continue
    const { paragraph = 1, text: about = '' } = commented.get(id) ?? {}
    const subject = about.trim() === '' ? '' : ` on “${shortened(folded(about))}”`
    remarks.push({ kind: 'comment', paragraph, words: `Paragraph ${paragraph}, comment${byline({ by, on })}${subject}: ${said}` })
  }
  return remarks
}

/** Each with the number it is found by: of a cell that of its row, of one that was deleted whole that of the one before it. */
function* numberedParagraphs(blocks: readonly WordBlock[]): Generator<{ paragraph: WordParagraph; at: number }> {
  let last = 1
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      last = block.number ?? last
      yield { paragraph: block, at: last }
    } else {
      for (const row of block.rows) {
        last = row.number ?? last
        for (const cell of row.cells) for (const paragraph of cell.paragraphs) yield { paragraph, at: last }
      }
    }
  }
}

/** Runs that were changed by the same person on the same day, put together. */
function stretchesOf({ runs }: WordParagraph): { change: Change; text: string }[] {
  const stretches: { change: Change; text: string }[] = []
  let open: { change: Change; text: string } | null = null
  for (const { change, text } of runs) {
    if (change === null) open = null
    else if (open !== null && open.change.kind === change.kind && open.change.by === change.by && open.change.on === change.on)
      open.text += text
    else {
      open = { change, text }
      stretches.push(open)
    }
  }
  return stretches
}

/** As the paragraph read before anything in it was changed. */
function formerText({ runs }: WordParagraph): string {
  return folded(runs.map(run => (run.change?.kind === 'inserted' ? '' : run.text)).join(''))
}

function byline({ by, on }: Pick<Change, 'by' | 'on'>): string {
  return (by === null ? '' : ` by ${shortened(folded(by))}`) + (on === null ? '' : ` on ${on}`)
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function shortened(text: string): string {
  const points = [...text.slice(0, 700)]
  return points.length > 300 ? `${points.slice(0, 300).join('')}…` : text
}

function countsOf(remarks: readonly WrittenRemark[]): string {
  const count = (kind: WrittenRemark['kind']) => remarks.filter(each => each.kind === kind).length
  const [inserted, deleted, comments] = [count('inserted'), count('deleted'), count('comment')]
  return `Tracked changes and comments stand at the end of the text and are not compared: ${inserted} inserted, ${deleted} deleted, ${comments} commented. It was read with all changes accepted.`
}
