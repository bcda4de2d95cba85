import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../../test/support/score-corpus.js'
import { why } from '../../../test/support/why.js'

const shown = (a: string, b: string) => why(a, b).flatMap(({ relation }) => (relation ? [relation] : []))

/** As the pipeline fetches them: how many contradictions and possible conflicts there are. */
function foundIn(...texts: string[]): [contradictions: number, possible: number] {
  const { findings, unsure } = analyseFolder(texts.map((text, n) => ({ name: `${n}.txt`, text })))
  return [findings.length, unsure.length]
}

const note = (line: string): string =>
  `Gas check at the mill\n\n- boiler serviced in the spring\n- ${line}\n- flue swept and tested by the engineer\n- keys handed back at the gate`

describe('two papers that are the same but for one passage', () => {
  it.each([
    ['the meter stands in the yard', 'the meter stands behind the kiln'],
    ['licence of the fitter seen', 'card of the fitter seen'],
    ['the tank holds 900 litres when full', 'the tank holds 900 gallons when full'],
    ['grid point -2', 'grid point 2'],
  ])('leave a question to a person at least, whichever came first: %s / %s', (one, two) => {
    expect(foundIn(note(one), note(two))).toEqual([0, 1])
    expect(foundIn(note(two), note(one))).toEqual([0, 1])
  })

  it('ask nothing where only one of them would be fetched for the other', () => {
    expect(foundIn(note('boiler engineer card'), note('bank statement'))).toEqual([0, 0])
    expect(foundIn(note('bank statement'), note('boiler engineer card'))).toEqual([0, 0])
  })

  it('say what differs, and stand on two sides', () => {
    const [found] = shown(note('the tank holds 900 litres when full'), note('the tank holds 900 gallons when full'))
    expect(found).toMatchObject({ kind: 'possible', evidence: { differs: [{ a: 'litres', b: 'gallons' }] } })
    expect(found?.groupA).not.toBe(found?.groupB)
  })

  it.each([
    ['the fee is EUR 500, paid', 'the fee is €500; paid.'],
    ['seen on 5 May 2026 here', 'seen on 05.05.2026 here'],
    ['The Meter stands in the “old” yard', 'the meter stands in the "old" yard'],
    ['boiler tested and found in good order at noon', 'a leak of the pipe was mended and the floor dried'],
  ])('are no such papers where it is the same, or another statement: %s / %s', (one, two) => {
    expect(foundIn(note(one), note(two))).toEqual([0, 0])
  })

  it('are papers about two things where they name those', () => {
    const of = (site: string, line: string): string =>
      `Survey\nSite: ${site}\nNoise limit by day: ${line}\nLamps: all in order\nFence: whole`
    expect(foundIn(of('4', 'not asked'), of('9', 'to be measured'))).toEqual([0, 0])
  })

  it('are papers of a series where they are of other months', () => {
    const rent = (month: string, sum: number): string =>
      `Rent statement ${month} 2026\n\nBase rent for the flat is EUR 900.\nThe heating charge is EUR ${sum}.\nPlease pay by bank transfer.`
    expect(foundIn(rent('March', 110), rent('April', 120), rent('May', 130))).toEqual([0, 0])
  })

  it('are read cell by cell in one order, however many figures a cell has', () => {
    const plan = (end: string): string => `Shift | Hours | Gate\nEarly | 08:00 to ${end} | East\nLate | 16:30 to 23:00 | West`
    expect(foundIn(plan('16:30'), plan('16:30'))).toEqual([0, 0])
  })
})

describe('the first line of a sentence that goes on', () => {
  it('is no title', () => {
    const seat = (city: string): string =>
      `All disputes under the charterparty go to arbitration seated in ${city},\nbefore three arbitrators, in the English language.`
    expect(shown(seat('London'), seat('Singapore'))).toHaveLength(1)
  })
})
