/**
 * Which of two statements takes the place of the other: by open words of correction, as the figure that was before, by naming
 * the paper it replaces, or as a later numbered version of it. Later means date of issue, never arrival.
 */
import { cut } from '../../platform/storable-text.js'
import { memo } from '../memo.js'
import type { DocumentFacts } from '../types.js'
import { meets } from '../values/compare-values.js'
import { findPeriods } from '../values/periods.js'
import type { Difference } from './differences.js'
import type { Said, SaidIn } from './said.js'

export interface Replacement {
  winner: 'a' | 'b'
  by: 'words' | 'later_issue'
  reason: string
}

export function replacementOf(a: Said, b: Said, difference: Difference): Replacement | null {
  const [first, second] = [a.document.facts, b.document.facts]
  const kin = (first.issuer === null && second.issuer === null) || sameIssuer(first.issuer, second.issuer)
  const open = (own: Said, other: Said): boolean =>
    (kin && own.says.corrects) ||
    (own.document.facts.corrects === true && areOfOnePaper(own.document, other.document)) ||
    givesAsBefore(own, other, difference) ||
    replacedPaper(own.document.facts, other.document.facts) !== undefined
  const [x, y] = [open(a, b), open(b, a)]
  const order = compareDays(first.issuedOn, second.issuedOn)
  const winner = x && y ? (order === 0 ? null : order > 0 ? 'a' : 'b') : x && order >= 0 ? 'a' : y && order <= 0 ? 'b' : null
  if (winner !== null) return { winner, by: 'words', reason: wordsReason(winner === 'a' ? a : b, winner === 'a' ? b : a, difference) }
  const later = laterVersion(a.document, b.document)
  return later && { winner: later, by: 'later_issue', reason: 'A later version of the same document.' }
}

/** One gives the other's figure as what was before: "raised from 48,000 to 61,500". */
export function givesAsBefore(own: Said, other: Said, { kind }: Difference): boolean {
  if (kind !== 'numeric') return false
  return own.says.numbers.some(
    ({ prior, unit, ...x }) => prior === 'before' && other.says.numbers.some(y => y.unit === unit && !y.prior && meets(x, y)),
  )
}

/** What a document says it takes the place of, where that names the other by title, reference or day. */
function replacedPaper(own: DocumentFacts, other: DocumentFacts): string | undefined {
  return own.supersedes?.find(paper => {
    const said = paper.toLowerCase()
    if (other.reference && said.includes(other.reference.toLowerCase())) return true
    const title = other.title?.toLowerCase() ?? ''
    if (title.length > 5 && (said.includes(title) || title.includes(said))) return true
    return namesByDay(said, own, other)
  })
}

/** "the preliminary findings of 12 February 2024": the day it was issued, unless it is shown to be another paper of that day. */
function namesByDay(said: string, own: DocumentFacts, other: DocumentFacts): boolean {
  const isItsDay = findPeriods(said, null).some(({ period }) => period.grain === 'day' && period.from === other.issuedOn)
  if (!isItsDay) return false
  const called = `${other.title ?? ''} ${other.kind ?? ''}`.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return other.kind === null || sameIssuer(own.issuer, other.issuer) || called.some(word => said.includes(word))
}

/** Of one house; of papers that name none, those that are about the same. One that names its house is not held for one that does not. */
function areOfOnePaper(a: SaidIn, b: SaidIn): boolean {
  const [x, y] = [a.facts.issuer, b.facts.issuer]
  return x === null && y === null ? areEntitledAlike(a, b) : sameIssuer(x, y)
}

/** All that the shorter head is about stands in the longer, but for what says which version it is: "Correction to the lease", "Lease". */
function areEntitledAlike(a: SaidIn, b: SaidIn): boolean {
  const [x, y] = [headWords(a), headWords(b)]
  const [short, long] = x.length <= y.length ? [x, y] : [y, x]
  return short.length === 0 ? a.facts.kind !== null && a.facts.kind === b.facts.kind : short.every(word => long.includes(word))
}

const OF_VERSION = /^(?:version|revis|edition|draft|final|amend|correct|errat|corrigend|restat|updat)/

const headWords = ({ topic }: SaidIn): string[] => topic.words.filter(word => !OF_VERSION.test(word))

/** Two numbered versions of one paper. */
function laterVersion(a: SaidIn, b: SaidIn): 'a' | 'b' | null {
  const [first, second] = [a.facts, b.facts]
  if (first.version === null || second.version === null || first.kind !== second.kind) return null
  if (!areOfOnePaper(a, b) || !areEntitledAlike(a, b)) return null
  const [x, y] = [numberOf(first.version), numberOf(second.version)]
  if (x === null || y === null || x === y) return null
  return x > y ? 'a' : 'b'
}

const numberOf = (version: string): number | null => {
  const [, major, minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return major === undefined ? null : Number(major) * 1000 + Number(minor)
}

/** 0 when either is not known. */
function compareDays(a: string | null, b: string | null): number {
  return a === null || b === null || a === b ? 0 : a < b ? -1 : 1
}

const TRADE = /\b(?:ltd|limited|plc|llp|llc|inc|gmbh|ag|se|sa|bv|nv|the|and|of|dr|mr|ms|mrs|prof)\b|[^\p{L}\p{N}\s]/giu

export function sameIssuer(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false
  const [x, y] = [wordsOf(a), wordsOf(b)]
  if (x.length === 0 || y.length === 0) return false
  const [short, long] = x.length <= y.length ? [x, y] : [y, x]
  return short.every(word => long.includes(word))
}

const wordsOf = memo(2_000, (issuer: string): string[] =>
  issuer
    .replace(TRADE, ' ')
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word.length > 1),
)

/** Which words take the place of a statement, and in which document. */
function wordsReason(winner: Said, loser: Said, difference: Difference): string {
  const { facts } = winner.document
  const said = `“${facts.title ?? facts.name}”`
  if (givesAsBefore(winner, loser, difference)) return cut(`${said} gives ${loser.claims[0]!.valueText} as what was before.`, 400)
  const paper = replacedPaper(facts, loser.document.facts)
  if (paper !== undefined) return cut(`${said} says that it replaces “${paper}”.`, 400)
  const where = winner.says.corrects ? `A statement in ${said}` : said
  return cut(`${where} says of itself that it corrects or replaces.`, 400)
}
