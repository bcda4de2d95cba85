/** What goes into a round of a scope and what comes out of it. */
import type { DocumentContent } from './document-content.js'
import type { Effect, EffectParts } from './effect.js'
import type {
  Actor,
  ChainHead,
  DecisionRecord,
  DocumentProposal,
  PolicySet,
  Proposal,
  ResolutionProposal,
  ReviewProposal,
  ScopeState,
  SettingsProposal,
} from './proposals.js'
import type { ScopeSettings } from './settings.js'
import type {
  ConvergencePoint,
  Drift,
  Examination,
  FinalityStatus,
  FinalityVerdict,
  Mode,
  Outcome,
  RoundChange,
  Severity,
  Workload,
} from './types.js'

/** A scope between rounds, as far as a round needs it. */
export interface RoundScope extends ScopeState {
  /** Number of the last round; 0 before the first. */
  round: number
  settings: ScopeSettings
  chain: ChainHead
  /** The last points, oldest first; `HISTORY_TAIL` of them suffice. */
  points: readonly ConvergencePoint[]
  drift: Drift | null
  examination: Examination
}

export interface RoundDocument extends Omit<DocumentProposal['document'], 'claimsDigest'> {
  name: string
  /** Whether nobody has examined what counts of it then: once it is admitted, and once it is refused, which leaves the revision before. */
  unexamined: { admitted: boolean; refused: boolean }
  /** A sign-off of what counts now names it among what was not read. */
  named?: boolean
}

/** `content` is null for a revision whose text did not change: nothing is extracted again and its claims stay. */
export interface DocumentRound {
  kind: 'document'
  document: RoundDocument
  content: DocumentContent | null
  /** It ends what a mail carries no more: that follows from the mail, which policy was asked about. */
  follows?: true
  overtaken?: readonly OvertakenApproval[]
}

/** An admitted revision that was read again: the new reading takes the place of the one before. */
export interface RereadRound {
  kind: 'reread'
  document: RoundDocument
  content: DocumentContent
  /** Supersessions that were not found again. */
  withdrawn: readonly string[]
  /** Decisions of people whose findings go on, and ids of findings that the new reading has no statements for. */
  kept: number
  detached: readonly string[]
}

/** What a person says about a finding. */
interface SaidRound {
  actor: Actor
  severity: Severity
  reason: string
  /** Retired, revived and closed, `closed` and `reopened` of the finding itself included. */
  parts: EffectParts
  /** Claims that stop being live: id and the id of the winner. */
  retired: readonly { claimId: string; byClaimId: string | null }[]
  /** Other contradictions that close because a side has no live claim left. */
  closes: readonly string[]
  possible: PossibleMoves
}

export interface ResolutionRound extends SaidRound {
  kind: 'resolution'
  contradictionId: string
  verdict: ResolutionProposal['verdict']
}

/** About a possible conflict or a supersession. */
export interface FindingRound extends SaidRound {
  kind: 'finding'
  of: 'possible_conflict' | 'supersession'
  findingId: string
  verdict: 'promote' | 'dismiss' | 'accept' | 'object' | 'withdraw'
  /** Contradictions that the act opens. */
  opens: readonly { contradictionId: string; kind: string; severity: Severity; a: string; b: string }[]
  /** Contradictions that withdrawing an earlier act dismisses. */
  dismisses: readonly string[]
}

/** The part of such a round that a later review of it shares. */
export type SaidOfFinding = Omit<ResolutionRound, 'actor' | 'reason'> | Omit<FindingRound, 'actor' | 'reason'>

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
    | DocumentRound
    | SaidOfFinding
    | Omit<SignOffRound, 'actor' | 'reason'>
    | { kind: 'settings'; settings: ScopeSettings; mode: Mode; glossaryChanges?: boolean; unexamined?: number }
    | { kind: 'finality' }
}

/** A person signs the scope off as it stands, or takes that back. */
export interface SignOffRound {
  kind: 'sign_off'
  actor: Actor
  reason: string
  signOffId: string
  verdict: 'sign_off' | 'withdraw_sign_off'
  /** Who has examined the scope once this is admitted. */
  examination: Examination
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
  /** Where passages were named: the claims made of them, and the slots those begin. */
  passages?: { a: string; b: string; parts: Pick<EffectParts, 'slots' | 'begun'> }
}

export interface SettingsRound {
  kind: 'settings'
  actor: Actor
  mode: Mode
  settings: ScopeSettings
  settingsDigest: SettingsProposal['settingsDigest']
  policyHash: SettingsProposal['policyHash']
  glossaryDigest: SettingsProposal['glossaryDigest']
  replaces?: SettingsProposal['replaces']
  /** Documents nobody examined, where these settings ask for a model and those before did not. */
  unexamined?: number
}

export interface ErasureRound {
  kind: 'erasure'
  actor: Actor
  document: { documentId: string; revision: number }
  parts: EffectParts
  closes: readonly string[]
  possible: PossibleMoves
  /** Supersessions by claims of the document. */
  withdrawn: readonly string[]
  /** What leaves with it. */
  leaves: Leaving
  overtaken?: readonly OvertakenApproval[]
}

/**
 * What a person approved of a document that is taken out, or of a revision that a later one overtakes in quarantine, before a worker could
 * conclude it: it stands on record, and changes nothing.
 */
export type OvertakenApproval = Pick<ReviewProposal, 'actor' | 'reason' | 'decisionSeq' | 'decisionHash'>

export interface Leaving {
  /** What goes was part of the case, or of what somebody signed. */
  counted: boolean
  /** Papers that nobody had examined; less than none where the revision before is one of them and counts alone again. */
  unexamined: number
}

/** What follows from what people said before, once documents meet it. */
export interface SettlingRound {
  kind: 'settling'
  parts: EffectParts
  /** Claims that stop being live: id and the id of the winner. */
  retired: readonly { claimId: string; byClaimId: string | null }[]
  closes: readonly string[]
  possible: PossibleMoves
  /** Supersessions that no longer stand. */
  withdrawn: readonly string[]
}

/** A document that was not read is taken out: cancelled while it waited, or discarded from quarantine. */
export interface DiscardRound {
  kind: 'discard'
  actor: Actor
  document: { documentId: string; revision: number }
  reason: string
  leaves: Leaving
  overtaken?: readonly OvertakenApproval[]
}

/**
 * A document that others waited for went into quarantine, or was to be read again and keeps the reading it has; or a revision of it that
 * somebody approved will not be read.
 */
export interface GivenUpRound {
  kind: 'given_up'
  document: { documentId: string; revision: number }
  /** It came and was not read: part of the case, and in quarantine. */
  unread?: boolean
  overtaken?: readonly OvertakenApproval[]
}

/** A document that is not read for now, or elsewhere, came to a scope that was signed off. */
export interface ArrivalRound {
  kind: 'arrival'
  document: { documentId: string; revision: number }
  overtaken?: readonly OvertakenApproval[]
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
  | SettlingRound
  | DiscardRound
  | GivenUpRound
  | SignOffRound
  | ArrivalRound

export interface RoundContext {
  policySet: PolicySet
  /** What waits around the scope when the round closes; what policy makes of the input may add to it. */
  workload: Workload | ((outcome: Outcome) => Workload)
  /** The salt of a record by its seq. */
  saltOf: (seq: number) => string
  /** As a round recorded it, for a replay. */
  recorded?: Examination | undefined
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
  /** Whether what counts is no longer what was signed off. */
  changesWhatCounts: boolean
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

export interface EventDraft {
  type: string
  subject?: string | null
  data: Record<string, unknown>
}
