import { describe, expect, it } from 'vitest'
import { named, namedUnder, periodInHeader, periodInLabel } from './names.js'

describe('what a label measures', () => {
  it.each([
    ['Equity value, range', 'Equity value'],
    ['Retention held by the yard', 'Retention'],
    ['Serious injuries known', 'Serious injuries'],
    ['Deviations opened in April', 'Deviations'],
    ['Loss of output, yard', 'Loss of output'],
  ])('%s is measured by what stands first', (label, same) => {
    expect(named(label)?.head).toBe(named(same)?.head)
  })

  it('leaves out what a lead-in only qualifies', () => {
    const name = namedUnder('Total', ['IV. Sums', 'The yard claims the following amounts, net of value added tax'])
    expect(name?.terms).not.toContain('tax')
    expect(name?.terms).toContain('claim')
  })

  it('takes no mark from how a value was reached', () => {
    expect(named('Demurrage (164 days at EUR 18,049)')?.marks).toEqual([])
    expect(named('Survival (12-month rate)')?.marks).not.toEqual([])
  })
})

describe('periods of labels and headers', () => {
  it('reads a day up to which something is counted', () => {
    expect(periodInLabel('Complaints to 31 January 2031', 2031)?.label).toBe('2031-01-31')
    expect(periodInLabel('Complaint of 31 January 2031', 2031)).toBeNull()
  })

  it('takes a day at the start of a header for its period', () => {
    expect(periodInHeader('31.12.2031 EUR million', 2031)?.label).toBe('2031-12-31')
    expect(periodInHeader('Report of 6 June 2031', 2031)).toBeNull()
  })
})
