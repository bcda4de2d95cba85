/**
 * Joins what comparing says of the claims of one document with what is on record: what ends, which contradictions are new,
 * which claims only support one that is known, what may be a conflict.
 */
import type {
  ContradictionFound,
  ExistingFinding,
  PlacedClaim,
  ReconcileInput,
  Reconciliation,
  Relation,
  Supersession,
  SupporterAdded,
  Unsure,
} from '../types.js'
import { compareClaims } from './compare.js'
import { type Revised, revisedClaims } from './revised.js'

const MAX_CONTRADICTIONS = 50
/** Possible conflicts of one document with fifty others: so many that only hostile texts get there. */
const MAX_POSSIBLE = 500
/** Possible conflicts kept between two documents. */
const POSSIBLE_A_PAIR = 10

export function reconcile(input: ReconcileInput): Reconciliation {
  const relations = compareClaims({ document: input.document, claims: input.claims, rivals: input.live, documents: input.documents })
  const ended = new Set<string>()
  const revised = revisedClaims(input.previousRevision, input.claims)
  const supersessions: Supersession[] = revised.map(({ old, by }) => ({
    claimId: old.claimId,
    byClaimId: by?.claimId ?? null,
    kind: 'revision',
    reason: 'A new revision of the same document.',
  }))
  for (const { kind, a, b, by, reason, evidence } of relations) {
    if (kind !== 'replaces' || input.objected?.has(`${a} ${b}`)) continue
    supersessions.push({ claimId: a, byClaimId: b, kind: by ?? 'words', reason, evidence })
    ended.add(a)
  }
  const superseded = new Set(input.live.filter(claim => claim.superseded === true).map(({ claimId }) => claimId))
  const isOver = ({ a, b }: Relation): boolean => [a, b].some(id => ended.has(id) || superseded.has(id))
  const conflicts = relations.filter(relation => relation.kind === 'contradicts' && !isOver(relation))
  return {
    supersessions,
    ...findingsOf(conflicts, input.findings),
    unsure: possibleOf(relations, isOver, input),
    relations: relationsOf(input.claims, relations, conflicts, revised),
  }
}

interface Cluster {
  lead: Relation
  a: Set<string>
  b: Set<string>
}

/** Edges that share a claim and whose other ends give the same value are one finding. */
function findingsOf(
  conflicts: readonly Relation[],
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
    const cluster = clusters.find(each => joins(each, pair))
    const crossed = cluster !== undefined && cluster.lead.groupA === pair.groupB
    if (!cluster) clusters.push({ lead: pair, a: new Set([pair.a]), b: new Set([pair.b]) })
    else {
      cluster.a.add(crossed ? pair.b : pair.a)
      cluster.b.add(crossed ? pair.a : pair.b)
    }
  }
  return { contradictions: clusters.slice(0, MAX_CONTRADICTIONS).map(found), supporters }
}

function joins({ lead, a, b }: Cluster, pair: Relation): boolean {
  if (![pair.a, pair.b].some(id => a.has(id) || b.has(id))) return false
  return (lead.groupA === pair.groupA && lead.groupB === pair.groupB) || (lead.groupA === pair.groupB && lead.groupB === pair.groupA)
}

function found({ a, b, lead }: Cluster): ContradictionFound {
  const { kind, conflict, score, by, ...told } = lead
  const others = (ids: Set<string>, id: string): string[] => [...ids].filter(each => each !== id).sort()
  return { ...told, kind: conflict, supportersA: others(a, lead.a), supportersB: others(b, lead.b) }
}

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
function joinExisting(pair: Relation, sides: ReadonlyMap<string, readonly KnownSide[]>): SupporterAdded | 'known' | null {
  for (const [own, other, group] of [
    [pair.a, pair.b, pair.groupB],
    [pair.b, pair.a, pair.groupA],
  ] as const)
    for (const { finding, side } of sides.get(own) ?? []) {
      const across = side === 'a' ? 'b' : 'a'
      const ids = across === 'a' ? finding.claimIdsA : finding.claimIdsB
      if (ids.includes(other)) return 'known'
      if ((across === 'a' ? finding.groupA : finding.groupB) === group)
        return { contradictionId: finding.contradictionId, side: across, claimId: other }
    }
  return null
}

/**
 * The best ones between two documents. Chosen before it is asked whether a side was replaced, and whatever else the two
 * documents say: so neither the choice nor its end depends on the order of arrival or on what people decided meanwhile.
 */
function possibleOf(
  relations: readonly Relation[],
  isOver: (pair: Relation) => boolean,
  { claims, live }: Pick<ReconcileInput, 'claims' | 'live'>,
): Unsure[] {
  if (!relations.some(({ kind }) => kind === 'possible')) return []
  const documentOf = new Map<string, string>()
  for (const list of [claims, live]) for (const { claimId, documentId } of list) documentOf.set(claimId, documentId)
  const counts = new Map<string, number>()
  const kept = relations.filter(({ kind, a, b }) => {
    if (kind !== 'possible') return false
    const documents = `${documentOf.get(a)} ${documentOf.get(b)}`
    const count = counts.get(documents) ?? 0
    counts.set(documents, count + 1)
    return count < POSSIBLE_A_PAIR
  })
  return kept
    .filter(pair => !isOver(pair))
    .slice(0, MAX_POSSIBLE)
    .map(({ kind, conflict, subject, attribute, by, ...told }) => ({ ...told, kind: conflict }))
}

/** What a claim is to others, the stronger over the weaker. */
function relationsOf(
  claims: readonly PlacedClaim[],
  all: readonly Relation[],
  conflicts: readonly Relation[],
  revised: readonly Revised[],
): Reconciliation['relations'] {
  const relations = new Map<string, Reconciliation['relations'][number]['relation']>()
  for (const { by, same } of revised) if (by !== null && same) relations.set(by.claimId, 'repeated')
  const named = { possible: 'unsure', evolves: 'evolving', replaces: 'superseding' } as const
  for (const kind of ['possible', 'evolves', 'replaces'] as const)
    for (const { a, b } of all.filter(relation => relation.kind === kind)) for (const id of [a, b]) relations.set(id, named[kind])
  for (const { by, same } of revised) if (by !== null && !same) relations.set(by.claimId, 'superseding')
  for (const { a, b } of conflicts) for (const id of [a, b]) relations.set(id, 'contradicting')
  return claims.map(({ claimId }) => ({ claimId, relation: relations.get(claimId) ?? 'new' }))
}
