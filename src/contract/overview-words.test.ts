import { expect, it } from 'vitest'
import { changeWords, decidedShare } from './overview-words.js'

it('tells what changed in the order people ask, and how much is decided', () => {
  const changes = [
    { type: 'scope.signed_off', count: 1 },
    { type: 'document.indexed', count: 2 },
    { type: 'contradiction.detected', count: 1 },
    { type: 'convergence.updated', count: 9 },
  ]
  expect(changeWords(changes)).toBe('1 contradiction found, 2 documents read, 1 sign-off given')
  expect(changeWords([{ type: 'possible_conflict.detected', count: 1 }])).toBe('1 possible conflict found')
  expect(changeWords([{ type: 'claim.superseded', count: 3 }])).toBe('3 statements taken out of what counts')
  expect(changeWords([{ type: 'convergence.updated', count: 9 }])).toBe('nothing changed')
  expect([decidedShare({ decided: 2, total: 3 }), decidedShare({ decided: 0, total: 0 })]).toEqual(['2 of 3, 66 %', 'none'])
})
