import { describe, expect, it } from 'vitest'
import { samePeriod } from './compare-values.js'
import { findPeriods } from './periods.js'

const labels = (text: string, year: number | null = null) => findPeriods(text, year).map(found => found.period.label)

describe('findPeriods', () => {
  it('reads days, months, quarters, halves and fiscal years', () => {
    expect(labels('2025-04-18')).toEqual(['2025-04-18'])
    expect(labels('18 January 2026 and March 3, 2025')).toEqual(['2026-01-18', '2025-03-03'])
    expect(labels('Q1 2025, H1 2025, FY 2024, July 2026')).toEqual(['Q1 2025', 'H1 2025', 'FY2024', '2026-07'])
  })

  it('takes a missing year from the document and from nowhere else', () => {
    expect(labels('on 3 March')).toEqual([])
    expect(labels('on 3 March', 2025)).toEqual(['2025-03-03'])
  })

  it.each([
    'EUR 2000',
    '€ 1980',
    '$ 2050',
    '1910 EUR',
    '2000 litres',
    '2000 W',
    '2000 %',
    '1900 to 2000 kg',
    'EUR 400-2000',
    '1990 million',
  ])('takes an amount for no year: %s', text => expect(labels(text)).toEqual([]))

  it.each([
    ['In 2020 hours fell, in 2021 euros rose', ['2020', '2021']],
    ['2024 EUR 41,000', ['2024']],
    ['EUR 2024: 41', ['2024']],
    ['EUR 41,000 to 2030', ['2030']],
    ['the 2024 year end, 2024 A', ['2024', '2024']],
  ])('takes a year beside an amount for one: %s', (text, expected) => expect(labels(text)).toEqual(expected))

  it('lets the last day of a period stand for it', () => {
    const [day, quarter] = findPeriods('31 March 2025 Q1 2025', null)
    expect(samePeriod(day!.period, quarter!.period)).toBe(true)
  })
})

describe('months before a last day', () => {
  it('are the year, half or quarter that ends on it', () => {
    const spans = [
      'the year ended 31 March 2031',
      'the quarter ended 30 June 2031',
      'the six months ended 30 June 2031',
      'the year ended 4 June 2031',
    ]
    expect(spans.map(text => findPeriods(text, null)[0]?.period).map(period => [period?.from, period?.to])).toEqual([
      ['2030-04-01', '2031-04-01'],
      ['2031-04-01', '2031-07-01'],
      ['2031-01-01', '2031-07-01'],
      ['2031-06-04', '2031-06-05'],
    ])
  })
})
