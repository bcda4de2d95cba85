/**
 * Reconciles the claims of one document with the live claims of its scope: what is repeated, what replaces what, and which
 * groups of claims contradict each other. Looks only at what the caller fetched by key, so its cost does not grow with the scope.
 */
import { distance, valueKey } from './compare.js'
import { type Relation, type RelationKind, relate, type Situation } from './relate.js'
import { viewOf } from './similar.js'
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
} from './types.js'
import { FUNCTION_WORDS, stem, tokenize } from './words.js'

interface Pair {
  old: PlacedClaim
  fresh: PlacedClaim
  relation: Relation
}

const OFFICE = new Set(
  'office department team unit practice group division section function director head officer senior chief lead finance'
    .split(' ')
    .map(word => stem(word)),
)

function issuerWords(facts: DocumentFacts | null): Set<string> {
  if (!facts?.issuer) return new Set()
  return new Set(
    tokenize(facts.issuer)
      .map(token => stem(token.lower))
      .filter(word => word.length > 1 && !FUNCTION_WORDS.has(word) && !OFFICE.has(word)),
  )
}

/** The same office or the same person; unknown issuers are never the same. */
export function sameIssuer(a: DocumentFacts | null, b: DocumentFacts | null): boolean {
  const left = issuerWords(a)
  const right = issuerWords(b)
  if (!left.size || !right.size) return false
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared / Math.min(left.size, right.size) >= 0.5
}

function replacesDocument(fresh: DocumentFacts, old: DocumentFacts | null, supersedes: readonly string[]): boolean {
  if (!old || fresh === old) return false
  const title = old.title?.toLowerCase() ?? ''
  return supersedes.some(text => {
    const lower = text.toLowerCase()
    if (old.reference && lower.includes(old.reference.toLowerCase())) return true
    if (old.issuedOn && lower.includes(old.issuedOn)) return true
    return title.length > 8 && lower.includes(title)
  })
}

class Situations {
  private readonly known = new Map<string, Situation>()
  private readonly input: ReconcileInput

  constructor(input: ReconcileInput) {
    this.input = input
  }

  of(documentId: string): Situation {
    const known = this.known.get(documentId)
    if (known) return known
    const { document, memory } = this.input
    const old = memory.documents[documentId] ?? null
    const made: Situation = {
      sameDocument: documentId === document.documentId,
      sameIssuer: sameIssuer(old, document),
      later: !old?.issuedOn || !document.issuedOn || old.issuedOn <= document.issuedOn,
      oldDocument: old,
      newDocument: document,
      replaces: replacesDocument(document, old, []),
    }
    this.known.set(documentId, made)
    return made
  }
}

/** Claims that share a key, so that only those are compared. */
function byKey(claims: readonly PlacedClaim[]): Map<string, PlacedClaim[]> {
  const map = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    const bucket = map.get(claim.slotKey)
    if (bucket) bucket.push(claim)
    else map.set(claim.slotKey, [claim])
  }
  return map
}

const MAX_RIVALS = 64

function pairsOf(input: ReconcileInput): Pair[] {
  const ids = new Set(input.claims.map(claim => claim.claimId))
  const live = byKey(input.live.filter(claim => !ids.has(claim.claimId) && claim.documentId !== input.document.documentId))
  const own = byKey(input.claims)
  const order = new Map(input.claims.map((claim, index) => [claim.claimId, index]))
  const situations = new Situations(input)
  const pairs: Pair[] = []
  for (const fresh of input.claims) {
    const view = viewOf(fresh)
    const seen = new Set<string>()
    for (const key of [fresh.slotKey, ...fresh.lookupKeys]) {
      const earlier = (own.get(key) ?? []).filter(claim => order.get(claim.claimId)! < order.get(fresh.claimId)!)
      for (const old of [...(live.get(key) ?? []).slice(0, MAX_RIVALS), ...earlier.slice(-MAX_RIVALS)]) {
        if (seen.has(old.claimId)) continue
        seen.add(old.claimId)
        const relation = relate(viewOf(old), view, situations.of(old.documentId))
        if (relation) pairs.push({ old, fresh, relation })
      }
    }
  }
  return pairs
}

/** Each claim ends at most once, by the surest winner. */
function supersessionsOf(pairs: readonly Pair[]): Map<string, { by: PlacedClaim; reason: string; weight: number }> {
  const ended = new Map<string, { by: PlacedClaim; reason: string; weight: number }>()
  for (const { old, fresh, relation } of pairs) {
    if (relation.kind !== 'superseding') continue
    const [loser, winner] = relation.loser === 'old' ? [old, fresh] : [fresh, old]
    const known = ended.get(loser.claimId)
    if (!known || relation.weight > known.weight) ended.set(loser.claimId, { by: winner, reason: relation.reason, weight: relation.weight })
  }
  return ended
}

interface Cluster {
  a: Map<string, PlacedClaim>
  b: Map<string, PlacedClaim>
  best: Pair
}

/** Pairs whose sides say the same belong to one contradiction. */
function clustersOf(pairs: readonly Pair[]): Cluster[] {
  const clusters = new Map<string, Cluster>()
  for (const pair of pairs) {
    const { old, fresh, relation } = pair
    const key = [fresh.slotKey, old.subjectKey === fresh.subjectKey ? old.subjectKey : '', valueKey(old.value), valueKey(fresh.value)].join(
      '|',
    )
    const cluster = clusters.get(key)
    if (!cluster) clusters.set(key, { a: new Map([[old.claimId, old]]), b: new Map([[fresh.claimId, fresh]]), best: pair })
    else {
      cluster.a.set(old.claimId, old)
      cluster.b.set(fresh.claimId, fresh)
      if (relation.weight > cluster.best.relation.weight) cluster.best = pair
    }
  }
  return [...clusters.values()]
}

function kindOf(claim: PlacedClaim): ContradictionFound['kind'] {
  if (claim.value.type === 'date') return 'date'
  if (claim.value.type === 'boolean') return 'negation'
  return claim.value.type === 'category' || claim.value.type === 'name' ? 'categorical' : 'numeric'
}

const WEIGHTY = /\b(?:safety|death|fatal|serious|solvency|scr|revenue|compliance|breach|fraud|liquidity|cash|covenant|toxicity|emission)/i

function severityOf(a: PlacedClaim, b: PlacedClaim): ContradictionFound['severity'] {
  const away = distance(a.value, b.value)
  const weighty = WEIGHTY.test(b.attribute)
  if (away === null) return weighty ? 'high' : 'medium'
  if (away >= 0.5) return weighty ? 'critical' : 'high'
  if (away >= 0.1) return weighty ? 'high' : 'medium'
  return weighty ? 'medium' : 'low'
}

/** Adds to a known finding what it does not hold yet; true when the finding covers the cluster. */
function addToKnown(cluster: Cluster, findings: readonly ExistingFinding[], supporters: SupporterAdded[]): boolean {
  for (const finding of findings) {
    const sideA = new Set(finding.claimIdsA)
    const sideB = new Set(finding.claimIdsB)
    const holds = (side: Set<string>, claims: Map<string, PlacedClaim>, group: string): boolean =>
      [...claims.keys()].some(id => side.has(id)) || ([...claims.values()].some(claim => valueKey(claim.value) === group) && false)
    const value = (claims: Map<string, PlacedClaim>): string => valueKey([...claims.values()][0]!.value)
    const straight =
      (holds(sideA, cluster.a, finding.groupA) && value(cluster.b) === finding.groupB) ||
      (holds(sideB, cluster.b, finding.groupB) && value(cluster.a) === finding.groupA)
    const crossed =
      (holds(sideB, cluster.a, finding.groupB) && value(cluster.b) === finding.groupA) ||
      (holds(sideA, cluster.b, finding.groupA) && value(cluster.a) === finding.groupB)
    if (!straight && !crossed) continue
    if (finding.status === 'open') {
      for (const id of cluster.a.keys())
        if (!sideA.has(id) && !sideB.has(id))
          supporters.push({ contradictionId: finding.contradictionId, side: straight ? 'a' : 'b', claimId: id })
      for (const id of cluster.b.keys())
        if (!sideA.has(id) && !sideB.has(id))
          supporters.push({ contradictionId: finding.contradictionId, side: straight ? 'b' : 'a', claimId: id })
    }
    return true
  }
  return false
}

function previousSupersessions(input: ReconcileInput): Supersession[] {
  const used = new Set<string>()
  return input.previousRevision.map(old => {
    const heir = input.claims.find(
      claim =>
        !used.has(claim.claimId) &&
        claim.slotKey === old.slotKey &&
        claim.attributeKey === old.attributeKey &&
        claim.subjectKey === old.subjectKey,
    )
    if (heir) used.add(heir.claimId)
    return {
      claimId: old.claimId,
      byClaimId: heir?.claimId ?? null,
      reason: heir ? 'a newer revision of the document says it anew' : 'a newer revision of the document no longer says it',
    }
  })
}

const ORDER: RelationKind[] = ['contradicting', 'superseding', 'unsure', 'repeated', 'refined', 'evolving']

export function reconcile(input: ReconcileInput): Reconciliation {
  const previous = new Set(input.previousRevision.map(claim => claim.claimId))
  const pairs = pairsOf({ ...input, live: input.live.filter(claim => !previous.has(claim.claimId)) })
  const ended = supersessionsOf(pairs)
  const supporters: SupporterAdded[] = []
  const contradictions: ContradictionFound[] = []
  const standing = pairs.filter(
    pair => pair.relation.kind === 'contradicting' && !ended.has(pair.old.claimId) && !ended.has(pair.fresh.claimId),
  )
  for (const cluster of clustersOf(standing)) {
    if (addToKnown(cluster, input.findings, supporters)) continue
    const { old, fresh, relation } = cluster.best
    contradictions.push({
      slotKey: fresh.slotKey,
      kind: kindOf(fresh),
      severity: severityOf(old, fresh),
      subject: fresh.subject,
      attribute: fresh.attribute,
      a: old.claimId,
      b: fresh.claimId,
      supportersA: [...cluster.a.keys()].filter(id => id !== old.claimId),
      supportersB: [...cluster.b.keys()].filter(id => id !== fresh.claimId),
      groupA: valueKey(old.value),
      groupB: valueKey(fresh.value),
      reason: relation.reason,
    })
  }
  const unsure: Unsure[] = []
  const best = new Map<string, RelationKind>()
  for (const { old, fresh, relation } of pairs) {
    const known = best.get(fresh.claimId)
    if (!known || ORDER.indexOf(relation.kind) < ORDER.indexOf(known)) best.set(fresh.claimId, relation.kind)
    if (relation.kind === 'unsure' && unsure.length < 50) unsure.push({ a: old.claimId, b: fresh.claimId, reason: relation.reason })
  }
  return {
    supersessions: [
      ...previousSupersessions(input),
      ...[...ended].map(([claimId, { by, reason }]) => ({ claimId, byClaimId: by.claimId, reason })),
    ],
    contradictions,
    supporters,
    unsure,
    relations: input.claims.map(claim => ({ claimId: claim.claimId, relation: best.get(claim.claimId) ?? 'new' })),
  }
}
