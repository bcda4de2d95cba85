import { describe, expect, it } from 'vitest'
import { noParts } from './effect.js'
import { changesWhatCounts, examinedAfter } from './examination.js'
import { comparedInAll, comparedInOne, inWords, standingInWords } from './examined-words.js'
import type { RoundInput } from './round-types.js'
import { DEFAULT_SETTINGS, type ScopeSettings } from './settings.js'
import type { Outcome } from './types.js'

const actor = { kind: 'person' as const, id: 'J. Doe' }
const document = { documentId: 'd', revision: 1 }
const given = (input: object) => input as unknown as RoundInput
const settingsWith = (finality: Partial<ScopeSettings['finality']>): ScopeSettings => ({
  ...DEFAULT_SETTINGS,
  finality: { ...DEFAULT_SETTINGS.finality, ...finality },
})
const same = { from: 'x', to: 'x' }
const changes = (input: object, more: { parts?: object; after?: ScopeSettings; outcome?: Outcome } = {}) =>
  changesWhatCounts(given(input), more.outcome ?? 'admit', {
    parts: { ...noParts(), ...more.parts },
    before: DEFAULT_SETTINGS,
    after: more.after ?? DEFAULT_SETTINGS,
  })

describe('what counts', () => {
  it('is changed by whatever comes, goes or is decided', () => {
    expect(changes({ kind: 'document', document, content: {} })).toBe(true)
    expect(changes({ kind: 'erasure', leaves: { counted: true, unexamined: 0 } })).toBe(true)
    expect(changes({ kind: 'discard', leaves: { counted: true, unexamined: 1 } })).toBe(true)
    expect(changes({ kind: 'given_up', document, unread: true })).toBe(true)
    for (const kind of ['resolution', 'finding', 'report', 'arrival']) expect([kind, changes({ kind })]).toEqual([kind, true])
    expect(changes({ kind: 'settings', glossaryDigest: { from: 'x', to: 'y' } })).toBe(true)
    expect(changes({ kind: 'settings', glossaryDigest: same }, { after: settingsWith({ minimum_documents: 9 }) })).toBe(true)
  })

  it('is not changed by the same text, a sign-off, what was no part of it, or who has to examine', () => {
    expect(changes({ kind: 'document', document, content: null })).toBe(false)
    expect(changes({ kind: 'sign_off', actor })).toBe(false)
    expect(changes({ kind: 'erasure', leaves: { counted: false, unexamined: 0 } })).toBe(false)
    expect(changes({ kind: 'given_up', document })).toBe(false)
    expect(changes({ kind: 'settings', glossaryDigest: same }, { after: settingsWith({ examination: 'model', signatures: 3 }) })).toBe(
      false,
    )
  })

  it('is changed once a paper that was signed for as not read has been read, whatever comes of it but a wait', () => {
    const named = { ...document, named: true }
    const outcomes: Outcome[] = ['admit', 'reject', 'hold']
    for (const input of [
      { kind: 'document', document: named, content: null },
      { kind: 'review', verdict: 'reject', held: { kind: 'document', document: named, content: null } },
    ])
      expect(outcomes.map(outcome => changes(input, { outcome }))).toEqual([true, true, false])
    expect(changes({ kind: 'document', document, content: {} }, { outcome: 'reject' })).toBe(false)
    const reread = { kind: 'reread', document: named, content: { supersessions: [] }, withdrawn: [] }
    expect(changes(reread)).toBe(false)
  })

  it('is changed by a new reading where it finds otherwise', () => {
    const reread = { kind: 'reread', document, content: { supersessions: [], reconciliation: {} }, withdrawn: [], revived: [] }
    expect(changes(reread)).toBe(false)
    expect(changes(reread, { parts: { opened: ['low'] } })).toBe(true)
    expect(changes(reread, { parts: { possibleClosed: 1 } })).toBe(true)
    expect(changes({ ...reread, withdrawn: ['sup_1'] })).toBe(true)
  })

  it('is changed by the approval of what was held, as by the thing itself', () => {
    const held = (input: object) => ({ kind: 'review', held: input })
    expect(changes(held({ kind: 'document', document, content: {} }))).toBe(true)
    expect(changes(held({ kind: 'resolution' }))).toBe(true)
    expect(changes(held({ kind: 'settings', glossaryChanges: true }))).toBe(true)
    expect(changes(held({ kind: 'settings' }))).toBe(false)
    expect(changes(held({ kind: 'finality' }))).toBe(false)
    expect(changes(held({ kind: 'sign_off' }))).toBe(false)
  })
})

describe('who examined it', () => {
  const before = { signers: 1, readByEye: 1, unexamined: 2 }
  const asked = { outcome: 'admit' as Outcome, changed: false, asksModel: true }

  it('is what a sign-off says, once it is admitted', () => {
    const examination = { signers: 2, readByEye: 0, unexamined: 0 }
    const signed = { kind: 'sign_off', actor, examination }
    expect(examinedAfter(before, given(signed), asked)).toEqual(examination)
    expect(examinedAfter(before, given(signed), { ...asked, outcome: 'reject' })).toEqual(before)
    expect(examinedAfter(before, given({ kind: 'review', held: signed }), asked)).toEqual(examination)
  })

  it('is nobody once something else counts, and goes on where nothing does', () => {
    expect(examinedAfter(before, given({ kind: 'resolution' }), { ...asked, changed: true })).toEqual({
      signers: 0,
      readByEye: 0,
      unexamined: 2,
    })
    expect(examinedAfter(before, given({ kind: 'resolution' }), asked)).toEqual(before)
  })

  it('counts what no model compared, where the settings ask for one', () => {
    const read = (byModel: boolean) =>
      given({ kind: 'document', document: { ...document, unexamined: { admitted: !byModel, refused: false } }, content: {} })
    const next = { ...asked, changed: true }
    expect(examinedAfter(before, read(false), next)?.unexamined).toBe(3)
    expect(examinedAfter(before, read(true), next)?.unexamined).toBe(2)
    expect(examinedAfter(before, read(false), { ...next, outcome: 'reject' })?.unexamined).toBe(2)
    expect(examinedAfter(before, read(false), { ...next, asksModel: false })?.unexamined).toBe(0)
    const gone = given({ kind: 'erasure', leaves: { counted: true, unexamined: 1 } })
    expect(examinedAfter(before, gone, next)?.unexamined).toBe(1)
    expect(examinedAfter({ ...before, unexamined: 0 }, gone, next)?.unexamined).toBe(0)
    expect(examinedAfter(before, given({ kind: 'settings', unexamined: 4 }), asked)?.unexamined).toBe(6)
  })

  it('counts the revision before again where one is refused or discarded, and none while it is held', () => {
    const refused = { ...document, unexamined: { admitted: false, refused: true } }
    const figure = (input: object, outcome: Outcome) => examinedAfter(before, given(input), { ...asked, outcome })?.unexamined
    const came = { kind: 'document', document: refused, content: {} }
    expect([figure(came, 'admit'), figure(came, 'hold'), figure(came, 'reject')]).toEqual([2, 2, 3])
    const review = (verdict: string) => ({ kind: 'review', verdict, held: { ...came, content: null } })
    expect([figure(review('approve'), 'admit'), figure(review('approve'), 'reject')]).toEqual([2, 3])
    expect([figure(review('reject'), 'admit'), figure(review('reject'), 'hold')]).toEqual([3, 2])
    expect(figure({ kind: 'discard', leaves: { counted: false, unexamined: -1 } }, 'admit')).toBe(3)
  })
})

describe('the words', () => {
  const allRead = { read_by_eye: 0, set_aside: 0, none: 0 }
  const doe = { by: 'J. Doe', signed_at: '2026-03-04T10:00:00.000Z' }
  const roe = { by: 'R. Roe', signed_at: '2026-03-03T10:00:00.000Z' }

  it('say who signed, how far that reaches and what came since', () => {
    expect(standingInWords([], { papersSince: 3, changed: false })).toBe('not signed off')
    expect(standingInWords([doe], { papersSince: 0, changed: false })).toBe('signed off by J. Doe, current to 4 March 2026')
    expect(standingInWords([doe], { papersSince: 3, changed: true })).toBe('signed off by J. Doe, current to 4 March 2026, 3 papers since')
    expect(standingInWords([doe], { papersSince: 1, changed: true })).toBe('signed off by J. Doe, current to 4 March 2026, 1 paper since')
    expect(standingInWords([doe], { papersSince: 0, changed: true })).toBe(
      'signed off by J. Doe, current to 4 March 2026, something else counts since',
    )
    expect(standingInWords([doe, roe, doe], { papersSince: 0, changed: false })).toBe(
      'signed off by J. Doe and R. Roe, current to 4 March 2026',
    )
    expect(standingInWords([doe, roe], { papersSince: 0, changed: false, more: 3 })).toBe(
      'signed off by J. Doe and R. Roe and 3 more, current to 4 March 2026',
    )
  })

  it('say who compared one document, and all of a case', () => {
    const signed = (how: 'read_by_eye' | 'set_aside' | null) => ({ by: 'J. Doe', how })
    expect(comparedInOne({ rules: true, model: null, person: null })).toBe('compared by rules alone')
    expect(comparedInOne({ rules: true, model: 'm (questions 2)', person: null })).toBe('compared by rules and m (questions 2)')
    expect(comparedInOne({ rules: true, model: null, person: signed(null) })).toBe('compared by rules and J. Doe')
    expect(comparedInOne({ rules: false, model: null, person: signed('read_by_eye') })).toBe('read by J. Doe')
    expect(comparedInOne({ rules: false, model: null, person: signed('set_aside') })).toBe('set aside by J. Doe')
    expect(comparedInOne({ rules: false, model: null, person: null })).toBe('compared by nobody')
    expect(comparedInAll({ models: [], byRulesAlone: false })).toBe('nothing compared')
    expect(comparedInAll({ models: ['m'], byRulesAlone: true })).toBe('compared by rules, some also by m')
    expect(comparedInAll({ models: ['m', 'n'], byRulesAlone: false })).toBe('compared by rules and m and n')
  })

  it('say on a certificate what was asked for, and what was left out', () => {
    const rules = [{ version: '3', documents: 2 }]
    const certified = {
      setting: 'person' as const,
      by_rules: rules,
      by_model: [],
      signOffs: [
        { ...doe, current: true },
        { ...roe, current: true },
      ],
      more: 0,
      notRead: { read_by_eye: 0, set_aside: 0, none: 1 },
      ...{ registered: 1, elsewhere: 2, erased: 1 },
      ...{ cleared: 1, replaced: 0 },
    }
    expect(inWords(certified)).toBe(
      'Compared by rules alone. Signed off by J. Doe on 4 March 2026 and by R. Roe on 3 March 2026. 1 paper not read. 1 paper registered and not compared. 2 papers compared elsewhere. 1 paper erased. 1 possible conflict cleared by a model.',
    )
    expect(
      inWords({
        ...certified,
        signOffs: [
          { ...doe, current: true },
          { ...roe, current: false },
        ],
      }),
    ).toContain('Signed off by J. Doe on 4 March 2026. Signed off by R. Roe on 3 March 2026, for what counted before.')
    const again = (current: boolean) => [
      { by: 'J. Doe', signed_at: '2026-03-05T09:00:00.000Z', current: true },
      { by: 'J. Doe', signed_at: '2026-03-04T09:00:00.000Z', current },
    ]
    expect(inWords({ ...certified, signOffs: again(true) })).toContain('Signed off by J. Doe on 5 March 2026 and 4 March 2026. 1 paper')
    expect(inWords({ ...certified, signOffs: again(false) })).toContain('Signed off by J. Doe on 5 March 2026. 1 paper')
    expect(inWords({ ...certified, more: 2 })).toContain('by R. Roe on 3 March 2026. 2 more sign-offs stand.')
    const dealtWith = { ...certified, notRead: { read_by_eye: 1, set_aside: 2, none: 1 } }
    expect(inWords(dealtWith)).toContain(' 4 papers not read: 1 read by eye, 2 set aside, 1 with nothing said of it. ')
    expect(inWords({ ...certified, replaced: 1 })).toMatch(/ 1 statement gave way to a later one\.$/)
    expect(inWords({ ...certified, replaced: 3 })).toMatch(/ Statements gave way to later ones 3 times\.$/)
    const none = { ...certified, signOffs: [], notRead: allRead, registered: 0, elsewhere: 0, erased: 0, cleared: 0 }
    expect(inWords({ ...none, setting: 'none' })).toBe('Compared by rules alone. The settings ask for no examination.')
    const models = [{ model: 'm', questions: '2', documents: 1 }]
    expect(inWords({ ...none, setting: 'model', by_model: models })).toBe(
      '1 paper compared by rules and m (questions 2), 2 by rules alone. The settings ask for a comparison by a model.',
    )
    expect(inWords({ ...none, setting: 'model' })).toBe('Compared by rules alone. The settings ask for a comparison by a model.')
    const compared = { ...none, setting: 'model' as const, by_rules: [], by_model: models }
    const all = 'The settings ask for a comparison by a model; no person has to sign off.'
    expect(inWords(compared)).toBe(`Compared by rules and m (questions 2). ${all}`)
    expect(inWords({ ...compared, notRead: { ...allRead, none: 1 } })).not.toContain(all)
  })
  it('a person is named once, however the name was spelt, as the gate counts them', () => {
    const by = (name: string, current = true) => ({ by: name, signed_at: '2026-03-04T10:00:00.000Z', current })
    const signOffs = [by('m.roe'), by(' Q.Lind '), by('q.lind'), by('M.ROE', false)]
    const words = 'm.roe on 4 March 2026 and by Q.Lind on 4 March 2026.'
    const rules = { setting: 'person' as const, by_rules: [{ version: '3', documents: 2 }], by_model: [] }
    const examined = { ...rules, signOffs, more: 0, notRead: allRead, registered: 0, elsewhere: 0, erased: 0, cleared: 0, replaced: 0 }
    expect(inWords(examined)).toContain(`Signed off by ${words}`)
    expect(inWords(examined)).not.toContain('for what counted before')
    expect(standingInWords(signOffs.slice(0, 3), { papersSince: 0, changed: false })).toBe(
      'signed off by m.roe and Q.Lind, current to 4 March 2026',
    )
  })
})
