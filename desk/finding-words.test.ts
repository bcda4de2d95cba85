import { describe, expect, it } from 'vitest'
import type { Schema } from '../src/contract/types.js'
import { differenceOf, type Finding, titleBetween, titleOf } from './finding-words'
import { effectOf } from './verdict-effect'

const claim = (id: string, more: Partial<Schema['Claim']> = {}) =>
  ({
    claim_id: id,
    quote: `quote of ${id}`,
    value: '',
    normalized: {},
    period: null,
    polarity: 'affirmed',
    document_id: id,
    superseded_at: null,
    ...more,
  }) as Schema['Claim']
const finding = (a: Finding['a'], b: Finding['b'], more: Partial<Finding> = {}): Finding => ({
  a,
  b,
  subject: null,
  attribute: 'completion date',
  kind: 'date',
  ...more,
})

describe('a finding', () => {
  it('is named as a person would', () => {
    const [a, b] = [claim('a', { value: '30 June 2024' }), claim('b', { value: '31 May 2024' })]
    expect(titleOf(finding(a, b))).toBe('Completion date: 30 June 2024 or 31 May 2024?')
    expect(titleOf(finding(a, b, { attribute: '', subject: 'roof' }))).toBe('Roof: 30 June 2024 or 31 May 2024?')
    const yearly = [claim('a', { value: 'EUR 4', period: 'FY2025' }), claim('b', { value: 'EUR 5', period: 'FY2025' })] as const
    expect(titleOf(finding(...yearly, { attribute: 'revenue' }))).toBe('Revenue FY2025: EUR 4 or EUR 5?')
    expect(titleOf(finding(claim('a'), claim('b', { polarity: 'negated' }), { attribute: 'licence granted', kind: 'negation' }))).toBe(
      'Licence granted: yes or no?',
    )
    const lasting = [claim('a', { value: '30 November' }), claim('b', { value: '30 November 2025' })] as const
    const differs = [{ a: 'valid', b: 'ended' }]
    expect(titleOf(finding(...lasting, { attribute: 'accreditation', evidence: { differs } }))).toBe('Accreditation: valid or ended?')
    expect(titleOf(finding(...lasting, { attribute: 'accreditation' }))).toBe('Accreditation: 30 November or 30 November 2025?')
    const posts = [claim('a', { value: 'Posts: 14, all filled' }), claim('b', { value: 'posts one of 14 vacant' })] as const
    expect(titleOf(finding(...posts, { attribute: 'posts' }))).toBe('Posts: 14, all filled or one of 14 vacant?')
    expect(titleOf(finding({ quote: 'It rained.', source: 's' }, { quote: 'It did not.', source: 't' }))).toBe('It rained. or It did not.?')
  })

  it('is named on the first page too, never with the same words twice', () => {
    const named = (a: string | null, b: string | null) =>
      titleBetween({ subject: null, attribute: 'price', a: { value: a, source: 'offer' }, b: { value: b, source: 'invoice' } })
    expect(named('EUR 4', 'EUR 5')).toBe('Price: EUR 4 or EUR 5?')
    expect(named(null, null)).toBe('Price: erased (offer) or as in invoice?')
    expect(named('EUR 4', 'EUR  4')).toBe('Price: EUR 4 (offer) or as in invoice?')
  })

  it.each([
    [{ type: 'money', currency: 'GBP', low: 4500, high: 4500 }, { type: 'money', currency: 'GBP', low: 3600, high: 3600 }, 'GBP 900, 20 %'],
    [{ type: 'date', from: '2024-06-30', to: '2024-06-30' }, { type: 'date', from: '2024-05-31', to: '2024-05-31' }, '30 days'],
    [{ type: 'percent', low: 4.5, high: 4.5 }, { type: 'percent', low: 3, high: 3 }, '1.5 percentage points'],
    [{ type: 'quantity', unit: 'm2', low: 10, high: 10 }, { type: 'quantity', unit: 'm2', low: 8, high: 8 }, '2 m2, 20 %'],
    [{ type: 'money', currency: 'GBP', low: 1, high: 1 }, { type: 'money', currency: 'EUR', low: 2, high: 2 }, null],
    [{ type: 'date', from: '2024-06-01', to: '2024-06-30' }, { type: 'date', from: '2024-05-31', to: '2024-05-31' }, null],
    [{ type: 'name', value: 'x' }, { type: 'name', value: 'y' }, null],
  ])('has its difference worked out: %j and %j', (a, b, difference) => {
    expect(differenceOf(claim('a', { normalized: a }), claim('b', { normalized: b }))).toBe(difference)
  })

  it('says what a verdict would do before it is given', () => {
    const item = (id: string, a: string, b: string, supportersB: string[] = []) => ({
      contradiction_id: id,
      a: claim(a),
      b: claim(b),
      supporters_a: [],
      supporters_b: supportersB.map(each => claim(each)),
      supporters: { a: 0, b: supportersB.length },
    })
    const first = item('1', 'x', 'y', ['z'])
    const open = [first, item('2', 'y', 'q'), item('3', 'p', 'y', ['w']), item('4', 'p', 'q')]
    expect(effectOf(first, { verdict: 'a' }, open)).toEqual({ ended: 2, closed: ['2'] })
    expect(effectOf(first, { verdict: 'b' }, open)).toEqual({ ended: 1, closed: [] })
    expect(effectOf(first, { verdict: 'both' }, open)).toEqual({ ended: 0, closed: [] })
    expect(effectOf(first, { verdict: 'clerical_error', side: 'b' }, open)).toEqual({ ended: 2, closed: ['2'] })
    expect(effectOf(first, { verdict: 'clerical_error', side: 'a' }, open)).toEqual({ ended: 1, closed: [] })
    expect(effectOf(first, { verdict: 'clerical_error' }, open)).toEqual({ ended: 0, closed: [] })
    // What a revision replaced has stopped counting before.
    const replaced = claim('z', { superseded_at: '2026-03-04T10:15:00.000Z' })
    const former = { ...first, supporters_b: [replaced] }
    expect(effectOf(former, { verdict: 'a' }, [former])).toEqual({ ended: 1, closed: [] })
    const held = { ...item('5', 'p', 'y', ['z']), supporters_b: [replaced] }
    expect(effectOf(former, { verdict: 'a' }, [former, held])).toEqual({ ended: 1, closed: ['5'] })
    for (const verdict of ['disputed', 'not_the_same'] as const)
      expect(effectOf(first, { verdict }, open)).toEqual({ ended: 0, closed: [] })
  })
})
