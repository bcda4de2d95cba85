/** Kinds that exclude each other, in forms and sentences. */
import { describe, expect, it } from 'vitest'
import { verdicts } from '../../test/support/two-reports.js'
import { kindIn } from './kinds.js'

describe('of which kind a thing is', () => {
  it.each([
    ['Tenure: freehold', 'The property is leasehold.'],
    ['The mill rests on piled foundations.', 'The mill has a raft foundation.'],
    ['Type of trust: discretionary, irrevocable', 'The trust is revocable.'],
    ['The loan carries a fixed rate.', 'The rate of the loan is variable.'],
    ['The works are let on a lump-sum contract.', 'The contract is reimbursable.'],
  ])('%j against %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['contradiction'])
  })

  it.each([
    ['Tenure: leasehold', 'The property is leased from the parish.'],
    ['The mill rests on piled foundations.', 'The mill may get a raft foundation.'],
    ['The loan carries a fixed rate.', 'The rate is not variable.'],
  ])('%j goes with %j', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })

  it.each(['The piled and the raft foundations were compared.', 'The rate was fixed by the court.', 'Both sites are leased or freehold.'])(
    'is not said by %j',
    text => {
      expect(kindIn(text)).toBeNull()
    },
  )
})
