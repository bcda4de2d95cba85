/** Answers about a scope as a whole: summary, metrics, and the kernel's view of all scopes. */

import type { CertificateView, ContradictionRecord, DecisionRecord } from './findings-types.js'
import type { DocumentCounts, FinalityStatus, Page, RuntimeState, ScopeMode, Severity } from './types.js'

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

export interface ReadingView {
  /** Version of the reader in use. */
  reader: string
  needs_reread: boolean
  /** Documents that another version read. */
  outdated: number
  /** Documents that wait to be read again. */
  waiting: number
  /** Documents that a model was to be asked about and gave no whole answer. */
  without_model: number
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
  reading: ReadingView
  claims: { live: number; superseded: number; total: number }
  /** Lists hold at most 20 entries; undone goals and severe risks first. */
  goals: { total: number; done: number; items: GoalView[] }
  risks: { total: number; low: number; medium: number; high: number; critical: number; items: RiskView[] }
  /** Open ones first, the most severe at the top; `unsure` counts the possible conflicts nobody has decided. */
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

/** `/api/scopes/{scopeId}/convergence`: one scope, as its tenant sees it. */
export interface OwnConvergence extends Omit<ScopeConvergence, 'tenant_id'> {
  gates: GateView[]
  /** Newest first. */
  history: Page<ConvergenceHistoryPoint>
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
