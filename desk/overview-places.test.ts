import { expect, it } from 'vitest'
import { arcBetween, lanesOf, placesOf, titleOfGroup } from './overview-places'

const group = (issuer: string | null, from: string, to = from, count = 1) => ({
  ...{ issuer, from, to, count },
  papers: [{ document_id: `${issuer} ${from}`, name: null }],
})

it('places papers by their issuer and day', () => {
  const groups = [group('B', '2024-01-02'), group(null, '2023-12-31'), group('A', '2024-01-01', '2024-01-05', 3), group('B', '2024-01-01')]
  const lanes = lanesOf(groups)
  expect(lanes).toEqual(['A', 'B', null])
  const places = placesOf(groups, lanes, { left: 100, width: 300, lane: 10 })
  expect(places.map(({ y }) => y)).toEqual([15, 25, 5, 15])
  expect([places[1]?.x, places[2]?.x]).toEqual([100, 400])
  expect(placesOf([group('A', '2024-01-01')], ['A'], { left: 0, width: 10, lane: 2 })).toEqual([{ x: 5, y: 1 }])
  expect(arcBetween(places[0], places[3])).toMatch(/^M[\d.]+ 15Q/)
  expect(arcBetween(places[0], undefined)).toBe('')
  expect(titleOfGroup(group('A', '2024-01-01', '2024-01-05', 3), new Map())).toBe('3 documents of A, 2024-01-01 to 2024-01-05')
})
