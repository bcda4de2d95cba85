/**
 * What the words of a cell say: remarks, evidence and comments of a register are prose about their row, and the row's label
 * and code stand above them.
 */
import { sentenceAbsences } from './absences.js'
import { sentenceAspects } from './aspects.js'
import type { Block } from './blocks.js'
import { cellKind } from './cell-kinds.js'
import { pairDates } from './dates.js'
import type { Draft, ReadContext } from './draft.js'
import { pairClaims } from './labelled-numbers.js'
import { pairShape } from './lines.js'
import { namedUnder } from './names.js'
import { sentenceDates } from './prose-dates.js'
import { sentenceNames } from './prose-names.js'
import { sentenceClaims } from './prose-numbers.js'
import { sentenceStates } from './sentence-states.js'

/** The remarks of a cell: parts between semicolons and sentences stand on their own. */
function parts(context: ReadContext, cell: Block['cells'][number]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let at = cell.start
  const text = context.text
  for (let i = cell.start; i <= cell.end; i++) {
    if (i < cell.end && !(text[i] === ';' && text[i + 1] === ' ')) continue
    while (at < i && text[at] === ' ') at++
    if (i - at > 3) found.push({ start: at, end: i })
    at = i + 1
  }
  return found.slice(0, 12)
}

function isSaid(label: string): boolean {
  return (
    label.length > 40 && /\b(?:is|are|was|were|has|have|had|will|shall|must|reported|showed|shows|noted|agreed|confirmed)\b/i.test(label)
  )
}

export function rowWords(context: ReadContext, block: Block): Draft[] {
  const drafts: Draft[] = []
  const label = block.label!
  const path = label.text ? [...block.path, label.text.slice(0, 120)] : block.path
  // Minutes and findings say it where others have a title.
  if (isSaid(label.text))
    for (const { start, end } of parts(context, { ...label, header: '' })) {
      const said: Block = { ...block, kind: 'paragraph', start, end, label: null, body: { start, end }, cells: [] }
      drafts.push(...partClaims(context, said, { start, end: start, text: '' }))
    }
  for (const cell of block.cells.slice(0, 24)) {
    if (cellKind(context, cell) === 'value') continue
    for (const { start, end } of parts(context, cell)) {
      const said: Block = { ...block, kind: 'paragraph', start, end, path, label: null, body: { start, end }, cells: [] }
      drafts.push(...partClaims(context, said, label))
    }
  }
  return drafts
}

function partClaims(context: ReadContext, said: Block, label: NonNullable<Block['label']>): Draft[] {
  const { start, end } = said
  const text = context.text.slice(start, end)
  const pair = pairShape({ start, end, text, indent: 0, blank: false })
  if (pair) {
    const block: Block = { ...said, kind: 'pair', label: pair.label, body: pair.body }
    return [...pairClaims(context, block), ...pairDates(context, block), ...sentenceStates(context, block, pair.body.start, pair.body.end)]
  }
  const fallback = namedUnder(label.text, said.path.slice(0, -1))
  const dates = sentenceDates(context, said, start, end)
  return [
    ...sentenceClaims(context, said, start, end, fallback, label.text),
    ...sentenceStates(context, said, start, end),
    ...(dates.length || !label.text ? dates : pairDates(context, { ...said, kind: 'pair', label })),
    ...sentenceAbsences(context, said, start, end),
    ...sentenceNames(context, said, start, end),
    ...sentenceAspects(context, said, start, end),
  ]
}
