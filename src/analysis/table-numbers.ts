/** Numeric claims of table cells: row and column name the value together, units and periods may stand in either. */
import type { Block } from './blocks.js'
import { cellKind } from './cell-kinds.js'
import { clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { marksOf } from './marks.js'
import { type Named, named, namedUnder, periodInHeader, periodInLabel, thin } from './names.js'
import { build, isShare, primary } from './number-draft.js'
import { termsOf } from './slots.js'
import { CODES, CURRENCY_WORDS, LETTER_UNITS, MAGNITUDES, unitOf } from './units.js'
import type { FoundValue } from './values.js'

export function rowClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  const around = surroundingsOf(context, block)
  const rowName = namedUnder(label.text, thinTable(block) ? block.path : [])
  const rowPeriod = periodInLabel(label.text, context.profile.year)
  const rowUnit = unitIn(label.text)
  // A row that is a name, code or period leaves the measuring to its column.
  const identifying =
    block.measured !== 'rows' &&
    (!rowName || rowPeriod !== null || marksOf(label.text).length > 0 || /^\d/.test(label.text) || listsThings(block))
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const found = primary(clause) ?? (/^\([^()]{2,40}:\s/.test(cell.text) ? (clause.values[0] ?? null) : null)
    if (!found || cellKind(context, cell) === 'words') continue
    const value = inUnit(found, unitIn(cell.header) ?? rowUnit)
    const described = /^\(\s?([\p{L}][^():]{1,40}):/u.exec(cell.text)
    const column = described ? named(described[1]!) : cell.header ? named(cell.header) : null
    const name = cellName(label.text, cell.header, rowName, column, identifying)
    if (!name) continue
    const columnPeriod = periodInHeader(cell.header, context.profile.year)
    drafts.push(
      build(context, {
        block,
        clause,
        value,
        name,
        span: { start: block.start, end: block.end },
        around,
        frame: 'cell',
        confidence: 0.85,
        period: columnPeriod ?? rowPeriod,
        roleText: name.nameText,
        subjectText: name.nameText,
        parents: [...block.path].reverse(),
        weak: false,
      }),
    )
    const share = clause.values.find(other => other !== found && isShare(clause, found, other))
    if (share) drafts.push({ ...drafts.at(-1)!, value: share.value, valueText: share.text, denominator: found.denominator })
  }
  return drafts
}

/** "Published", "Agreed": which value it is, not of what. */
const QUALIFIER = /^\s*\p{L}+ed\s*$|^\s*(?:quantity|rate|value|amount|our figure|figure)s?\s*$/iu

function cellName(label: string, header: string, rowName: Named | null, column: Named | null, identifying: boolean): Named | null {
  const terms = [...(rowName?.terms ?? []), ...(column?.terms ?? [])]
  const measure =
    identifying && column && !((thin(column) || QUALIFIER.test(header)) && rowName) ? column.head : (rowName?.head ?? column?.head)
  const head = terms.includes('change') ? 'change' : measure
  if (!head || !terms.length) return null
  const text = [label, header].filter(Boolean).join(' · ')
  const marks = [...(rowName?.marks ?? marksOf(label)), ...marksOf(header)]
  return { terms: terms.slice(0, 14), head, attribute: text.slice(0, 120), marks: marks.slice(0, 8), nameText: text }
}

const ITEMS =
  /\b(?:items?|metrics?|measures?|parameters?|indicators?|kpis?|descriptions?|requirements?|categor(?:y|ies)|criteri(?:on|a)|lines?|particulars|components?|modules?|variables?|figures?|key|field|attribute|endpoints?|characteristics?|risks?|assumptions?|stress|scenarios?|positions?|heads?)\b/i

/** Rows are things and columns what is measured of them: the first column says which things, or the columns differ in kind. */
export function listsThings(block: Block): boolean {
  if (block.measured) return block.measured === 'columns'
  if (block.labelHeader && !ITEMS.test(block.labelHeader) && termsOf(block.labelHeader).length > 0) return true
  const units = new Set(block.cells.map(cell => unitIn(cell.header)).filter(unit => unit !== null))
  return units.size > 1
}

/** Columns that are only periods or roles leave the naming to row and heading. */
function thinTable(block: Block): boolean {
  return block.cells.every(cell => !cell.header || thin(named(cell.header)))
}

const WRITTEN =
  /(?:^|[\s(,/])(?:in\s)?([A-Z]{3}|[€$£¥]|%|percent|[\p{L}°µ][\p{L}\d²³/]{0,5})(?:\s?('?000s?|k|m|mn|bn|thousand|million|billion))?\)?\s*$/iu

/** The unit a header or label ends with: "Annual rent (EUR)", "Area (m2)", "Reserve USD", "Revenue in EUR million". */
function unitIn(text: string): string | null {
  const match = WRITTEN.exec(text.slice(-40))
  if (!match) return null
  const inside = /\([^()]*$/.test(text.slice(0, text.length - (match[0].length - 1))) || match[0].includes('(')
  const raw = match[1]!
  const size = match[2] ? (/000/.test(match[2]) ? 1_000 : (MAGNITUDES[match[2].toLowerCase()] ?? 1)) : 1
  const currency = CURRENCY_WORDS[raw.toLowerCase()] ?? (CODES.has(raw) ? raw : undefined)
  if (currency) return `money ${currency} ${size}`
  if (raw === '%' || /^percent$/i.test(raw)) return 'percent'
  const unit = inside ? (unitOf(raw) ?? LETTER_UNITS[raw]) : undefined
  return unit ? `unit ${unit}` : null
}

/** A bare number takes the unit its column or row is given in. */
function inUnit(found: FoundValue, unit: string | null): FoundValue {
  const { value } = found
  if (!unit || value.type !== 'quantity' || value.unit !== null) return found
  const { low, high, precision, approximate } = value
  if (unit === 'percent') return { ...found, value: { type: 'percent', points: false, low, high, precision, approximate } }
  const [kind, name, size] = unit.split(' ')
  if (kind === 'unit') return { ...found, value: { ...value, unit: name! } }
  const by = Number(size)
  return {
    ...found,
    value: { type: 'money', currency: name!, low: low * by, high: high * by, precision: precision * by, approximate },
  }
}
