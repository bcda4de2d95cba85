/**
 * A written document, of Word or OpenDocument, as formatted text, with what was inserted, deleted and commented visible. A passage is marked where its paragraph says
 * the same as it did when the text was made; else the document is shown without a mark and says so.
 */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { writeBlocks } from '../src/files/blocks-text.js'
import { readOdt } from '../src/files/odf-text.js'
import { acceptedText, type Run, type WordBlock, type WordComment, type WordParagraph } from '../src/files/word-blocks.js'
import { readWord } from '../src/files/word-body.js'
import { saidUntil } from '../src/reading/normalize/remarks.js'
import { NoMark } from './no-mark'
import type { Passage } from './passages'
import { markedBetween, type Span } from './spans'
import { unpackParts } from './unzip'

export interface WordDocument {
  blocks: WordBlock[]
  comments: ReadonlyMap<string, WordComment>
  text: string
  starts: number[]
  labels: string[]
}

const wordParts = /^word\/(document\d*|footnotes|endnotes|styles|comments)\.xml$/

export async function openWord(file: Blob, kind: 'docx' | 'odt'): Promise<WordDocument> {
  const most = Number.POSITIVE_INFINITY
  const content =
    kind === 'odt'
      ? readOdt(await unpackParts(file, name => name === 'content.xml'), most)
      : readWord(await unpackParts(file, name => wordParts.test(name)), most)
  const { text, places } = writeBlocks(content, most)
  const comments = new Map(content.comments.map(comment => [comment.id, comment]))
  return { blocks: content.blocks.slice(0, mostBlocks), comments, text, starts: places?.starts ?? [], labels: places?.labels ?? [] }
}

const mostBlocks = 20_000

/** Within a paragraph, in code points of its text with all changes accepted. */
type Marks = Map<number, { passage: Passage; from: number; to: number }[]>

export function WordView({ word, text, passages }: { word: WordDocument; text: string; passages: readonly Passage[] }) {
  const marks = useMemo(() => (word.text === text ? marksOf(word, passages) : null), [word, text, passages])
  return (
    <div class="formatted word">
      {marks === null && <NoMark />}
      {word.blocks.map((block, index) => (
        <Block key={index} block={block} marks={marks} comments={word.comments} />
      ))}
    </div>
  )
}

interface BlockProps {
  block: WordBlock
  marks: Marks | null
  comments: WordDocument['comments']
}

function Block({ block, marks, comments }: BlockProps) {
  if (block.kind === 'paragraph')
    return <Paragraph paragraph={block} comments={comments} marks={(block.number !== null && marks?.get(block.number)) || []} />
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
                      comments={comments}
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
  comments: WordDocument['comments']
  marks: readonly { passage: Passage; from: number; to: number }[]
  /** Of a row: all of its cells. */
  whole?: Passage | undefined
}

function Paragraph({ paragraph, comments, marks, whole }: ParagraphProps) {
  const { level, listed, runs } = paragraph
  const text = acceptedText(paragraph)
  const spans: Span[] = whole
    ? [{ from: 0, to: text.length, passage: whole }]
    : marks.map(({ passage, from, to }) => ({ passage, from: indexOf(text, from), to: indexOf(text, to) }))
  let at = 0
  const shown = runs.map((run, index) => {
    if (run.change?.kind === 'deleted')
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
  const said = [...new Set(runs.flatMap(run => run.comments))].flatMap(id => comments.get(id) ?? [])
  return (
    <>
      {level === null ? (
        <p class={listed ? 'listed-paragraph' : ''}>{shown}</p>
      ) : (
        <p class={`head level-${Math.min(4, level)}`} role="heading" aria-level={2 + Math.min(4, level)}>
          {shown}
        </p>
      )}
      {said.map(({ id, by, on, text }) => (
        <p key={id} class="remark" role="note">
          {['Comment', by && `by ${by}`, on && `on ${on}`].filter(Boolean).join(' ')}: {text.trim()}
        </p>
      ))}
    </>
  )
}

function Changed({ run, children }: { run: Run; children: ComponentChildren }) {
  const { change } = run
  const style = [run.bold && 'bold', run.italic && 'italic', run.underline && 'underlined', run.comments.length > 0 && 'commented']
  const name = style.filter(Boolean).join(' ')
  const words = name === '' ? children : <span class={name}>{children}</span>
  if (change === null) return <span>{words}</span>
  const title = [change.kind, change.by && `by ${change.by}`, change.on && `on ${change.on}`].filter(Boolean).join(' ')
  return change.kind === 'deleted' ? <del title={title}>{words}</del> : <ins title={title}>{words}</ins>
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
  const said = [...text.slice(0, saidUntil(text, 'docx'))].length
  for (const passage of passages) {
    for (const [index, start] of starts.entries()) {
      const next = starts[index + 1] ?? points.length
      const end = start < said ? Math.min(said, next) : next
      if (end <= passage.start || start >= passage.end) continue
      const number = Number(labels[index])
      const paragraph = paragraphs.get(number)
      if (paragraph === undefined) return null
      // What was done to a paragraph is marked as a whole: it stands at the end of the text and not there.
      const isRow = paragraph === 'row'
      const place = isRow || start >= said ? { from: 0, to: isRow ? 0 : points.length } : within(points, { start, end }, paragraph, passage)
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
