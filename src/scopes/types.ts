/**
 * What the functions of this folder answer with: the JSON of the scope, findings, policy and certificate routes,
 * member names as they travel. Times are ISO 8601 in UTC with milliseconds; hashes are lower-case hex SHA-256.
 */

export type ScopeMode = 'auto' | 'review' | 'strict'
export type RuntimeState = 'running' | 'paused' | 'stopped'
export type FinalityStatus = 'active' | 'review' | 'resolved' | 'escalated' | 'blocked'
export type DocumentStatus = 'registered' | 'attached' | 'queued' | 'processing' | 'indexed' | 'held' | 'rejected' | 'quarantined'
export type Severity = 'low' | 'medium' | 'high' | 'critical'

/** Every list: `next` is an opaque cursor, null at the end. */
export interface Page<T> {
  items: T[]
  next: string | null
}

// Scopes

/** Current revisions by status, and their sum. */
export interface DocumentCounts {
  total: number
  registered: number
  attached: number
  queued: number
  processing: number
  indexed: number
  held: number
  rejected: number
  quarantined: number
}

export interface ScopeCounts {
  documents: DocumentCounts
  /** Live claims. */
  claims: number
  open_contradictions: number
}

export interface ScopeRecord {
  scope_id: string
  display_name: string | null
  mode: ScopeMode
  /** Raised by every reset. */
  generation: number
  /** The most restrictive of service, tenant and scope. */
  runtime: RuntimeState
  finality: FinalityStatus
  counts: ScopeCounts
  created_at: string
}

/** Answer of GET and PATCH of one scope: the record and what can be set. */
export interface ScopeDetail extends ScopeRecord {
  /** Raised by every act of a person and every change of settings. */
  version: number
  /** As given; what is absent has its default. */
  settings: Record<string, unknown>
  /** With every default filled in. */
  effective_settings: Record<string, unknown>
  policy_hash: string
}

export interface ResetResult {
  scope_id: string
  generation: number
  previous_generation: number
  /** Position of scope.reset in the scope's event log. */
  seq: number
  /** The decision chain that ended, and from which the new one starts. */
  chain: { head: string; length: number }
  /** Current documents that are gone for every reader from now on. */
  documents: number
  certificates_withdrawn: number
  message: string
}

export interface GlossaryView {
  scope_id: string
  terms: Record<string, string[]>
  entities: Record<string, string[]>
  version: number
}

// Documents

export interface DocumentTimings {
  received_at: string
  queued_at: string | null
  started_at: string | null
  finished_at: string | null
  /** From accepted to begun, and from begun to finished. */
  waiting_ms: number | null
  processing_ms: number | null
  /** Milliseconds of each stage of the last attempt. */
  stages: Record<string, number>
}

export interface DocumentRecord {
  document_id: string
  scope_id: string
  revision: number
  status: DocumentStatus
  name: string
  type: string
  source: string | null
  provenance: string | null
  /** SHA-256 of the text; null for registered documents. Kept when the text is erased. */
  content_hash: string | null
  /** The previous revision had the same text, so nothing was extracted again. */
  unchanged: boolean
  /** Position of document.queued in the scope's event log. */
  seq: number | null
  /** The round this revision was decided in. */
  round: number | null
  attempts: number
  /** Why it is held, rejected, quarantined or tried again. */
  reason: string | null
  /** Where and how the last attempt failed. */
  failure: { stage: string | null; error_class: string | null } | null
  timings: DocumentTimings
  counts: { claims: number; contradictions: number }
  erased_at: string | null
}

/** Answer of DELETE: the record after its text and quotes are gone. */
export interface ErasedDocument extends DocumentRecord {
  claims_erased: number
}

export interface TriggerResult {
  scope_id: string
  queued: number
  /** The first 1,000 of them. */
  documents: { document_id: string; seq: number }[]
}

// Findings

export interface ClaimRecord {
  claim_id: string
  document_id: string
  revision: number
  /** Exactly the slice [start, end) of the submitted text, in code points; null once the document is erased. */
  quote: string | null
  start: number
  end: number
  subject: string
  attribute: string
  /** As a person would write it. */
  value: string
  /** The same as data: `type` money, percent, quantity, date, category, boolean or name, with its members. */
  normalized: Record<string, unknown>
  unit: string | null
  /** FY2024, Q1 2025, 2024-12-31 …; its bounds are valid_from and valid_to. */
  period: string | null
  role: string
  polarity: 'affirmed' | 'negated'
  confidence: number
  valid_from: string | null
  valid_to: string | null
  recorded_at: string
  superseded_at: string | null
  /** A claim_id, or null while live or when a revision dropped the claim. */
  superseded_by: string | null
  superseded_reason: string | null
}

/** A side of a reported contradiction. */
export interface ReportedSide {
  quote: string
  source: string
}

export type Verdict = 'a' | 'b' | 'both' | 'neither' | 'dismiss'

export interface Resolution {
  /** `superseded` when the contradiction closed itself. */
  verdict: Verdict | 'superseded'
  reason: string
  /** Who decided; `system` when the contradiction closed itself. */
  by: string
  resolved_at: string
  round: number
}

export interface ContradictionRecord {
  contradiction_id: string
  scope_id: string
  status: 'open' | 'resolved' | 'dismissed'
  kind: 'numeric' | 'categorical' | 'negation' | 'date' | 'reported'
  severity: Severity
  subject: string | null
  attribute: string | null
  a: ClaimRecord | ReportedSide
  b: ClaimRecord | ReportedSide
  /** At most 50 each; the counts are complete. */
  supporters_a: ClaimRecord[]
  supporters_b: ClaimRecord[]
  supporters: { a: number; b: number }
  reason: string
  detected_at: string
  round: number
  resolution?: Resolution
}

export interface ResolutionResult extends ContradictionRecord {
  resolution: Resolution
  claims_retired: string[]
  claims_revived: string[]
  decision_id: string
}

export interface DecisionRecord {
  decision_id: string
  seq: number
  round: number
  kind: string
  document_id: string | null
  revision: number | null
  outcome: 'admit' | 'hold' | 'reject'
  policy_hash: string
  /** Ids of the policies that decided. */
  policies: string[]
  reasons: string[]
  obligations: string[]
  proposal_digest: string
  state_digest: string
  prev_hash: string
  hash: string
  /** What a hold waits for; null when it waits for nobody. */
  review: 'pending' | 'approved' | 'rejected' | 'obsolete' | null
  recorded_at: string
}

export interface ReviewResult extends DecisionRecord {
  /** The person's own record in the decision chain; null until the worker has concluded an approved document. */
  review_decision_id: string | null
  document: DocumentRecord | null
}

// Certificates

export interface CertificateView {
  certificate_id: string
  scope_id: string
  generation: number
  round: number
  /** Compact JWS, EdDSA over Ed25519; its key is in the JWKS under `kid`. */
  certificate: string
  kid: string
  issued_at: string
  status: 'valid' | 'withdrawn'
  /** Whether the scope still stands as certified: resolved, and nothing newer. */
  current: boolean
  withdrawn_at: string | null
  withdrawn_reason: string | null
}

export interface JwksView {
  keys: Record<string, unknown>[]
}

// Policies

export interface PolicyView {
  /** What the set is assigned to. */
  level: 'service' | 'tenant' | 'scope'
  tenant_id: string | null
  scope_id: string | null
  /** Where the set in force comes from; `shipped` when nothing is assigned at any level. */
  inherited_from: 'shipped' | 'service' | 'tenant' | null
  hash: string
  policies: string
  changed_at: string | null
}

export interface PolicyPutResult extends PolicyView {
  /** False when the same set was in force already. */
  changed: boolean
}

export interface DryRunChange {
  decision_id: string
  scope_id: string
  seq: number
  kind: string
  document_id: string | null
  recorded: 'admit' | 'hold' | 'reject'
  would_be: 'admit' | 'hold' | 'reject'
  policies: string[]
  reasons: string[]
}

export interface DryRunResult {
  hash: string
  /** Decisions looked at, newest first. */
  examined: number
  changed: number
  changes: DryRunChange[]
  /** "would have changed 3 of 200" */
  message: string
}

// Summary

export type DimensionKey = 'claim_confidence' | 'contradiction_resolution' | 'goal_completion' | 'risk_inverse'

export interface DimensionView {
  score: number
  target: number
  weight: number
  /** What finality asks of this dimension. */
  threshold: number
  pressure: number
}

/** The last point of a scope's convergence; a scope without rounds has scores of 1 where nothing is known. */
export interface ConvergenceView {
  round: number
  /** V(t): the weighted squared distance from the targets. */
  value: number
  /** 1 less the weighted distance from the targets. */
  goal_score: number
  /** Mean of −ln(V(t)/V(t−1)) over up to five rounds of the segment; null before there are two. */
  rate: number | null
  /** 0 when there, null when not converging. */
  estimated_rounds: number | null
  monotone: boolean
  plateau: boolean
  oscillating: boolean
  trajectory_quality: number
  /** First round of the current segment; 0 before the first round. */
  segment_start: number
  /** The highest pressure of any dimension. */
  pressure: number
  bottleneck: DimensionKey | null
  dimensions: Record<DimensionKey, DimensionView>
}

export interface GateView {
  gate: string
  ok: boolean
  value: number | string | boolean | null
  /** What the gate asks for. */
  needs: string
  /** What would close it. */
  how: string
}

export interface FinalityView {
  status: FinalityStatus
  gates: GateView[]
}

export interface DriftView {
  level: 'none' | 'low' | 'medium' | 'high' | 'critical'
  /** The largest part, which gives the level. */
  score: number
  factual: number
  contradiction: number
  goal: number
  entropy: number
  round: number
}

export interface GoalView {
  document_id: string
  revision: number
  quote: string | null
  start: number
  end: number
  what: string | null
  owner: string | null
  due: string | null
  done: boolean
}

export interface RiskView {
  document_id: string
  revision: number
  quote: string | null
  start: number
  end: number
  what: string | null
  level: Severity
}

export interface ScopeRuntimeView {
  state: RuntimeState
  service: RuntimeState
  tenant: RuntimeState
  scope: RuntimeState
  run: number
}

export interface ScopeSummary {
  scope_id: string
  display_name: string | null
  mode: ScopeMode
  generation: number
  version: number
  round: number
  /** Position of the newest event of the scope; null before the first. */
  last_seq: number | null
  created_at: string
  updated_at: string
  runtime: ScopeRuntimeView
  documents: DocumentCounts
  claims: { live: number; superseded: number; total: number }
  /** Lists hold at most 20 entries; undone goals and severe risks first. */
  goals: { total: number; done: number; items: GoalView[] }
  risks: { total: number; low: number; medium: number; high: number; critical: number; items: RiskView[] }
  /** Open ones first, the most severe at the top; `unsure` pairs are for a person to look at. */
  contradictions: {
    open: number
    resolved: number
    dismissed: number
    open_critical: number
    unsure: number
    items: ContradictionRecord[]
  }
  drift: DriftView | null
  finality: FinalityView
  convergence: ConvergenceView
  policy_hash: string
  /** The last ten, newest first. */
  decisions: DecisionRecord[]
  certificate: CertificateView | null
}

/** With an ETag: `body` is null when the caller's tag still holds. */
export interface Tagged<T> {
  etag: string
  body: T | null
}

// Metrics

export interface Percentiles {
  count: number
  p50_ms: number | null
  p95_ms: number | null
  p99_ms: number | null
  max_ms: number | null
}

export interface ExtractorUsage {
  extractor: string
  version: string
  documents: number
  claims: number
  input_tokens: number
  output_tokens: number
}

export interface ScopeMetrics {
  scope_id: string
  generation: number
  from: string
  to: string
  throughput: {
    received: number
    indexed: number
    held: number
    rejected: number
    quarantined: number
    claims: number
    /** Finished documents a minute over the period. */
    documents_per_minute: number
  }
  /** `waiting`, `total`, and each stage of the pipeline. */
  latency: Record<string, Percentiles>
  /** Now, whatever the period. */
  queue: { depth: number; processing: number; oldest_age_seconds: number | null }
  /** Attempts beyond the first. */
  retries: number
  /** Documents quarantined in the period, and in quarantine now. */
  dead_letters: { period: number; now: number }
  extractors: ExtractorUsage[]
  convergence: {
    rounds: number
    from: { round: number; value: number } | null
    to: { round: number; value: number } | null
    /** Fall of V over the period; positive is better. */
    change: number | null
  }
  /** Percentiles look at no more than this many of the newest finished documents. */
  sample: { documents: number; limit: number; complete: boolean }
}

// Kernel views

export interface ScopeConvergence {
  tenant_id: string
  scope_id: string
  generation: number
  finality: FinalityStatus
  convergence: ConvergenceView
  drift: DriftView | null
  open_contradictions: number
  updated_at: string
}

/** `/internals/kernel/convergence`: all scopes, worst pressure first. */
export interface ConvergencePayload extends Page<ScopeConvergence> {
  scopes: number
  by_finality: Record<FinalityStatus, number>
  /** Of the one scope that was asked for. */
  gates?: GateView[]
  /** Of the one scope that was asked for: newest first; `next` of the payload continues it. */
  history?: Page<ConvergenceHistoryPoint>
}

export interface ConvergenceHistoryPoint {
  round: number
  kind: string
  document_id: string | null
  recorded_at: string
  value: number
  rate: number | null
  pressure: number
  finality: FinalityStatus | null
  scores: Record<DimensionKey, number>
}
