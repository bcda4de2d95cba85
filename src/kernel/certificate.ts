/**
 * What a certificate says: that this scope, with exactly these documents, claims, decisions, policies and settings, was
 * resolved with these scores. Built here without a key; signing is the business of whoever holds one.
 */
import { digest, sha256 } from './canonical.js'
import type { CertificateDocument, CertificatePayload, ConvergencePoint, FinalityVerdict, ScopeSettings } from './types.js'

/** Beyond this many documents a certificate carries their digest alone, so that its size stays bounded. */
const LISTED_DOCUMENTS = 500

export interface CertificateInput {
  issuer: string
  /** The round's recorded time in whole seconds. */
  issuedAt: number
  tenantId: string
  scopeId: string
  generation: number
  verdict: FinalityVerdict
  point: ConvergencePoint
  documents: readonly CertificateDocument[]
  claims: { count: number; digest: string }
  decisions: { length: number; head: string }
  /** Every policy set decisions since the last reset were made under. */
  policyHashes: readonly string[]
  settings: ScopeSettings
  /** The previous certificate's compact JWS. */
  previousJws: string | null
}

export function buildCertificate(input: CertificateInput): CertificatePayload {
  if (input.verdict.status !== 'resolved') throw new Error(`a scope that is ${input.verdict.status} is not certified`)
  const { point } = input
  const documents = [...input.documents].sort(byId)
  const body = {
    iss: input.issuer,
    iat: input.issuedAt,
    version: 1 as const,
    tenant_id: input.tenantId,
    scope_id: input.scopeId,
    generation: input.generation,
    round: point.round,
    status: 'resolved' as const,
    documents: {
      count: documents.length,
      digest: digest(documents),
      hashes: documents.length <= LISTED_DOCUMENTS ? documents : null,
    },
    claims: input.claims,
    decisions: input.decisions,
    scores: point.scores,
    convergence: { v: point.v, score: point.score, quality: point.quality },
    policy_hashes: [...new Set(input.policyHashes)].sort(),
    settings_digest: digest(input.settings),
    previous: input.previousJws === null ? null : sha256(input.previousJws),
  }
  return { ...body, jti: `sha256:${digest(body)}` }
}

/** One digest for many: the SHA-256 of the sorted lines, whatever order they were read in. */
export function listDigest(lines: Iterable<string>): string {
  return sha256([...lines].sort().join('\n'))
}

function byId(a: CertificateDocument, b: CertificateDocument): number {
  if (a.document_id !== b.document_id) return a.document_id < b.document_id ? -1 : 1
  return a.revision - b.revision
}
