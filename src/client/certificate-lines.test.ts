import { describe, expect, it } from 'vitest'
import { certificateInput } from '../../test/kernel/certificate-input.js'
import { vouchedWords } from '../contract/finding-words.js'
import { buildCertificate } from '../kernel/certificate.js'
import { inWords } from '../kernel/examined-words.js'
import { certificateLines, certificatePayload, lineInWords } from './certificate-lines.js'

const examined = {
  setting: 'person',
  words: '',
  by_rules: [{ reader: 'rules', version: '7', documents: 2 }],
  by_model: [] as object[],
  sign_offs: [{ by: 'J. Doe', vouched: false, current: true, signed_at: '2026-03-04T10:15:00.000Z' }],
  sign_offs_total: 1,
  not_read: { count: 0, listed: [] as object[] | null },
  elsewhere: 0,
  cleared_by_model: { count: 0, ids: [] as string[] },
  possible_conflicts_left: 0,
}
const jwsOf = (payload: unknown) => `x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.y`

function linesOf(more: object, payload: object = {}, status: 'current' | 'superseded' = 'current') {
  const certificate = jwsOf({ version: 4, disputed: { count: 0, ids: [] }, ...payload, examined: { ...examined, ...more } })
  return certificateLines({ certificate, status })?.map(line => lineInWords(line, id => `${id}.pdf`))
}

describe('the first lines of a certificate', () => {
  it('say who compared, who signed, what was left and what is disputed, each once', () => {
    expect(linesOf({})).toEqual([
      'Nothing is left to decide.',
      'Compared by rules alone: 2 papers (rules 7).',
      'Signed off by J. Doe (name given with a key) on 2026-03-04 at 10:15 UTC.',
      'No possible conflict left undecided.',
      'No contradiction disputed.',
    ])
  })

  it('say what is left open in place of that nothing is, in whatever version of certificates', () => {
    const first = (contradictions: object, changed: object = {}, status: 'current' | 'superseded' = 'current') =>
      linesOf({}, { contradictions, settings_changed: changed }, status)?.[0]
    expect(first({ found: 23, open: 0 })).toBe('Nothing is left to decide.')
    expect(first({ found: 23, open: 1 })).toBe('1 contradiction of low severity is open: the gate counts from medium up.')
    expect(first({ found: 23, open: 2 }, {}, 'superseded')).toBe(
      '2 contradictions of low severity were open: the gate counts from medium up.',
    )
    expect(first({ found: 23, open: 2 }, { '/finality/veto_severity': 'critical' })).toBe(
      '2 contradictions of a severity below critical are open: the gate counts from critical up.',
    )
    const both = linesOf({ possible_conflicts_left: 1 }, { contradictions: { found: 1, open: 1 } })?.[0]
    expect(both).toBe(
      '1 contradiction of low severity is open: the gate counts from medium up. 1 possible conflict is undecided: the settings wait for none.',
    )
  })

  it('name the contradictions that are left open, where the certificate does', () => {
    const left = (contradictions: object) => linesOf({}, { contradictions })?.filter(line => line.includes('left open'))
    expect(left({ found: 3, open: 2, open_ids: ['ctr_1', 'ctr_2'] })).toEqual(['2 contradictions left open: ctr_1, ctr_2.'])
    expect(left({ found: 3, open: 2 })).toEqual([])
    expect(left({ found: 3, open: 0, open_ids: [] })).toEqual([])
  })

  it('name the model and its questions, papers and why, and what a model cleared', () => {
    const lines = linesOf(
      {
        setting: 'model',
        by_model: [{ model: 'small', questions: '4', documents: 1 }],
        sign_offs: [{ by: 'R. Roe', vouched: true, current: false, signed_at: '2026-03-04T10:15:00.000Z' }],
        not_read: {
          count: 5,
          listed: [
            { document_id: 'old', revision: 1, status: 'erased', how: null },
            { document_id: 'map', revision: 1, status: 'elsewhere', how: null },
            { document_id: 'photo', revision: 1, status: 'quarantined', how: 'set_aside' },
            { document_id: 'plan', revision: 1, status: 'attached', how: 'read_by_eye' },
            { document_id: 'deed', revision: 1, status: 'registered', how: null },
          ],
        },
        elsewhere: 2,
        cleared_by_model: { count: 1, ids: ['pcf_1'] },
        possible_conflicts_left: 2,
      },
      { possible_conflicts: { left_ids: ['pcf_2', 'pcf_3'] }, disputed: { count: 1, ids: ['ctr_1'] } },
      'superseded',
    )
    expect(lines).toEqual([
      '2 possible conflicts were undecided: the settings wait for none. The settings ask for a comparison by a model.',
      'Compared by rules alone: 2 papers (rules 7).',
      'Compared by rules and small (questions 4): 1 paper.',
      'Signed off by R. Roe (own key or sign-in) on 2026-03-04 at 10:15 UTC, for what counted before.',
      'Not read: photo.pdf (could not be read, set aside), plan.pdf (attached, read by eye).',
      'Registered and not compared: deed.pdf.',
      'Compared elsewhere: map.pdf.',
      'Erased: old.pdf.',
      '1 possible conflict cleared by a model: pcf_1.',
      '2 possible conflicts left undecided: pcf_2, pcf_3.',
      '1 contradiction disputed: ctr_1.',
    ])
  })

  it('say what the settings ask for in the words of the certificate', () => {
    const by_model = [{ model: 'small', questions: '4', documents: 1 }]
    const allRead = { read_by_eye: 0, set_aside: 0, none: 0 }
    for (const setting of ['person', 'model', 'none'] as const)
      for (const by_rules of [[], examined.by_rules])
        for (const models of [[], by_model])
          for (const how of [allRead, { ...allRead, set_aside: 1 }]) {
            const not_read = { count: how.set_aside, listed: null, how }
            const first = linesOf({ setting, by_rules, by_model: models, not_read })?.[0] ?? ''
            const counted = { signOffs: [], more: 0, registered: 0, elsewhere: 0, erased: 0, cleared: 0, replaced: 0 }
            const words = inWords({ ...counted, setting, by_rules, by_model: models, notRead: how })
            const asked = (text: string) => /The settings ask [^.]*\./.exec(text)?.[0]
            expect(asked(first)).toBe(asked(words))
            expect(asked(first)?.includes('no person') ?? false).toBe(
              setting === 'model' && models.length > 0 && by_rules.length === 0 && how.set_aside === 0,
            )
          }
  })

  it.each([
    [1, '1 statement gave way to a later one.'],
    [3, 'Statements gave way to later ones 3 times.'],
  ])('say that statements gave way without anybody’s decision, in the words of the certificate: %i', (standing, text) => {
    expect(linesOf({}, { supersessions: { standing, objected: 0, digest: '' } })).toContain(text)
    const { words } = buildCertificate(certificateInput({ supersessions: { counts: { standing }, members: null, digest: '' } })).examined
    expect(words).toContain(text)
    expect(linesOf({}, { supersessions: { standing: 0, objected: 2, digest: '' } })?.join()).not.toContain('gave way')
  })

  it('name a person once who signed twice, and apart whoever only gave the same name', () => {
    const signed = (day: number, current: boolean, vouched = true) => ({
      by: 'R. Roe',
      vouched,
      current,
      signed_at: `2026-03-0${day}T10:15:00.000Z`,
    })
    const lines = linesOf({ sign_offs: [signed(6, true), signed(5, true, false), signed(4, false)], sign_offs_total: 3 })
    expect(lines?.filter(line => line.startsWith('Signed'))).toEqual([
      'Signed off by R. Roe (own key or sign-in) on 2026-03-06 at 10:15 UTC and on 2026-03-04 at 10:15 UTC, for what counted before.',
      'Signed off by R. Roe (name given with a key) on 2026-03-05 at 10:15 UTC.',
    ])
    const spelt = [{ ...signed(6, true), by: ' r.roe' }, signed(5, true)]
    expect(linesOf({ sign_offs: spelt, sign_offs_total: 2 })?.filter(line => line.startsWith('Signed'))).toEqual([
      'Signed off by r.roe (own key or sign-in) on 2026-03-06 at 10:15 UTC and on 2026-03-05 at 10:15 UTC.',
    ])
    for (const vouched of [true, false])
      expect(linesOf({ sign_offs: [signed(6, true, vouched)] })?.join()).toContain(`(${vouchedWords(vouched)})`)
  })

  it('say how many more there are than they name', () => {
    const listed = Array.from({ length: 23 }, (_, n) => ({
      document_id: `scan-${n}`,
      revision: 1,
      status: 'quarantined',
      how: 'set_aside',
    }))
    const ids = listed.map(each => each.document_id)
    const lines = linesOf({ sign_offs_total: 4, not_read: { count: 23, listed }, cleared_by_model: { count: 120, ids } })
    expect(lines).toContain('3 more sign-offs stand.')
    expect(lines?.find(line => line.startsWith('Not read:'))).toMatch(/scan-19\.pdf \(could not be read, set aside\) and 3 more\.$/)
    expect(lines?.find(line => line.startsWith('120 '))).toMatch(/, scan-19 and 100 more\.$/)
  })

  it('say of papers that are too many to be listed what was done about them, in older certificates how many there are', () => {
    const unread = (not_read: object, elsewhere = 0) =>
      linesOf({ not_read, elsewhere })?.filter(line => line.includes('paper') && !line.startsWith('Compared by'))
    expect(unread({ count: 600, listed: null })).toEqual(['Not read, or erased: 600 papers.'])
    const how = { read_by_eye: 60, set_aside: 30, none: 1 }
    expect(unread({ count: 101, listed: null, how }, 8)).toEqual([
      'Not read: 91 papers (60 read by eye, 30 set aside, 1 with nothing said of it).',
      'Erased: 2 papers.',
      'Compared elsewhere, or only registered: 8 papers.',
    ])
  })

  it('are not there in certificates made before they said so, nor in what cannot be read', () => {
    expect(certificateLines({ certificate: jwsOf({ version: 3 }), status: 'current' })).toBeNull()
    expect(certificateLines({ certificate: 'none', status: 'current' })).toBeNull()
    expect(certificatePayload('a.?.c')).toBeNull()
  })
})
