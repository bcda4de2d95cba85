/**
 * One round of a scope, whatever its input: a document revision, a document read again, a resolution, a review, a reported
 * contradiction, a change of settings, an erasure, a document taken out unread. From the scope as it stands and the input to the
 * decisions, the new numbers, the convergence point, the verdict and the events. Pure: the same input gives the same bytes.
 *
 * What policy does not admit leaves the scope's numbers as they were; it is a round all the same. Reports, erasures,
 * discards and new readings of what was admitted are facts, not proposals: no policy is asked about them.
 */
import { appendRecord } from './decision-record.js'
import { type DerivedIds, derivedIds } from './derived-ids.js'
import { DIMENSIONS } from './dimensions.js'
import { type DocumentContent, type DocumentParts, partsOfDocument } from './document-content.js'
import { measureDrift } from './drift.js'
import { type Effect, type EffectParts, effectOf, noParts } from './effect.js'
import { settleFinality } from './finality.js'
import { decide } from './policy.js'
import { concludeRound, noChange } from './round.js'
import { type EventDraft, roundEvents } from './round-events.js'
import type { SlotClaim } from './slots.js'
import type {
  Actor,
  ChainHead,
  ConvergencePoint,
  DecisionRecord,
  DocumentProposal,
  Drift,
  FinalityProposal,
  FinalityStatus,
  FinalityVerdict,
  Mode,
  Outcome,
  PolicySet,
  Proposal,
  ResolutionProposal,
  ReviewProposal,
  RoundChange,
  ScopeAggregates,
  ScopeSettings,
  ScopeState,
  SettingsProposal,
  Severity,
  Workload,
} from './types.js'

/** A scope between rounds, as far as a round needs it. */
export interface RoundScope {
  tenantId: string
  scopeId: string
  generation: number
  /** Number of the last round; 0 before the first. */
  round: number
  mode: Mode
  settings: ScopeSettings
  aggregates: ScopeAggregates
  chain: ChainHead
  /** The last points, oldest first; `HISTORY_TAIL` of them suffice. */
  points: readonly ConvergencePoint[]
  finality: FinalityStatus
  drift: Drift | null
}

export interface RoundDocument {
  documentId: string
  revision: number
  name: string
  type: string
  source: string | null
  issuer: string | null
  textHash: string
  extractor: string
}

/** `content` is null for a revision whose text did not change: nothing is extracted again and its claims stay. */
export interface DocumentRound {
  kind: 'document'
  document: RoundDocument
  content: DocumentContent | null
}

/** An admitted revision that was read again: the new reading takes the place of the one before. */
export interface RereadRound {
  kind: 'reread'
  document: RoundDocument
  content: DocumentContent
  /** Claims of other documents that count again, because nothing replaces them any more. */
  revived: readonly SlotClaim[]
  /** Supersessions that were not found again. */
  withdrawn: readonly string[]
  /** Decisions of people whose findings go on, and ids of findings that the new reading has no statements for. */
  kept: number
  detached: readonly string[]
}

export interface ResolutionRound {
  kind: 'resolution'
  actor: Actor
  contradictionId: string
  verdict: ResolutionProposal['verdict']
  severity: Severity
  reason: string
  /** Retired, revived and closed, `closed` and `reopened` of this contradiction included. */
  parts: EffectParts
  /** Claims that stop being live: id and the id of the winner. */
  retired: readonly { claimId: string; byClaimId: string | null }[]
  /** Other contradictions that close because a side has no live claim left. */
  closes: readonly string[]
  possible: PossibleMoves
}

/** A person's answer to what is held; what was held comes along, computed against the scope as it stands now. */
export interface ReviewRound {
  kind: 'review'
  actor: Actor
  decisionSeq: number
  decisionHash: string
  verdict: ReviewProposal['verdict']
  reason: string
  /** Whose act is held. */
  proposedBy?: Actor
  held:
    | { kind: 'document'; document: RoundDocument; content: DocumentContent | null }
    | { kind: 'resolution'; resolution: Omit<ResolutionRound, 'kind' | 'actor' | 'reason'> }
    | { kind: 'finding'; finding: Omit<FindingRound, 'kind' | 'actor' | 'reason'> }
    | { kind: 'settings'; settings: ScopeSettings; mode: Mode }
    | { kind: 'finality' }
}

/** What a person says about a possible conflict or a supersession. */
export interface FindingRound {
  kind: 'finding'
  actor: Actor
  of: 'possible_conflict' | 'supersession'
  findingId: string
  verdict: 'promote' | 'dismiss' | 'object' | 'withdraw'
  severity: Severity
  reason: string
  parts: EffectParts
  /** Contradictions that the act opens. */
  opens: readonly { contradictionId: string; kind: string; severity: Severity; a: string; b: string }[]
  /** Contradictions that withdrawing an earlier act dismisses. */
  dismisses: readonly string[]
  /** Claims that end again because an objection is withdrawn. */
  retired: readonly { claimId: string; byClaimId: string | null }[]
  /** Other contradictions that close because a side has no live claim left. */
  closes: readonly string[]
  possible: PossibleMoves
}

/** Possible conflicts that close by themselves because a claim of theirs ends, or open again because it counts again. */
export interface PossibleMoves {
  closes: readonly string[]
  reopens: readonly string[]
}

export interface ReportRound {
  kind: 'report'
  actor: Actor
  contradictionId: string
  severity: Severity
}

export interface SettingsRound {
  kind: 'settings'
  actor: Actor
  mode: Mode
  settings: ScopeSettings
  settingsDigest: SettingsProposal['settingsDigest']
  policyHash: SettingsProposal['policyHash']
  glossaryDigest: SettingsProposal['glossaryDigest']
}

export interface ErasureRound {
  kind: 'erasure'
  actor: Actor
  document: { documentId: string; revision: number }
  parts: EffectParts
  closes: readonly string[]
  possible: PossibleMoves
}

/** A document that was not read is taken out: cancelled while it waited, or discarded from quarantine. */
export interface DiscardRound {
  kind: 'discard'
  actor: Actor
  document: { documentId: string; revision: number }
  reason: string
}

export type RoundInput =
  | DocumentRound
  | RereadRound
  | ResolutionRound
  | FindingRound
  | ReviewRound
  | ReportRound
  | SettingsRound
  | ErasureRound
  | DiscardRound

export interface RoundContext {
  policySet: PolicySet
  /** What waits around the scope when the round closes, its own input not counted. */
  workload: Workload
  /** The salt of a record by its seq; null only to compare with a record from before salts. */
  saltOf: (seq: number) => string | null
  /** Called when a stage is over, for measurements. */
  lap?: (stage: 'govern' | 'converge') => void
}

export interface RoundDecision {
  decisionId: string
  proposal: Proposal
  state: ScopeState
  record: DecisionRecord
}

export interface RoundResult {
  round: number
  kind: RoundInput['kind']
  /** Of the input's own decision; `admit` where no policy is asked. */
  outcome: Outcome
  /** Whether the input's effect holds. */
  applied: boolean
  /** Whether it put a mode and settings in place. */
  puts: boolean
  decisions: RoundDecision[]
  change: RoundChange
  workload: Workload
  point: ConvergencePoint
  drift: Drift
  verdict: FinalityVerdict
  finality: { from: FinalityStatus; to: FinalityStatus; reasons: string[] }
  /** Contradictions that closed because a side has no live claim left. */
  closes: readonly string[]
  possible: PossibleMoves
  /** Touched slots as they stand afterwards. */
  slots: Effect['slots']
  /** The scope after the round. */
  scope: RoundScope
  events: EventDraft[]
}

interface Proposed {
  proposal: Proposal | null
  parts: EffectParts
  closes: readonly string[]
  possible?: PossibleMoves
  /** What a settings round or its approval puts in place. */
  puts?: { mode: Mode; settings: ScopeSettings }
  documentParts?: DocumentParts
}

export function runRound(scope: RoundScope, input: RoundInput, context: RoundContext): RoundResult {
  const round = scope.round + 1
  const ids = derivedIds('decision', scope)
  const proposed = propose(scope, input, round)
  const decisions: RoundDecision[] = []
  const head = decideOn(proposed.proposal, scope, scope.aggregates, scope.chain, context, ids, decisions)
  context.lap?.('govern')
  const outcome = decisions[0]?.record.outcome ?? 'admit'
  const applied = outcome === 'admit'
  const effect = effectOf(scope.aggregates, applied ? proposed.parts : noParts())
  const settled = applied ? { mode: proposed.puts?.mode ?? scope.mode, settings: proposed.puts?.settings ?? scope.settings } : scope
  const puts = applied && proposed.puts !== undefined
  const change: RoundChange = applied
    ? { ...effect.change, settingsChanged: puts && measuresDiffer(scope.settings, settled.settings) }
    : noChange()
  const { drift, point, verdict } = concludeRound({
    round,
    before: scope.aggregates,
    after: effect.aggregates,
    change,
    tail: scope.points,
    workload: context.workload,
    settings: settled.settings,
  })
  const after = { ...scope, round, mode: settled.mode, settings: settled.settings, aggregates: effect.aggregates, drift, chain: head }
  const granted = applied && input.kind === 'review' && input.held.kind === 'finality'
  const finality = granted
    ? { status: verdict.status, reasons: verdict.reasons, head }
    : settle(after, verdict, { point, drift, round }, context, ids, decisions)
  const closes = applied ? proposed.closes : []
  const possible = (applied ? proposed.possible : undefined) ?? { closes: [], reopens: [] }
  const result: RoundResult = {
    round,
    kind: input.kind,
    outcome,
    applied,
    puts,
    decisions,
    change,
    workload: context.workload,
    point,
    drift,
    verdict,
    finality: { from: scope.finality, to: finality.status, reasons: finality.reasons },
    closes,
    possible,
    slots: effect.slots,
    scope: { ...after, chain: finality.head, points: [...scope.points, point].slice(-21), finality: finality.status },
    events: [],
  }
  result.events = roundEvents(scope.scopeId, input, result)
  context.lap?.('converge')
  return result
}

/** Thresholds and modes leave V as it is; weights and targets do not. */
function measuresDiffer(a: ScopeSettings, b: ScopeSettings): boolean {
  return DIMENSIONS.some(dimension => a.weights[dimension] !== b.weights[dimension] || a.targets[dimension] !== b.targets[dimension])
}

function propose(scope: RoundScope, input: RoundInput, round: number): Proposed {
  switch (input.kind) {
    case 'document':
      return proposeDocument(scope, input.document, input.content, round)
    case 'reread':
      return replaceReading(input)
    case 'resolution':
      return proposeResolution(input, round)
    case 'finding':
      return proposeFinding(input, round)
    case 'review':
      return proposeReview(scope, input, round)
    case 'report':
      return { proposal: null, parts: { ...noParts(), opened: [input.severity] }, closes: [] }
    case 'settings':
      return proposeSettings(scope, input, round)
    case 'discard':
      return { proposal: null, parts: noParts(), closes: [] }
    case 'erasure':
      return { proposal: null, parts: input.parts, closes: input.closes, possible: input.possible }
  }
}

function proposeDocument(scope: RoundScope, document: RoundDocument, content: DocumentContent | null, round: number): Proposed {
  const documentParts = content === null ? unchangedParts() : partsOfDocument(content)
  const { aggregates, change } = effectOf(scope.aggregates, documentParts.parts)
  const { documentId, revision, type, source, issuer, textHash, extractor } = document
  const proposal: DocumentProposal = {
    kind: 'document',
    actor: { kind: 'system', id: 'pipeline' },
    round,
    document: { documentId, revision, type, source, issuer, textHash, claimsDigest: content?.claimsDigest ?? '', extractor },
    ...documentParts.figures,
    drift: measureDrift({ before: scope.aggregates, after: aggregates, change }),
  }
  const { parts, closes, possibleCloses } = documentParts
  return { proposal, parts, closes, possible: { closes: possibleCloses, reopens: [] }, documentParts }
}

function replaceReading({ content, revived }: RereadRound): Proposed {
  const { parts, closes, possibleCloses } = partsOfDocument(content)
  return {
    proposal: null,
    parts: { ...parts, begun: [...parts.begun, ...revived] },
    closes,
    possible: { closes: possibleCloses, reopens: [] },
  }
}

function unchangedParts(): DocumentParts {
  const none = { low: 0, medium: 0, high: 0, critical: 0 }
  const claims = {
    total: 0,
    new: 0,
    repeated: 0,
    changed: 0,
    contradicting: 0,
    unsure: 0,
    dropped: 0,
    minConfidence: null,
    meanConfidence: null,
  }
  return { parts: noParts(), closes: [], possibleCloses: [], figures: { claims, contradictions: none, closes: 0, goals: 0, risks: none } }
}

function proposeResolution(input: ResolutionRound, round: number): Proposed {
  const { actor, contradictionId, verdict, severity, retired, reason } = input
  return {
    proposal: { kind: 'resolution', actor, round, contradictionId, verdict, severity, retires: retired.length, reason },
    parts: input.parts,
    closes: input.closes,
    possible: input.possible,
  }
}

/** To policies a resolution: what may be asked of people who decide contradictions may be asked of these. */
function proposeFinding(input: FindingRound, round: number): Proposed {
  const { actor, findingId, verdict, severity, retired, reason, parts, closes, possible } = input
  return {
    proposal: { kind: 'resolution', actor, round, contradictionId: findingId, verdict, severity, retires: retired.length, reason },
    parts,
    closes,
    possible,
  }
}

function proposeReview(scope: RoundScope, input: ReviewRound, round: number): Proposed {
  const { actor, decisionSeq, decisionHash, held, verdict, reason, proposedBy } = input
  const first = proposedBy?.kind === 'person' ? { proposedBy } : {}
  const proposal: ReviewProposal = {
    kind: 'review',
    actor,
    round,
    decisionSeq,
    decisionHash,
    held: heldKind(held),
    verdict,
    reason,
    ...first,
  }
  if (held.kind === 'document') return { ...proposeDocument(scope, held.document, held.content, round), proposal }
  if (held.kind === 'resolution' || held.kind === 'finding') {
    const { parts, closes, possible } = held.kind === 'finding' ? held.finding : held.resolution
    return { proposal, parts, closes, possible }
  }
  if (held.kind === 'settings') return { proposal, parts: noParts(), closes: [], puts: { mode: held.mode, settings: held.settings } }
  return { proposal, parts: noParts(), closes: [] }
}

/** What a person says about a finding is a resolution to policies, also when it is held. */
function heldKind(held: ReviewRound['held']): ReviewProposal['held'] {
  return held.kind === 'finding' ? 'resolution' : held.kind
}

function proposeSettings(scope: RoundScope, input: SettingsRound, round: number): Proposed {
  const { actor, mode, settings, settingsDigest, policyHash, glossaryDigest } = input
  return {
    proposal: { kind: 'settings', actor, round, mode: { from: scope.mode, to: mode }, settingsDigest, policyHash, glossaryDigest },
    parts: noParts(),
    closes: [],
    puts: { mode, settings },
  }
}

/** Asks policy, adds the record to `decisions` and answers the new head of the chain. */
function decideOn(
  proposal: Proposal | null,
  scope: RoundScope,
  aggregates: ScopeAggregates,
  head: ChainHead,
  { policySet, saltOf }: RoundContext,
  ids: DerivedIds,
  decisions: RoundDecision[],
): ChainHead {
  if (proposal === null) return head
  const { tenantId, scopeId, generation, mode, finality } = scope
  const state: ScopeState = { tenantId, scopeId, generation, mode, finality, aggregates }
  const decision = decide(proposal, state, policySet)
  const record = appendRecord(head, { proposal, state, policyHash: policySet.hash, decision, salt: saltOf(head.seq + 1) })
  decisions.push({ decisionId: ids.idOf(record.seq), proposal, state, record })
  return { seq: record.seq, hash: record.hash }
}

/** A change of the verdict is a proposal of its own; without a change nobody is asked. */
function settle(
  scope: RoundScope,
  verdict: FinalityVerdict,
  facts: { point: ConvergencePoint; drift: Drift; round: number },
  context: RoundContext,
  ids: DerivedIds,
  decisions: RoundDecision[],
): { status: FinalityStatus; reasons: string[]; head: ChainHead } {
  if (verdict.status === scope.finality) return { status: verdict.status, reasons: verdict.reasons, head: scope.chain }
  const proposal: FinalityProposal = {
    kind: 'finality',
    actor: { kind: 'system', id: 'kernel' },
    round: facts.round,
    from: scope.finality,
    to: verdict.status,
    scores: facts.point.scores,
    failing: verdict.gates.filter(gate => !gate.ok).map(gate => gate.gate),
    drift: facts.drift.level,
    ...byModelOf(scope),
  }
  const head = decideOn(proposal, scope, scope.aggregates, scope.chain, context, ids, decisions)
  const asked = decisions.at(-1)?.record
  if (asked === undefined) return { status: verdict.status, reasons: verdict.reasons, head }
  return { ...settleFinality(verdict, asked), head }
}

function byModelOf({ aggregates, settings }: RoundScope): Pick<FinalityProposal, 'byModel'> {
  const found = aggregates.contradictionsByModel ?? 0
  return found === 0 ? {} : { byModel: { found, setting: settings.finality.model_findings } }
}
