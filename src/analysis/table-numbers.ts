/** Numeric claims of table cells: row and column name the value together, units and periods may stand in either. */
import type { Block } from './blocks.js'
import { clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { marksOf } from './marks.js'
import { named, namedUnder, periodInLabel, thin } from './names.js'
import { build, isShare, primary } from './number-draft.js'

export function rowClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  const around = surroundingsOf(context, block)
  const rowName = namedUnder(label.text, thinTable(block) ? block.path : [])
  const rowPeriod = periodInLabel(label.text, context.profile.year)
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const value = primary(clause) ?? (/^\([^()]{2,40}:\s/.test(cell.text) ? (clause.values[0] ?? null) : null)
    if (!value) continue
    const described = /^\(\s?([\p{L}][^():]{1,40}):/u.exec(cell.text)
    const column = described ? named(described[1]!) : cell.header ? named(cell.header) : null
    const terms = [...(rowName?.terms ?? []), ...(column?.terms ?? [])]
    const marks = [...(rowName?.marks ?? marksOf(label.text)), ...marksOf(cell.header)]
    // A row that is a name, code or period leaves the measuring to its column.
    const identifying = !rowName || rowPeriod !== null || marksOf(label.text).length > 0 || /^\d/.test(label.text)
    const head = terms.includes('change') ? 'change' : identifying && column ? column.head : (rowName?.head ?? column?.head)
    if (!head || !terms.length) continue
    const text = [label.text, cell.header].filter(Boolean).join(' · ')
    const columnPeriod = periodInLabel(cell.header, context.profile.year)
    drafts.push(
      build(context, {
        block,
        clause,
        value,
        name: { terms: terms.slice(0, 14), head, attribute: text.slice(0, 120), marks: marks.slice(0, 8), nameText: text },
        span: { start: block.start, end: block.end },
        around,
        frame: 'cell',
        confidence: 0.85,
        period: columnPeriod ?? rowPeriod,
        roleText: text,
        subjectText: text,
        parents: [...block.path].reverse(),
        weak: false,
      }),
    )
    const share = clause.values.find(other => other !== value && isShare(clause, value, other))
    if (share) drafts.push({ ...drafts.at(-1)!, value: share.value, valueText: share.text, denominator: value.denominator })
  }
  return drafts
}

/** Columns that are only periods or roles leave the naming to row and heading. */
function thinTable(block: Block): boolean {
  return block.cells.every(cell => !cell.header || thin(named(cell.header)))
}
