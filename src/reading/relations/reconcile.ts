/**
 * Reconciles the claims of one document with those of its scope that share a rare word with them: what replaces what, what
 * contradicts what, what may. Every verdict is a function of the two claims and their documents alone, so the order of
 * arrival changes nothing; only what the caller fetched is looked at, so the cost does not grow with the scope.
 */

import type { ReadClaim } from '../document/extract.js'
import type {
  ContradictionFound,
  DocumentFacts,
  ExistingFinding,
  PlacedClaim,
  ReconcileInput,
  Reconciliation,
  Supersession,
  SupporterAdded,
  Unsure,
} from '../types.js'
import { type Alignment, align } from './align.js'
import { areFigures, Candidates, LONG } from './candidates.js'
import { Rivalry } from './rivalry.js'
import { evidenceOf, type JudgedSide, judge, reasonOf, type Verdict } from './verdict.js'
import { DocumentView, StatementView } from './views.js'
import { Vocabulary } from './vocabulary.js'

const MAX_CONTRADICTIONS = 50
const MAX_POSSIBLE = 50

interface Side extends JudgedSide {
  /** Date of issue, then document. */
  order: string
  claim: PlacedClaim & ReadClaim
}

interface Judged {
  a: Side
  b: Side
  alignment: Alignment
  verdict: Verdict
}

export function reconcile(input: ReconcileInput): Reconciliation {
  const judged = pairsOf(input)
  const ended = new Map<string, Supersession>()
  const supersessions: Supersession[] = revisionsOf(input)
  for (const pair of judged) {
    if (pair.verdict.kind !== 'superseding') continue
    const [winner, loser] = pair.verdict.winner === 'a' ? [pair.a, pair.b] : [pair.b, pair.a]
    if (input.objected?.has(`${loser.claim.claimId} ${winner.claim.claimId}`)) continue
    const evidence = evidenceOf(pair.alignment, pair.a, pair.b)
    const supersession: Supersession = {
      claimId: loser.claim.claimId,
      byClaimId: winner.claim.claimId,
      kind: pair.verdict.by,
      reason:
        pair.verdict.by === 'words' ? 'Openly corrected or replaced.' : `A later ${winner.facts.kind ?? 'document'} of the same issuer.`,
      evidence,
    }
    supersessions.push(supersession)
    ended.set(loser.claim.claimId, supersession)
  }
  const over = (side: Side): boolean => ended.has(side.claim.claimId) || side.claim.superseded === true
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
  const documents = new Map<string, DocumentView>()
  const vocabulary = new Vocabulary()
  const factsOf = (documentId: string): DocumentFacts | undefined =>
    documentId === input.document.documentId ? input.document : input.documents[documentId]
  const sideOf = (claim: PlacedClaim): Side | null => {
    const facts = factsOf(claim.documentId)
    const read = claim as PlacedClaim & ReadClaim
    // Another version of the reader kept other things of a statement.
    if (!facts || !read.frame || facts.reader !== input.document.reader) return null
    let known = documents.get(claim.documentId)
    if (known === undefined) {
      known = new DocumentView(facts)
      documents.set(claim.documentId, known)
    }
    const order = `${facts.issuedOn ?? '9999'} ${claim.documentId}`
    return { claim: read, facts, start: claim.start, order, view: new StatementView(read, known, vocabulary) }
  }
  const fresh = input.claims.map(sideOf).filter(side => side !== null)
  const old = input.live
    .filter(claim => claim.documentId !== input.document.documentId)
    .map(sideOf)
    .filter(side => side !== null)
  const others = new Candidates(old, vocabulary)
  const own = new Candidates(fresh, vocabulary)
  for (const at of old.keys()) others.index(at)
  const mayCorrectItself = fresh.length <= LONG || fresh.some(({ view }) => view.frame.corrects)
  const judged: Judged[] = []
  const figures = new Rivalry<Side>()
  const compare = (side: Side, rival: Side, isClose: boolean): void => {
    const isFigures = areFigures(side.view, rival.view)
    if (!isClose && !isFigures) return
    const [a, b] = inOrder(side, rival)
    if (isFigures) figures.add(a, b, isClose)
    else {
      const alignment = align(a.view, b.view)
      if (typeof alignment !== 'string') judged.push({ a, b, alignment, verdict: judge(alignment, a, b) })
    }
  }
  for (const [at, side] of fresh.entries()) {
    others.forRivalsOf(side, (rival, isClose) => compare(side, rival, isClose))
    if (mayCorrectItself)
      own.forRivalsOf(side, (rival, isClose) => {
        if (mayContradictItself(side, rival, fresh.length > LONG)) compare(side, rival, isClose)
      })
    own.index(at)
  }
  for (const { a, b, alignment } of figures.aligned()) judged.push({ a, b, alignment, verdict: judge(alignment, a, b) })
  return onePerStatement(judged)
}

/** Rows and labels of one document stand beside each other; a sentence may say otherwise. */
function mayContradictItself(a: Side, b: Side, isLong: boolean): boolean {
  if (a.claim.start === b.claim.start) return false
  const sentences = (a.view.frame.kind === 'sentence' ? 1 : 0) + (b.view.frame.kind === 'sentence' ? 1 : 0)
  if (!isLong) return sentences > 0
  return sentences === 2 && (a.view.frame.corrects || b.view.frame.corrects)
}

/** Side a is the earlier by date of issue, then by document, then by place in the text. */
function inOrder(x: Side, y: Side): [Side, Side] {
  if (x.order !== y.order) return x.order < y.order ? [x, y] : [y, x]
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
  return [...best.values()]
}

/** Pairs that score alike go by place and value, so that none depends on what was looked at first. */
function betterFirst(x: Judged, y: Judged): number {
  const [one, two] = [placeOf(x), placeOf(y)]
  return y.alignment.score - x.alignment.score || (one < two ? -1 : one > two ? 1 : 0)
}

const placeOf = ({ a, b }: Judged): string => `${a.order} ${a.start} ${a.claim.valueText} ${b.order} ${b.start} ${b.claim.valueText}`

const kindOf = ({ difference }: Alignment): ContradictionFound['kind'] =>
  difference === 'value' ? 'numeric' : difference === 'date' ? 'date' : difference === 'polarity' ? 'negation' : 'categorical'

/** Edges that share a claim and whose other ends give the same value are one finding. */
function findingsOf(
  conflicts: readonly Judged[],
  existing: readonly ExistingFinding[],
): { contradictions: ContradictionFound[]; supporters: SupporterAdded[] } {
  const supporters: SupporterAdded[] = []
  const clusters: { a: Map<string, Side>; b: Map<string, Side>; lead: Judged }[] = []
  const sides = sidesOf(existing)
  for (const pair of [...conflicts].sort(betterFirst)) {
    const joined = joinExisting(pair, sides)
    if (joined === 'known') continue
    if (joined) {
      supporters.push(joined)
      continue
    }
    const [keyA, keyB] = [valueKey(pair.a), valueKey(pair.b)]
    const cluster = clusters.find(each => meetsIn(each, pair, keyA, keyB))
    if (!cluster) clusters.push({ a: new Map([[pair.a.claim.claimId, pair.a]]), b: new Map([[pair.b.claim.claimId, pair.b]]), lead: pair })
    else {
      const crossed = [...cluster.a.values()].some(side => valueKey(side) === keyB)
      for (const [side, to] of [
        [pair.a, crossed ? cluster.b : cluster.a],
        [pair.b, crossed ? cluster.a : cluster.b],
      ] as const)
        to.set(side.claim.claimId, side)
    }
  }
  return { contradictions: clusters.slice(0, MAX_CONTRADICTIONS).map(found), supporters }
}

function meetsIn(cluster: { a: Map<string, Side>; b: Map<string, Side> }, pair: Judged, keyA: string, keyB: string): boolean {
  const shares =
    cluster.a.has(pair.a.claim.claimId) ||
    cluster.b.has(pair.b.claim.claimId) ||
    cluster.a.has(pair.b.claim.claimId) ||
    cluster.b.has(pair.a.claim.claimId)
  if (!shares) return false
  const keys = (sides: Map<string, Side>): string => valueKey([...sides.values()][0]!)
  const [x, y] = [keys(cluster.a), keys(cluster.b)]
  return (x === keyA && y === keyB) || (x === keyB && y === keyA)
}

function found({ a, b, lead }: { a: Map<string, Side>; b: Map<string, Side>; lead: Judged }): ContradictionFound {
  const evidence = evidenceOf(lead.alignment, lead.a, lead.b)
  const others = (sides: Map<string, Side>, id: string): string[] => [...sides.keys()].filter(each => each !== id).sort()
  const swapped = !a.has(lead.a.claim.claimId)
  const [sideA, sideB] = swapped ? [b, a] : [a, b]
  return {
    slotKey: lead.a.claim.slotKey,
    kind: kindOf(lead.alignment),
    severity: severityOf(lead),
    subject: evidence.subject ? capitalized(evidence.subject) : lead.a.claim.subject,
    attribute: lead.a.claim.attribute,
    a: lead.a.claim.claimId,
    b: lead.b.claim.claimId,
    supportersA: others(sideA, lead.a.claim.claimId),
    supportersB: others(sideB, lead.b.claim.claimId),
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
      for (const id of side === 'a' ? finding.claimIdsA : finding.claimIdsB) sides.set(id, [...(sides.get(id) ?? []), { finding, side }])
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
function valueKey({ claim, view }: Side): string {
  const { value } = claim
  if (value.type === 'date') return `date ${value.from} ${value.to}`
  if (view.value?.type === 'number')
    return `${view.value.dimension} ${Number(view.value.interval.low.toPrecision(6))} ${Number(view.value.interval.high.toPrecision(6))}`
  if (value.type === 'boolean') return `said ${value.value} ${claim.attributeKey}`.slice(0, 120)
  return value.type === 'name' || value.type === 'category' ? `text ${value.value.toLowerCase()}` : claim.valueText
}

const WEIGHTY =
  /\b(?:safety|death|fatal\w*|serious|solvency|revenue|compliance|breach|fraud|liquidity|cash|covenant|toxicity|emission\w*|diagnos\w+|allerg\w+)\b/i

function severityOf({ a, b, alignment }: Judged): ContradictionFound['severity'] {
  const weighty = WEIGHTY.test(`${a.claim.attribute} ${b.claim.attribute}`)
  if (alignment.difference !== 'value' || a.view.value?.type !== 'number' || b.view.value?.type !== 'number')
    return weighty ? 'high' : 'medium'
  const middle = ({ low, high }: { low: number; high: number }): number =>
    Number.isFinite(low) ? (Number.isFinite(high) ? (low + high) / 2 : low) : high
  const [x, y] = [middle(a.view.value.interval), middle(b.view.value.interval)]
  const away = Math.abs(x - y) / (Math.max(Math.abs(x), Math.abs(y)) || 1)
  if (away >= 0.5) return weighty ? 'critical' : 'high'
  return away >= 0.1 ? (weighty ? 'high' : 'medium') : weighty ? 'medium' : 'low'
}

/**
 * The best one between two documents, where neither of its claims contradicts the other document anyway. Chosen before it is
 * asked whether a side was replaced: so neither the choice nor its end depends on the order of arrival.
 */
function possibleOf(judged: readonly Judged[], isOver: (pair: Judged) => boolean): Unsure[] {
  const against = (one: Side, other: Side): string => `${one.claim.claimId} ${other.claim.documentId}`
  const disputed = new Set(
    judged.filter(({ verdict }) => verdict.kind === 'contradicting').flatMap(({ a, b }) => [against(a, b), against(b, a)]),
  )
  const best = new Map<string, Judged>()
  for (const pair of judged) {
    const { a, b, verdict, alignment } = pair
    if (verdict.kind !== 'possible' || a.view.document === b.view.document) continue
    if (disputed.has(against(a, b)) || disputed.has(against(b, a))) continue
    const documents = `${a.claim.documentId} ${b.claim.documentId}`
    const known = best.get(documents)
    const order = known === undefined ? 1 : alignment.score - known.alignment.score || known.a.start - a.start || known.b.start - b.start
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

function relationsOf(claims: readonly PlacedClaim[], judged: readonly Judged[], conflicts: readonly Judged[]): Reconciliation['relations'] {
  const relations = new Map<string, Reconciliation['relations'][number]['relation']>()
  for (const pair of judged)
    for (const { claim } of [pair.a, pair.b]) {
      const { kind } = pair.verdict
      if (kind === 'evolving' || kind === 'superseding') relations.set(claim.claimId, kind)
      else if (kind === 'possible' && !relations.has(claim.claimId)) relations.set(claim.claimId, 'unsure')
    }
  for (const pair of conflicts) for (const { claim } of [pair.a, pair.b]) relations.set(claim.claimId, 'contradicting')
  return claims.map(({ claimId }) => ({ claimId, relation: relations.get(claimId) ?? 'new' }))
}
