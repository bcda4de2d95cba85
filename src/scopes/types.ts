/**
 * What the functions of this folder answer with: the JSON of the scope, findings, policy and certificate routes,
 * member names as they travel. Times are ISO 8601 in UTC with milliseconds; hashes are lower-case hex SHA-256. Here:
 * what all share, scopes, documents and policies.
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
  /** Those nobody has decided. */
  possible_conflicts: number
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
  /** Some of its documents were read by another version of the reader: their claims are not compared. */
  needs_reread: boolean
  /** The goal score of the last rounds, oldest first. */
  trajectory: number[]
  created_at: string
  /** When its last round was recorded. */
  updated_at: string
}

/** Answer to a request to read a scope again. */
export interface RereadResult {
  scope_id: string
  queued: number
  /** Documents that wait to be read again, those included. */
  waiting: number
  model: boolean
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

export interface DeletedScope {
  scope_id: string
  /** The generation that ended. */
  generation: number
  /** Position of scope.deleted in the scope's event log. */
  seq: number
  /** The decision chain that ended, and from which the next one starts should the name be used again. */
  chain: { head: string; length: number }
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
  /** Null once erased. */
  name: string | null
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
  /** What came of asking a model: `answered`, or why there is no whole answer; null where none was asked. */
  model: string | null
  /** For a document that came as a file. */
  file: FileRecord | null
  /** The mail it was attached to. */
  part_of: string | null
  erased_at: string | null
}

export interface FileRecord {
  sha256: string
  media_type: string
  bytes: number
  /** Whether the original can be read back. */
  kept: boolean
  extractor: string | null
  notes: string[]
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
