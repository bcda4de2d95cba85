/**
 * What a certificate says: that this scope, with exactly these documents, claims, decisions, policies and settings, was
 * resolved with these scores. Built here without a key; signing is the business of whoever holds one.
 */
import { digest, sha256 } from './canonical.js'
import type { CertificateDocument, CertificateV2, PossibleFigures, UnreadDocument } from './certificate-payload.js'
import { openContradictions } from './scores.js'
import { DEFAULT_SETTINGS } from './settings.js'
import type { ConvergencePoint, FinalityVerdict, ScopeAggregates, ScopeSettings } from './types.js'

/** Beyond this many a certificate carries a digest alone, so that its size stays bounded. */
const LISTED_DOCUMENTS = 500
const LISTED_UNREAD = 100
const LISTED_OTHERS = 20

export interface CertificateInput {
  issuer: string
  /** The round's recorded time in whole seconds. */
  issuedAt: number
  tenantId: string
  scopeId: string
  generation: number
  verdict: FinalityVerdict
  point: ConvergencePoint
  documents: readonly (CertificateDocument & { reader: string; version: string })[]
  unread: readonly UnreadDocument[]
  aggregates: ScopeAggregates
  possible: PossibleFigures
  supersessions: CertificateV2['supersessions']
  signedOff: CertificateV2['signed_off']
  claims: { count: number; digest: string }
  decisions: { length: number; head: string }
  /** Every policy set decisions since the last reset were made under. */
  policyHashes: readonly string[]
  settings: ScopeSettings
  /** The previous certificate's compact JWS. */
  previousJws: string | null
  /** How many there are before this one. */
  certificatesBefore: number
}

export function buildCertificate(input: CertificateInput): CertificateV2 {
  if (input.verdict.status !== 'resolved') throw new Error(`a scope that is ${input.verdict.status} is not certified`)
  const { point, settings, aggregates } = input
  const documents = input.documents.map(({ document_id, revision, sha256 }) => ({ document_id, revision, sha256 })).sort(byId)
  const unread = [...input.unread].sort(byId)
  const previous = input.previousJws === null ? null : sha256(input.previousJws)
  const body = {
    iss: input.issuer,
    iat: input.issuedAt,
    version: 2 as const,
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
    readers: readersOf(input.documents),
    documents_not_read: {
      count: unread.length,
      digest: digest(unread),
      listed: unread.length <= LISTED_UNREAD ? unread : null,
    },
    contradictions: {
      found: aggregates.contradictionsTotal,
      open: openContradictions(aggregates),
      by_model: aggregates.contradictionsByModel ?? 0,
    },
    possible_conflicts: { ...input.possible, setting: settings.finality.possible_conflicts },
    supersessions: input.supersessions,
    settings_changed: changedSettings(settings),
    signed_off: input.signedOff.slice(-LISTED_OTHERS),
    claims: input.claims,
    decisions: input.decisions,
    scores: point.scores,
    convergence: { v: point.v, score: point.score, quality: point.quality },
    policy_hashes: [...new Set(input.policyHashes)].sort(),
    settings_digest: digest(settings),
    certificates: { length: input.certificatesBefore, head: previous },
    previous,
  }
  return { ...body, jti: `sha256:${digest(body)}` }
}

/** One digest for many: the SHA-256 of the sorted lines, whatever order they were read in. */
export function listDigest(lines: Iterable<string>): string {
  return sha256([...lines].sort().join('\n'))
}

/** The most used first. */
function readersOf(documents: CertificateInput['documents']): CertificateV2['readers'] {
  const counts = new Map<string, CertificateV2['readers'][number]>()
  for (const { reader, version } of documents) {
    const key = JSON.stringify([reader, version])
    counts.set(key, { reader, version, documents: (counts.get(key)?.documents ?? 0) + 1 })
  }
  const keyed = [...counts].sort(([a, { documents: m }], [b, { documents: n }]) => n - m || (a < b ? -1 : 1))
  return keyed.slice(0, LISTED_OTHERS).map(([, reader]) => reader)
}

function changedSettings(settings: ScopeSettings): Record<string, number | string> {
  const changed: Record<string, number | string> = {}
  for (const [group, members] of Object.entries(settings) as [keyof ScopeSettings, Record<string, number | string>][]) {
    const defaults = DEFAULT_SETTINGS[group] as unknown as Record<string, number | string>
    for (const [name, value] of Object.entries(members)) if (defaults[name] !== value) changed[`/${group}/${name}`] = value
  }
  return changed
}

type Identified = Pick<CertificateDocument, 'document_id' | 'revision'>

function byId(a: Identified, b: Identified): number {
  if (a.document_id !== b.document_id) return a.document_id < b.document_id ? -1 : 1
  return a.revision - b.revision
}
