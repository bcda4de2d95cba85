/**
 * A document's content as a round sees it: from placed claims and what reconciling them concluded to the parts of the
 * round's effect and the figures policy is asked about.
 */
import type { Goal, PlacedClaim, Reconciliation, Risk } from '../reading/types.js'
import { noSeverities } from './dimensions.js'
import { type ContentCounts, type EffectParts, noContent } from './effect.js'
import type { DocumentProposal } from './proposals.js'
import { confidenceMicros } from './scores.js'
import type { SlotClaim, SlotStanding } from './slots.js'
import type { Severity, SeverityCounts } from './types.js'

/** A contradiction the round may close: the live claims on each side. A side with `more` has claims that are not listed. */
export interface FindingStanding {
  contradictionId: string
  status: 'open' | 'resolved' | 'dismissed' | 'closed'
  severity: Severity
  a: { live: readonly string[]; more: boolean }
  b: { live: readonly string[]; more: boolean }
}

/** A possible conflict nobody has decided, and the two live claims it is about. */
export interface PossibleStanding {
  possibleConflictId: string
  a: string
  b: string
}

export interface DocumentContent {
  claims: readonly PlacedClaim[]
  /** Claims that its findings made of passages of other documents; they count from this round on. */
  lent?: readonly PlacedClaim[]
  reconciliation: Reconciliation
  /** Ids for `reconciliation.contradictions`, in their order. */
  contradictionIds: readonly string[]
  /** Ids for `reconciliation.unsure`, in their order. */
  possibleIds: readonly string[]
  /** The pairs of `reconciliation.supersessions`, each with its id. */
  supersessions: readonly { supersessionId: string; claimId: string; byClaimId: string }[]
  goals: readonly Goal[]
  risks: readonly Risk[]
  /** SHA-256 over the placed claims as they are stored, without quotes. */
  claimsDigest: string
  /** Every slot of new, live and earlier claims that were looked at. */
  slots: readonly SlotStanding[]
  /** Live claims that may end with this round, by id. */
  endable: ReadonlyMap<string, SlotClaim>
  findings: readonly FindingStanding[]
  /** Undecided possible conflicts of the claims that may end with this round. */
  possible: readonly PossibleStanding[]
  /** What the last admitted revision of the same document contributed; null when there is none. */
  previous: ContentCounts | null
}

export interface DocumentParts {
  parts: EffectParts
  /** Ids of contradictions that close because a side has no live claim left. */
  closes: string[]
  /** Ids of possible conflicts that close because a claim of theirs ends. */
  possibleCloses: string[]
  figures: Pick<DocumentProposal, 'claims' | 'contradictions' | 'byModel' | 'closes' | 'goals' | 'risks'>
}

export function partsOfDocument(content: DocumentContent): DocumentParts {
  const { claims, reconciliation, goals, risks, previous } = content
  const begun = [...claims, ...(content.lent ?? [])].map(toSlotClaim)
  const ended = endedClaims(content, begun)
  const closing = closingFindings(content.findings, ended, reconciliation)
  const possibleCloses = closingPossible(content.possible, ended)
  const standing = new Map(content.slots.map(slot => [slot.slotKey, slot.live]))
  return {
    parts: {
      slots: content.slots,
      begun,
      ended,
      slotsChanged: countChangedSlots(content, standing),
      opened: reconciliation.contradictions.map(found => found.severity),
      openedByModel: countByModel(reconciliation.contradictions),
      replacedByModel: countByModel(reconciliation.supersessions),
      reopened: [],
      closed: closing.map(finding => finding.severity),
      possibleOpened: undecided(reconciliation).length,
      possibleClosed: possibleCloses.length,
      gains: countContent(goals, risks),
      losses: previous ?? noContent(),
      documents: previous === null ? 1 : 0,
    },
    closes: closing.map(finding => finding.contradictionId),
    possibleCloses,
    figures: figuresOf(content, standing, closing.length),
  }
}

export function countContent(goals: readonly Pick<Goal, 'done'>[], risks: readonly Pick<Risk, 'level'>[]): ContentCounts {
  const goalsDone = goals.filter(goal => goal.done).length
  return { goals: goals.length, goalsDone, risks: countSeverities(risks.map(risk => risk.level)) }
}

/** What a person is asked about: not what a model cleared. */
export function undecided({ unsure }: Pick<Reconciliation, 'unsure'>): Reconciliation['unsure'] {
  return unsure.filter(({ cleared }) => cleared === undefined)
}

/** Readers leave `foundBy` out of what the rules found. */
function countByModel(found: readonly { foundBy?: string }[]): number {
  return found.filter(({ foundBy }) => foundBy !== undefined).length
}

export function toSlotClaim(claim: Pick<PlacedClaim, 'claimId' | 'slotKey' | 'confidence'>): SlotClaim {
  return { claimId: claim.claimId, slotKey: claim.slotKey, micros: confidenceMicros(claim.confidence) }
}

/** Open contradictions that lose the last live claim of a side, and gain none on it in the same round. */
export function closingFindings(
  findings: readonly FindingStanding[],
  ended: readonly { claimId: string }[],
  reconciliation: Pick<Reconciliation, 'supporters'>,
): FindingStanding[] {
  const gone = new Set(ended.map(claim => claim.claimId))
  if (gone.size === 0) return []
  const joined = new Set(
    reconciliation.supporters.filter(each => !gone.has(each.claimId)).map(each => `${each.contradictionId} ${each.side}`),
  )
  return findings.filter(finding => {
    if (finding.status !== 'open') return false
    return (['a', 'b'] as const).some(side => {
      const { live, more } = finding[side]
      return !more && live.some(id => gone.has(id)) && live.every(id => gone.has(id)) && !joined.has(`${finding.contradictionId} ${side}`)
    })
  })
}

/** Undecided possible conflicts that lose a claim. */
export function closingPossible(possible: readonly PossibleStanding[], ended: readonly { claimId: string }[]): string[] {
  const gone = new Set(ended.map(claim => claim.claimId))
  return possible.filter(each => gone.has(each.a) || gone.has(each.b)).map(each => each.possibleConflictId)
}

function endedClaims(content: DocumentContent, begun: readonly SlotClaim[]): SlotClaim[] {
  const own = new Map(begun.map(claim => [claim.claimId, claim]))
  const ended = new Map<string, SlotClaim>()
  for (const { claimId } of content.reconciliation.supersessions) {
    const claim = content.endable.get(claimId) ?? own.get(claimId)
    if (claim !== undefined) ended.set(claimId, claim)
  }
  return [...ended.values()]
}

function countChangedSlots({ claims, reconciliation }: DocumentContent, standing: ReadonlyMap<string, number>): number {
  const slotOf = new Map(claims.map(claim => [claim.claimId, claim.slotKey]))
  const changed = new Set<string>()
  for (const { claimId, relation } of reconciliation.relations) {
    const slotKey = slotOf.get(claimId)
    const changes = relation === 'superseding' || relation === 'contradicting'
    if (slotKey !== undefined && changes && (standing.get(slotKey) ?? 0) > 0) changed.add(slotKey)
  }
  return changed.size
}

function figuresOf(content: DocumentContent, standing: ReadonlyMap<string, number>, closes: number): DocumentParts['figures'] {
  const { claims, reconciliation, goals, risks } = content
  const slotOf = new Map(claims.map(claim => [claim.claimId, claim.slotKey]))
  const counts = { new: 0, repeated: 0, changed: 0, contradicting: 0 }
  for (const { claimId, relation } of reconciliation.relations) {
    if (relation === 'repeated') counts.repeated++
    else if (relation === 'contradicting') counts.contradicting++
    else if (relation === 'superseding') counts.changed++
    else if (relation === 'evolving' && (standing.get(slotOf.get(claimId) ?? '') ?? 0) > 0) counts.changed++
    else if (relation !== 'unsure') counts.new++
  }
  const micros = claims.map(claim => confidenceMicros(claim.confidence))
  const byModel = countByModel(reconciliation.contradictions)
  return {
    claims: {
      total: claims.length,
      ...counts,
      unsure: undecided(reconciliation).length,
      dropped: reconciliation.supersessions.filter(each => each.byClaimId === null).length,
      minConfidence: micros.length === 0 ? null : micros.reduce((least, each) => Math.min(least, each), 1_000_000) / 1_000_000,
      meanConfidence: micros.length === 0 ? null : Math.round(micros.reduce((sum, each) => sum + each, 0) / micros.length) / 1_000_000,
    },
    contradictions: countSeverities(reconciliation.contradictions.map(found => found.severity)),
    ...(byModel > 0 && { byModel }),
    closes,
    goals: goals.length,
    risks: countSeverities(risks.map(risk => risk.level)),
  }
}

function countSeverities(severities: readonly Severity[]): SeverityCounts {
  const counts = noSeverities()
  for (const severity of severities) counts[severity]++
  return counts
}
