import { expect, it } from 'vitest'
import type { Schema } from '../src/contract/types.js'
import { alike, decidedTogetherWords, decideEach, questionTo, reasonsGivenBefore } from './alike'

type Item = Schema['Contradiction']
const side = (document_id: string, value: string) => ({
  claim_id: `${document_id} ${value}`,
  document_id,
  value,
  quote: ` It is ${value}. `,
  page: 3,
  cell: null,
  paragraph: null,
  period: null,
})
const item = (id: string, attribute: string, papers: [string, string], more: object = {}) =>
  ({
    ...{ contradiction_id: id, attribute, subject: 'Tower', status: 'open', evidence: null },
    ...{ a: side(papers[0], '1'), b: side(papers[1], '2') },
    ...more,
  }) as unknown as Item
const apart = (reason: string, resolved_at: string) => ({
  status: 'dismissed',
  resolution: { verdict: 'not_the_same', reason, resolved_at },
})

it('offers a reason again for the same attribute and for the same two papers, the latest first, each once', () => {
  const now = item('now', 'area', ['lease', 'survey'])
  const decided = [
    item('1', 'area', ['x', 'y'], apart('Net and gross.', '2026-01-01')),
    item('2', 'rent', ['survey', 'lease'], apart('Two floors.', '2026-02-01')),
    item('3', 'area', ['x', 'z'], apart('Net and gross.', '2026-03-01')),
    item('4', 'rent', ['x', 'y'], apart('Elsewhere.', '2026-04-01')),
    item('5', 'area', ['x', 'y'], { resolution: { verdict: 'both', reason: 'Both.', resolved_at: '2026-05-01' } }),
  ]
  expect(reasonsGivenBefore(now, decided)).toEqual(['Net and gross.', 'Two floors.'])
})

it('finds none of another subject: two halls have a floor area each', () => {
  const of = (id: string, subject: string | null) => item(id, 'Floor area', ['a', 'b'], { subject })
  const open = [of('2', 'Hall B'), of('3', 'HALL A'), of('4', null)]
  expect(alike(of('1', 'Hall A'), open).map(each => each.item.contradiction_id)).toEqual(['3'])
  expect(alike(of('1', null), open).map(each => each.item.contradiction_id)).toEqual(['4'])
})

it('finds those between the same values, the other way round too', () => {
  const [one, same] = [item('1', 'area', ['a', 'b']), item('2', 'area', ['c', 'd'])]
  const turned = { ...item('3', 'area', ['e', 'f']), a: side('e', '2'), b: side('f', '1') } as unknown as Item
  expect(alike(one, [one, same, turned, item('4', 'rent', ['a', 'b'])]).map(each => [each.item.contradiction_id, each.isSwapped])).toEqual([
    ['2', false],
    ['3', true],
  ])
})

const stated = (id: string, a: object, b: object) =>
  item(id, 'revenue', ['x', 'y'], { a: { ...side('x', '5M'), ...a }, b: { ...side('y', '6M'), ...b } })

it.each([
  ['period', { period: '2023' }, { period: '2024' }],
  ['days', { valid_from: '2023-01-01', valid_to: '2024-01-01' }, { valid_from: '2024-01-01', valid_to: '2025-01-01' }],
  ['unit', { unit: 'EUR' }, { unit: 'USD' }],
  ['role', { role: 'actual' }, { role: 'planned' }],
  ['polarity', { polarity: 'affirmed' }, { polarity: 'negated' }],
  ['meaning', { normalized: { day: '2024-03-04' } }, { normalized: { day: '2024-04-03' } }],
])('finds none of another %s, though the values are written the same', (_, one, other) => {
  expect(alike(stated('1', one, one), [stated('2', other, other), stated('3', one, other), stated('4', one, one)])).toMatchObject([
    { item: { contradiction_id: '4' } },
  ])
})

it('knows which side of a negation is which, whatever their order', () => {
  const [yes, no] = [
    { value: 'signed', polarity: 'affirmed' },
    { value: 'signed', polarity: 'negated' },
  ]
  expect(alike(stated('1', yes, no), [stated('2', no, yes), stated('3', yes, no)]).map(each => each.isSwapped)).toEqual([true, false])
})

it('finds none where both sides state the same: which is which is not known', () => {
  const same = { value: '5M' }
  expect(alike(stated('1', same, same), [stated('2', same, same)])).toEqual([])
})

it('decides the others one by one: what is refused holds up none and is told, what closed meanwhile is left alone', async () => {
  const others = ['1', '2', '3', '4'].map(id => ({ item: item(id, 'area', ['a', 'b']), isSwapped: id === '4' }))
  const asked: [string, boolean][] = []
  const outcome = await decideEach(others, {
    isOpen: async ({ contradiction_id: id }) => id !== '1',
    decide: async ({ item: { contradiction_id: id }, isSwapped }) => {
      asked.push([id, isSwapped])
      if (id === '2') throw new Error('It is held until a person reviews it.')
    },
  })
  expect(asked).toEqual([
    ['2', false],
    ['3', false],
    ['4', true],
  ])
  expect(outcome.left).toEqual([{ item: others[1]?.item, failure: new Error('It is held until a person reviews it.') }])
  expect(decidedTogetherWords(outcome)).toBe('3 of 5 decided, 1 closed meanwhile; still open:')
  const none = { isOpen: () => Promise.reject(new Error('The service cannot be reached.')), decide: () => Promise.resolve() }
  expect(decidedTogetherWords(await decideEach(others, none))).toBe('1 of 5 decided; still open:')
})

it('asks the author of a paper with both quotes and where they stand', () => {
  const asked = questionTo(
    item('1', 'area', ['lease', 'survey'], { evidence: { issuers: { a: null, b: 'Brandt' } } }),
    'b',
    new Map([['lease', 'The lease']]),
  )
  expect(asked).toContain('Dear Brandt,')
  expect(asked).toContain('survey (page 3) says:\n“It is 2.”')
  expect(asked).toContain('The lease (page 3) says:\n“It is 1.”')
  expect(asked).toContain('Which of the two holds for “Area”')
})
