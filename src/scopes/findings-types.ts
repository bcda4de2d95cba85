/** Answers about what was found and decided: claims, contradictions, decisions, certificates. */

import type { ConflictKind, Evidence } from '../reading/types.js'
import type { DocumentRecord, Severity } from './types.js'

export interface ClaimRecord {
  claim_id: string
  document_id: string
  revision: number
  /** Exactly the slice [start, end) of the submitted text, in code points; null once the document is erased. */
  quote: string | null
  start: number
  end: number
  /** Where the quote stands in the file the document came as: one of these, where it is known. */
  page: number | null
  cell: string | null
  paragraph: number | null
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

/** `reopen` takes one of the others back. */
export type ResolutionAct = Verdict | 'reopen'

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
  /** Why both sides are taken to speak of the same thing; null where that is not recorded, or erased. */
  evidence: Evidence | null
  /** `rules`, `model:<name>`, or `person`. */
  found_by: string
  /** Of a model that found it. */
  confidence: number | null
  detected_at: string
  round: number
  resolution?: Resolution
}

export interface PossibleConflictRecord
  extends Omit<ContradictionRecord, 'contradiction_id' | 'status' | 'kind' | 'a' | 'b' | 'confidence' | 'resolution'> {
  possible_conflict_id: string
  status: 'open' | 'promoted' | 'dismissed'
  kind: ConflictKind
  /** 0 to 1; lists show the highest first. */
  score: number
  a: ClaimRecord
  b: ClaimRecord
  /** What it became when it was promoted. */
  contradiction_id: string | null
  decision?: {
    /** `superseded` when a claim of it stopped counting. */
    verdict: 'promote' | 'dismiss' | 'superseded'
    reason: string
    by: string
    decided_at: string
    round: number
  }
}

export interface PossibleConflictResult extends PossibleConflictRecord {
  decision_id: string
}

export interface SupersessionRecord {
  supersession_id: string
  scope_id: string
  status: 'standing' | 'objected' | 'withdrawn'
  /** Open words of replacement, a later issue of the same document, or a new revision of it. */
  kind: 'words' | 'later_issue' | 'revision'
  claim: ClaimRecord
  superseded_by: ClaimRecord
  reason: string
  evidence: Evidence | null
  found_by: string
  detected_at: string
  round: number
  /** What the objection made of it. */
  contradiction_id: string | null
  objection?: { reason: string; by: string; decided_at: string; round: number }
}

export interface SupersessionResult extends SupersessionRecord {
  decision_id: string
}

export interface ResolutionResult extends ContradictionRecord {
  resolution: Resolution
  claims_retired: string[]
  claims_revived: string[]
  decision_id: string
}

export interface ReopenedContradiction extends ContradictionRecord {
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
  reasons_digest: string | null
  salt: string | null
  obligations: string[]
  proposal_digest: string
  state_digest: string
  prev_hash: string
  hash: string
  /** What a hold waits for; null when it waits for nobody. */
  review: 'pending' | 'approved' | 'rejected' | 'obsolete' | null
  recorded_at: string
  /** When its words were erased with the document they were about. */
  erased_at: string | null
}

export interface ReviewResult extends DecisionRecord {
  /** The person's own record in the decision chain; null until the worker has concluded an approved document. */
  review_decision_id: string | null
  document: DocumentRecord | null
}

export interface CertificateView {
  certificate_id: string
  scope_id: string
  generation: number
  round: number
  /** Compact JWS, EdDSA over Ed25519; its key is in the JWKS under `kid`. */
  certificate: string
  /** SHA-256 of the JWS: what the next one names as `previous`. */
  sha256: string
  previous: string | null
  kid: string
  issued_at: string
  /** `current`: the scope stands as certified. `superseded`: something happened to it since. `withdrawn`: it was reset. */
  status: 'current' | 'superseded' | 'withdrawn'
  superseded_at: string | null
  withdrawn_at: string | null
  withdrawn_reason: string | null
}

export interface JwksView {
  keys: Record<string, unknown>[]
}
