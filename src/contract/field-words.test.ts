import { expect, it } from 'vitest'
import { withoutRoutes } from './field-words.js'

it('leaves routes of every method out of advice, and what else stands in brackets in it', () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(withoutRoutes(`Take it back (${method} /api/sign-offs/{signOffId} or /api/x): 2 (of 3).`)).toBe('Take it back: 2 (of 3).')
})
