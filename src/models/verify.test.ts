import { describe, expect, it } from 'vitest'
import type { ExtractedClaim } from '../reading/types.js'
import { type Answer, type AnsweredLink, readAnswer } from './answer-schema.js'
import { findWords, saysTheSame, typedValue } from './typed-value.js'
import { verifyAnswer } from './verify.js'

const text =
  'Quarterly note of Brandt AG\n\nNet debt at 30 June 2024 was EUR 41.2 million, not EUR 1,500 million. The audit was completed on 3 May 2024. Pump P-12 was never tested.'
const listed = [
  {
    documentId: 'd1',
    issuer: 'Brandt AG',
    issuedOn: '2024-07-01',
    quote: 'Net debt at 30 June 2024 was EUR 38.0 million.',
    claims: [
      {
        claimId: 'c1',
        quote: 'Net debt at 30 June 2024 was EUR 38.0 million.',
        value: { type: 'money', currency: 'EUR', low: 38e6, high: 38e6, precision: 1e5, approximate: false },
        valueText: 'EUR 38.0 million',
        period: null,
        slotKey: 's1',
      } as const,
    ],
  },
]
const link: AnsweredLink = {
  quote: 'Net debt at 30 June 2024 was EUR 41.2 million',
  value: 'EUR 41.2 million',
  statement: 'S1',
  other_value: 'EUR 38.0 million',
  relation: 'contradicts',
  words: null,
  subject: 'Brandt AG',
  attribute: 'net debt',
  reason: 'Other figures.',
  confidence: 0.9,
}
const nothing: Answer = { links: [], within: [], noConflict: [], claims: [], malformed: 0 }
const verify = (answer: Partial<Answer>, issuedOn: string | null = '2024-08-01', issuer: string | null = 'Zeiss Bank') =>
  verifyAnswer({ answer: { ...nothing, ...answer }, document: { text, issuer, issuedOn, claims: [] }, listed, contradictions: [] })

const emptyClaim = {
  ...{ start: 0, end: 0, quote: '', subject: '', subjectKey: '', subjectCertain: false, attribute: '', attributeKey: '' },
  ...{ role: 'actual', basis: [], part: null, unit: null, period: null, polarity: 'affirmed', modality: 'fact' },
  ...{ value: { type: 'boolean', value: true }, valueText: '', confidence: 0 },
  stance: { disputes: false, corrects: false, echoes: false, supersedes: false },
} as const satisfies Partial<Record<keyof ExtractedClaim, unknown>> as unknown as ExtractedClaim

describe('words in a text', () => {
  it('are whole: a 5 is not in 1500, and 500 not in 1,500', () => {
    expect(findWords('about 1500', '5')).toBeNull()
    expect(findWords('about 1,500 units', '500')).toBeNull()
    expect(findWords('about 1.5', '1')).toBeNull()
    expect(findWords('Engine,1480000,910000,1150000', '1150000')).not.toBeNull()
    expect(findWords('approved,2024-04-15', 'approved')).not.toBeNull()
    expect(findWords('the\n  “net debt”', 'The "net debt"')).not.toBeNull()
  })
})

describe('values', () => {
  const value = (quote: string, words: string) => typedValue(quote, words, null)!
  it('are typed by what stands in the quote', () => {
    expect(value('Net debt was EUR 41.2 million', '41.2 million').value).toMatchObject({ type: 'money', low: 41.2e6 })
    expect(value('completed on 3 May 2024', '3 May 2024').value).toMatchObject({ type: 'date', from: '2024-05-03' })
    expect(value('<td>18 bays</td>', '18 bays').value).toMatchObject({ type: 'quantity', low: 18 })
    expect(typedValue('Net debt was EUR 41.2 million', 'EUR 45', null)).toBeNull()
  })

  it('say the same within what was written, and no more', () => {
    expect(saysTheSame(value('EUR 41.2 million', '41.2 million'), value('EUR 41,183,000', 'EUR 41,183,000'))).toBe(true)
    expect(saysTheSame(value('five heaters', 'five'), value('six heaters', 'six'))).toBe(false)
    expect(saysTheSame(value('27-33%', '27-33%'), value('25-35%', '25-35%'))).toBe(false)
    expect(saysTheSame(value('17 of 348 (4.9%)', '17 of 348 (4.9%)'), value('17 (1.9%)', '17 (1.9%)'))).toBe(false)
    const [about, before] = [value('about 153%', '153%'), value('it was 155.3%', '155.3%')]
    expect([saysTheSame(about, before), saysTheSame(about, before, true)]).toEqual([true, false])
    expect(saysTheSame(value('was approved', 'approved'), value('was not approved', 'approved'))).toBe(false)
  })
})

describe('verifying an answer', () => {
  it('keeps what stands in the text, with values read by our own code', () => {
    const { links, added, dropped } = verify({ links: [link] })
    expect(dropped).toEqual({})
    expect(added).toMatchObject([{ start: 29, quote: link.quote, value: { type: 'money', low: 41.2e6 } }])
    expect(links).toMatchObject([{ own: 0, other: 'c1', relation: 'contradicts', slotKey: 's1' }])
  })

  it('knows a subject by its figures as a whole', () => {
    expect(verify({ links: [{ ...link, subject: 'Net debt of EUR 41.2M' }] }).dropped).toEqual({})
    expect(verify({ links: [{ ...link, subject: 'Net debt of EUR 41.7M' }] }).dropped).toEqual({ unknown_subject: 1 })
  })

  it.each([
    ['statement_not_listed', { statement: 'S2' }],
    ['statement_not_listed', { statement: 'C1' }],
    ['quote_not_in_document', { quote: 'Net debt was EUR 41.2 million' }],
    ['value_not_in_quote', { value: 'EUR 500 million' }],
    ['value_not_in_quote', { other_value: 'EUR 8.0 million' }],
    ['unknown_subject', { subject: 'the Krupp group' }],
    ['equal_values', { quote: 'Net debt at 30 June 2024 was EUR 41.2 million', value: null, other_value: null }],
  ])('drops %s', (reason, change) => {
    const same =
      reason === 'equal_values'
        ? { ...listed[0]!, quote: link.quote, claims: [{ ...listed[0]!.claims[0]!, quote: link.quote }] }
        : listed[0]!
    const result = verifyAnswer({
      answer: { ...nothing, links: [{ ...link, ...change }] },
      document: { text, issuer: null, issuedOn: null, claims: [] },
      listed: [same],
      contradictions: [],
    })
    expect(result.links).toEqual([])
    expect(result.dropped).toEqual({ [reason]: 1 })
  })

  it('retires a claim only by quoted words of replacement, or a later word of the same issuer', () => {
    const supersedes = { ...link, relation: 'supersedes' as const }
    const relation = (change: Partial<AnsweredLink>, ...when: [string | null, string | null] | []) =>
      verify({ links: [{ ...supersedes, ...change }] }, ...when).links[0]?.relation
    expect(relation({})).toBe('possible')
    expect(relation({ words: 'not EUR 1,500 million' })).toBe('supersedes')
    expect(relation({ words: 'Pump P-12 was never tested' })).toBe('possible')
    expect(relation({ words: 'The audit was completed' })).toBe('supersedes')
    expect(relation({ words: 'signed at last' })).toBe('possible')
    expect(relation({ words: 'this replaces that' })).toBe('possible')
    expect(relation({}, '2024-08-01', 'Brandt AG')).toBe('supersedes')
    expect(relation({}, '2024-08-01', 'BRANDT AG - Treasury')).toBe('supersedes')
    expect(relation({}, '2024-08-01', 'Brandt')).toBe('possible')
    expect(relation({}, '2024-08-01', 'Mallory LLC, Brandt AG')).toBe('possible')
    expect(relation({ words: 'not EUR 1,500 million' }, '2024-01-01', 'Brandt AG')).toBe('possible')
  })

  it('takes the claim whose words are meant, where a statement has several', () => {
    const none = { ...listed[0]!.claims[0]!, claimId: 'c2', quote: 'No loan was taken up', valueText: 'no' }
    const joined = { ...listed[0]!, quote: `${none.quote} … ${listed[0]!.quote}`, claims: [none, ...listed[0]!.claims] }
    const result = verifyAnswer({
      answer: { ...nothing, links: [link, { ...link, value: 'EUR 41.2 million', other_value: 'No loan' }] },
      document: { text, issuer: null, issuedOn: null, claims: [] },
      listed: [joined],
      contradictions: [],
    })
    expect(result.links.map(each => each.other)).toEqual(['c1', 'c2'])
    const whole = verifyAnswer({
      answer: {
        ...nothing,
        links: [
          { ...link, other_value: null },
          { ...link, other_value: 'up … Net debt' },
        ],
      },
      document: { text, issuer: null, issuedOn: null, claims: [] },
      listed: [joined],
      contradictions: [],
    })
    expect([whole.links.map(each => each.relation), whole.dropped]).toEqual([['possible'], { value_not_in_quote: 1 }])
    const agreed = { ...link, quote: 'not EUR 1,500 million', value: null, other_value: 'EUR 38.0 million' }
    expect(verify({ links: [agreed] }).dropped).toEqual({})
  })

  it('lets the new of two passages of a document replace the old where it says so', () => {
    const pair = {
      ...{ quote: 'Net debt at 30 June 2024 was EUR 41.2 million', value: 'EUR 41.2 million', other_quote: 'not EUR 1,500 million' },
      ...{ other_value: 'EUR 1,500 million', subject: 'Brandt AG', attribute: 'net debt', reason: 'Corrected.', confidence: 0.9 },
    }
    const relation = (change: { relation: 'contradicts' | 'supersedes'; words: string | null }) =>
      verify({ within: [{ ...pair, ...change }] }).links[0]?.relation
    expect(relation({ relation: 'supersedes', words: 'not EUR 1,500 million' })).toBe('supersedes')
    expect(relation({ relation: 'supersedes', words: null })).toBe('possible')
    expect(relation({ relation: 'contradicts', words: null })).toBe('contradicts')
    const one = {
      ...pair,
      other_quote: pair.quote,
      other_value: '30 June 2024',
      relation: 'supersedes' as const,
      words: 'not EUR 1,500 million',
    }
    expect(verify({ within: [one] }).dropped).toEqual({ one_passage: 1 })
  })

  it('knows periods that cannot overlap by what the passages themselves say', () => {
    const year = (year: string) => ({ label: year, from: `${year}-01-01`, to: `${Number(year) + 1}-01-01`, grain: 'year' as const })
    const dropped = (quote: string) => {
      const [statement] = listed
      const claim = { ...statement!.claims[0]!, quote, period: year('2023') }
      const own = {
        ...emptyClaim,
        quote: link.quote,
        value: typedValue(link.quote, link.value, null)!.value,
        start: 29,
        end: 29 + link.quote.length,
        period: year('2024'),
        valueText: link.value!,
      }
      const document = { text, issuer: null, issuedOn: null, claims: [own] }
      const input = {
        answer: { ...nothing, links: [link] },
        document,
        listed: [{ ...statement!, quote, claims: [claim] }],
        contradictions: [],
      }
      return verifyAnswer(input).dropped
    }
    expect(dropped('Net debt for 2023 was EUR 38.0 million.')).toEqual({ disjoint_periods: 1 })
    expect(dropped('Net debt was EUR 38.0 million.')).toEqual({})
  })

  it('takes two who share a town, a title or a department for two', () => {
    const relation = (issuer: string, before: string) =>
      verifyAnswer({
        answer: { ...nothing, links: [{ ...link, relation: 'supersedes' }] },
        document: { text, issuer, issuedOn: '2024-08-01', claims: [] },
        listed: [{ ...listed[0]!, issuer: before }],
        contradictions: [],
      }).links[0]?.relation
    expect(relation('EY, London', 'KPMG, London')).toBe('possible')
    expect(relation('A. Li, Director', 'B. Wu, Director')).toBe('possible')
    expect(relation('Claims Department, Alpha Insurance', 'Claims Department, Beta Insurance')).toBe('possible')
    expect(relation('Analyst — Dr. Engel (Capital)', 'Analyst — Dr. Engel')).toBe('supersedes')
  })

  it('hears words of change only beside the passage they speak of', () => {
    const far = `The hearing is now closed.${' Nothing else was said.'.repeat(20)}\n\nNet debt was EUR 41.2 million.${' More.'.repeat(60)} It is now late.`
    const relation = (words: string, issuer: string | null) =>
      verifyAnswer({
        answer: { ...nothing, links: [{ ...link, quote: 'Net debt was EUR 41.2 million', relation: 'supersedes', words }] },
        document: { text: far, issuer, issuedOn: '2024-08-01', claims: [] },
        listed,
        contradictions: [],
      }).links[0]?.relation
    expect(relation('It is now late', 'Zeiss Bank')).toBe('possible')
    expect(relation('now closed', 'Zeiss Bank')).toBe('possible')
    // In its title a document speaks of all of it, unless another party's statement is meant.
    expect(relation('now closed', null)).toBe('supersedes')
  })

  it('retires nothing by a passage that stands in the document twice', () => {
    const twice = `${text}\n\nNet debt at 30 June 2024 was EUR 41.2 million.`
    const { links } = verifyAnswer({
      answer: { ...nothing, links: [{ ...link, relation: 'supersedes' }] },
      document: { text: twice, issuer: 'Brandt AG', issuedOn: '2024-08-01', claims: [] },
      listed,
      contradictions: [],
    })
    expect(links[0]?.relation).toBe('possible')
  })

  it('keeps no name of a third document in what it says of two', () => {
    const third = { ...listed[0]!, documentId: 'd2', quote: 'Katharina Ostrow signed.', claims: [] }
    const { links, added } = verifyAnswer({
      answer: { ...nothing, links: [{ ...link, subject: 'debt of Ostrow', attribute: 'Katharina', reason: 'Differs, says Ostrow.' }] },
      document: { text, issuer: null, issuedOn: null, claims: [] },
      listed: [listed[0]!, third],
      contradictions: [],
    })
    expect(links).toMatchObject([{ subject: '', reason: 'The two passages do not agree.' }])
    expect(JSON.stringify([links, added])).not.toMatch(/Ostrow/)
  })

  it('says what it drops once a document has more passages than anybody reads', () => {
    const many = Array.from({ length: 70 }, (_, index) => `Pump ${index} failed.`).join('\n')
    const claims = Array.from({ length: 70 }, (_, index) => ({
      quote: `Pump ${index} failed.`,
      value: null,
      subject: 'pump',
      attribute: 'state',
    }))
    const document = { text: many, issuer: null, issuedOn: null, claims: [] }
    const { added, dropped } = verifyAnswer({ answer: { ...nothing, claims }, document, listed: [], contradictions: [] })
    expect([added.length, dropped]).toEqual([60, { too_many: 10 }])
  })

  it('makes little confidence a possible conflict', () => {
    expect(verify({ links: [{ ...link, confidence: 0.6 }] }).links).toMatchObject([{ relation: 'possible' }])
  })

  it('acquits by an explicit reason that code cannot refute, and by nothing else', () => {
    const claim = (claimId: string, low: number): ExtractedClaim & { claimId: string } => ({
      ...{
        claimId,
        start: 0,
        end: 1,
        quote: `Pump P-12 ran at ${low} bar`,
        subject: 'Pump P-12',
        subjectKey: 'pump p-12',
        subjectCertain: true,
      },
      ...{ attribute: '', attributeKey: '', role: 'actual', basis: [], part: null, unit: null, period: null, polarity: 'affirmed' },
      ...{ modality: 'fact', valueText: `${low} bar`, confidence: 1 },
      value: { type: 'quantity', unit: 'bar', low, high: low, precision: 1, approximate: false },
      stance: { disputes: false, corrects: false, echoes: false, supersedes: false },
    })
    const acquit = (reason: 'other_subject' | 'other_measure' | 'same_value' | 'replaced', number = 'C1') =>
      verifyAnswer({
        answer: { ...nothing, noConflict: [{ number, reason }] },
        document: { text, issuer: null, issuedOn: null, claims: [] },
        listed: [],
        contradictions: [{ a: claim('a', 4), b: claim('b', 9) }],
      })
    expect(acquit('other_measure').acquitted).toEqual([{ a: 'a', b: 'b', reason: 'other_measure' }])
    for (const reason of ['other_subject', 'same_value', 'replaced'] as const)
      expect(acquit(reason)).toMatchObject({ acquitted: [], dropped: { refuted: 1 } })
    expect(acquit('other_measure', 'C2')).toMatchObject({ acquitted: [], dropped: { number_not_listed: 1 } })
  })
})

describe('reading an answer', () => {
  it('forgives what leaves no doubt and refuses the rest part by part', () => {
    const { value, words, ...bare } = link
    const read = readAnswer({ links: [{ ...bare, statement: 's1', confidence: '0.9', note: 'x' }, { quote: 'a' }], claims: 'none' })
    expect(read?.links).toEqual([{ ...link, value: null }])
    expect(read?.malformed).toBe(2)
    expect(readAnswer({ claims_: [] })).toBeNull()
    expect(readAnswer([])).toBeNull()
  })
})
