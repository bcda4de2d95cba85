/** A revision of a document, as lists and acts read it. */

import type { StandingHold } from '../scopes/standing-hold.js'

export type DocumentStatus = 'registered' | 'attached' | 'queued' | 'processing' | 'indexed' | 'held' | 'rejected' | 'quarantined'

export interface RevisionRef {
  documentId: string
  revision: number
}

export interface DocumentRow {
  document_id: string
  revision: number
  current: boolean
  status: DocumentStatus
  name: string
  type: string
  source: string | null
  provenance: string | null
  /** As its submitter said with this revision or before. */
  about: string | null
  text_hash: Buffer | null
  unchanged: boolean
  seq: number | null
  attempts: number
  reason: string | null
  stage: string | null
  error_class: string | null
  received_at: string
  queued_at: string | null
  started_at: string | null
  finished_at: string | null
  erased_at: string | null
  timings: Record<string, unknown> | null
  round: number | null
  first_claim_no: number | null
  claim_count: number
  contradiction_count: number
  file_id: string | null
  file_sha256: Buffer | null
  file_media_type: string | null
  file_bytes: number | null
  text_extractor: string | null
  text_notes: string[] | null
  part_of: string | null
  /** Others of the case with the same bytes, as they are now. */
  same_as: string[]
  model_outcome: string | null
  extractor: string | null
  extractor_version: string | null
  compared_model: string | null
  legal_hold: StandingHold | null
  signed: SignedDocument | null
  /** The model that was asked about it and answered in part, as `compared_model` names one that answered in full. */
  partly_compared: string | null
}

/** The latest sign-off that stands and covers the revision. */
export interface SignedDocument {
  by: string
  vouched: boolean
  signed_at: string
  sign_off_id: string
  how: 'read_by_eye' | 'set_aside' | null
}
