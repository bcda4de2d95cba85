/**
 * Two readers, one result. What the rules concluded stands; what the model found is added under its name. One fact is one
 * finding: links from claims of the same value to claims of the same other value become one contradiction with supporters, and
 * what a standing contradiction already says only supports it. A contradiction of the rules becomes a possible conflict when the
 * model says why it is none and code could not refute that; silence changes nothing.
 */

import { cut } from '../platform/storable-text.js'
import { dimensionOf, intervalOf } from '../reading/relations/compare-values.js'
import type {
  ConflictKind,
  ContradictionFound,
  Evidence,
  ExistingFinding,
  PlacedClaim,
  Reconciliation,
  SupporterAdded,
  Unsure,
} from '../reading/types.js'
import type { NoConflictReason } from './answer-schema.js'
import { folded, isFigure } from './typed-value.js'
import type { VerifiedLink, VerifiedReading } from './verify.js'

export interface MergeReadingsInput {
  concluded: Reconciliation
  reading: Pick<VerifiedReading, 'links' | 'acquitted'>
  /** The claims of the document, by their index in its reading. */
  claims: readonly PlacedClaim[]
  /** Earlier claims that count still; links to others are over. */
  known: ReadonlyMap<string, PlacedClaim>
  findings: readonly ExistingFinding[]
  issuerOf: (documentId: string) => string | null
  foundBy: string
}

const mostFindings = 50
const mostPossible = 12

export function mergeReadings(input: MergeReadingsInput): Reconciliation {
  const pairs = pairsOf(input)
  const concluded = withAcquitted(input, pairs)
  const reported = new Set(concluded.contradictions.flatMap(pairKeys))
  const doubted = new Set(input.concluded.contradictions.flatMap(pairKeys))
  const replaced = replacements(pairs, concluded, doubted)
  const supersessions = replaced.map(({ pair, by }) => ({
    claimId: pair.other.claimId,
    byClaimId: by,
    kind: 'words' as const,
    reason: pair.link.reason,
    evidence: evidenceOf(input, pair),
    foundBy: input.foundBy,
  }))
  const gone = new Set([...concluded.supersessions, ...supersessions].map(each => each.claimId))
  const fresh = pairs.filter(
    ({ own, other }) => !gone.has(own.claimId) && !gone.has(other.claimId) && !reported.has(keyOf(own.claimId, other.claimId)),
  )
  const { contradictions, supporters } = findingsOf(
    input,
    fresh.filter(({ link }) => link.relation === 'contradicts'),
    concluded,
  )
  const conflicting = new Set([...concluded.contradictions, ...contradictions].flatMap(pairKeys))
  const unsure = concluded.unsure.filter(({ a, b }) => !conflicting.has(keyOf(a, b)))
  const known = new Set(unsure.map(({ a, b }) => keyOf(a, b)))
  const possible = fresh
    .filter(({ link, own, other }) => link.relation === 'possible' && !known.has(keyOf(own.claimId, other.claimId)))
    .slice(0, mostPossible)
    .map(pair => possibleOf(input, pair))
  // A claim that replaces one of another document changes what the scope holds, whoever found it: policies look at that.
  const replacing = new Set(replaced.flatMap(({ pair, by }) => (pair.other.documentId === pair.own.documentId ? [] : [by])))
  const inConflict = new Set(contradictions.flatMap(({ a, b, supportersA, supportersB }) => [a, b, ...supportersA, ...supportersB]))
  return {
    supersessions: [...concluded.supersessions, ...supersessions],
    contradictions: [...concluded.contradictions, ...contradictions],
    supporters: [...concluded.supporters, ...supporters],
    unsure: [...unsure, ...possible],
    relations: concluded.relations.map(each =>
      inConflict.has(each.claimId)
        ? { ...each, relation: 'contradicting' as const }
        : replacing.has(each.claimId)
          ? { ...each, relation: 'superseding' as const }
          : each,
    ),
  }
}

/**
 * What the model says replaces what, as far as it may: a pair the rules held for a contradiction is a person's to close, no claim
 * is replaced by what it replaces itself, and of a chain the last counts, so that each can be objected to.
 */
function replacements(pairs: readonly Pair[], concluded: Reconciliation, doubted: ReadonlySet<string>): { pair: Pair; by: string }[] {
  const successor = new Map(
    concluded.supersessions.flatMap(each => (each.byClaimId === null ? [] : [[each.claimId, each.byClaimId] as const])),
  )
  const last = (claimId: string): string => {
    const next = successor.get(claimId)
    return next === undefined || next === claimId ? claimId : last(next)
  }
  const ended = new Set(concluded.supersessions.map(each => each.claimId))
  const taken: Pair[] = []
  for (const pair of pairs) {
    const { own, other, link } = pair
    if (link.relation !== 'supersedes' || taken.length >= mostFindings) continue
    if (ended.has(other.claimId) || doubted.has(keyOf(own.claimId, other.claimId)) || last(own.claimId) === other.claimId) continue
    ended.add(other.claimId)
    successor.set(other.claimId, own.claimId)
    taken.push(pair)
  }
  return taken.map(pair => ({ pair, by: last(pair.own.claimId) }))
}

interface Pair {
  own: PlacedClaim
  other: PlacedClaim
  link: VerifiedLink
}

/** A claim that has been replaced, erased or is of an earlier revision since the question was put takes no part. */
function pairsOf({ reading, claims, known }: MergeReadingsInput): Pair[] {
  return reading.links.flatMap(link => {
    const own = claims[link.own]
    const other = typeof link.other === 'number' ? claims[link.other] : known.get(link.other)
    return own === undefined || other === undefined || own.claimId === other.claimId ? [] : [{ own, other, link }]
  })
}

const acquittals: Record<NoConflictReason, string> = {
  other_subject: 'the two refer to different things',
  other_time: 'the two refer to different times',
  other_measure: 'the two are different measures',
  part_of_total: 'one is a part of the other',
  plan_not_actual: 'one is a plan, the other an outcome',
  same_value: 'both say the same',
  replaced: 'one replaces the other',
  not_a_statement: 'one is not a statement of fact',
}

/** That one replaces the other, as far as code could verify it, is a reason too. */
function withAcquitted({ concluded, reading, foundBy }: MergeReadingsInput, pairs: readonly Pair[]): Reconciliation {
  const replaced = pairs.filter(({ link }) => link.relation === 'supersedes')
  const reasons = new Map<string, NoConflictReason>([
    ...replaced.map(({ own, other }) => [keyOf(own.claimId, other.claimId), 'replaced'] as const),
    ...reading.acquitted.map(({ a, b, reason }) => [keyOf(a, b), reason] as const),
  ])
  if (reasons.size === 0) return concluded
  const demoted: Unsure[] = []
  const contradictions = concluded.contradictions.filter(found => {
    const reason = reasons.get(keyOf(found.a, found.b))
    if (reason === undefined) return true
    const { a, b, kind, severity, evidence, slotKey, groupA, groupB } = found
    demoted.push({
      ...{ a, b, kind, severity, slotKey, groupA, groupB },
      ...(evidence === undefined ? {} : { evidence }),
      score: 0.3,
      reason: `${found.reason} ${foundBy} does not consider this a conflict: ${acquittals[reason]}.`,
    })
    return false
  })
  return { ...concluded, contradictions, unsure: [...concluded.unsure, ...demoted] }
}

interface Cluster {
  others: Map<string, PlacedClaim>
  owns: Map<string, PlacedClaim>
  lead: Pair
}

function findingsOf(
  input: MergeReadingsInput,
  pairs: readonly Pair[],
  concluded: Reconciliation,
): { contradictions: ContradictionFound[]; supporters: SupporterAdded[] } {
  const supporters: SupporterAdded[] = []
  const clusters: Cluster[] = []
  for (const pair of [...pairs].sort((a, b) => b.link.confidence - a.link.confidence)) {
    const standing = standingFor(input.findings, pair)
    if (standing !== null) {
      if (standing !== 'known') supporters.push(standing)
      continue
    }
    if (concluded.contradictions.some(found => saysAlready(found, pair))) continue
    const cluster = clusters.find(each => isOneFact(each, pair))
    if (cluster === undefined) {
      clusters.push({ others: new Map([[pair.other.claimId, pair.other]]), owns: new Map([[pair.own.claimId, pair.own]]), lead: pair })
    } else {
      cluster.others.set(pair.other.claimId, pair.other)
      cluster.owns.set(pair.own.claimId, pair.own)
    }
  }
  return { contradictions: clusters.slice(0, mostFindings).map(cluster => contradictionOf(input, cluster)), supporters: once(supporters) }
}

/** A standing contradiction that has one of the two already, and the other's value on its other side. */
function standingFor(findings: readonly ExistingFinding[], { own, other }: Pair): SupporterAdded | 'known' | null {
  for (const finding of findings) {
    if (finding.status === 'resolved' || finding.status === 'closed') continue
    for (const side of ['a', 'b'] as const) {
      const here = side === 'a' ? finding.claimIdsA : finding.claimIdsB
      const across = side === 'a' ? finding.claimIdsB : finding.claimIdsA
      if (!here.includes(other.claimId)) continue
      if (across.includes(own.claimId)) return 'known'
      if ((side === 'a' ? finding.groupB : finding.groupA) === groupKey(own))
        return { contradictionId: finding.contradictionId, side: side === 'a' ? 'b' : 'a', claimId: own.claimId }
    }
  }
  return null
}

/** The rules found the same two statements in conflict, by other claims of theirs. */
function saysAlready(found: ContradictionFound, { own, other }: Pair): boolean {
  const a = new Set([found.a, ...found.supportersA])
  const b = new Set([found.b, ...found.supportersB])
  return (a.has(own.claimId) && b.has(other.claimId)) || (b.has(own.claimId) && a.has(other.claimId))
}

/** They share a claim, and both sides say what the lead says. */
function isOneFact({ owns, others, lead }: Cluster, { own, other }: Pair): boolean {
  if (!owns.has(own.claimId) && !others.has(other.claimId)) return false
  return groupKey(own) === groupKey(lead.own) && groupKey(other) === groupKey(lead.other)
}

function contradictionOf(input: MergeReadingsInput, { owns, others, lead }: Cluster): ContradictionFound {
  const { own, other, link } = lead
  const besides = (claims: ReadonlyMap<string, PlacedClaim>, claimId: string) => [...claims.keys()].filter(each => each !== claimId).sort()
  return {
    slotKey: other.slotKey,
    kind: kindOf(lead),
    severity: severityOf(lead),
    subject: link.subject,
    attribute: link.attribute,
    a: other.claimId,
    b: own.claimId,
    supportersA: besides(others, other.claimId),
    supportersB: besides(owns, own.claimId),
    groupA: groupKey(other),
    groupB: groupKey(own),
    reason: link.reason,
    evidence: evidenceOf(input, lead),
    foundBy: input.foundBy,
    confidence: link.confidence,
  }
}

function possibleOf(input: MergeReadingsInput, pair: Pair): Unsure {
  const { own, other, link } = pair
  return {
    a: other.claimId,
    b: own.claimId,
    kind: kindOf(pair),
    severity: severityOf(pair),
    score: Math.min(0.6, link.confidence),
    reason: link.reason,
    evidence: evidenceOf(input, pair),
    slotKey: other.slotKey,
    groupA: groupKey(other),
    groupB: groupKey(own),
    foundBy: input.foundBy,
  }
}

function evidenceOf({ issuerOf }: MergeReadingsInput, { own, other, link }: Pair): Evidence {
  return {
    subject: link.subject,
    shared: [link.attribute],
    differs: [{ a: link.otherValue, b: link.value }],
    times: { a: other.period?.label ?? null, b: own.period?.label ?? null },
    issuers: { a: issuerOf(other.documentId), b: issuerOf(own.documentId) },
  }
}

function kindOf({ own, other }: Pair): ConflictKind {
  if (isFigure(own.value) && isFigure(other.value)) return 'numeric'
  if (own.value.type === 'date' && other.value.type === 'date') return 'date'
  return own.polarity !== other.polarity ? 'negation' : 'categorical'
}

function severityOf({ own, other }: Pair): ContradictionFound['severity'] {
  if (!isFigure(own.value) || !isFigure(other.value)) return 'medium'
  const middle = ({ low, high }: { low: number; high: number }) => (low + high) / 2
  const [x, y] = [middle(own.value), middle(other.value)]
  const apart = Math.abs(x - y) / (Math.max(Math.abs(x), Math.abs(y)) || 1)
  return apart >= 0.5 ? 'high' : apart >= 0.1 ? 'medium' : 'low'
}

/** What a claim says, as far as two claims can say the same. */
function groupKey({ value, valueText, attributeKey }: PlacedClaim): string {
  if (value.type === 'date') return `date ${value.from} ${value.to}`
  if (isFigure(value)) {
    const { low, high } = intervalOf(value, null)
    return `${dimensionOf(value)} ${Number(low.toPrecision(6))} ${Number(high.toPrecision(6))}`
  }
  return value.type === 'boolean' ? cut(`said ${value.value} ${attributeKey}`, 120) : cut(`text ${folded(valueText)}`, 120)
}

function pairKeys({ a, b, supportersA, supportersB }: ContradictionFound): string[] {
  return [a, ...supportersA].flatMap(one => [b, ...supportersB].map(other => keyOf(one, other)))
}

function keyOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

function once(supporters: readonly SupporterAdded[]): SupporterAdded[] {
  return [...new Map(supporters.map(each => [`${each.contradictionId} ${each.claimId}`, each])).values()]
}
