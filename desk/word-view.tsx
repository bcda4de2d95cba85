/**
 * A Word document as formatted text, with what was inserted and deleted visible. A passage is marked where its paragraph says
 * the same as it did when the text was made; else the document is shown without a mark and says so.
 */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { headingStyles, readWord, wordParts } from '../src/files/word-body.js'
import { NoMark } from './no-mark'
import type { Passage } from './passages'
import { markedBetween, type Span } from './spans'
import { unpackParts } from './unzip'
import { acceptedText, type Run, type WordBlock, type WordParagraph, wordBlocks } from './word-tree'

export interface WordDocument {
  blocks: WordBlock[]
  text: string
  starts: number[]
  labels: string[]
}

export async function openWord(file: Blob): Promise<WordDocument> {
  const parts = await unpackParts(file, name => /^word\/(document\d*|footnotes|endnotes|styles)\.xml$/.test(name))
  const { text, places } = readWord(parts, Number.POSITIVE_INFINITY)
  // Read as XML, which runs nothing and fetches nothing; only its words are taken out.
  const documents = wordParts(parts).map(xml => new DOMParser().parseFromString(xml, 'application/xml'))
  return { blocks: wordBlocks(documents, headingStyles(parts)), text, starts: places?.starts ?? [], labels: places?.labels ?? [] }
}

/** Within a paragraph, in code points of its text with all changes accepted. */
type Marks = Map<number, { passage: Passage; from: number; to: number }[]>

export function WordView({ word, text, passages }: { word: WordDocument; text: string; passages: readonly Passage[] }) {
  const marks = useMemo(() => (word.text === text ? marksOf(word, passages) : null), [word, text, passages])
  return (
    <div class="formatted word">
      {marks === null && <NoMark />}
      {word.blocks.map((block, index) => (
        <Block key={index} block={block} marks={marks} />
      ))}
    </div>
  )
}

function Block({ block, marks }: { block: WordBlock; marks: Marks | null }) {
  if (block.kind === 'paragraph') return <Paragraph paragraph={block} marks={(block.number !== null && marks?.get(block.number)) || []} />
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index}>
              {row.cells.map((cell, column) => (
                <td key={column} colSpan={cell.span}>
                  {cell.paragraphs.map((paragraph, place) => (
                    <Paragraph
                      key={place}
                      paragraph={paragraph}
                      marks={[]}
                      whole={strongestOf((row.number !== null && marks?.get(row.number)) || [])}
                    />
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function strongestOf(marks: readonly { passage: Passage }[]): Passage | undefined {
  return marks.find(({ passage }) => passage.kind === 'main')?.passage ?? marks[0]?.passage
}

interface ParagraphProps {
  paragraph: WordParagraph
  marks: readonly { passage: Passage; from: number; to: number }[]
  /** Of a row: all of its cells. */
  whole?: Passage | undefined
}

function Paragraph({ paragraph, marks, whole }: ParagraphProps) {
  const { level, listed, runs } = paragraph
  const text = acceptedText(paragraph)
  const spans: Span[] = whole
    ? [{ from: 0, to: text.length, passage: whole }]
    : marks.map(({ passage, from, to }) => ({ passage, from: indexOf(text, from), to: indexOf(text, to) }))
  let at = 0
  const shown = runs.map((run, index) => {
    if (run.change === 'deleted')
      return (
        <Changed key={index} run={run}>
          {run.text}
        </Changed>
      )
    const from = at
    at += run.text.length
    return (
      <Changed key={index} run={run}>
        {markedBetween(text, from, at, spans)}
      </Changed>
    )
  })
  if (level !== null)
    return (
      <p class={`head level-${Math.min(4, level)}`} role="heading" aria-level={3 + Math.min(3, level)}>
        {shown}
      </p>
    )
  return <p class={listed ? 'listed-paragraph' : ''}>{shown}</p>
}

function Changed({ run, children }: { run: Run; children: ComponentChildren }) {
  const style = [run.bold && 'bold', run.italic && 'italic', run.underline && 'underlined'].filter(Boolean).join(' ')
  const words = style === '' ? children : <span class={style}>{children}</span>
  const title = run.by === null ? undefined : `${run.change} by ${run.by}`
  if (run.change === 'deleted') return <del title={title}>{words}</del>
  return run.change === 'inserted' ? <ins title={title}>{words}</ins> : <span>{words}</span>
}

function indexOf(text: string, points: number): number {
  return [...text].slice(0, points).join('').length
}

/** Null where a paragraph with a passage does not say here what was read. */
function marksOf({ blocks, text, starts, labels }: WordDocument, passages: readonly Passage[]): Marks | null {
  const points = [...text]
  const paragraphs = new Map<number, WordParagraph | 'row'>()
  for (const block of blocks) {
    if (block.kind === 'table') for (const { number } of block.rows) number !== null && paragraphs.set(number, 'row')
    else if (block.number !== null) paragraphs.set(block.number, block)
  }
  const marks: Marks = new Map()
  for (const passage of passages) {
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? points.length
      if (end <= passage.start || start >= passage.end) continue
      const number = Number(labels[index])
      const paragraph = paragraphs.get(number)
      if (paragraph === undefined) return null
      const place = paragraph === 'row' ? { from: 0, to: 0 } : within(points, { start, end }, paragraph, passage)
      if (place === null) return null
      marks.set(number, [...(marks.get(number) ?? []), { passage, ...place }])
    }
  }
  return marks
}

function within(points: readonly string[], { start, end }: { start: number; end: number }, paragraph: WordParagraph, passage: Passage) {
  const written = points.slice(start, end).join('').trimEnd()
  const sign = /^(#{1,6} |- )/.exec(written)?.[0] ?? ''
  const text = acceptedText(paragraph)
  const flat = (said: string) => said.replaceAll(/\s+/g, ' ').trim()
  const body = written.slice(paragraph.level !== null || paragraph.listed ? sign.length : 0)
  if (flat(body) !== flat(text)) return null
  const lead = [...text].length - [...text.trimStart()].length
  const skip = start + [...written].length - [...body].length - lead
  return { from: Math.max(0, passage.start - skip), to: Math.max(0, passage.end - skip) }
}
