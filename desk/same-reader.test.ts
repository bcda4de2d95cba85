import { expect, it } from 'vitest'
import { isSameReader } from './same-reader'

const ada = { tenant_id: 't-1', person: 'ada', rights: ['read' as const, 'decide' as const], reach: null }
const key = { ...ada, person: null }

it('knows a person again by their name, whatever they may do by now', () => {
  expect(isSameReader(ada, { ...ada, rights: ['read'], reach: ['case-1'] })).toBe(true)
  expect(isSameReader(ada, { ...ada, person: 'bob' })).toBe(false)
  expect(isSameReader(ada, { ...ada, tenant_id: 't-2' })).toBe(false)
})

it('knows a key of nobody by name by what it may do', () => {
  expect(isSameReader(key, { ...key, rights: ['decide', 'read'] })).toBe(true)
  expect(isSameReader(key, { ...key, rights: ['read'] })).toBe(false)
  expect(isSameReader(key, { ...key, reach: ['case-1'] })).toBe(false)
  expect(isSameReader(key, ada)).toBe(false)
  expect(isSameReader(ada, key)).toBe(false)
})
