import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const labels = ['Storage', 'Opening hours', 'Warning given', 'Crew', 'Water level', 'Calibrated', 'Result']

/** Two answers to one question, of every kind there is. */
const answers: Readonly<Record<string, readonly [string, string]>> = {
  'a quantity': ['3,020 litres', '3,200 litres'],
  'a rate': ['1.2 l/ha', '1.5 l/ha'],
  'a concentration': ['48 mg/l', '84 mg/l'],
  'a temperature': ['4 °C', '7 °C'],
  'a share': ['12 %', '21 %'],
  money: ['EUR 940', 'EUR 490'],
  'money that could be a year': ['EUR 2000', 'EUR 1910'],
  'a quantity that could be a year': ['2050 litres', '1950 litres'],
  'a range': ['12 to 14 °C', '12 to 15 °C'],
  'a range with a dash': ['12-14 °C', '12-16 °C'],
  'a range far away': ['2 to 4 °C', '8 to 10 °C'],
  'a signed figure': ['+0.3 mg', '-0.3 mg'],
  'a limit': ['at most 4 °C', 'at most 7 °C'],
  'about a figure': ['about 20 kg', 'about 40 kg'],
  'a speed': ['50 km/h', '80 km/h'],
  'a size': ['20 x 30 cm', '20 x 40 cm'],
  'a span in words': ['three months', 'six months'],
  'a time span': ['36 hours', '72 hours'],
  'a count': ['14', '41'],
  'a range of counts': ['9 to 17', '9 to 18'],
  'a day': ['14 March 2023', '14 May 2023'],
  'a day in figures': ['14.02.2024', '24.02.2024'],
  'a day without its year': ['14 March', '24 March'],
  'a month': ['March 2024', 'May 2024'],
  'a year': ['1998', '1989'],
  'old years': ['1741 to 1788', '1741 to 1778'],
  'from day to day': ['1 March 2024 to 31 May 2024', '1 March 2024 to 30 June 2024'],
  'days of a month': ['3 to 7 June 2024', '3 to 9 June 2024'],
  'a weekday': ['Tuesday', 'Thursday'],
  'a time of day': ['06:30', '07:15'],
  'from time to time': ['08:00 to 16:30', '08:00 to 17:30'],
  'yes and no': ['yes', 'no'],
  'a word': ['green', 'blue'],
  'a person': ['Anna Berg', 'Karl Moe'],
  'a code': ['WB-417', 'WB-471'],
  'a letter': ['A', 'B'],
}
const relationsOf = (a: string, b: string) => why(a, b).flatMap(({ relation }) => relation ?? [])
const judged = (a: string, b: string) => [...new Set([...why(a, b), ...why(b, a)].map(({ kind }) => kind))]

describe('one label, two answers', () => {
  it.each(Object.entries(answers))('of which each is %s contradict each other', (_, [one, other]) => {
    for (const label of labels) expect(judged(`${label}: ${one}`, `${label}: ${other}`), label).toEqual(['contradicts'])
  })

  it.each(Object.entries(answers))('that are %s and the same do not', (_, [one]) => {
    for (const label of labels)
      expect(
        why(`${label}: ${one}`, `${label}: ${one}`).filter(({ kind }) => kind !== null),
        label,
      ).toEqual([])
  })

  it.each([
    ['12 to 14 °C', '12.0 to 14.0 °C'],
    ['14/02/2024', '14 February 2024'],
    ['3 to 7 June 2024', '3-7 June 2024'],
    ['1 to 2 m', '100 to 200 cm'],
    ['2 to 3 weeks', '14 to 21 days'],
    ['about 100 to 120 m', '100 to 120 m'],
    ['1.5 to 1.6 m', '1.50 to 1.60 m'],
  ])('written in two ways agree: %s, %s', (one, other) => {
    for (const form of [(said: string) => `Storage: ${said}`, (said: string) => `The time of storage is ${said}.`])
      expect(judged(form(one), form(other)).filter(kind => kind !== null)).toEqual([])
  })
})

describe('what is said to be over', () => {
  it.each([
    ['The visit window of 3 days no longer applies.', 'The visit window is 5 days.'],
    ['The waiting period of 14 days has lapsed.', 'The waiting period is 21 days.'],
    ['The rule of two visitors does not apply any more.', 'The rule is four visitors.'],
  ])('is not said to be so: %s / %s', (a, b) => {
    expect(judged(a, b)).not.toContain('contradicts')
  })

  it.each([
    ['The discount of 5 % no longer applies.', 'The discount of 5 % applies.'],
    ['The waiting period of 14 days applies.', 'The waiting period is 21 days.'],
    ['A total of 12 orders were cancelled in May.', 'A total of 14 orders were cancelled in May.'],
    ['12 licences of the club were revoked.', '14 licences of the club were revoked.'],
  ])('may still be denied, and be counted: %s / %s', (a, b) => {
    expect(judged(a, b)).toContain('contradicts')
  })
})

describe('two questions', () => {
  const table = (price: number, value: number): string =>
    `Item,Quantity,Unit price,Value\nBand saw,2,4300,8600\nPlaner,1,2100,2100\nLathe,3,${price},${value}\n`

  it('are the columns of a table that two papers have', () => {
    expect(judged(table(900, 2700), table(950, 2850)).filter(kind => kind !== null)).toEqual(['contradicts'])
  })

  it.each([
    ['Nationality of Anton Velker: Bulgarian', 'Share of Anton Velker: 75%'],
    ['Director of Velker Ltd: Anton Velker', 'Capital of Velker Ltd: EUR 25,000'],
  ])('are a figure and a word about one: %s / %s', (a, b) => {
    expect(judged(a, b)).toEqual([null])
  })
})

describe('a sentence', () => {
  it.each([
    ['The course for beginners runs from 3 to 7 June 2024.', 'The course for beginners runs from 3 to 9 June 2024.', 'contradicts'],
    ['The deadline for offers is 14/02/2024.', 'The deadline for offers is 24/02/2024.', 'contradicts'],
    ['Plot 17 is let to Mrs G. Ferreira', 'Plot 17 is let to Mr T. Walsh', 'contradicts'],
    // Done once, or twice: for a person to look at.
    ['Bottled on 14 March 2023', 'Bottled on 14 May 2023', 'possible'],
    ['Spray record 2024\nDose: 1.2 l/ha', 'Bill for spraying on 16 April\nDose: 1.5 l/ha', 'contradicts'],
  ])('against another: %s / %s', (a, b, kind) => {
    expect(judged(a, b)).toContain(kind)
  })

  it.each([
    ['Vol. 3 has 212 leaves', 'Vol. 4: 187 leaves'],
    ['08:50 feeder 6 switched off', 'feeder 6 back on 13:05'],
    ['Bus 3307: left mirror broken', 'I was on bus 3307, line 14, second row.'],
    ['For: Mrs Kalnina, barn at Mill Road 2', 'the barn at Mill Road 2 is covered, thank you, your offer 24-118.'],
    ['Sent: 3 hours ago', 'Sent: 5 hours ago'],
    ['The minutes of 6 May 2024 were approved on 3 June 2024.', 'The minutes of 13 May 2024 were approved on 3 June 2024.'],
    ['Report of 3 June 2024\nNext visit: Monday', 'Report of 10 June 2024\nNext visit: Thursday'],
    ['# Paper\nCollection: Tuesday\n# Glass\nCollection: Thursday', 'Nothing was collected.'],
    ['Van 7 log\nFuel on Thursday: 41.2 l', 'Week 39, van 7 and van 5\nvan 5 fuel on Thursday: 55.0 l'],
  ])('about something else is none: %s / %s', (a, b) => {
    expect(judged(a, b)).not.toContain('contradicts')
  })
})

describe('what says which one of many', () => {
  it.each([
    ['Registration number: C 48213', 'Registration number: C 48231'],
    ['Account number: PT50 0007 1123', 'Account number: PT50 0007 1132'],
    ['Serial no.: 100482', 'Serial no.: 100428'],
    ['The registration number of the company is 48213.', 'The registration number of the company is 48231.'],
    ['Registration number: C 48213', 'The registration number of the company is C 48231.'],
  ])('is the same or another, and no figure that is near: %s / %s', (one, other) => {
    expect(judged(one, other)).toEqual(['contradicts'])
    const [relation] = relationsOf(one, other)
    expect([relation?.severity, relation?.reason]).toEqual(['medium', expect.stringMatching(/^The answers differ/)])
    expect(relation?.conflict).toBe('categorical')
  })

  it.each([
    ['Number of crates: 48,213', 'Number of crates: 48,990'],
    ['Total number: 48213', 'Total number: 48990'],
    ['Licence: EUR 940', 'Licence: EUR 990'],
    ['Deposit: EUR 940', 'Deposit: EUR 990'],
  ])('is not asked by what asks how much: %s / %s', (one, other) => {
    const [relation] = relationsOf(one, other)
    expect([relation?.severity, relation?.conflict]).toEqual(['low', 'numeric'])
  })

  it.each([
    ['Account number: PT50 0007 1123', 'Account number: PT50 00071123'],
    ['Phone number: 030 4412290', 'Phone number: 030 441 2290'],
  ])('is the same however it is grouped: %s, %s', (one, other) => {
    expect(relationsOf(one, other)).toEqual([])
  })
})
