import { describe, expect, it } from 'vitest'
import { certificateInput, certifiedDocuments } from '../../test/kernel/certificate-input.js'
import { canonicalJson, sha256 } from './canonical.js'
import { buildCertificate, type CertificateInput, listDigest } from './certificate.js'
import { DEFAULT_SETTINGS } from './settings.js'

const { verdict } = certificateInput()
const documents = certifiedDocuments
const input = (over: Partial<CertificateInput> = {}) =>
  certificateInput({ documents: documents('b', 'a'), policyHashes: ['2'.repeat(64), '1'.repeat(64), '2'.repeat(64)], ...over })

describe('the payload of a certificate', () => {
  it('is the same bytes whatever order documents and policies came in', () => {
    const shuffled = input({ documents: documents('a', 'b'), policyHashes: ['1'.repeat(64), '2'.repeat(64)] })
    expect(canonicalJson(buildCertificate(input()))).toBe(canonicalJson(buildCertificate(shuffled)))
    expect(buildCertificate(input()).policy_hashes).toEqual(['1'.repeat(64), '2'.repeat(64)])
  })

  it('is another one when anything it speaks of is another', () => {
    const jtis = [
      input(),
      input({ generation: 1 }),
      input({ documents: documents('a') }),
      input({ previousJws: 'a.b.c' }),
      input({ issuedAt: 1 }),
    ]
    expect(new Set(jtis.map(each => buildCertificate(each).jti)).size).toBe(jtis.length)
    expect(buildCertificate(input({ previousJws: 'a.b.c' })).previous).toBe(sha256('a.b.c'))
  })

  it('names what a model cleared, and says so in words', () => {
    const possible = { counts: { cleared: 2, open: 0 }, members: null, digest: 'f'.repeat(64) }
    const { examined } = buildCertificate(input({ possible, cleared: ['pcf_1', 'pcf_2'] }))
    expect(examined.cleared_by_model).toEqual({ count: 2, ids: ['pcf_1', 'pcf_2'] })
    expect(examined.words).toContain('2 possible conflicts cleared by a model.')
  })

  it('names the contradictions that no gate waits for', () => {
    const aggregates = {
      ...certificateInput().aggregates,
      contradictionsTotal: 3,
      contradictionsOpen: { low: 2, medium: 0, high: 0, critical: 0 },
    }
    const { contradictions } = buildCertificate(input({ aggregates, leftOpen: ['ctr_2', 'ctr_1'] }))
    expect(contradictions).toEqual({ found: 3, open: 2, by_model: 0, open_ids: ['ctr_2', 'ctr_1'] })
    expect(buildCertificate(input()).contradictions.open_ids).toEqual([])
  })

  it('counts the replacements a model found by itself', () => {
    const aggregates = { ...certificateInput().aggregates, replacementsByModel: 2 }
    const supersessions = { counts: { standing: 3, objected: 1 }, members: null, digest: 'f'.repeat(64) }
    expect(buildCertificate(input({ aggregates, supersessions })).supersessions).toMatchObject({ standing: 3, objected: 1, by_model: 2 })
    expect(buildCertificate(input()).supersessions).toMatchObject({ standing: 0, by_model: 0 })
  })

  it('carries the digest of a list that is too long to be named', () => {
    const digest = 'f'.repeat(64)
    const payload = buildCertificate(
      input({
        documents: { counts: { '["rules", "3"]': 501, '["rules", "2"]': 99 }, members: null, digest },
        unread: { counts: { quarantined: 660, registered: 40 }, members: null, digest },
        possible: { counts: { open: 600, closed: 1 }, members: null, digest },
        supersessions: { counts: { standing: 900, objected: 2 }, members: null, digest },
      }),
    )
    expect(payload).toMatchObject({
      version: 4,
      documents: { count: 600, digest, hashes: null },
      examined: {
        by_rules: [
          { reader: 'rules', version: '3', documents: 501 },
          { reader: 'rules', version: '2', documents: 99 },
        ],
        not_read: { count: 700, digest, listed: null },
        elsewhere: 40,
      },
      possible_conflicts: { left: 600, closed: 1, digest },
      supersessions: { standing: 900, objected: 2, digest },
    })
  })

  it('says who read what, what was not read, and what was left undecided', () => {
    const unread = [{ document_id: 'c', revision: 1, status: 'quarantined' }]
    const payload = buildCertificate(
      input({
        documents: { ...documents('b', 'a', 'd'), counts: { '["rules", "3", "tiny@fast@4"]': 1, '["rules", "3", null]': 2 } },
        unread: { counts: { quarantined: 1 }, members: unread },
        signOffsTotal: 1,
        signOffs: [{ sign_off_id: 'sgn_1', by: 'J. Doe', vouched: true, signed_at: '2026-03-04T09:00:00.000Z', current: true }],
        signedUnread: [{ document_id: 'c', revision: 1, how: 'set_aside' }],
        possible: { counts: { open: 1, dismissed: 3 }, members: [{ id: 'pcf_1', state: 'open' }] },
        possibleLeft: ['pcf_1'],
      }),
    )
    expect(payload).toMatchObject({
      version: 4,
      examined: {
        setting: 'person',
        words:
          '1 paper compared by rules and tiny@fast (questions 4), 2 by rules alone. Signed off by J. Doe on 4 March 2026. 1 paper not read: 1 set aside.',
        by_rules: [{ reader: 'rules', version: '3', documents: 2 }],
        by_model: [{ model: 'tiny@fast', questions: '4', documents: 1 }],
        sign_offs: [{ sign_off_id: 'sgn_1', by: 'J. Doe', vouched: true, signed_at: '2026-03-04T09:00:00.000Z', current: true }],
        not_read: { count: 1, listed: [{ ...unread[0], how: 'set_aside' }], how: { read_by_eye: 0, set_aside: 1, none: 0 } },
        cleared_by_model: { count: 0, ids: [] },
        possible_conflicts_left: 1,
      },
      disputed: { count: 0, ids: [] },
      possible_conflicts: { setting: 'wait', left: 1, dismissed: 3, left_ids: ['pcf_1'], digest: listDigest(['pcf_1 open']) },
      settings_changed: {},
    })
    expect(payload.documents.hashes?.[0]).toEqual({ document_id: 'a', revision: 0, sha256: sha256('a') })
    expect(payload.documents.digest).toBe(sha256(canonicalJson(payload.documents.hashes)))
    const many = Array.from({ length: 101 }, (_, index) => ({ document_id: String(index), revision: 1, status: 'rejected' }))
    const signedUnread = many
      .slice(0, 90)
      .map(({ document_id, revision }, n) => ({ document_id, revision, how: n < 60 ? ('read_by_eye' as const) : ('set_aside' as const) }))
    const unnamed = buildCertificate(
      input({ unread: { counts: { quarantined: 98, registered: 1, erased: 2 }, members: many }, signedUnread }),
    ).examined
    expect(unnamed.not_read).toMatchObject({ count: 101, listed: null, how: { read_by_eye: 60, set_aside: 30, none: 8 } })
    expect(unnamed.words).toContain('98 papers not read: 60 read by eye, 30 set aside, 8 with nothing said of them.')
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
