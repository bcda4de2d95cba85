/**
 * Reconciles the claims of one document with those of its scope that share a rare word with them: what replaces what, what
 * contradicts what, what may. Every verdict is a function of the two claims and their documents alone, so the order of
 * arrival changes nothing; only what the caller fetched is looked at, so the cost does not grow with the scope.
 */

import { cut } from '../../platform/storable-text.js'
import { LONG } from '../document/extract.js'
import type {
  ContradictionFound,
  ExistingFinding,
  PlacedClaim,
  ReconcileInput,
  Reconciliation,
  Supersession,
  SupporterAdded,
  Unsure,
} from '../types.js'
import { type Alignment, align } from './align.js'
import { Candidates } from './candidates.js'
import { middle } from './figures.js'
import { Rivalry } from './rivalry.js'
import { areOfTwo } from './separations.js'
import { evidenceOf, judge, reasonOf, replacementReason, type Verdict } from './verdict.js'
import { DocumentView, type StatementView, viewsOf } from './views.js'
import { Vocabulary } from './vocabulary.js'

const MAX_CONTRADICTIONS = 50
const MAX_POSSIBLE = 50

interface Judged {
  a: StatementView
  b: StatementView
  alignment: Alignment
  verdict: Verdict
}

export function reconcile(input: ReconcileInput): Reconciliation {
  const judged = pairsOf(input)
  const ended = new Set<string>()
  const supersessions: Supersession[] = revisionsOf(input)
  for (const pair of judged) {
    if (pair.verdict.kind !== 'superseding') continue
    const [winner, loser] = pair.verdict.winner === 'a' ? [pair.a, pair.b] : [pair.b, pair.a]
    if (input.objected?.has(`${loser.claim.claimId} ${winner.claim.claimId}`)) continue
    const evidence = evidenceOf(pair.alignment, pair.a, pair.b)
    const { by: kind } = pair.verdict
    const reason = replacementReason(kind, winner, loser)
    supersessions.push({ claimId: loser.claim.claimId, byClaimId: winner.claim.claimId, kind, reason, evidence })
    ended.add(loser.claim.claimId)
  }
  const over = (side: StatementView): boolean => ended.has(side.claim.claimId) || side.claim.superseded === true
  const conflicts = judged.filter(pair => pair.verdict.kind === 'contradicting' && !over(pair.a) && !over(pair.b))
  const { contradictions, supporters } = findingsOf(conflicts, input.findings)
  return {
    supersessions,
    contradictions,
    supporters,
    unsure: possibleOf(judged, pair => over(pair.a) || over(pair.b)),
    relations: relationsOf(input.claims, judged, conflicts),
  }
}

/** Claims of the earlier revision of the same document end with the new one. */
function revisionsOf({ previousRevision, claims }: ReconcileInput): Supersession[] {
  const byPlace = new Map(claims.map(claim => [`${claim.subjectKey}|${claim.attributeKey}`, claim]))
  return previousRevision.map(old => ({
    claimId: old.claimId,
    byClaimId: byPlace.get(`${old.subjectKey}|${old.attributeKey}`)?.claimId ?? null,
    kind: 'revision' as const,
    reason: 'A new revision of the same document.',
  }))
}

function pairsOf(input: ReconcileInput): Judged[] {
  const { documentId, reader } = input.document
  const vocabulary = new Vocabulary()
  const document = new DocumentView(documentId, input.document, input.claims, vocabulary)
  const live: StatementView[] = []
  for (const [id, claims] of byDocument(input.live)) {
    const facts = input.documents[id]
    // Another version of the reader kept other things of a statement.
    if (id === documentId || facts?.reader !== reader || !facts) continue
    const other = new DocumentView(id, facts, claims, vocabulary)
    if (!areOfTwo(document, other)) live.push(...viewsOf(other, vocabulary))
  }
  const fresh = viewsOf(document, vocabulary)
  const others = new Candidates(live, vocabulary)
  const isLong = fresh.length > LONG
  const inside = !isLong || fresh.some(({ frame }) => frame.corrects) ? new Candidates(fresh, vocabulary) : null
  const judged: Judged[] = []
  const add = (a: StatementView, b: StatementView, alignment: Alignment | null): void => {
    if (alignment) judged.push({ a, b, alignment, verdict: judge(alignment, a, b) })
  }
  const figures: [StatementView, StatementView][] = []
  const rivalry = new Rivalry()
  for (const [at, side] of fresh.entries()) {
    const rivals = others.rivalsOf(side)
    const own = inside?.rivalsOf(side, at).aligned.filter(rival => mayContradictItself(side, rival, isLong)) ?? []
    for (const rival of [...rivals.aligned, ...own]) {
      const [a, b] = inOrder(side, rival)
      add(a, b, align(a, b))
    }
    for (const rival of rivals.figures) figures.push(inOrder(side, rival))
    rivalry.add(side, rivals.company)
  }
  for (const [a, b] of figures) add(a, b, rivalry.align(a, b))
  return onePerStatement(judged)
}

function byDocument(claims: readonly PlacedClaim[]): Map<string, PlacedClaim[]> {
  const found = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    const known = found.get(claim.documentId)
    if (known) known.push(claim)
    else found.set(claim.documentId, [claim])
  }
  return found
}

/** Rows and labels of one document stand beside each other; a sentence may say otherwise. */
function mayContradictItself(a: StatementView, b: StatementView, isLong: boolean): boolean {
  if (a.claim.start === b.claim.start) return false
  if (!isLong) return a.isSentence || b.isSentence
  return a.isSentence && b.isSentence && (a.frame.corrects || b.frame.corrects)
}

/** Side a is the earlier by date of issue, then by document, then by place in the text. */
function inOrder(x: StatementView, y: StatementView): [StatementView, StatementView] {
  if (x.document !== y.document) return x.document.order < y.document.order ? [x, y] : [y, x]
  return x.claim.start < y.claim.start || (x.claim.start === y.claim.start && x.claim.claimId < y.claim.claimId) ? [x, y] : [y, x]
}

/** Of several figures in two sentences only those that fit best are each other's rivals. */
function onePerStatement(judged: readonly Judged[]): Judged[] {
  const best = new Map<string, Judged>()
  for (const pair of judged) {
    const key = `${pair.a.claim.documentId} ${pair.a.claim.start} ${pair.b.claim.documentId} ${pair.b.claim.start}`
    const known = best.get(key)
    if (!known || betterFirst(pair, known) < 0) best.set(key, pair)
  }
  return [...best.values()].sort(betterFirst)
}

/** Pairs that score alike go by place and value, so that none depends on what was looked at first. */
function betterFirst(x: Judged, y: Judged): number {
  const [one, two] = [placeOf(x), placeOf(y)]
  return y.alignment.score - x.alignment.score || (one < two ? -1 : one > two ? 1 : 0)
}

const placeOf = ({ a, b }: Judged): string =>
  [a, b].map(({ document, claim }) => `${document.order} ${claim.start} ${claim.valueText}`).join(' ')

const kindOf = ({ difference }: Alignment): ContradictionFound['kind'] =>
  difference === 'value' ? 'numeric' : difference === 'date' ? 'date' : difference === 'polarity' ? 'negation' : 'categorical'

interface Cluster {
  lead: Judged
  a: Set<string>
  b: Set<string>
}

/** Edges that share a claim and whose other ends give the same value are one finding. */
function findingsOf(
  conflicts: readonly Judged[],
  existing: readonly ExistingFinding[],
): { contradictions: ContradictionFound[]; supporters: SupporterAdded[] } {
  const supporters: SupporterAdded[] = []
  const clusters: Cluster[] = []
  const sides = conflicts.length === 0 ? new Map<string, KnownSide[]>() : sidesOf(existing)
  for (const pair of conflicts) {
    const joined = joinExisting(pair, sides)
    if (joined === 'known') continue
    if (joined) {
      supporters.push(joined)
      continue
    }
    const [a, b] = [pair.a.claim.claimId, pair.b.claim.claimId]
    const cluster = clusters.find(each => joins(each, pair))
    const crossed = cluster !== undefined && valueKey(cluster.lead.a) === valueKey(pair.b)
    if (!cluster) clusters.push({ lead: pair, a: new Set([a]), b: new Set([b]) })
    else {
      cluster.a.add(crossed ? b : a)
      cluster.b.add(crossed ? a : b)
    }
  }
  return { contradictions: clusters.slice(0, MAX_CONTRADICTIONS).map(found), supporters }
}

function joins({ lead, a, b }: Cluster, pair: Judged): boolean {
  if (![pair.a, pair.b].some(({ claim }) => a.has(claim.claimId) || b.has(claim.claimId))) return false
  const [x, y, own, other] = [lead.a, lead.b, pair.a, pair.b].map(valueKey)
  return (x === own && y === other) || (x === other && y === own)
}

function found({ a, b, lead }: Cluster): ContradictionFound {
  const evidence = evidenceOf(lead.alignment, lead.a, lead.b)
  const [one, two] = [lead.a.claim, lead.b.claim]
  const others = (ids: Set<string>, id: string): string[] => [...ids].filter(each => each !== id).sort()
  return {
    slotKey: one.slotKey,
    kind: kindOf(lead.alignment),
    severity: severityOf(lead),
    subject: evidence.subject ? capitalized(evidence.subject) : one.subject,
    attribute: one.attribute,
    a: one.claimId,
    b: two.claimId,
    supportersA: others(a, one.claimId),
    supportersB: others(b, two.claimId),
    groupA: valueKey(lead.a),
    groupB: valueKey(lead.b),
    reason: reasonOf(lead.alignment, evidence),
    evidence,
  }
}

const capitalized = (text: string): string => text.replace(/(?:^|\s)\p{Ll}/gu, letter => letter.toUpperCase())

interface KnownSide {
  finding: ExistingFinding
  side: 'a' | 'b'
}

function sidesOf(findings: readonly ExistingFinding[]): Map<string, KnownSide[]> {
  const sides = new Map<string, KnownSide[]>()
  // What is closed because a side was replaced says nothing of who says it again.
  for (const finding of findings.filter(({ status }) => status !== 'closed'))
    for (const side of ['a', 'b'] as const)
      for (const id of side === 'a' ? finding.claimIdsA : finding.claimIdsB) {
        const known = sides.get(id)
        if (known) known.push({ finding, side })
        else sides.set(id, [{ finding, side }])
      }
  return sides
}

/** A pair one of whose claims is in a finding already, and whose other end says what the finding's other side says. */
function joinExisting(pair: Judged, sides: ReadonlyMap<string, readonly KnownSide[]>): SupporterAdded | 'known' | null {
  for (const [own, other] of [
    [pair.a, pair.b],
    [pair.b, pair.a],
  ] as const)
    for (const { finding, side } of sides.get(own.claim.claimId) ?? []) {
      const across = side === 'a' ? 'b' : 'a'
      const ids = across === 'a' ? finding.claimIdsA : finding.claimIdsB
      if (ids.includes(other.claim.claimId)) return 'known'
      if ((across === 'a' ? finding.groupA : finding.groupB) === valueKey(other))
        return { contradictionId: finding.contradictionId, side: across, claimId: other.claim.claimId }
    }
  return null
}

/** What a side says, as far as two sides can say the same. */
function valueKey({ claim, value: viewed }: StatementView): string {
  const { value } = claim
  if (value.type === 'date') return `date ${value.from} ${value.to}`
  if (viewed?.type === 'number')
    return `${viewed.dimension} ${Number(viewed.interval.low.toPrecision(6))} ${Number(viewed.interval.high.toPrecision(6))}`
  if (value.type === 'boolean') return cut(`said ${value.value} ${claim.attributeKey}`, 120)
  return value.type === 'name' || value.type === 'category' ? `text ${value.value.toLowerCase()}` : claim.valueText
}

const WEIGHTY =
  /\b(?:safety|death|fatal\w*|serious|solvency|revenue|compliance|breach|fraud|liquidity|cash|covenant|toxicity|emission\w*|diagnos\w+|allerg\w+)\b/i

function severityOf({ a, b, alignment }: Judged): ContradictionFound['severity'] {
  const weighty = WEIGHTY.test(`${a.claim.attribute} ${b.claim.attribute}`)
  if (alignment.difference !== 'value' || a.value?.type !== 'number' || b.value?.type !== 'number') return weighty ? 'high' : 'medium'
  const [x, y] = [middle(a.value), middle(b.value)]
  const away = Math.abs(x - y) / (Math.max(Math.abs(x), Math.abs(y)) || 1)
  if (away >= 0.5) return weighty ? 'critical' : 'high'
  return away >= 0.1 ? (weighty ? 'high' : 'medium') : weighty ? 'medium' : 'low'
}

/**
 * The best one between two documents, where neither of its claims contradicts the other document anyway. Chosen before it is
 * asked whether a side was replaced: so neither the choice nor its end depends on the order of arrival.
 */
function possibleOf(judged: readonly Judged[], isOver: (pair: Judged) => boolean): Unsure[] {
  const against = (one: StatementView, other: StatementView): string => `${one.claim.claimId} ${other.claim.documentId}`
  const disputed = new Set(
    judged.filter(({ verdict }) => verdict.kind === 'contradicting').flatMap(({ a, b }) => [against(a, b), against(b, a)]),
  )
  const best = new Map<string, Judged>()
  for (const pair of judged) {
    const { a, b, verdict, alignment } = pair
    if (verdict.kind !== 'possible' || a.document === b.document) continue
    if (disputed.has(against(a, b)) || disputed.has(against(b, a))) continue
    const documents = `${a.claim.documentId} ${b.claim.documentId}`
    const known = best.get(documents)
    const order =
      known === undefined
        ? 1
        : alignment.score - known.alignment.score || known.a.claim.start - a.claim.start || known.b.claim.start - b.claim.start
    if (order > 0) best.set(documents, pair)
  }
  return [...best.values()]
    .filter(pair => !isOver(pair))
    .sort((x, y) => y.alignment.score - x.alignment.score)
    .slice(0, MAX_POSSIBLE)
    .map(({ a, b, alignment }) => {
      const evidence = evidenceOf(alignment, a, b)
      return {
        a: a.claim.claimId,
        b: b.claim.claimId,
        kind: kindOf(alignment),
        score: Math.round(alignment.score * 1000) / 1000,
        reason: reasonOf(alignment, evidence),
        evidence,
      }
    })
}

/** What a claim is to others, the stronger over the weaker. */
function relationsOf(claims: readonly PlacedClaim[], judged: readonly Judged[], conflicts: readonly Judged[]): Reconciliation['relations'] {
  const relations = new Map<string, Reconciliation['relations'][number]['relation']>()
  for (const kind of ['possible', 'evolving', 'superseding'] as const)
    for (const { a, b } of judged.filter(pair => pair.verdict.kind === kind))
      for (const { claim } of [a, b]) relations.set(claim.claimId, kind === 'possible' ? 'unsure' : kind)
  for (const { a, b } of conflicts) for (const { claim } of [a, b]) relations.set(claim.claimId, 'contradicting')
  return claims.map(({ claimId }) => ({ claimId, relation: relations.get(claimId) ?? 'new' }))
}
