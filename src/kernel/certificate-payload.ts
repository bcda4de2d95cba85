/** What a certificate says: the claims of its JWS. Names are members of published JSON. */
import type { Actor } from './proposals.js'
import type { DimensionScores } from './types.js'

export interface CertificateDocument {
  document_id: string
  revision: number
  sha256: string
}

/** The claims of the JWS. Members are ordered by canonical JSON when signed. Certificates of versions 1 and 2 stay valid. */
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

/**
 * Says what it rests on, and what it does not: ids, figures and digests, never a word of the documents. In version 3 the digest
 * of a list with more than 500 members is that of a set (set-digest.ts); all else is as in version 2.
 */
export interface CertificateV2 extends CertificateBase {
  version: 2 | 3
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

/** A possible conflict or a supersession, and where it stands. */
export interface StatedMember {
  id: string
  state: string
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
