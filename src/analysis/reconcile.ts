/**
 * Reconciles the claims of one document with the live claims of its scope: what is repeated, what replaces what, and which
 * groups of claims contradict each other. Looks only at what the caller fetched by key, so its cost does not grow with the scope.
 */
import { distance, valueKey } from './compare.js'
import { type Pair, pairsOf } from './pairs.js'
import { pattern } from './pattern.js'
import type { RelationKind } from './relation.js'
import { isStatement } from './rivals.js'
import type {
  ContradictionFound,
  ExistingFinding,
  PlacedClaim,
  ReconcileInput,
  Reconciliation,
  Supersession,
  SupporterAdded,
  Unsure,
} from './types.js'

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
    // The smaller joins the larger, so that chains stay short.
    const [into, from] = this.members.get(x)!.size >= this.members.get(y)!.size ? [x, y] : [y, x]
    const target = this.members.get(into)!
    for (const [id, claim] of this.members.get(from)!) target.set(id, claim)
    this.members.delete(from)
    this.parent.set(from, into)
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

/** What one document may report; more would be noise nobody could work through. */
const MAX_CONTRADICTIONS = 50
const MAX_UNSURE = 50

/** The surest clusters in their order. */
function surest(clusters: Cluster[]): Cluster[] {
  if (clusters.length <= MAX_CONTRADICTIONS) return clusters
  const kept = new Set([...clusters].sort((x, y) => y.best.relation.weight - x.best.relation.weight).slice(0, MAX_CONTRADICTIONS))
  return clusters.filter(cluster => kept.has(cluster))
}

function kindOf(claim: PlacedClaim): ContradictionFound['kind'] {
  if (claim.value.type === 'date') return 'date'
  if (claim.value.type === 'boolean') return 'negation'
  return claim.value.type === 'category' || claim.value.type === 'name' ? 'categorical' : 'numeric'
}

const WEIGHTY = pattern(
  /\b(?:safety|death|fatal|serious|solvency|scr|revenue|compliance|breach|fraud|liquidity|cash|covenant|toxicity|emission)/i,
)

function severityOf(a: PlacedClaim, b: PlacedClaim): ContradictionFound['severity'] {
  const away = distance(a.value, b.value)
  const weighty = WEIGHTY.test(b.attribute)
  if (away === null) return weighty ? 'high' : 'medium'
  if (away >= 0.5) return weighty ? 'critical' : 'high'
  if (away >= 0.1) return weighty ? 'high' : 'medium'
  return weighty ? 'medium' : 'low'
}

interface Side {
  finding: ExistingFinding
  side: 'a' | 'b'
}

/** Known findings by the claims they hold. */
function sidesOf(findings: readonly ExistingFinding[]): Map<string, Side[]> {
  const sides = new Map<string, Side[]>()
  for (const finding of findings) {
    for (const side of ['a', 'b'] as const) {
      for (const id of side === 'a' ? finding.claimIdsA : finding.claimIdsB) {
        const known = sides.get(id)
        if (known) known.push({ finding, side })
        else sides.set(id, [{ finding, side }])
      }
    }
  }
  return sides
}

/** Adds to a known finding what it does not hold yet; true when the finding covers the cluster. */
function addToKnown(
  cluster: Cluster,
  known: ReadonlyMap<string, readonly Side[]>,
  add: (finding: ExistingFinding, side: 'a' | 'b', claimId: string) => void,
): boolean {
  const touches = (ids: readonly string[], claims: Map<string, PlacedClaim>): boolean => ids.some(id => claims.has(id))
  const says = (claims: Map<string, PlacedClaim>, group: string): boolean => valueKey([...claims.values()][0]!.value) === group
  const touched = new Set<ExistingFinding>()
  for (const id of [...cluster.a.keys(), ...cluster.b.keys()]) for (const { finding } of known.get(id) ?? []) touched.add(finding)
  for (const finding of touched) {
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
  known: ReadonlyMap<string, readonly Side[]>,
  add: (finding: ExistingFinding, side: 'a' | 'b', claimId: string) => void,
): void {
  for (const { old, fresh, relation } of pairs) {
    if (relation.kind !== 'repeated' || relation.weight < SURE) continue
    for (const { finding, side } of known.get(old.claimId) ?? []) add(finding, side, fresh.claimId)
  }
}

/** Two sentences that differ in their figures are one finding, not also a denial. */
const placeOf = ({ old, fresh }: Pair): string => `${old.documentId}:${old.start}|${fresh.documentId}:${fresh.start}`

function previousSupersessions(input: ReconcileInput): Supersession[] {
  if (!input.previousRevision.length) return []
  const heirs = new Map<string, PlacedClaim[]>()
  const nameOf = (claim: PlacedClaim): string => `${claim.slotKey}|${claim.attributeKey}|${claim.subjectKey}`
  for (let i = input.claims.length - 1; i >= 0; i--) {
    const claim = input.claims[i]!
    const known = heirs.get(nameOf(claim))
    if (known) known.push(claim)
    else heirs.set(nameOf(claim), [claim])
  }
  return input.previousRevision.map(old => {
    const heir = heirs.get(nameOf(old))?.pop()
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
  const sides = sidesOf(input.findings)
  const add = (finding: ExistingFinding, side: 'a' | 'b', claimId: string): void => {
    const key = `${finding.contradictionId}|${claimId}`
    if (finding.status !== 'open' || supported.has(key) || sides.get(claimId)?.some(known => known.finding === finding)) return
    supported.add(key)
    supporters.push({ contradictionId: finding.contradictionId, side, claimId })
  }
  const contradictions: ContradictionFound[] = []
  const over = new Set(ended.keys())
  const standing = pairs.filter(
    pair => pair.relation.kind === 'contradicting' && !over.has(pair.old.claimId) && !over.has(pair.fresh.claimId),
  )
  supportersOf(pairs, sides, add)
  const figuresOf = new Set(standing.filter(pair => !isStatement(pair.fresh)).map(placeOf))
  const clusters = clustersOf(
    standing.filter(pair => !isStatement(pair.fresh) || !figuresOf.has(placeOf(pair))),
    groupsOf(pairs, over),
  )
  for (const cluster of surest(clusters)) {
    if (addToKnown(cluster, sides, add)) continue
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
    if (relation.kind === 'unsure' && unsure.length < MAX_UNSURE) unsure.push({ a: old.claimId, b: fresh.claimId, reason: relation.reason })
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
