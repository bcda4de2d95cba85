/** Tells cells that give a value for their row and column from cells that say something in words. */
import type { Block } from './blocks.js'
import { clauseOf } from './clause.js'
import type { ReadContext } from './draft.js'
import { primary } from './number-draft.js'

const REMARKS =
  /\b(?:remarks?|comments?|notes?|evidence|details?|descriptions?|explanations?|justifications?|progress|observations?|response|findings?|actions?|basis|reasons?|outcome|conclusions?|update|position|measures?|result|terms|conditions?)\b/i

/** Columns that never hold the value of their row. */
const NOTES = /^(?:remarks?|comments?|notes?|evidence|explanations?|justifications?|reasons?|observations?)$/i

export const isNote = (header: string): boolean => NOTES.test(header.trim())

/** Words of a cell beside its values, dates and parentheses. */
function wordsBeside(context: ReadContext, start: number, end: number): number {
  const { text, values, periods } = clauseOf(context.text, start, end, context.profile.year)
  let rest = ''
  let at = 0
  for (const span of [...values, ...periods].sort((a, b) => a.start - b.start)) {
    if (span.start > at) rest += text.slice(at, span.start)
    at = Math.max(at, span.end)
  }
  rest += text.slice(at)
  return (rest.replace(/\([^()]{0,80}\)/g, ' ').match(/\p{L}{2,}/gu) ?? []).length
}

export type CellKind = 'value' | 'words' | 'both'

/** Whether a cell gives a value for its row and column, says something in words, or both. */
export function cellKind(context: ReadContext, cell: Block['cells'][number]): CellKind {
  if (isNote(cell.header) && /\p{L}{3}/u.test(cell.text) && wordsBeside(context, cell.start, cell.end) > 0) return 'words'
  if (cell.text.length < 12 || !/\s\S+\s/.test(cell.text)) return 'value'
  const words = wordsBeside(context, cell.start, cell.end)
  if (words < 3) return 'value'
  if (primary(clauseOf(context.text, cell.start, cell.end, context.profile.year)) === null) return 'words'
  return REMARKS.test(cell.header) || !/\d/.test(cell.text) ? 'words' : words > 5 ? 'both' : 'value'
}
