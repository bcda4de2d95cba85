/** Errors whose messages quote what was being read. */

import { expect, it } from 'vitest'
import { describeError, withoutWords } from './logger.js'

it('keeps the kind and the place of an error without its words, causes included', () => {
  const quoting = new SyntaxError('Unexpected token in "the text\n    of a document"', { cause: new TypeError('the text again') })
  const described = describeError(withoutWords(quoting))
  expect(described.type).toBe('SyntaxError')
  expect(described.cause?.type).toBe('TypeError')
  expect(described.stack).toMatch(/^\s+at /)
  expect(JSON.stringify(described)).not.toMatch(/the text|of a document/)
})

it('says what was thrown when it was no error', () => {
  expect(describeError(withoutWords('the text'))).toMatchObject({ type: 'string', message: '' })
})

it('hides the value that the database could not read, and no other message', () => {
  const unreadable = Object.assign(new Error('invalid input syntax for type date: "the text'), { code: '22007', detail: 'the text' })
  expect(describeError(unreadable)).toEqual({ type: 'Error', message: 'invalid input syntax for type date: "…"', code: '22007' })
  const missing = Object.assign(new Error('relation "documents" does not exist'), { code: '42P01' })
  expect(describeError(missing).message).toBe('relation "documents" does not exist')
})
