import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const kinds = (a: string, b: string) => why(a, b).flatMap(({ kind }) => kind ?? [])

describe('the day in the title of a paper', () => {
  it.each([
    [
      'Term sheet of 5 February 2026',
      'Loan agreement of 14 April 2026',
      'Facility amount: EUR 45,000,000',
      'Facility amount: EUR 42,000,000',
    ],
    ['Letter of 4 June 2026', 'Report of 9 June 2026', 'The workshop has a sprinkler system.', 'The workshop has no sprinkler system.'],
    ['Memo dated 4 June 2026', 'Inspection report, 9 June 2026', 'Door width: 90 cm', 'Door width: 110 cm'],
  ])('is when it was issued and separates nothing: %s / %s', (one, two, a, b) => {
    expect(kinds(`${one}\n\n${a}`, `${two}\n\n${b}`)).toEqual(['contradicts'])
  })

  it('leaves it to a person whether two papers entitled alike tell of two times', () => {
    const confirmed = (day: number, sum: string): string => `Bank confirmation of ${day} May 2026\n\nDrawn amount: EUR ${sum}`
    expect(kinds(confirmed(20, '12,400,000'), confirmed(21, '14,200,000'))).toEqual(['possible'])
  })

  it.each([
    ['Bank statement of 31 March 2026', 'Bank statement of 30 April 2026'],
    ['Bank statement of 31 March 2026', 'Balance as at 31 December 2025'],
    ['Meeting of 3 May 2026', 'Meeting of 7 June 2026'],
    ['Inspection of 3 May 2026', 'Visit of 7 June 2026'],
    ['Balance sheet of 31 December 2024', 'Accounts of 31 December 2025'],
    ['Weekly report of 8 May 2026', 'Weekly report of 15 May 2026'],
    ['Report for Q1 2026', 'Report for Q2 2026'],
  ])('is the time of what it gives where the kind of paper says so: %s / %s', (one, two) => {
    expect(
      kinds(`${one}\n\nClosing balance: EUR 8,120`, `${two}\n\nClosing balance: EUR 9,455`).filter(kind => kind !== 'evolves'),
    ).toEqual([])
  })
})

describe('the day of what happened', () => {
  const incorporated = (year: number, capital: string): string =>
    `Date of incorporation: 12 May ${year}\nIssued share capital: EUR ${capital}`

  it('is an answer that two papers give, and no time of the figure below it', () => {
    expect(kinds(incorporated(2014, '250,000'), incorporated(2015, '200,000'))).toEqual(['contradicts', 'contradicts'])
  })

  it.each([
    ['The fire broke out on 1 June 2026\n\n', 'The fire broke out on 2 June 2026\n\n'],
    ['- The wall gave way on 1 June 2026.\n  ', '- The wall gave way on 2 June 2026.\n  '],
  ])('told in a sentence is no time of what stands below it: %s', (one, two) => {
    expect(kinds(`${one}Machines damaged: 9`, `${two}Machines damaged: 7`)).toContain('contradicts')
    expect(why(`${one}Machines damaged: 9`, `${two}Machines damaged: 7`).at(-1)?.kind).toBe('contradicts')
  })

  it.each(['Reading date: 3', 'Collected: 3', 'Date of measurement: 3'])('stays a time where somebody looked then: %s', label => {
    const read = (month: string, level: number): string => `${label} ${month} 2026\nGroundwater level: ${level} cm`
    expect(why(read('May', 340), read('June', 390)).find(({ a }) => a.startsWith('Ground'))?.kind ?? null).toBe(null)
  })
})

describe('who wrote a paper', () => {
  it.each([
    ['Insured: Orme Joinery Ltd', 'Prepared by Tallis Adjusters on 9 June 2026'],
    ['Insured: Orme Joinery Ltd', 'Report by Dr Ilse Venn, 9 June 2026'],
    ['Survey compiled by Reva Lund', 'Survey compiled by Tom Ash'],
  ])('separates nothing: %s / %s', (one, two) => {
    expect(kinds(`${one}\n\nDeductible: EUR 2,500`, `${two}\n\nDeductible: EUR 5,000`)).toEqual(['contradicts'])
  })

  it.each([
    ['Insured: Orme Joinery Ltd', 'Insured: Weld Bakery Ltd'],
    ['Report on Holt Mill by Anna Kort', 'Report on Vane Mill by Anna Kort'],
    ['House painted by Tom Ash', 'House painted by Reva Lund'],
  ])('is told from whom or what it is about: %s / %s', (one, two) => {
    const judged = why(`${one}\n\nDeductible: EUR 2,500`, `${two}\n\nDeductible: EUR 5,000`)
    expect(judged.find(({ a }) => a.startsWith('Deductible'))?.kind ?? null).toBe(null)
  })
})

describe('the line that says which of many a paper is', () => {
  const sheet = (line: string, sum: string): string => `Sales sheet\n${line}\nSales: ${sum}`

  it.each([
    ['Period: Q1 2024', 'Period: Q2 2024'],
    ['Month: April 2024', 'Month: May 2024'],
    ['Pay period: week 18, 2024', 'Pay period: week 19, 2024'],
    ['Pay period: 1 to 31 March 2026', 'Pay period: 1 to 30 April 2026'],
    ['Reporting period: 1 January to 31 March 2024', 'Reporting period: 1 April to 30 June 2024'],
    ['Site: 04', 'Site: 09'],
    ['Employee: Anna Brandt', 'Employee: Lukas Roth'],
  ])('is held against no other, nor what stands below it: %s / %s', (one, two) => {
    expect(kinds(sheet(one, '500'), sheet(two, '700'))).toEqual([])
  })

  it.each([
    ['Quotation', 'Unit price: 45\nDelivery time: 3 weeks', 'Unit price: 50\nDelivery time: 6 weeks'],
    ['Company sheet', 'Employee count: 46\nTurnover: EUR 5 million', 'Employee count: 52\nTurnover: EUR 9 million'],
    ['Record', 'Employee status: Permanent\nSalary: EUR 50,000', 'Employee status: Temporary\nSalary: EUR 40,000'],
    ['Record', 'Contract status: Active\nFee: EUR 50', 'Contract status: Lapsed\nFee: EUR 60'],
    ['Record', 'Contract: Permanent\nSalary: EUR 50,000', 'Contract: Temporary\nSalary: EUR 40,000'],
    ['Sales plan', 'Target: 500\nMargin: 12 %', 'Target: 600\nMargin: 15 %'],
    ['Survey', 'Site: 4\nNoise limit: 55 dB', 'Site: 04\nNoise limit: 65 dB'],
  ])('is none that asks something of it, which sets nothing apart: %s: %j / %j', (title, one, two) => {
    const shown = kinds(`${title}\n${one}`, `${title}\n${two}`)
    expect(shown).toEqual(one.startsWith('Site') ? ['contradicts'] : ['contradicts', 'contradicts'])
  })

  it.each([
    ['Year built: 1987', 'Year built: 1992'],
    ['Year: 2015', 'Year: 2017'],
    ['Year of manufacture: 2015', 'Year of manufacture: 2017'],
    ['Validity period: 2024 to 2026', 'Validity period: 2024 to 2028'],
    ['Period: 2024 to 2026', 'Period: 2024 to 2028'],
    ['Valuation date: May 2026', 'Valuation date: June 2026'],
    ['Position: sales director since 2019', 'Position: sales assistant since 2019'],
    ['Year-to-date revenue: EUR 4.2 million (June 2026)', 'Year-to-date revenue: EUR 5.9 million (June 2026)'],
    ['Month 3: the walls, in March 2024, at a cost of EUR 50,000', 'Month 3: the walls, in March 2024, at a cost of EUR 70,000'],
  ])('is none that answers something else than what the paper covers: %s / %s', (one, two) => {
    expect(kinds(`Sheet\nRooms: 4\n${one}\nHeating: gas`, `Sheet\nRooms: 4\n${two}\nHeating: gas`)).toEqual(['contradicts'])
  })

  it('is the time of what stands below it', () => {
    const both = 'Sales sheet\nPeriod: Q1 2024\nSales: 500\nPeriod: Q2 2024\nSales: 700'
    expect(kinds(both, both)).toEqual([])
  })

  it('is an answer where it gives a day', () => {
    const valued = (day: number): string => `Valuation of the mill\nValuation date: ${day} May 2026\nOwner: Holt Ltd`
    expect(kinds(valued(5), valued(9))).toEqual(['contradicts'])
  })

  it('keeps nothing apart where both are of the same', () => {
    expect(kinds(sheet('Month: April 2024', '500'), sheet('Month: April 2024', '700'))).toEqual(['contradicts'])
    expect(kinds(sheet('Site: 04', '500'), sheet('Site: 04', '700'))).toEqual(['contradicts'])
  })
})
