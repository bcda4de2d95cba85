/**
 * What two aligned statements that differ are to each other, asked in this order: another day of what changes → evolving;
 * open words of replacement → superseding; the same issuer and kind of document, later by date of issue → superseding; shown
 * to be one thing → contradicting; else possible. Later means date of issue, never arrival.
 */
import { cut } from '../../platform/storable-text.js'
import type { DocumentFacts, Evidence } from '../types.js'
import { findPeriods } from '../values/periods.js'
import { ALTERING } from '../words/lists.js'
import type { Alignment } from './align.js'
import { restates } from './certainty.js'
import { has } from './overlap.js'
import type { StatementView } from './views.js'

export type Verdict =
  | { kind: 'evolving' }
  | { kind: 'superseding'; winner: 'a' | 'b'; by: 'words' | 'later_issue' }
  | { kind: 'contradicting' }
  | { kind: 'possible' }

export function judge(alignment: Alignment, a: StatementView, b: StatementView): Verdict {
  if (alignment.evolves) return { kind: 'evolving' }
  const words = alignment.sure ? replacedByWords(alignment, a, b) : null
  if (words) return { kind: 'superseding', winner: words, by: 'words' }
  const later = laterIssue(a, b)
  if (later && alignment.sure) return { kind: 'superseding', winner: later, by: 'later_issue' }
  return { kind: alignment.sure && !alignment.settled && !isAltered(alignment, a, b) ? 'contradicting' : 'possible' }
}

/** "The budget is raised to 71.5 million": what one side alone tells as altered was another before. */
function isAltered({ restated }: Alignment, s: StatementView, t: StatementView): boolean {
  const alters = (own: StatementView, other: StatementView): boolean =>
    own.frame.words.some(([lemma]) => ALTERING.has(lemma) && !has(other.lemmas, lemma))
  return !restated && (alters(s, t) || alters(t, s))
}

/** A sentence or a document that says it corrects, and is not the earlier of the two. */
function replacedByWords(alignment: Alignment, a: StatementView, b: StatementView): 'a' | 'b' | null {
  if (a.document === b.document) {
    if (a.frame.corrects === b.frame.corrects) return null
    return a.frame.corrects ? 'a' : 'b'
  }
  // Where nobody is named, the words of correction stand for themselves.
  const unnamed = a.document.facts.issuer === null && b.document.facts.issuer === null
  const kin = alignment.restated || unnamed || sameIssuer(a.document.facts.issuer, b.document.facts.issuer)
  const open = (own: StatementView, other: StatementView): boolean =>
    (kin && (own.frame.corrects || own.document.facts.corrects === true)) ||
    restates(own, other) === 'before' ||
    replacedPaper(own.document.facts, other.document.facts) !== undefined
  const [x, y] = [open(a, b), open(b, a)]
  const order = compareDays(a.document.facts.issuedOn, b.document.facts.issuedOn)
  if (x && y) return order === 0 ? null : order > 0 ? 'a' : 'b'
  if (x) return order < 0 ? null : 'a'
  if (y) return order > 0 ? null : 'b'
  return null
}

/** What a document says it takes the place of, where that names the other by title, reference or day. */
function replacedPaper(own: DocumentFacts, other: DocumentFacts): string | undefined {
  return own.supersedes?.find(paper => {
    const said = paper.toLowerCase()
    if (other.reference && said.includes(other.reference.toLowerCase())) return true
    if (other.title && other.title.length > 5 && (said.includes(other.title.toLowerCase()) || other.title.toLowerCase().includes(said)))
      return true
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

function laterIssue(a: StatementView, b: StatementView): 'a' | 'b' | null {
  if (a.document === b.document || !sameIssuer(a.document.facts.issuer, b.document.facts.issuer)) return null
  if (a.document.facts.kind === null || a.document.facts.kind !== b.document.facts.kind) return null
  const order = compareDays(a.document.facts.issuedOn, b.document.facts.issuedOn)
  return order === 0 ? null : order > 0 ? 'a' : 'b'
}

/** 0 when either is not known. */
function compareDays(a: string | null, b: string | null): number {
  return a === null || b === null || a === b ? 0 : a < b ? -1 : 1
}

const TRADE = /\b(?:ltd|limited|plc|llp|llc|inc|gmbh|ag|se|sa|bv|nv|the|and|of|dr|mr|ms|mrs|prof)\b|[^\p{L}\p{N}\s]/giu

export function sameIssuer(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false
  const words = (issuer: string): string[] =>
    issuer
      .replace(TRADE, ' ')
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word.length > 1)
  const [x, y] = [words(a), words(b)]
  if (x.length === 0 || y.length === 0) return false
  const [short, long] = x.length <= y.length ? [x, y] : [y, x]
  return short.every(word => long.includes(word))
}

export function evidenceOf(alignment: Alignment, a: StatementView, b: StatementView): Evidence {
  const time = ({ frame, document }: StatementView): string | null =>
    (frame.dates[0] ?? frame.above.periods.at(-1))?.label ?? document.facts.issuedOn
  const issuerOf = ({ document: { facts } }: StatementView): string | null => facts.issuer && cut(facts.issuer, 120)
  const names = alignment.shared.filter(word => a.document.named.has(word) && b.document.named.has(word))
  return {
    subject: cut(names.slice(0, 4).join(' '), 120) || null,
    shared: alignment.shared.map(word => cut(word, 120)),
    differs: [{ a: cut(alignment.a, 120), b: cut(alignment.b, 120) }],
    times: { a: time(a), b: time(b) },
    issuers: { a: issuerOf(a), b: issuerOf(b) },
  }
}

/** Which words take the place of a statement, and in which document. */
export function replacementReason(by: 'words' | 'later_issue', winner: StatementView, loser: StatementView): string {
  const { facts } = winner.document
  if (by === 'later_issue') return `A later ${facts.kind ?? 'document'} of the same issuer.`
  const said = `“${facts.title ?? facts.name}”`
  if (restates(winner, loser) === 'before') return cut(`${said} gives ${loser.claim.valueText} as what was before.`, 400)
  const paper = replacedPaper(facts, loser.document.facts)
  if (paper !== undefined) return cut(`${said} says that it replaces “${paper}”.`, 400)
  const where = winner.frame.corrects ? `A statement in ${said}` : said
  return cut(`${where} says of itself that it corrects or replaces.`, 400)
}

const DIFFERS: Readonly<Record<Alignment['difference'], string>> = {
  value: 'The figures differ',
  name: 'The names differ',
  identifier: 'The identifiers differ',
  opposite: 'The terms are opposites',
  sibling: 'The answers differ',
  twin: 'The same words but for',
  polarity: 'One affirms what the other denies',
  date: 'The dates differ',
}

/** Made from the evidence alone, so that it never says more than was shown. */
export function reasonOf(alignment: Alignment, evidence: Evidence): string {
  const [difference] = evidence.differs
  const what = difference && (difference.a || difference.b) ? `: ${difference.a || 'affirmed'} / ${difference.b || 'affirmed'}` : ''
  const { a, b } = evidence.issuers
  const who = a !== null && b !== null && !sameIssuer(a, b) ? ' Different issuers.' : ''
  return cut(`${DIFFERS[alignment.difference]}${what}. Both refer to ${evidence.shared.slice(0, 6).join(', ')}.${who}`, 400)
}
