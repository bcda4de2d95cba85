import { describe, expect, it } from 'vitest'
import { contestedFact, heaviestFirst } from './findings/contested-facts.js'
import { groupPapers, linkGroups, mostGroups } from './paper-groups.js'
import type { ContradictionRecord } from './types.js'

describe('papers on a line of time', () => {
  const papers = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      documentId: `d${n}`,
      name: null,
      issuer: n % 20 === 0 ? null : `issuer ${n % 20}`,
      day: new Date(Date.UTC(2024, 0, 1 + (n % 365))).toISOString().slice(0, 10),
    }))

  it('stand alone in a small case, and in groups of an issuer in a large one, none lost', () => {
    expect(groupPapers(papers(60)).every(group => group.papers.length === 1)).toBe(true)
    for (const count of [61, 1000]) {
      const groups = groupPapers(papers(count))
      expect(groups.length).toBeLessThanOrEqual(mostGroups)
      expect(groups.flatMap(group => group.papers)).toHaveLength(count)
      expect(groups.every(({ papers: of, from, to }) => of.every(({ day }) => from <= day && day <= to))).toBe(true)
    }
    expect(groupPapers([])).toEqual([])
    expect(groupPapers(papers(100).map(paper => ({ ...paper, issuer: null, day: '2024-01-01' })))).toHaveLength(1)
  })

  it('are linked by what lies between them, added up for groups', () => {
    const groups = groupPapers(papers(3))
    const pair = (a: string, b: string, kind: 'contradicts' | 'replaces', open = 0) => ({ a, b, kind, count: 1, open })
    const pairs = [
      pair('d1', 'd0', 'contradicts', 1),
      pair('d0', 'd1', 'contradicts'),
      pair('d1', 'd0', 'replaces'),
      pair('d0', 'gone', 'contradicts'),
    ]
    expect(linkGroups(groups, pairs, 10)).toEqual([
      { a: 0, b: 1, kind: 'contradicts', count: 2, open: 1 },
      { a: 1, b: 0, kind: 'replaces', count: 1, open: 0 },
    ])
  })
})

describe('a contested fact', () => {
  const side = (value: string, normalized: object) => ({ claim_id: value, document_id: 'd', quote: value, value, normalized })
  const record = (severity: string, a: object, b: object, more: object = {}) =>
    ({ a, b, severity, found_by: 'rules', attribute: 'revenue', detected_at: severity, ...more }) as unknown as ContradictionRecord
  const money = (low: number) => side(`EUR ${low}`, { type: 'money', low, high: low })
  const told = (...given: Parameters<typeof record>) => contestedFact(record(...given), new Map()).why

  it('says how its severity came about', () => {
    expect(told('high', money(41.2), money(33.9))).toBe('The figures are 18 % apart, on a matter of weight (revenue).')
    const rent = { attribute: 'rent' }
    expect(told('medium', money(41.2), money(33.9), rent)).toBe('The figures are 18 % apart.')
    expect(told('medium', side('yes', { type: 'category' }), side('no', { type: 'category' }), rent)).toBe('Only one of the two can hold.')
    expect(told('high', money(41.2), money(33.9), rent), 'no weight that is not there').toBe('By what the two say, and what about.')
    expect(told('low', money(1), money(2), { found_by: 'person:J. Doe' })).toContain('reported')
  })

  it('tells its sides apart by their words where the values do not', () => {
    const said = (quote: string) => ({ ...side('granted', {}), quote })
    const values = (kind: string, a: object, b: object) => {
      const fact = contestedFact(record('medium', a, b, { kind }), new Map())
      return [fact.a.value, fact.b.value]
    }
    const both = [said('The licence was granted.'), said('The licence was not granted.')] as const
    for (const kind of ['negation', 'categorical'])
      expect(values(kind, ...both)).toEqual(['The licence was granted.', 'The licence was not granted.'])
    expect(values('negation', side('granted', {}), { ...side('refused', {}), quote: 'It was refused.' })).toEqual([
      'granted',
      'It was refused.',
    ])
    expect(values('numeric', money(1), money(2))).toEqual(['EUR 1', 'EUR 2'])
  })

  it('comes before lighter ones, money before dates before the rest', () => {
    const facts = [
      record('medium', side('x', { type: 'category' }), side('y', {})),
      record('medium', side('1 May', { type: 'date' }), side('2 May', {})),
      record('low', money(1), money(2)),
      record('medium', money(1), money(2)),
    ].map(each => contestedFact(each, new Map()))
    expect(heaviestFirst(facts).map(({ severity, says }) => `${severity} ${says}`)).toEqual([
      'medium money',
      'medium date',
      'medium other',
      'low money',
    ])
  })
})
