import { describe, expect, it } from 'vitest'
import { findValues } from './values.js'

const all = (text: string) => findValues(text, () => -1)
const one = (text: string) => all(text)[0]!.value

describe('findValues', () => {
  it('joins groups of three parted by blanks beside a currency, or three and more of them', () => {
    expect(one('500 000 EUR')).toMatchObject({ type: 'money', currency: 'EUR', low: 500_000 })
    expect(one('CHF 8 600,50')).toMatchObject({ type: 'money', currency: 'CHF', low: 8600.5 })
    expect(one('1 250 000')).toMatchObject({ low: 1_250_000 })
    expect(all('In hall 3 400 chairs were counted.').map(({ value }) => value.low)).toEqual([3, 400])
  })

  it('reads money with magnitude, sign in parentheses and codes on either side', () => {
    expect(one('EUR 127.4M')).toMatchObject({ type: 'money', currency: 'EUR', low: 127_400_000 })
    expect(one('EUR (4.8M)')).toMatchObject({ low: -4_800_000 })
    expect(one('a result of minus EUR 0.8M')).toMatchObject({ low: -800_000 })
    expect(one('a tolerance of +/-5 %')).toMatchObject({ low: 5, high: 5 })
    expect(one('12.5 million euros')).toMatchObject({ type: 'money', currency: 'EUR', low: 12_500_000 })
    expect(one('three hundred guests')).toMatchObject({ low: 300 })
    expect(one('£1,250,000')).toMatchObject({ currency: 'GBP', low: 1_250_000 })
  })

  it('reads ranges, and lends the magnitude to the first number', () => {
    expect(one('€400M–€430M')).toMatchObject({ low: 400_000_000, high: 430_000_000 })
    expect(one('EUR 8-12M')).toMatchObject({ low: 8_000_000, high: 12_000_000 })
    expect(one('ranging from 3% to 8%')).toMatchObject({ low: 3, high: 8 })
  })

  it('reads a change as two values', () => {
    expect(all('raised from 135% to 155%').map(found => found.value.low)).toEqual([135, 155])
  })

  it('takes what went up to a value for no bound', () => {
    expect(all('turnover went up to 19%')[0]?.bound).toBeNull()
    expect(all('we cannot pay sums above EUR 11M')[0]?.bound).toBe('max')
    expect(all('turnover of up to 19%')[0]?.bound).toBe('max')
  })

  it('keeps percent, percentage points and basis points apart', () => {
    expect(one('12.5%')).toMatchObject({ type: 'percent', points: false })
    expect(one('14 percentage points')).toMatchObject({ type: 'percent', points: true })
    expect(one('180bps')).toMatchObject({ type: 'quantity', unit: 'bps' })
  })
})
