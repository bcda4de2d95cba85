/** What a certificate of a settled case is made from. */
import { sha256 } from '../../src/kernel/canonical.js'
import { type CertificateInput, type CertifiedList, listDigest } from '../../src/kernel/certificate.js'
import type { CertificateDocument } from '../../src/kernel/certificate-payload.js'
import { DEFAULT_SETTINGS } from '../../src/kernel/settings.js'
import { scopeWith, walk } from './builders.js'

export function certificateInput(over: Partial<CertificateInput> = {}): CertificateInput {
  const { point, verdict } = walk([scopeWith()])[0]!
  const none = { counts: {}, members: [] }
  return {
    issuer: 'https://concord.example',
    issuedAt: 1_760_000_000,
    tenantId: 'ten_a',
    scopeId: 'case-1',
    generation: 0,
    verdict,
    point,
    documents: certifiedDocuments('report'),
    unread: none,
    aggregates: scopeWith(),
    possible: none,
    leftOpen: [],
    possibleLeft: [],
    cleared: [],
    disputed: { count: 0, ids: [] },
    supersessions: none,
    signOffs: [],
    signOffsTotal: 0,
    approvals: [],
    signedUnread: [],
    trials: new Map(),
    claims: { count: 2, digest: listDigest(['x', 'y']) },
    decisions: { length: 4, head: 'e'.repeat(64) },
    policyHashes: ['1'.repeat(64)],
    settings: DEFAULT_SETTINGS,
    previousJws: null,
    certificatesBefore: 0,
    ...over,
  }
}

export function certifiedDocuments(...ids: string[]): CertifiedList<CertificateDocument> {
  return {
    counts: { '["rules", "3"]': ids.length },
    members: ids.map(id => ({ document_id: id, revision: 0, sha256: sha256(id) })),
  }
}
