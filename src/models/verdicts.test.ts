import { describe, expect, it } from 'vitest'
import { proposalForm, verdictForm } from './answer-schema.js'
import { type Candidate, joinCandidates, mostCandidates, proposedCandidates } from './candidates.js'
import type { ShownDocument } from './question.js'
import { isUnsure, type Judged, judgedOf, settled, type VerifyInput, verifyVerdicts } from './verdicts.js'

const text = 'The fee is EUR 600. This replaces the note of March. Nobody paid.'
const own: ShownDocument = { documentId: 'own', revision: 1, name: 'own.txt', issuer: 'Harwick', issuedOn: '2024-04-05' }
const other: ShownDocument = { ...own, documentId: 'other', name: 'other.txt', issuedOn: '2024-03-05' }
const earlier = 'The fee is EUR 500.'

const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  own: { document: own, start: 0, end: 19, text: 'The fee is EUR 600.', claimId: null },
  other: { document: other, start: 0, end: 19, text: earlier, claimId: null },
  ...{ ownWords: 'EUR 600', otherWords: 'EUR 500', subject: 'fee', attribute: 'amount', rules: null },
  ...more,
})

function verified(
  answer: object,
  about: Candidate = candidate(),
  { words, ...more }: Pick<VerifyInput, 'isElsewhere' | 'doubtful'> & { words?: string[] } = {},
) {
  const said = verdictForm.read({
    pairs: [{ pair: 'P1', newer: null, words: null, confidence: 0.9, reason: 'the sums differ', ...answer }],
  })
  const { judged } = judgedOf(said!, [{ candidate: about, ownIsA: false }])
  return verifyVerdicts({
    judged,
    document: { text, words, shown: own, claims: [] },
    earlier: [],
    textAround: () => earlier,
    thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 },
    ...more,
  })
}

describe('what becomes of a verdict', () => {
  it('takes the words of the document as they were found when it was cut', () => {
    const reason = (words?: string[]) =>
      verified({ verdict: 'contradicts', reason: 'Both give the fee of March' }, candidate(), { words }).links[0]?.reason
    expect([reason(), reason(['march']), reason([])]).toEqual([
      ...['Both give the fee of March', 'Both give the fee of March', 'The two passages do not agree.'],
    ])
  })

  it('makes a claim of each passage, with the value that its own words have', () => {
    const { added, lent, links } = verified({ verdict: 'contradicts' })
    expect(added).toMatchObject([{ start: 0, end: 19, valueText: 'EUR 600', value: { type: 'money', low: 600 } }])
    expect(lent).toMatchObject([{ key: 'lent:0', documentId: 'other', claim: { valueText: 'EUR 500' } }])
    expect(links).toMatchObject([
      { own: 0, other: 'lent:0', document: 'other', relation: 'contradicts', value: 'EUR 600', otherValue: 'EUR 500' },
    ])
  })

  it('is a possible conflict where the model is not sure, and nothing where it is compatible', () => {
    expect(verified({ verdict: 'contradicts', confidence: 0.5 }).links).toMatchObject([{ relation: 'possible' }])
    expect(verified({ verdict: 'compatible' })).toMatchObject({ links: [], added: [], lent: [] })
  })

  it('is a possible conflict where a side rests on a word of a scan that may be misread, and replaces nothing', () => {
    // The figure of the other document, a word of this one beyond the passage, and its figure.
    const doubt = (...words: [string, [number, number, number]][]) => ({ doubtful: new Map(words.map(([id, word]) => [id, [word]])) })
    const figure = doubt(['other', [15, 19, 0.61]], ['own', [20, 24, 0.4]])
    const { added, lent, links } = verified({ verdict: 'contradicts' }, candidate(), figure)
    expect(links).toMatchObject([{ relation: 'possible', reason: 'Recognised, 61 %: look at the page. the sums differ' }])
    expect(lent[0]?.claim).toMatchObject({ recognised: 0.61, confidence: 0.61 })
    expect(added[0]).not.toHaveProperty('recognised')
    const replaced = { verdict: 'replaces', newer: 'B', words: 'This replaces the note of March' }
    expect(verified(replaced, candidate(), doubt(['own', [11, 18, 0.7]])).links).toMatchObject([
      { relation: 'supersedes', says: false, reason: 'Recognised, 70 %: look at the page. the sums differ' },
    ])
    expect(verified({ verdict: 'contradicts' }, candidate(), doubt(['own', [20, 24, 0.4]])).links).toMatchObject([
      { relation: 'contradicts' },
    ])
  })

  it('says whether the newer document itself tells of the change', () => {
    const says = (answer: object) => verified({ verdict: 'replaces', ...answer }).links[0]
    expect(says({ newer: 'B', words: 'This replaces the note of March' })).toMatchObject({
      newer: 'own',
      says: true,
      relation: 'supersedes',
    })
    expect(says({ newer: 'B', words: 'cancels everything' })).toMatchObject({ says: false })
    expect(says({ newer: 'A', words: 'This replaces' })).toMatchObject({ newer: 'other', says: false })
    expect(says({})).toMatchObject({ newer: 'own', says: false })
  })

  it('keeps no name that neither document has', () => {
    expect(verified({ verdict: 'contradicts', reason: 'Also Quillonby says so.' }).links[0]?.reason).toBe('The two passages do not agree.')
    expect(verified({ verdict: 'contradicts', reason: 'One says EUR 500, the other EUR 600.' }).links[0]?.reason).toContain('EUR 500')
  })

  it('keeps nouns that no document has, as languages write them that capitalise all, and never words of a third', () => {
    const isElsewhere = (word: string, documentIds: readonly string[]) => {
      expect(documentIds).toEqual(['own', 'other'])
      return word === 'quillonby'
    }
    const reasonOf = (reason: string) => verified({ verdict: 'contradicts', reason }, candidate(), { isElsewhere }).links[0]?.reason
    expect(reasonOf('Die Beträge der Gebühr weichen voneinander ab.')).toBe('Die Beträge der Gebühr weichen voneinander ab.')
    expect(reasonOf('Auch Quillonby nennt einen Betrag.')).toBe('The two passages do not agree.')
    expect(reasonOf('Die Gebühr ist um 17 Prozent höher.')).toBe('The two passages do not agree.')
  })

  it('acquits and clears what the rules found, never more', () => {
    const compatible = { verdict: 'compatible', reason: 'one of them is net' }
    expect(verified(compatible, candidate({ rules: 'contradiction' }))).toMatchObject({
      acquitted: [{ reason: 'one of them is net' }],
      cleared: [],
    })
    expect(verified(compatible, candidate({ rules: 'possible' }))).toMatchObject({ acquitted: [], cleared: [{ document: 'other' }] })
    expect(verified({ ...compatible, confidence: 0.5 }, candidate({ rules: 'possible' }))).toMatchObject({ cleared: [] })
    expect(verified({ verdict: 'contradicts' }, candidate({ rules: 'contradiction' })).links).toEqual([])
  })

  it('clears possible conflicts of the rules within the same two passages with it, and nothing where it is not compatible', () => {
    const place = (claimId: string, start: number) => ({ own: { ...candidate().own, claimId, start }, rules: 'possible' as const })
    const [whole, part, beyond] = [candidate(place('c1', 0)), candidate(place('c2', 4)), candidate(place('c3', 0))]
    beyond.other = { ...beyond.other, end: 25 }
    const { candidates, dropped } = joinCandidates([whole, part, beyond], [])
    expect(dropped).toEqual({ repeated: 2 })
    const about = candidates[0]!
    expect(about.twins).toEqual([part])
    expect(verified({ verdict: 'compatible' }, about).cleared).toHaveLength(2)
    expect(verified({ verdict: 'contradicts' }, about)).toMatchObject({ cleared: [], links: [{ relation: 'contradicts' }] })
  })
})

describe('an answer without being sure', () => {
  const judged = (verdict: Judged['verdict'], confidence: number): Judged => ({
    ...{ candidate: candidate(), verdict, newer: null, words: null, confidence, reason: 'so' },
  })

  it('is one below the threshold of its verdict', () => {
    const thresholds = { contradicts: 0.9, replaces: 0.7, compatible: 0.5 }
    const unsure = (verdict: Judged['verdict']) => [0.4, 0.6, 0.8, 0.9].filter(each => isUnsure(judged(verdict, each), thresholds))
    expect(unsure('contradicts')).toEqual([0.4, 0.6, 0.8])
    expect([unsure('replaces'), unsure('updates')]).toEqual([
      [0.4, 0.6],
      [0.4, 0.6],
    ])
    expect(unsure('compatible')).toEqual([0.4])
  })

  it('gives way to the later one, but to no contradiction that it did not see itself', () => {
    const [first, compatible, later] = [judged('contradicts', 0.5), judged('compatible', 0.5), judged('contradicts', 0.8)]
    expect(settled(first, undefined)).toBe(first)
    expect(settled(first, later)).toBe(later)
    expect(settled(first, compatible)).toBe(compatible)
    expect(settled(compatible, later)).toBe(compatible)
  })
})

describe('answers', () => {
  it('count what was not answered, not asked, or said twice', () => {
    const each = (pair: string) => ({ pair, verdict: 'compatible', newer: null, words: null, confidence: 1, reason: 'so' })
    const said = verdictForm.read({ pairs: [each('p1'), each('P1'), each('P9'), { pair: 'P2' }] })
    const asked = [candidate(), candidate()].map(about => ({ candidate: about, ownIsA: true }))
    expect(judgedOf(said!, asked)).toMatchObject({
      judged: [{}],
      dropped: { malformed: 1, repeated: 1, pair_not_listed: 1, unanswered: 1 },
    })
    expect(verdictForm.read({ verdicts: [] })).toBeNull()
  })

  it('name passages that were listed, and two of them', () => {
    const passage = (documentId: string, words: string) => ({ documentId, start: 0, end: words.length, text: words, about: null })
    const question = { own: [passage('own', 'The fee is EUR 600.')], listed: [passage('other', earlier)] }
    const pair = { a_words: 'EUR 600', b_words: 'EUR 7', subject: 'fee', attribute: 'amount' }
    const said = proposalForm.read({
      pairs: [{ ...pair, a: 'S1', b: 'd1' }, { ...pair, a: 'D1', b: 'D1' }, { ...pair, a: 'D2', b: 'S1' }, { a: 'D1' }],
    })
    const { candidates, dropped } = proposedCandidates(said!, question, { document: own, documents: new Map([['other', other]]) })
    expect(dropped).toEqual({ malformed: 1, one_passage: 1, passage_not_listed: 1 })
    expect(candidates).toMatchObject([{ own: { text: 'The fee is EUR 600.' }, ownWords: null, otherWords: null }])
  })

  it('join what the rules and the model name into one list, with a bound', () => {
    const rules = candidate({ rules: 'possible' })
    expect(joinCandidates([rules], [candidate()]).candidates).toEqual([rules])
    const elsewhere = (start: number) => candidate({ own: { ...candidate().own, start, end: start + 1 } })
    const many = Array.from({ length: mostCandidates + 5 }, (_, index) => elsewhere(100 + index))
    expect(joinCandidates([], many)).toMatchObject({ dropped: { too_many: 5 } })
  })
})
