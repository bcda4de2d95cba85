import { describe, expect, it } from 'vitest'
import type { PlacedClaim, Reconciliation } from '../reading/types.js'
import { mergeReadings } from './merge-readings.js'
import type { VerifiedLink } from './verdicts.js'

const claim = (claimId: string, documentId: string, low: number): PlacedClaim => ({
  ...{ claimId, documentId, revision: 1, slotKey: `slot ${claimId}`, lookupKeys: [], start: 0, end: 9, quote: `${low} bar` },
  ...{ subject: 'Pump', subjectKey: 'pump', attribute: 'pressure', attributeKey: 'pressure', role: 'actual' },
  ...{ unit: 'bar', period: null, polarity: 'affirmed', valueText: `${low} bar`, confidence: 1 },
  value: { type: 'quantity', unit: 'bar', low, high: low, precision: 1, approximate: false },
})
const own = [claim('o1', 'new', 9), claim('o2', 'new', 9)]
const known = new Map(['k1', 'k2', 'k3'].map((id, index) => [id, claim(id, `old${index}`, id === 'k3' ? 7 : 4)]))
const link = (index: number, other: string, relation: VerifiedLink['relation'] = 'contradicts'): VerifiedLink => ({
  ...{ own: index, other, slotKey: `slot ${other}`, relation, subject: 'Pump', attribute: 'pressure', value: '9 bar', otherValue: '4 bar' },
  ...{ document: known.get(other)?.documentId ?? null, reason: 'Other pressure.', confidence: 0.9 },
  ...(relation === 'supersedes' && { newer: 'own' as const, says: true }),
})
const none: Reconciliation = { supersessions: [], contradictions: [], supporters: [], unsure: [], relations: [] }
const merge = (links: VerifiedLink[], more: Partial<Parameters<typeof mergeReadings>[0]> = {}) =>
  mergeReadings({
    concluded: none,
    reading: { links, acquitted: [], cleared: [] },
    claims: own,
    known,
    findings: [],
    factsOf: id => ({ issuer: 'Harwick', issuedOn: id === 'new' ? '2024-04-05' : '2024-03-05' }),
    documentOf: () => undefined,
    foundBy: 'model:m',
    ...more,
  })

describe('two readers, one result', () => {
  it('makes one finding of one fact, with supporters on both sides', () => {
    const { contradictions } = merge([link(0, 'k1'), link(0, 'k2'), link(1, 'k1')])
    expect(contradictions).toMatchObject([
      { a: 'k1', b: 'o1', supportersA: ['k2'], supportersB: ['o2'], kind: 'numeric', foundBy: 'model:m', confidence: 0.9 },
    ])
  })

  it('drops nothing of what a model confirmed, however much it is', () => {
    const prices = Array.from({ length: 120 }, (_, n) => claim(`p${n}`, 'list', 100 + n))
    const priced = {
      claims: prices.map((_, n) => claim(`n${n}`, 'new', 500 + n)),
      known: new Map(prices.map(each => [each.claimId, each])),
    }
    const links = (relation: VerifiedLink['relation']) => prices.map((each, n) => link(n, each.claimId, relation))
    const proposed = links('supersedes').map(each => ({ ...each, says: false }))
    expect(merge(links('contradicts'), priced).contradictions).toHaveLength(120)
    expect(merge(links('supersedes'), priced).supersessions).toHaveLength(120)
    expect(merge(proposed, priced).unsure).toHaveLength(120)
  })

  it('keeps another value apart', () => {
    expect(merge([link(0, 'k1'), link(0, 'k3')]).contradictions).toHaveLength(2)
  })

  it('keeps sentences apart that are claims as a whole and give other figures', () => {
    const said = (id: string, low: number): PlacedClaim => ({ ...claim(id, id, low), value: { type: 'boolean', value: true } })
    const among = (k2: number) => new Map([said('k1', 4), said('k2', k2)].map(each => [each.claimId, each]))
    const found = (k2: number) => merge([link(0, 'k1'), link(0, 'k2')], { known: among(k2) }).contradictions
    expect([found(7).length, found(4).length]).toEqual([2, 1])
  })

  it('adds to a standing contradiction instead of telling it again', () => {
    const standing = { contradictionId: 'x', slotKey: 's', status: 'open' as const, claimIdsA: ['k1'], claimIdsB: ['z'] }
    const groups = merge([link(0, 'k1')]).contradictions[0]!
    const { contradictions, supporters } = merge([link(0, 'k1')], {
      findings: [{ ...standing, groupA: groups.groupA, groupB: groups.groupB }],
    })
    expect(contradictions).toEqual([])
    expect(supporters).toEqual([{ contradictionId: 'x', side: 'b', claimId: 'o1' }])
  })

  it('leaves what the rules found in place, and links to claims that are over alone', () => {
    const found = merge([link(0, 'k1')]).contradictions[0]!
    const { foundBy, ...byRules } = found
    const both = merge([link(0, 'k1'), link(0, 'gone')], { concluded: { ...none, contradictions: [byRules] } })
    expect(both.contradictions).toEqual([byRules])
  })

  it('retires what is replaced, and then nothing is open about it', () => {
    const { supersessions, contradictions } = merge([link(0, 'k1', 'supersedes'), link(1, 'k1')])
    expect(supersessions).toMatchObject([{ claimId: 'k1', byClaimId: 'o1', foundBy: 'model:m' }])
    expect(contradictions).toEqual([])
  })

  it('ends nothing by what it ends itself, and of a chain counts the last', () => {
    const within = (index: number, other: number): VerifiedLink => ({ ...link(index, '', 'supersedes'), other, slotKey: null })
    const round = merge([within(0, 1), within(1, 0), link(0, 'k1', 'supersedes')])
    expect(round.supersessions.map(({ claimId, byClaimId }) => [claimId, byClaimId])).toEqual([
      ['o2', 'o1'],
      ['k1', 'o1'],
    ])
    const chain = merge([link(1, 'k1', 'supersedes'), within(0, 1)])
    expect(chain.supersessions.map(({ claimId, byClaimId }) => [claimId, byClaimId])).toEqual([
      ['k1', 'o1'],
      ['o2', 'o1'],
    ])
    const byRules = { claimId: 'o1', byClaimId: 'o2', kind: 'words' as const, reason: '' }
    expect(merge([within(0, 1)], { concluded: { ...none, supersessions: [byRules] } }).supersessions).toEqual([byRules])
  })

  it('leaves to a person what the rules hold for a contradiction and the model for a replacement', () => {
    const { foundBy, ...byRules } = merge([link(0, 'k1')]).contradictions[0]!
    const both = merge([link(0, 'k1', 'supersedes')], { concluded: { ...none, contradictions: [byRules] } })
    expect(both).toMatchObject({
      supersessions: [],
      contradictions: [],
      unsure: [{ a: 'k1', b: 'o1', proposes: 'replacement' }],
    })
  })

  it('counts what it replaces in other documents as a change, which policies look at', () => {
    const relations = [
      { claimId: 'o1', relation: 'new' as const },
      { claimId: 'o2', relation: 'new' as const },
    ]
    expect(merge([link(0, 'k1', 'supersedes')], { concluded: { ...none, relations } }).relations).toEqual([
      { claimId: 'o1', relation: 'superseding' },
      { claimId: 'o2', relation: 'new' },
    ])
  })

  it('makes an acquitted contradiction a possible conflict that says why', () => {
    const { foundBy, ...byRules } = merge([link(0, 'k1')]).contradictions[0]!
    const reading = { links: [], acquitted: [{ own: 0, other: 'k1', document: 'old0', reason: 'two different times' }], cleared: [] }
    const { contradictions, unsure } = merge([], { concluded: { ...none, contradictions: [byRules] }, reading })
    expect(contradictions).toEqual([])
    expect(unsure).toMatchObject([{ a: 'k1', b: 'o1', reason: expect.stringContaining('different times') }])
  })

  it('clears a possible conflict of the rules, and none that a model had named', () => {
    const possible = { a: 'k1', b: 'o1', kind: 'numeric' as const, reason: 'perhaps' }
    const reading = { links: [], acquitted: [], cleared: [{ own: 0, other: 'k1', document: 'old0', reason: 'two pumps' }] }
    const cleared = (unsure: object[]) => merge([], { concluded: { ...none, unsure: unsure as Reconciliation['unsure'] }, reading }).unsure
    expect(cleared([possible])).toEqual([{ ...possible, cleared: { by: 'model:m', reason: 'two pumps' } }])
    expect(cleared([{ ...possible, foundBy: 'model:a' }])).toEqual([{ ...possible, foundBy: 'model:a' }])
  })
})

describe('a replacement acts by itself', () => {
  const replacing = (more: Partial<VerifiedLink> = {}) => ({ ...link(0, 'k1', 'supersedes'), ...more })
  const acts = (links: VerifiedLink[], more: Partial<Parameters<typeof mergeReadings>[0]> = {}) => merge(links, more).supersessions.length
  const dated = (issuer: string | null, issuedOn: string | null) => (id: string) =>
    id === 'new' ? { issuer, issuedOn } : { issuer: 'Harwick, Leith office', issuedOn: '2024-03-05' }

  it('where one issuer says it later in words of its own', () => {
    expect(acts([replacing()])).toBe(1)
    expect(acts([replacing()], { factsOf: dated('Harwick, Leith office', '2024-04-05') })).toBe(1)
  })

  it.each([
    ['without words', { says: false }, {}],
    ['where nobody looked for words', { says: undefined }, {}],
    ['of another issuer', {}, { factsOf: dated('Ostermann', '2024-04-05') }],
    ['of no issuer', {}, { factsOf: dated(null, '2024-04-05') }],
    ['on the same day', {}, { factsOf: dated('Harwick, Leith office', '2024-03-05') }],
    ['of no day', {}, { factsOf: dated('Harwick, Leith office', null) }],
    ['where the older side is said to be newer', { newer: 'other' as const }, {}],
  ])('and not %s', (_, of, more) => {
    const { supersessions, unsure } = merge([replacing(of)], more)
    expect(supersessions).toEqual([])
    expect(unsure).toMatchObject([{ proposes: 'replacement', foundBy: 'model:m' }])
  })

  it('and not over a statement that a third document contradicts, until a person has decided', () => {
    const standing = { contradictionId: 'x', slotKey: 's', groupA: 'a', groupB: 'b', claimIdsA: ['k1'], claimIdsB: ['k3'] }
    expect(acts([replacing()], { findings: [{ ...standing, status: 'open' }] })).toBe(0)
    expect(acts([replacing()], { findings: [{ ...standing, status: 'resolved' }] })).toBe(1)
    expect(acts([replacing()], { findings: [{ ...standing, claimIdsB: ['o2'], status: 'open' }] })).toBe(1)
  })
})
