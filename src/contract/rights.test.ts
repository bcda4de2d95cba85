import { expect, it } from 'vitest'
import { operations } from './operations.js'
import { isRightNamed, rightOf } from './rights.js'

const all = Object.values(operations)

it('are named for every operation that changes something for a tenant', () => {
  expect(all.filter(operation => rightOf(operation) !== null && !isRightNamed(operation)).map(({ id }) => id)).toEqual([])
})

it('are asked for wherever a key of a tenant is', () => {
  const unasked = all.filter(operation => rightOf(operation) === null && operation.id !== 'answerAgent')
  expect(new Set(unasked.map(({ credential }) => credential))).toEqual(new Set(['none', 'any-key', 'tier']))
})
