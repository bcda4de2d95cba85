/**
 * The values the kernel works on: what is proposed to a scope, what policy answers, how the scope's numbers stand.
 * Plain data: everything here survives JSON. Names in snake_case are members of published JSON (settings, records,
 * certificates, gates); everything else is ours.
 */

export type Severity = 'low' | 'medium' | 'high' | 'critical'
export type SeverityCounts = Record<Severity, number>

/** `auto` admits unless forbidden, `review` lets material changes wait for a person, `strict` refuses what is uncertain. */
export type Mode = 'auto' | 'review' | 'strict'
export type Outcome = 'admit' | 'hold' | 'reject'
export type FinalityStatus = 'active' | 'review' | 'resolved' | 'escalated' | 'blocked'

export type Dimension = 'claim_confidence' | 'contradiction_resolution' | 'goal_completion' | 'risk_inverse'
export type DimensionScores = Record<Dimension, number>

// ---------------------------------------------------------------------------------------------- the scope in numbers

/**
 * All the kernel ever needs to know of a scope's content. Every member can be kept by adding and subtracting, so a
 * round costs the same in a scope of a hundred thousand claims as in one of ten.
 */
export interface ScopeAggregates {
  /** Documents whose current revision is indexed. */
  documentsIndexed: number
  claimsLive: number
  /** Slots with at least one live claim. */
  slotsLive: number
  /** Σ over live slots of the best live claim's confidence, in millionths (`confidenceMicros`): integers add exactly in any order. */
  bestConfidenceMicros: number
  /** Every contradiction ever found since the last reset, open or closed. */
  contradictionsTotal: number
  contradictionsOpen: SeverityCounts
  /** Of all of these, those a model found. Absent where there is none. */
  contradictionsByModel?: number
  /** Possible conflicts nobody has decided. In no score; a gate counts them. Rounds recorded before there were any lack it. */
  possibleOpen: number
  goalsTotal: number
  goalsDone: number
  /** Live risks by level. */
  risks: SeverityCounts
}

/** What one round did to the scope; all zero when its proposal was held or rejected. */
export interface RoundChange {
  /** Slots that had no live claim before. */
  slotsAdded: number
  /** Slots that were live before and whose value a new claim changes, refines, supersedes or disputes. */
  slotsChanged: number
  /** Slots that lost their last live claim. */
  slotsDropped: number
  contradictionsAdded: number
  contradictionsClosed: number
  /** Weights or targets changed: V before and after cannot be compared. */
  settingsChanged: boolean
}

export type DriftLevel = 'none' | 'low' | 'medium' | 'high' | 'critical'

/** How far one round moves a scope, each part 0 to 1; `value` is the largest part and gives the level. */
export interface Drift {
  factual: number
  contradiction: number
  goal: number
  entropy: number
  value: number
  level: DriftLevel
}

/** What waits around the scope when a round closes, not counting the round's own input. */
export interface Workload {
  queued: number
  processing: number
  /** Documents and decisions that wait for a person. */
  held: number
}

// ---------------------------------------------------------------------------------------------- proposals, decisions

/** Who proposes: the pipeline (`system`), a named person, the tenant's own key, or an operator with an admin key. */
export interface Actor {
  kind: 'system' | 'person' | 'tenant' | 'admin'
  id: string
  /** The key that acted is this person's and speaks for nobody else. Absent where a request only named the person. */
  bound?: true
}

/** One per document revision. Figures only: the content is bound by the digests. */
export interface DocumentProposal {
  kind: 'document'
  actor: Actor
  round: number
  document: {
    documentId: string
    revision: number
    type: string
    source: string | null
    issuer: string | null
    /** SHA-256 of the text as submitted, lower-case hex. */
    textHash: string
    /** `digest` of the placed claims. */
    claimsDigest: string
    extractor: string
  }
  claims: {
    total: number
    /** Claims in slots that were empty. */
    new: number
    repeated: number
    /** Claims that change, refine or supersede what was live. */
    changed: number
    contradicting: number
    /** Possible conflicts this revision would open. */
    unsure: number
    /** Live claims this revision ends without a successor. */
    dropped: number
    /** 0 to 1; null without claims. */
    minConfidence: number | null
    meanConfidence: number | null
  }
  /** Contradictions this revision would open. */
  contradictions: SeverityCounts
  /** How many of these a model found. Absent where there is none. */
  byModel?: number
  /** Contradictions this revision would close by itself. */
  closes: number
  goals: number
  risks: SeverityCounts
  drift: Drift
}

/**
 * The first six are about a contradiction. `promote` makes a contradiction of a possible conflict, `object` of a
 * supersession; `dismiss` also closes a possible conflict, and `withdraw` takes one of these three back.
 */
export type ResolutionVerdict = 'a' | 'b' | 'both' | 'neither' | 'dismiss' | 'reopen' | 'promote' | 'object' | 'withdraw'

export interface ResolutionProposal {
  kind: 'resolution'
  actor: Actor
  round: number
  /** Or the possible conflict or supersession that is decided on. */
  contradictionId: string
  verdict: ResolutionVerdict
  severity: Severity
  /** Claims that would be retired. */
  retires: number
  reason: string
}

/** A person's answer to what is held. */
export interface ReviewProposal {
  kind: 'review'
  actor: Actor
  round: number
  /** `seq` and `hash` of the record that held. */
  decisionSeq: number
  decisionHash: string
  held: 'document' | 'resolution' | 'finality' | 'settings'
  verdict: 'approve' | 'reject'
  reason: string
  /** The person whose act is held, where it is a person's. */
  proposedBy?: Actor
}

export interface FinalityProposal {
  kind: 'finality'
  actor: Actor
  round: number
  from: FinalityStatus
  to: FinalityStatus
  scores: DimensionScores
  /** Names of the gates that do not hold. */
  failing: string[]
  drift: DriftLevel
  /** Contradictions a model found since the last reset, open or closed, and what the settings say of them. Absent where there is none. */
  byModel?: { found: number; setting: 'report' | 'hold' }
}

export interface SettingsProposal {
  kind: 'settings'
  actor: Actor
  round: number
  mode: { from: Mode; to: Mode }
  settingsDigest: { from: string; to: string }
  policyHash: { from: string; to: string }
  glossaryDigest: { from: string; to: string }
}

export type Proposal = DocumentProposal | ResolutionProposal | ReviewProposal | FinalityProposal | SettingsProposal

/** The scope as policy sees it: as it stood before the proposal. */
export interface ScopeState {
  tenantId: string
  scopeId: string
  generation: number
  mode: Mode
  finality: FinalityStatus
  aggregates: ScopeAggregates
}

export interface Decision {
  outcome: Outcome
  /** Ids of the policies that determined it, sorted; empty when nothing permitted. */
  policies: string[]
  /** In words, one per policy or fault, in the order of `policies`. */
  reasons: string[]
  /** What the outcome asks of others, sorted, from `@obligation` of the determining policies. */
  obligations: string[]
}

// ---------------------------------------------------------------------------------------------- policy sets

export interface PolicyInfo {
  id: string
  effect: 'permit' | 'forbid'
  /** What a forbid leads to; null for a permit. */
  outcome: 'hold' | 'reject' | null
  reason: string | null
  obligations: string[]
}

/** A validated policy set. Plain data: can be cloned to threads; the parsed form is found again by `hash`. */
export interface PolicySet {
  /** SHA-256 of the canonical text, lower-case hex. */
  hash: string
  /** Canonical text: line ends are `\n`, no trailing blanks, one final newline. */
  text: string
  policies: PolicyInfo[]
}

export interface PolicyFault {
  /** 1-based, in the text as handed in; columns count UTF-16 code units. */
  line: number
  column: number
  message: string
}

export type PolicyCompilation = { ok: true; set: PolicySet; warnings: PolicyFault[] } | { ok: false; errors: PolicyFault[] }

// ---------------------------------------------------------------------------------------------- decision records

/**
 * The hash covers digests of the words, salted, and not the words: words and salt can be erased and the chain still
 * verifies. Records from before this have no salt and no `reasons_digest`; their hash covers the reasons themselves.
 */
export interface DecisionRecord {
  seq: number
  proposal_digest: string
  state_digest: string
  policy_hash: string
  outcome: Outcome
  policies: string[]
  /** Empty once erased. */
  reasons: string[]
  /** Salted digest of the reasons; null in records whose hash covers the reasons themselves. */
  reasons_digest: string | null
  /** Null once erased, and where there never was one. */
  salt: string | null
  obligations: string[]
  prev_hash: string
  /** SHA-256 of the canonical JSON of all members but `reasons` and `salt`. */
  hash: string
}

/** Where the next record of a chain attaches: `seq` is -1 and `hash` the genesis hash before the first. */
export interface ChainHead {
  seq: number
  hash: string
}

export type ChainVerdict = { ok: true; head: ChainHead } | { ok: false; index: number; seq: number; fault: string }

// ---------------------------------------------------------------------------------------------- convergence

/** One per round, stored whole. What a longer history would be needed for is carried along, so a short tail suffices. */
export interface ConvergencePoint {
  round: number
  segment: number
  /** Points of the segment so far, this one included. */
  segmentRounds: number
  scores: DimensionScores
  /** 1 − Σ w · max(0, target − score); with targets 1 the weighted mean of the scores. */
  score: number
  v: number
  /** Mean of −ln(V(t)/V(t−1)) over up to five rounds of the segment; 0 before there are two. */
  rate: number
  /** Rounds until V ≤ ε at this rate; 0 when there, null when not converging. */
  estimatedRounds: number | null
  monotone: boolean
  plateau: boolean
  /** EMA of the progress ratio; null at the start of a segment. */
  progressEma: number | null
  /** How many rounds in a row the EMA has been below the plateau's bound. */
  plateauRounds: number
  /** How many rounds in a row no score moved at all. */
  stalledRounds: number
  direction: -1 | 0 | 1
  directionChanges: number
  /** Of the last up to 20 moves of the segment at lag 1; null below three moves or without variance. */
  autocorrelation: number | null
  oscillating: boolean
  quality: number
  /** w · max(0, target − score) per dimension. */
  pressure: DimensionScores
  /** The dimension with the highest pressure; null when there is none. */
  bottleneck: Dimension | null
  worstPressure: number
}

// ---------------------------------------------------------------------------------------------- finality

export interface FinalityInput {
  aggregates: ScopeAggregates
  /** The point of the latest round; null before the first. */
  point: ConvergencePoint | null
  workload: Workload
  settings: ScopeSettings
}

export interface Gate {
  gate: string
  ok: boolean
  value: number | boolean | string | null
  /** What the gate asks for, in words. */
  needs: string
  /** What would close it, in words; says so when it holds. */
  how: string
}

export interface FinalityVerdict {
  status: FinalityStatus
  /** The status when policy does not grant `resolved`. Equal to `status` otherwise. */
  otherwise: FinalityStatus
  gates: Gate[]
  /** Why this status, in words. */
  reasons: string[]
}

// ---------------------------------------------------------------------------------------------- settings

export interface ScopeSettings {
  weights: DimensionScores
  targets: DimensionScores
  thresholds: DimensionScores
  convergence: {
    epsilon: number
    rate_rounds: number
    monotone_rounds: number
    monotone_tolerance: number
    plateau_alpha: number
    plateau_ratio: number
    plateau_rounds: number
    oscillation_autocorrelation: number
  }
  finality: {
    minimum_quality: number
    minimum_documents: number
    minimum_claims: number
    /** No contradiction of this severity or worse may be open in a resolved scope. */
    veto_severity: Severity
    /** `wait`: not resolved while a possible conflict is undecided. `report`: the certificate says how many were left. */
    possible_conflicts: 'wait' | 'report'
    /** `hold`: settling waits for a person where a model found a contradiction. `report`: the certificate says how many. */
    model_findings: 'report' | 'hold'
    plateau_low: number
    plateau_high: number
    divergence_rate: number
    escalation_risk: number
    escalation_critical: number
  }
}

export type SettingsParse = { ok: true; value: ScopeSettings } | { ok: false; errors: { pointer: string; detail: string }[] }

// ---------------------------------------------------------------------------------------------- certificates

export interface CertificateDocument {
  document_id: string
  revision: number
  sha256: string
}

/** The claims of the JWS. Members are ordered by canonical JSON when signed. Certificates of version 1 stay valid. */
export type CertificatePayload = CertificateV1 | CertificateV2

interface CertificateBase {
  iss: string
  /** Seconds; the round's recorded time. */
  iat: number
  /** `sha256:` of everything else; the certificate's identity. */
  jti: string
  tenant_id: string
  scope_id: string
  generation: number
  round: number
  status: 'resolved'
  documents: { count: number; digest: string; hashes: CertificateDocument[] | null }
  claims: { count: number; digest: string }
  decisions: { length: number; head: string }
  scores: DimensionScores
  convergence: { v: number; score: number; quality: number }
  policy_hashes: string[]
  settings_digest: string
  /** SHA-256 of the previous certificate's compact JWS; null for the first. */
  previous: string | null
}

interface CertificateV1 extends CertificateBase {
  version: 1
}

/** Says what it rests on, and what it does not: ids, figures and digests, never a word of the documents. */
export interface CertificateV2 extends CertificateBase {
  version: 2
  /** Who read the certified documents; `documents` of them each. */
  readers: { reader: string; version: string; documents: number }[]
  /** Current documents the certificate does not rest on, and why: rejected, quarantined, erased, processed elsewhere … */
  documents_not_read: { count: number; digest: string; listed: UnreadDocument[] | null }
  /** `by_model` of those found; certificates from before there were any lack it. */
  contradictions: { found: number; open: number; by_model?: number }
  possible_conflicts: PossibleFigures & {
    /** Whether settling waits until each is decided. */
    setting: 'wait' | 'report'
  }
  supersessions: { standing: number; objected: number; digest: string }
  /** Settings that are not the default, by their JSON pointer. */
  settings_changed: Record<string, number | string>
  /** The people whose approval a policy asked for before the scope could settle. */
  signed_off: { actor: Actor; decision_id: string }[]
  /** How many certificates the scope had before this one, and the SHA-256 of the last; older ones do not say. */
  certificates?: { length: number; head: string | null }
}

export interface UnreadDocument {
  document_id: string
  revision: number
  status: string
}

export interface PossibleFigures {
  /** Nobody has decided these. */
  left: number
  promoted: number
  /** By a person. */
  dismissed: number
  /** Of these a claim stopped counting. */
  closed: number
  /** Over id and status of each. */
  digest: string
  /** Ids of those left, the likeliest first. */
  left_ids: string[]
}

// ---------------------------------------------------------------------------------------------- replay

export interface RecordedDecision {
  proposal: Proposal
  state: ScopeState
  record: DecisionRecord
  /** Its words are gone: what is left is its place in the chain. */
  erased?: boolean
}

export type ReplayResult =
  | { ok: true; checked: number; erased: number }
  | { ok: false; checked: number; index: number; member: string; recorded: string; computed: string }
