/** Numbers that are no figures: they name, refer, tell the time or say over which stretch. */
import { describe, expect, it } from 'vitest'
import { clauseOf } from './clause.js'

const clause = (text: string) => clauseOf(text, 0, text.length, 2025)
const values = (text: string): string[] => clause(text).values.map(value => value.text)

describe('numbers that count nothing', () => {
  it.each([
    ['Finding 2.5 was closed and dose 1 was given.', []],
    ['The amount is not part of the sum under 3.', []],
    ['Participant 14-022 left.', []],
    ['Satisfaction was 4.3 on a scale of 5.', ['4.3']],
    ['The lorries pass between seven and eight in the morning.', []],
    ['The council meets on Thursday at ten.', []],
    ['Cover is EUR 4 million for any one event.', ['EUR 4 million']],
    ['It was five times the upper limit.', []],
    ['In the first six weeks 14 pumps failed.', ['14']],
    ['Operating cost for 2024/25 was GBP 96.3M.', ['GBP 96.3M']],
    ['The vacancies stand at ten.', ['ten']],
    ['We have gone through points 5 to 8 and 11 of the letter.', []],
    ['On opening day 33 of the 41 posts were filled.', ['33', '41']],
    ['This replaces section 4 of the annual report.', []],
    ['It was ended fourteen months later.', []],
    ['Engine 1 has 3,890 cycles remaining.', ['3,890']],
    ['It is the 1 in 10,000 year event.', []],
    ['On one Monday it was 78 %.', ['78 %']],
  ])('%j has the values %j', (text, wanted) => {
    expect(values(text)).toEqual(wanted)
  })

  it('reads the stretch before a date as its period', () => {
    const { values: found, periods } = clause('The ratio for the twelve months to June 2024 was 1.31.')
    expect(found.map(value => value.text)).toEqual(['1.31'])
    expect(periods[0]?.period).toMatchObject({ from: '2023-07-01', to: '2024-07-01' })
  })
})

describe('line breaks', () => {
  it('part no value from its unit, however far the next line is indented', () => {
    const text = 'The name may be used for 18\n        months.'
    expect(clause(text).values[0]?.value).toMatchObject({ unit: 'month', low: 18 })
    expect(clause(text).length).toBe(text.length)
  })
})
