import { expect, it } from 'vitest'
import type { UndatedAsOf } from '../certificates/statements.js'
import { asOfPage } from './as-of-page.js'

const none = { count: 0, digest: '', listed: [] }
const signed = (day: number, vouched: boolean, current: boolean) => ({
  ...{ sign_off_id: `sgn_${day}`, by: 'Ada', vouched, current, round: day },
  ...{ reason: `Read on day ${day}.`, signed_at: `2026-03-0${day}T09:00:00.000Z` },
})

it('names a person once who signed twice, and says that a name came with a key or sign-in of their own', () => {
  const listed = [signed(4, true, false), signed(5, false, true), signed(6, true, true)]
  const lists = { papers: none, statements: none, contradictions: none, possible_conflicts: none, decisions: none }
  const moment = {
    scope_id: 'case',
    at: '2026-03-07T09:00:00.000Z',
    subject: null,
    chain: null,
    before_reset: false,
    reset_at: null,
    round: 6,
  }
  const payload = { ...moment, ...lists, created_at: '2026-03-01T09:00:00.000Z', sign_offs: { count: 3, digest: '', listed } }
  const page = asOfPage({ payload, statement: 'a.b.c', kid: 'k' } as unknown as UndatedAsOf)
  expect(page).toContain('<h2>Signed off by: 2</h2>')
  expect(page).toContain(
    '<td>Ada (own key or sign-in)</td><td>2026-03-04 09:00:00 UTC; 2026-03-06 09:00:00 UTC</td><td>Read on day 4.; Read on day 6.</td><td>all that counted</td>',
  )
  expect(page).toContain('<td>Ada (name given with a key)</td><td>2026-03-05 09:00:00 UTC</td>')
  expect(page).not.toContain('signed in')
})
