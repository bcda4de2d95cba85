import { expect, it } from 'vitest'
import { operations } from './operations.js'
import { isRightNamed, rightsOf, rightsOfCall } from './rights.js'

const all = Object.values(operations)

it('are named for every operation that changes something for a tenant', () => {
  expect(all.filter(operation => rightsOf(operation).length > 0 && !isRightNamed(operation)).map(({ id }) => id)).toEqual([])
})

it('are asked for wherever a key of a tenant is', () => {
  const unasked = all.filter(operation => rightsOf(operation).length === 0 && operation.id !== 'answerAgent')
  expect(new Set(unasked.map(({ credential }) => credential))).toEqual(new Set(['none', 'any-key', 'tier']))
})

it('have `read` among them wherever the answer quotes documents, and reads of findings are noted there', () => {
  const quoting = all.filter(({ method, success }) => method !== 'GET' && hasQuotes(success.schema))
  expect(quoting.map(({ id }) => id)).toEqual(expect.arrayContaining(['resolveContradiction', 'acceptReplacement', 'withdrawObjection']))
  const passages = { a: {}, b: {} }
  expect(quoting.filter(operation => !rightsOfCall(operation, passages).includes('read')).map(({ id }) => id)).toEqual([])
  expect(quoting.filter(({ seen }) => seen === undefined).map(({ id }) => id)).toEqual([])
})

function hasQuotes(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return false
  if ('properties' in schema && 'quote' in (schema.properties as object)) return true
  return Object.values(schema).some(hasQuotes)
}
