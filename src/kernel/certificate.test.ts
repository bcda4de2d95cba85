import { describe, expect, it } from 'vitest'
import { scopeWith, walk } from '../../test/kernel/builders.js'
import { canonicalJson, sha256 } from './canonical.js'
import { buildCertificate, type CertificateInput, listDigest } from './certificate.js'
import { DEFAULT_SETTINGS } from './settings.js'

const { point, verdict } = walk([scopeWith()])[0]!
const document = (id: string) => ({ document_id: id, revision: 0, sha256: sha256(id), reader: 'rules', version: '3' })

function input(over: Partial<CertificateInput> = {}): CertificateInput {
  return {
    issuer: 'https://concord.example',
    issuedAt: 1_760_000_000,
    tenantId: 'ten_a',
    scopeId: 'case-1',
    generation: 0,
    verdict,
    point,
    documents: [document('b'), document('a')],
    unread: [],
    aggregates: scopeWith(),
    possible: { left: 0, promoted: 0, dismissed: 0, closed: 0, digest: listDigest([]), left_ids: [] },
    supersessions: { standing: 0, objected: 0, digest: listDigest([]) },
    signedOff: [],
    claims: { count: 2, digest: listDigest(['x', 'y']) },
    decisions: { length: 4, head: 'e'.repeat(64) },
    policyHashes: ['2'.repeat(64), '1'.repeat(64), '2'.repeat(64)],
    settings: DEFAULT_SETTINGS,
    previousJws: null,
    certificatesBefore: 0,
    ...over,
  }
}

describe('the payload of a certificate', () => {
  it('is the same bytes whatever order documents and policies came in', () => {
    const shuffled = input({ documents: [document('a'), document('b')], policyHashes: ['1'.repeat(64), '2'.repeat(64)] })
    expect(canonicalJson(buildCertificate(input()))).toBe(canonicalJson(buildCertificate(shuffled)))
    expect(buildCertificate(input()).policy_hashes).toEqual(['1'.repeat(64), '2'.repeat(64)])
  })

  it('is another one when anything it speaks of is another', () => {
    const jtis = [
      input(),
      input({ generation: 1 }),
      input({ documents: [document('a')] }),
      input({ previousJws: 'a.b.c' }),
      input({ issuedAt: 1 }),
    ]
    expect(new Set(jtis.map(each => buildCertificate(each).jti)).size).toBe(jtis.length)
    expect(buildCertificate(input({ previousJws: 'a.b.c' })).previous).toBe(sha256('a.b.c'))
  })

  it('lists up to 500 documents and carries the digest of more', () => {
    const many = (count: number) =>
      buildCertificate(input({ documents: Array.from({ length: count }, (_, index) => document(String(index))) })).documents
    expect(many(500).hashes).toHaveLength(500)
    expect(many(501)).toMatchObject({ count: 501, hashes: null })
  })

  it('says who read what, what was not read, and what was left undecided', () => {
    const unread = [{ document_id: 'c', revision: 1, status: 'quarantined' }]
    const possible = { left: 2, promoted: 1, dismissed: 3, closed: 0, digest: listDigest(['pcf_1 open']), left_ids: ['pcf_1', 'pcf_2'] }
    const documents = [document('a'), document('b'), { ...document('d'), reader: 'model' }]
    const payload = buildCertificate(input({ documents, unread, possible }))
    expect(payload).toMatchObject({
      version: 2,
      readers: [
        { reader: 'rules', version: '3', documents: 2 },
        { reader: 'model', version: '3', documents: 1 },
      ],
      documents_not_read: { count: 1, listed: unread },
      possible_conflicts: { setting: 'wait', left: 2, dismissed: 3, left_ids: ['pcf_1', 'pcf_2'] },
      settings_changed: {},
    })
    expect(payload.documents.hashes?.[0]).toEqual({ document_id: 'a', revision: 0, sha256: sha256('a') })
    const many = Array.from({ length: 101 }, (_, index) => ({ document_id: String(index), revision: 1, status: 'rejected' }))
    expect(buildCertificate(input({ unread: many })).documents_not_read).toMatchObject({ count: 101, listed: null })
  })

  it('names every setting that is not the default', () => {
    const settings = structuredClone(DEFAULT_SETTINGS)
    settings.thresholds.claim_confidence = 0.1
    settings.finality.possible_conflicts = 'report'
    expect(buildCertificate(input({ settings }))).toMatchObject({
      settings_changed: { '/thresholds/claim_confidence': 0.1, '/finality/possible_conflicts': 'report' },
      possible_conflicts: { setting: 'report' },
    })
  })

  it('is refused for a scope that is not resolved', () => {
    expect(() => buildCertificate(input({ verdict: { ...verdict, status: 'review' } }))).toThrow('not certified')
  })

  it('digests a list whatever its order', () => {
    expect(listDigest(['b', 'a'])).toBe(listDigest(['a', 'b']))
    expect(listDigest(['a', 'b'])).not.toBe(listDigest(['ab']))
  })
})
