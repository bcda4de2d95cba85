/** What a certificate says: the claims of its JWS. Names are members of published JSON. */
import type { Actor } from './proposals.js'
import type { DimensionScores } from './types.js'

export interface CertificateDocument {
  document_id: string
  revision: number
  /** Of the text that was read. */
  sha256: string
  /** Of the bytes of the file it came as; absent where it came as text, and in certificates of 0.2.0. */
  file_sha256?: string
}

/** The claims of the JWS. Members are ordered by canonical JSON when signed. Certificates of versions 1 to 3 stay valid. */
export type CertificatePayload = CertificateV1 | CertificateV2 | CertificateV4

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
  /** Of more than 500 the digest is over the texts alone: the sum kept of them has no member for a file. */
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
export interface CertificateV2 extends CertifiedFigures {
  version: 2 | 3
  /** Who read the certified documents; `documents` of them each. */
  readers: { reader: string; version: string; documents: number }[]
  /** Current documents the certificate does not rest on, and why: rejected, quarantined, erased, processed elsewhere … */
  documents_not_read: { count: number; digest: string; listed: UnreadDocument[] | null }
  /** The people whose approval a policy asked for before the scope could settle. */
  signed_off: Approval[]
}

/** Says first who examined what it certifies. All else is as in version 3. */
export interface CertificateV4 extends CertifiedFigures {
  version: 4
  examined: Examined
  /** Contradictions that both sides hold on to: closed, and no gate waits for them. */
  disputed: { count: number; ids: string[] }
}

export interface Approval {
  actor: Actor
  decision_id: string
}

/** A sign-off that stands. `vouched`: the key or session is that person's alone; otherwise the name was given with a key. */
export interface CertifiedSignOff {
  sign_off_id: string
  by: string
  vouched: boolean
  signed_at: string
  /** It covers exactly what counts now; others cover what came before them. */
  current: boolean
}

/** How a model did in its last trial before: of so many planted pairs it named some by itself and judged some right. Absent where it had none. */
export interface CertifiedTrial {
  planted: number
  named: number
  judged: number
  tried_at: string
}

export interface Examined {
  /** What the settings ask for, and in words what was done. */
  setting: 'person' | 'model' | 'none'
  words: string
  /** Documents that rules alone compared, and those a model compared in full as well, by the version of its questions. */
  by_rules: { reader: string; version: string; documents: number }[]
  by_model: { model: string; questions: string; documents: number; trial?: CertifiedTrial }[]
  /** So many different people were asked for. */
  signatures: number
  /** The latest 20 that stand, and how many do. */
  sign_offs: CertifiedSignOff[]
  sign_offs_total: number
  /** The people whose approval a policy asked for before the scope could settle, or before a sign-off of what counts now was made. */
  approvals: Approval[]
  /** Documents of the case without a reading, and what a person who signed did about each. */
  not_read: {
    count: number
    digest: string
    listed: (UnreadDocument & { how: 'read_by_eye' | 'set_aside' | null })[] | null
    /** How many of them, registered and erased ones aside, were dealt with how, `none` in no way; older certificates do not say. */
    how?: UnreadHow
  }
  /** Of these, documents that were registered: compared elsewhere. */
  elsewhere: number
  /** Findings of the rules that a model cleared. */
  cleared_by_model: { count: number; ids: string[] }
  possible_conflicts_left: number
}

interface CertifiedFigures extends CertificateBase {
  /** `by_model` of those found, and the first ids of the open ones, the most severe first; certificates from before there were any lack them. */
  contradictions: { found: number; open: number; by_model?: number; open_ids?: string[] }
  possible_conflicts: PossibleFigures & {
    /** Whether settling waits until each is decided. */
    setting: 'wait' | 'report'
  }
  /** `by_model` of those found since the last reset, which acted by themselves; older certificates do not say. */
  supersessions: { standing: number; objected: number; by_model?: number; digest: string }
  /** Settings that are not the default, by their JSON pointer. */
  settings_changed: Record<string, number | string>
  /** How many certificates the scope had before this one, and the SHA-256 of the last; older ones do not say. */
  certificates?: { length: number; head: string | null }
}

export interface UnreadHow {
  read_by_eye: number
  set_aside: number
  none: number
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
  /** A model found these compatible, and nobody took that back; absent where there are none. */
  cleared?: number
  /** Over id and status of each. */
  digest: string
  /** Ids of those left, the likeliest first. */
  left_ids: string[]
}
