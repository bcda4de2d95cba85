import { describe, expect, it } from 'vitest'
import { holdWords } from '../src/contract/hold-words.js'
import { fieldOf, instantOfDay, momentAsked } from './moments'
import { moment, periodWords } from './wording'

describe('a moment that somebody names', () => {
  const now = new Date('2026-05-04T10:30:20').getTime()

  it('is the end of its minute, and never later than now', () => {
    expect(momentAsked('2026-05-04T09:15', now)).toBe(new Date('2026-05-04T09:15:59.999').toISOString())
    expect(momentAsked('2026-05-04T10:30', now)).toBe(new Date(now).toISOString())
    expect(momentAsked('2027-01-01T00:00', now)).toBe(new Date(now).toISOString())
    for (const none of ['', 'soon', '2026-05-0']) expect(momentAsked(none, now)).toBeNull()
  })

  it('stands in the field as it was named', () => {
    expect(fieldOf(now)).toBe('2026-05-04T10:30')
    expect(momentAsked(fieldOf(now - 600_000), now)).toBe(new Date('2026-05-04T10:20:59.999').toISOString())
  })
})

it('a day begins and ends by the clock of the reader; of a year that is none it is said', () => {
  expect(instantOfDay('2026-05-04', '00:00:00')).toBe(new Date('2026-05-04T00:00:00').toISOString())
  expect(instantOfDay('2026-05-04', '23:59:59')).toBe(new Date('2026-05-04T23:59:59').toISOString())
  for (const none of ['12026-05-04', '202026-05-04', 'soon']) expect(() => instantOfDay(none, '00:00:00')).toThrow('There is no such day')
})

describe('a legal hold in words', () => {
  const hold = { hold_id: 'hld_1', by: 'Ada', set_at: '2026-05-04T10:00:00.000Z' }

  it('says who set it, since when and why, and whether it is that of the case', () => {
    const own = holdWords({ ...hold, of: 'case', reason: 'Litigation is expected.' }, 'case', moment)
    expect(own).toMatch(/^On legal hold since .*2026.*, set by Ada: Litigation is expected\.$/)
    expect(holdWords({ ...hold, of: 'case', reason: null }, 'document', moment)).toMatch(
      /^On legal hold with its case since .*: the reason was erased$/,
    )
    expect(holdWords({ ...hold, of: 'mail', reason: null }, 'document', moment)).toMatch(/^On legal hold with its mail since /)
  })
})

it('a paper may write a day that is none: it stands as it is written', () => {
  for (const none of ['0000-00-00', '2025-13-45', 'FY2025']) expect(periodWords(none)).toBe(none)
  expect(periodWords('2025-06-30')).not.toBe('2025-06-30')
})
