/**
 * Reconciles the claims of one document with the live claims of its scope: what is repeated, what replaces what, and which
 * groups of claims contradict each other. Looks only at what the caller fetched by key, so its cost does not grow with the scope.
 */
import { distance, valueKey } from './compare.js'
import { findPeriods } from './periods.js'
import { type Relation, type RelationKind, relate, type Situation } from './relate.js'
import { cited, figures, isStatement, MAX_RIVALS, Statements } from './rivals.js'
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

/** The new document says it replaces the old one: by reference, title or date. */
function replacesDocument(fresh: DocumentFacts, old: DocumentFacts | null): boolean {
  if (!old) return false
  const title = old.title?.toLowerCase() ?? ''
  return (fresh.supersedes ?? []).some(text => {
    const lower = text.toLowerCase()
    if (old.reference && lower.includes(old.reference.toLowerCase())) return true
    if (old.issuedOn && findPeriods(text, null).some(found => found.period.grain === 'day' && found.period.from === old.issuedOn))
      return true
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
      replaces: replacesDocument(document, old),
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

function pairsOf(input: ReconcileInput): Pair[] {
  const ids = new Set(input.claims.map(claim => claim.claimId))
  const others = input.live.filter(claim => !ids.has(claim.claimId) && claim.documentId !== input.document.documentId)
  const live = byKey(others)
  const statements = new Statements(others)
  const ownStatements = new Statements(input.claims)
  const own = byKey(input.claims)
  const order = new Map(input.claims.map((claim, index) => [claim.claimId, index]))
  const situations = new Situations(input)
  const byFigure = figures(others)
  const pairs: Pair[] = []
  const compare = (old: PlacedClaim, fresh: PlacedClaim): void => {
    const relation = relate(viewOf(old), viewOf(fresh), situations.of(old.documentId))
    if (relation) pairs.push({ old, fresh, relation })
  }
  for (const fresh of input.claims) {
    if (isStatement(fresh)) {
      for (const old of new Set(statements.rivalsOf(fresh))) compare(old, fresh)
      for (const old of new Set(ownStatements.rivalsOf(fresh))) if (order.get(old.claimId)! < order.get(fresh.claimId)!) compare(old, fresh)
      continue
    }
    const seen = new Set<string>()
    for (const old of cited(fresh, byFigure)) {
      seen.add(old.claimId)
      compare(old, fresh)
    }
    for (const key of [fresh.slotKey, ...fresh.lookupKeys]) {
      const earlier = (own.get(key) ?? []).filter(claim => order.get(claim.claimId)! < order.get(fresh.claimId)!)
      for (const old of [...(live.get(key) ?? []).slice(0, MAX_RIVALS), ...earlier.slice(-MAX_RIVALS)]) {
        if (seen.has(old.claimId)) continue
        seen.add(old.claimId)
        compare(old, fresh)
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

/** Claims that say the same of the same thing, by what repeats what. */
class Groups {
  private readonly parent = new Map<string, string>()
  private readonly members = new Map<string, Map<string, PlacedClaim>>()

  root(claim: PlacedClaim): string {
    let id = claim.claimId
    for (let up = this.parent.get(id); up !== undefined; up = this.parent.get(id)) id = up
    if (!this.members.has(id)) this.members.set(id, new Map([[claim.claimId, claim]]))
    return id
  }

  join(a: PlacedClaim, b: PlacedClaim): void {
    const x = this.root(a)
    const y = this.root(b)
    if (x === y) return
    const target = this.members.get(x)!
    for (const [id, claim] of this.members.get(y)!) target.set(id, claim)
    this.members.delete(y)
    this.parent.set(y, x)
  }

  of(claim: PlacedClaim): Map<string, PlacedClaim> {
    return this.members.get(this.root(claim))!
  }
}

const SURE = 3

function groupsOf(pairs: readonly Pair[], ended: ReadonlySet<string>): Groups {
  const groups = new Groups()
  for (const { old, fresh, relation } of pairs) {
    if (relation.kind === 'repeated' && relation.weight >= SURE && !ended.has(old.claimId) && !ended.has(fresh.claimId))
      groups.join(old, fresh)
  }
  return groups
}

/** Pairs whose sides say the same belong to one contradiction. */
function clustersOf(pairs: readonly Pair[], groups: Groups): Cluster[] {
  const clusters = new Map<string, Cluster>()
  for (const pair of pairs) {
    const { old, fresh, relation } = pair
    const [x, y] = [groups.root(old), groups.root(fresh)]
    if (x === y) continue
    const key = `${x}|${y}`
    const crossed = clusters.get(`${y}|${x}`)
    const cluster = crossed ?? clusters.get(key)
    if (!cluster) clusters.set(key, { a: groups.of(old), b: groups.of(fresh), best: pair })
    else if (relation.weight > cluster.best.relation.weight && !crossed) cluster.best = pair
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
function addToKnown(
  cluster: Cluster,
  findings: readonly ExistingFinding[],
  add: (finding: ExistingFinding, side: 'a' | 'b', claimId: string) => void,
): boolean {
  const touches = (ids: readonly string[], claims: Map<string, PlacedClaim>): boolean => ids.some(id => claims.has(id))
  const says = (claims: Map<string, PlacedClaim>, group: string): boolean => valueKey([...claims.values()][0]!.value) === group
  for (const finding of findings) {
    const aa = touches(finding.claimIdsA, cluster.a)
    const bb = touches(finding.claimIdsB, cluster.b)
    const ab = touches(finding.claimIdsA, cluster.b)
    const ba = touches(finding.claimIdsB, cluster.a)
    const straight = (aa && (bb || says(cluster.b, finding.groupB))) || (bb && says(cluster.a, finding.groupA))
    const crossed = (ab && (ba || says(cluster.a, finding.groupB))) || (ba && says(cluster.b, finding.groupA))
    if (!straight && !crossed) continue
    for (const id of cluster.a.keys()) add(finding, straight ? 'a' : 'b', id)
    for (const id of cluster.b.keys()) add(finding, straight ? 'b' : 'a', id)
    return true
  }
  return false
}

/** Whoever repeats one side of an open contradiction supports that side. */
function supportersOf(
  pairs: readonly Pair[],
  findings: readonly ExistingFinding[],
  add: (finding: ExistingFinding, side: 'a' | 'b', claimId: string) => void,
): void {
  const sides = new Map<string, { finding: ExistingFinding; side: 'a' | 'b' }[]>()
  for (const finding of findings) {
    for (const side of ['a', 'b'] as const) {
      for (const id of side === 'a' ? finding.claimIdsA : finding.claimIdsB) {
        const known = sides.get(id)
        if (known) known.push({ finding, side })
        else sides.set(id, [{ finding, side }])
      }
    }
  }
  for (const { old, fresh, relation } of pairs) {
    if (relation.kind !== 'repeated' || relation.weight < SURE) continue
    for (const { finding, side } of sides.get(old.claimId) ?? []) add(finding, side, fresh.claimId)
  }
}

/** Two sentences that differ in their figures are one finding, not also a denial. */
const placeOf = ({ old, fresh }: Pair): string => `${old.documentId}:${old.start}|${fresh.documentId}:${fresh.start}`

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
  const supported = new Set<string>()
  const add = (finding: ExistingFinding, side: 'a' | 'b', claimId: string): void => {
    const key = `${finding.contradictionId}|${claimId}`
    if (finding.status !== 'open' || supported.has(key) || finding.claimIdsA.includes(claimId) || finding.claimIdsB.includes(claimId))
      return
    supported.add(key)
    supporters.push({ contradictionId: finding.contradictionId, side, claimId })
  }
  const contradictions: ContradictionFound[] = []
  const over = new Set(ended.keys())
  const standing = pairs.filter(
    pair => pair.relation.kind === 'contradicting' && !over.has(pair.old.claimId) && !over.has(pair.fresh.claimId),
  )
  supportersOf(pairs, input.findings, add)
  const figuresOf = new Set(standing.filter(pair => !isStatement(pair.fresh)).map(placeOf))
  for (const cluster of clustersOf(
    standing.filter(pair => !isStatement(pair.fresh) || !figuresOf.has(placeOf(pair))),
    groupsOf(pairs, over),
  )) {
    if (addToKnown(cluster, input.findings, add)) continue
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
