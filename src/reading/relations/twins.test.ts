import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const shown = (a: string, b: string) => why(a, b).flatMap(({ relation }) => (relation ? [relation] : []))

const note = (line: string): string =>
  `Gas check at the mill\n\n- boiler serviced in the spring\n- ${line}\n- flue swept and tested by the engineer\n- keys handed back at the gate`

describe('two papers that are the same but for one passage', () => {
  it.each([
    ['the meter stands in the yard', 'the meter stands behind the kiln'],
    ['licence of the fitter seen', 'card of the fitter seen'],
    ['fitter on site since 14h05', 'fitter on site since 15h40'],
    ['the tank holds 900 litres when full', 'the tank holds 900 gallons when full'],
    ['council tax bill', 'bank statement'],
  ])('leave a question to a person at least, whichever came first: %s / %s', (one, two) => {
    expect(shown(note(one), note(two))).toHaveLength(1)
    expect(shown(note(two), note(one))).toHaveLength(1)
  })

  it('say what differs, and stand on two sides', () => {
    const [found] = shown(note('the tank holds 900 litres when full'), note('the tank holds 900 gallons when full'))
    expect(found).toMatchObject({ kind: 'possible', evidence: { differs: [{ a: 'litres', b: 'gallons' }] } })
    expect(found?.groupA).not.toBe(found?.groupB)
  })

  it('are no such papers where more is different, or nothing', () => {
    const other = note('bank statement').replace('spring', 'autumn of the year').replace('swept', 'not looked at').replace('gate', 'office')
    expect(shown(note('council tax bill'), other).filter(({ evidence }) => evidence.differs[0]?.a.includes('council'))).toEqual([])
    expect(shown(note('council tax bill'), note('council tax bill'))).toEqual([])
  })

  it('are papers about two things where they name those', () => {
    const of = (site: string, line: string): string =>
      `Survey\nSite: ${site}\nNoise limit by day: ${line}\nLamps: all in order\nFence: whole`
    expect(shown(of('4', 'not asked'), of('9', 'to be measured'))).toEqual([])
  })
})

describe('the first line of a sentence that goes on', () => {
  it('is no title', () => {
    const seat = (city: string): string =>
      `All disputes under the charterparty go to arbitration seated in ${city},\nbefore three arbitrators, in the English language.`
    expect(shown(seat('London'), seat('Singapore'))).toHaveLength(1)
  })
})
