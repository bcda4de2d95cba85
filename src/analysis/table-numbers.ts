/** Numeric claims of table cells: row and column name the value together, units and periods may stand in either. */
import type { Block } from './blocks.js'
import { cellKind, isNote } from './cell-kinds.js'
import { type Clause, clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { marksOf } from './marks.js'
import { type Named, named, namedUnder, periodInHeader, periodInLabel, thin } from './names.js'
import { build, cited, isShare, primary } from './number-draft.js'
import { termsOf } from './slots.js'
import { declaredUnit, inUnit, unitColumn, unitIn, unitInside } from './table-units.js'
import type { FoundValue } from './values.js'

export function rowClaims(context: ReadContext, block: Block): Draft[] {
  const label = block.label!
  const around = surroundingsOf(context, block)
  const rowName = TOTAL.test(label.text) && namesColumns(block) ? null : namedUnder(label.text, thinTable(block) ? block.path : [])
  const rowPeriod = periodInLabel(label.text, context.profile.year)
  const rowUnit = unitIn(label.text) ?? unitColumn(block) ?? cornerUnit(block)
  // A row that is a name, code or period leaves the measuring to its column.
  const identifying =
    block.measured !== 'rows' &&
    (!rowName || rowPeriod !== null || marksOf(label.text).length > 0 || /^\d/.test(label.text) || listsThings(block))
  // One column of values needs no name beside those of the rows.
  const single = rowName !== null && !identifying && block.cells.filter(cell => cell.text && !isNote(cell.header)).length === 1
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    const found = primary(clause) ?? (/^\([^()]{2,40}:\s/.test(cell.text) ? (clause.values[0] ?? null) : null)
    if (!found || cellKind(context, cell) === 'words') continue
    const value = inUnit(found, unitIn(cell.header) ?? unitInside(cell.header) ?? rowUnit ?? declaredUnit(context, block, cell.header))
    const described = /^\(\s?([\p{L}][^():]{1,40}):/u.exec(cell.text)
    const bare = single || (rowName !== null && !identifying && SAYS_VALUE.test(cell.header))
    const column = described ? named(described[1]!) : bare ? null : columnName(cell.header)
    const name = cellName(numberedLabel(block), cell.header, rowName, column, identifying)
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
    drafts.at(-1)!.prior = citedIn(clause, found)
    const share = clause.values.find(other => other !== found && isShare(clause, found, other))
    if (share) drafts.push({ ...drafts.at(-1)!, value: share.value, valueText: share.text, denominator: found.denominator, prior: null })
  }
  return remarked(context, block, inSeries(withOlder(drafts)))
}

/** A column that only says that values stand in it. */
const SAYS_VALUE =
  /^\s*(?:quantit(?:y|ies)|values?|amounts?|numbers?|figures?|results?|status|findings?|decisions?|counts?|readings?|measures?|positions?)\s*$/i

/** "EUR million" above the labels is what the columns are in, but for shares and counts. */
function cornerUnit({ label, labelHeader }: Block): string | null {
  const unit = labelHeader ? unitIn(` in ${labelHeader.trim()}`) : null
  return unit?.startsWith('money') && !/%|\b(?:number|count|employees|staff|headcount|days|ratio|margin)\b/i.test(label!.text) ? unit : null
}

/** "previously 164 days" in the remark of a row cites the older value of what the row gives now. */
function remarked(context: ReadContext, block: Block, drafts: Draft[]): Draft[] {
  for (const cell of block.cells.slice(0, 24)) {
    if (drafts.length === 0 || !/\d/.test(cell.text) || !isNote(cell.header)) continue
    const clause = clauseOf(context.text, cell.start, cell.end, context.profile.year)
    for (const found of clause.values.slice(0, 4)) {
      if (cited(clause, found) !== 'prior') continue
      const { value } = inUnit(found, context.profile.currency)
      const rivals = drafts.filter(draft => sameKind(draft, value) || sameKind(draft, found.value))
      const apart = (draft: Draft): number => ('low' in draft.value ? Math.abs(Math.log(Math.abs(draft.value.low / value.low) || 1)) : 99)
      const near = rivals.sort((a, b) => apart(a) - apart(b))[0]
      if (near) near.prior ??= { low: value.low, high: value.high }
    }
  }
  return drafts
}

function sameKind(draft: Draft, value: FoundValue['value']): boolean {
  if (draft.value.type !== value.type) return false
  return draft.value.type !== 'quantity' || value.type !== 'quantity' || draft.value.unit === value.unit
}

/** "All sites", "Total": the row of what the columns count. */
const TOTAL = /^(?:grand |sub-?)?total$|^(?:sum|overall|together)$|^all \p{Ll}+$/iu

/** The columns name what is counted, each in its own words. */
function namesColumns(block: Block): boolean {
  return listsThings(block) && block.cells.every(cell => !cell.header || columnName(cell.header) !== null)
}

/** "Reports" names what a column counts, although elsewhere the word only says where a figure stands. */
function columnName(header: string): Named | null {
  if (tellsVersion(header)) return null
  return /^reports$/i.test(header.trim())
    ? { terms: ['report'], head: 'report', attribute: header, marks: [], nameText: header }
    : header
      ? named(header)
      : null
}

const VERSION_WORDS = new Set(
  `as in the text wording version issue edition revision rev printed published reported stated filed found correct corrected our your their own figure figures value values position
   according to per claimed assessed measured verified agreed new old current previous now before after original revised restated final draft was is`.split(
    /\s+/,
  ),
)

/** "As printed", "Text in version 3.0", "Our figure", "Position AR": whose or which figure it is, not of what. */
function tellsVersion(header: string): boolean {
  const words = header.trim().split(/\s+/)
  return (
    words.length <= 5 &&
    words.some(word => VERSION_WORDS.has(word.toLowerCase())) &&
    words.every(word => VERSION_WORDS.has(word.toLowerCase()) || /^(?:[\d.]+|\p{Lu}{1,3})$/u.test(word))
  )
}

const CITES =
  /\((?:in |see )?(?:the )?(?:previous(?:ly)?|former(?:ly)?|before|was|were|old|earlier|original(?:ly)?|first|initial(?:ly)?|(?:first |original |earlier )?(?:report|version|issue|edition|draft|statement|plan)(?: \p{Lu}|\d)?|prior)\b[:\s]{1,3}(?:[A-Z]{3}\s)?$/iu

/** "138 (report: 151)": the older value a cell cites beside its own. */
function citedIn(clause: Clause, found: FoundValue): Draft['prior'] {
  const older = clause.values.find(
    other => other.start > found.end && other.value.type === found.value.type && CITES.test(clause.text.slice(found.end, other.start)),
  )
  return older ? { low: older.value.low, high: older.value.high } : null
}

/** Of a row of periods only the last is what holds; the others are given to compare with. */
function inSeries(drafts: Draft[]): Draft[] {
  const last = drafts.reduce((latest, { period, role }) => (role === 'actual' && period && period.to > latest ? period.to : latest), '')
  for (const draft of drafts) if (draft.period && draft.period.to < last) draft.comparative = true
  return drafts
}

/** "Revision 3" and "Revision 4" */
const NUMBERED = /^(?:version|revision|rev\.?|issue|edition|draft)\s?(\d+(?:\.\d+)?)$/i

/** Of two columns: what was said first, and what is said in the end. */
const EARLIER =
  /^(?:as )?(?:published|printed|reported|stated|filed|presented|submitted|disclosed|notified|announced|preliminary|provisional|interim|initial|draft|first (?:report|estimate|version)|unaudited|opening|(?:until|up to|before) )/i
const FINAL =
  /^(?:final|audited|confirmed|definitive|erratum|corrigendum|now|second (?:report|estimate|version)|this report|from |since |as from )/i

/** A row that gives the older and the newer value of one thing cites the one in the other. */
function withOlder(drafts: Draft[]): Draft[] {
  const column = (draft: Draft): string => draft.attribute.slice(draft.attribute.lastIndexOf('·') + 1).trim()
  const numbered = drafts.map(draft => Number(NUMBERED.exec(column(draft))?.[1] ?? Number.NaN))
  const counted = numbered.length === 2 && numbered[0] !== numbered[1] && numbered.every(Number.isFinite)
  const isNewest = (at: number): boolean => counted && numbered[at] === Math.max(...numbered)
  const fresh = drafts.filter((draft, at) => (counted ? isNewest(at) : draft.version === 'new' || FINAL.test(column(draft))))
  const old = drafts.filter((draft, at) => (counted ? !isNewest(at) : draft.version === 'old' || EARLIER.test(column(draft))))
  if (fresh.length !== 1 || old.length !== 1 || old[0]!.value.type !== fresh[0]!.value.type) return drafts
  const { value } = old[0]!
  if (!('low' in value)) return drafts
  fresh[0]!.prior ??= { low: value.low, high: value.high }
  fresh[0]!.version = 'new'
  old[0]!.version = 'old'
  return drafts
}

/** "Published", "Agreed": which value it is, not of what. */
const QUALIFIER =
  /^\s*\p{L}+ed\s*$|^\s*(?:quantity|rate|value|amount|our figure|figure|baseline|forecast|plan|actual|budget|current|result)s?\s*$/iu

/** "27" in the column of sites is site 27. */
const numberedLabel = ({ label, labelHeader }: Block): string =>
  /^\d{1,4}$/.test(label!.text) && labelHeader ? `${labelHeader} ${label!.text}` : label!.text

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
function listsThings(block: Block): boolean {
  if (block.measured) return block.measured === 'columns'
  if (block.labelHeader && !ITEMS.test(block.labelHeader) && termsOf(block.labelHeader).length > 0) return true
  const units = new Set(block.cells.map(cell => unitIn(cell.header)).filter(unit => unit !== null))
  return units.size > 1
}

/** Columns that are only periods or roles leave the naming to row and heading. */
function thinTable(block: Block): boolean {
  return block.cells.every(cell => !cell.header || thin(named(cell.header)))
}
