import { expect, it } from 'vitest'
import { causeWords, decisionWords, withoutRoutes } from './field-words.js'

it('leaves routes of every method out of advice, and what else stands in brackets in it', () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(withoutRoutes(`Take it back (${method} /api/sign-offs/{signOffId} or /api/x): 2 (of 3).`)).toBe('Take it back: 2 (of 3).')
})

it('names a sign-off as what it is among decisions', () => {
  const said = (verdict: string) => ({ by: 'J. Doe', vouched: false, verdict, finding_id: null, reason: 'Read.' })
  expect(decisionWords({ kind: 'resolution', said: said('sign_off') })).toBe('sign-off')
  expect(decisionWords({ kind: 'resolution', said: said('withdraw_sign_off') })).toBe('sign-off taken back')
  expect(decisionWords({ kind: 'resolution', said: said('both') })).toBe('decision')
  expect(decisionWords({ kind: 'finality' })).toBe('standing of the case')
})

it('says what came since a certificate only where that is known', () => {
  expect(causeWords('document')).toBe('a document came')
  expect([causeWords('settling'), causeWords(null), causeWords(undefined)]).toEqual([null, null, null])
})
