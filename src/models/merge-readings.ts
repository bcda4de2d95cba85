/**
 * Two readers, one result. What the rules concluded stands; what the model found is added under its name. One fact is one
 * finding: links from claims of the same value to claims of the same other value become one contradiction with supporters, and
 * what a standing contradiction already says only supports it.
 *
 * A contradiction of the rules that the model finds compatible becomes a possible conflict. A replacement acts by itself only
 * where one issuer says it later, in words of the newer document, and nobody else contradicts what it replaces; any other is
 * proposed to a person. Silence changes nothing.
 */

import { cut } from '../platform/storable-text.js'
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
import { dimensionOf, intervalOf } from '../reading/values/compare-values.js'
import { isSameIssuer } from './issuers.js'
import { folded, isFigure } from './typed-value.js'
import type { Acquitted, VerifiedLink, VerifiedReading } from './verdicts.js'

export interface MergeReadingsInput {
  concluded: Reconciliation
  reading: Pick<VerifiedReading, 'links' | 'acquitted' | 'cleared'>
  /** The claims of the document, by their index in its reading. */
  claims: readonly PlacedClaim[]
  /** Earlier claims that count still, and those that are lent, by their keys; links to others are over. */
  known: ReadonlyMap<string, PlacedClaim>
  findings: readonly ExistingFinding[]
  /** Of each document, who issued it and when. */
  factsOf: (documentId: string) => { issuer: string | null; issuedOn: string | null } | undefined
  /** Document of a claim on a side of a finding. */
  documentOf: (claimId: string) => string | undefined
  foundBy: string
}

export function mergeReadings(input: MergeReadingsInput): Reconciliation {
  const pairs = pairsOf(input)
  const concluded = withAcquitted(input, pairs)
  const reported = new Set(concluded.contradictions.flatMap(pairKeys))
  const replaced = replacements(input, pairs, concluded)
  const supersessions = replaced.map(({ older, pair, by }) => ({
    claimId: older.claimId,
    byClaimId: by,
    kind: 'words' as const,
    reason: pair.link.reason,
    evidence: evidenceOf(input, pair),
    foundBy: input.foundBy,
  }))
  const acting = new Set(replaced.map(({ pair }) => pair))
  const gone = new Set([...concluded.supersessions, ...supersessions].map(each => each.claimId))
  const fresh = pairs.filter(
    pair =>
      !acting.has(pair) &&
      !gone.has(pair.own.claimId) &&
      !gone.has(pair.other.claimId) &&
      !reported.has(keyOf(pair.own.claimId, pair.other.claimId)),
  )
  const { contradictions, supporters } = findingsOf(
    input,
    fresh.filter(({ link }) => link.relation === 'contradicts'),
    concluded,
  )
  const conflicting = new Set([...concluded.contradictions, ...contradictions].flatMap(pairKeys))
  const possible = fresh.filter(({ link }) => link.relation !== 'contradicts').map(pair => possibleOf(input, pair))
  const asked = new Set(possible.map(({ a, b }) => keyOf(a, b)))
  const unsure = withCleared(input, concluded.unsure).filter(({ a, b }) => !conflicting.has(keyOf(a, b)) && !asked.has(keyOf(a, b)))
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

interface Replacement {
  pair: Pair
  older: PlacedClaim
  by: string
}

/** Those that act: no claim is replaced by what it replaces itself, and of a chain the last counts, so that each can be objected to. */
function replacements(input: MergeReadingsInput, pairs: readonly Pair[], concluded: Reconciliation): Replacement[] {
  const successor = new Map(
    concluded.supersessions.flatMap(each => (each.byClaimId === null ? [] : [[each.claimId, each.byClaimId] as const])),
  )
  const last = (claimId: string): string => {
    const next = successor.get(claimId)
    return next === undefined || next === claimId ? claimId : last(next)
  }
  const disputed = disputedClaims(input, pairs, concluded)
  const doubted = new Set(input.concluded.contradictions.flatMap(pairKeys))
  const ended = new Set(concluded.supersessions.map(each => each.claimId))
  const taken: Replacement[] = []
  for (const pair of pairs) {
    const { older, newer } = sidesOf(pair)
    if (pair.link.relation !== 'supersedes' || !actsAlone(input, pair, disputed)) continue
    // What the rules hold for a contradiction is a person's to close.
    if (doubted.has(keyOf(older.claimId, newer.claimId)) || ended.has(older.claimId) || last(newer.claimId) === older.claimId) continue
    ended.add(older.claimId)
    successor.set(older.claimId, newer.claimId)
    taken.push({ pair, older, by: newer.claimId })
  }
  return taken.map(each => ({ ...each, by: last(each.by) }))
}

function sidesOf({ own, other, link }: Pair): { older: PlacedClaim; newer: PlacedClaim } {
  return link.newer === 'other' ? { older: own, newer: other } : { older: other, newer: own }
}

/**
 * A document may say that it changes itself. Of another document it takes one issuer, a later date and words of the newer one; and
 * what a third document contradicts is not settled by one of the two.
 */
function actsAlone({ factsOf }: MergeReadingsInput, pair: Pair, disputed: (claim: PlacedClaim, by: PlacedClaim) => boolean): boolean {
  const { link } = pair
  const { older, newer } = sidesOf(pair)
  if (link.says !== true) return false
  if (older.documentId === newer.documentId) return true
  const [before, after] = [factsOf(older.documentId), factsOf(newer.documentId)]
  const isLater = before?.issuedOn != null && after?.issuedOn != null && after.issuedOn > before.issuedOn
  return isLater && isSameIssuer(before.issuer, after.issuer) && !disputed(older, newer)
}

/** Whether an undecided contradiction, found before or now, ties a claim to a document other than the one that would replace it. */
function disputedClaims({ findings, documentOf, known, claims }: MergeReadingsInput, pairs: readonly Pair[], concluded: Reconciliation) {
  const documentIn = new Map([...known.values(), ...claims].map(claim => [claim.claimId, claim.documentId]))
  const opposed = new Map<string, Set<string>>()
  const note = (a: readonly string[], b: readonly string[]): void => {
    for (const [one, others] of [...a.map(id => [id, b] as const), ...b.map(id => [id, a] as const)]) {
      const documents = opposed.get(one) ?? new Set()
      for (const id of others) documents.add(documentIn.get(id) ?? documentOf(id) ?? id)
      opposed.set(one, documents)
    }
  }
  for (const { status, claimIdsA, claimIdsB } of findings) if (status === 'open') note(claimIdsA, claimIdsB)
  for (const found of concluded.contradictions) note([found.a, ...found.supportersA], [found.b, ...found.supportersB])
  for (const { own, other, link } of pairs) if (link.relation === 'contradicts') note([own.claimId], [other.claimId])
  return (claim: PlacedClaim, by: PlacedClaim) => [...(opposed.get(claim.claimId) ?? [])].some(each => each !== by.documentId)
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

/** Possible conflicts of the rules that the model finds compatible: nobody is asked about them. */
function withCleared(input: MergeReadingsInput, unsure: readonly Unsure[]): Unsure[] {
  const reasons = new Map(input.reading.cleared.map(each => [keysOf(input, each), each.reason]))
  return unsure.map(each => {
    const reason = each.foundBy === undefined ? reasons.get(keyOf(each.a, each.b)) : undefined
    return reason === undefined ? each : { ...each, cleared: { by: input.foundBy, reason } }
  })
}

function keysOf({ claims }: MergeReadingsInput, each: Acquitted): string {
  const idOf = (side: string | number) => (typeof side === 'number' ? (claims[side]?.claimId ?? '') : side)
  return keyOf(idOf(each.own), idOf(each.other))
}

/** That one replaces the other is a reason too. */
function withAcquitted(input: MergeReadingsInput, pairs: readonly Pair[]): Reconciliation {
  const { concluded, reading, foundBy } = input
  const reasons = new Map<string, string>([
    ...pairs.flatMap(({ own, other, link }) =>
      link.relation === 'supersedes' ? [[keyOf(own.claimId, other.claimId), link.reason] as const] : [],
    ),
    ...reading.acquitted.map(each => [keysOf(input, each), each.reason] as const),
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
      reason: `${found.reason} ${foundBy} does not consider this a conflict: ${reason}`,
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
  return { contradictions: clusters.map(cluster => contradictionOf(input, cluster)), supporters: once(supporters) }
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

/** Of a replacement that is proposed, the older first. */
function possibleOf(input: MergeReadingsInput, pair: Pair): Unsure {
  const { link } = pair
  const { older, newer } = sidesOf(pair)
  return {
    a: older.claimId,
    b: newer.claimId,
    kind: kindOf(pair),
    severity: severityOf(pair),
    score: Math.min(link.relation === 'supersedes' ? 0.55 : 0.6, link.confidence),
    reason: link.reason,
    ...(link.relation === 'supersedes' && { proposes: 'replacement' as const }),
    evidence: evidenceOf(input, pair),
    slotKey: older.slotKey,
    groupA: groupKey(older),
    groupB: groupKey(newer),
    foundBy: input.foundBy,
  }
}

function evidenceOf({ factsOf }: MergeReadingsInput, pair: Pair): Evidence {
  const { own, other, link } = pair
  const isTurned = link.relation !== 'contradicts' && link.newer === 'other'
  const [a, b] = isTurned ? [own, other] : [other, own]
  return {
    subject: link.subject,
    shared: [link.attribute],
    differs: [isTurned ? { a: link.value, b: link.otherValue } : { a: link.otherValue, b: link.value }],
    times: { a: a.period?.label ?? null, b: b.period?.label ?? null },
    issuers: { a: factsOf(a.documentId)?.issuer ?? null, b: factsOf(b.documentId)?.issuer ?? null },
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
  if (value.type !== 'boolean') return cut(`text ${folded(valueText)}`, 120)
  // A sentence that is one claim may hold figures all the same: those who give two stand on two sides.
  const figures = valueText.match(/\d+(?:[.,:/]\d+)*/g)?.slice(0, 8) ?? []
  return cut([`said ${value.value} ${attributeKey}`, ...figures].join(' '), 120)
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
