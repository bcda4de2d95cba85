import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteFinder } from './quotes.js'

const anyText = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\n', '  ', '😀', 'e\u0301', '\ud83d', 'ש', '1'),
  minLength: 1,
  maxLength: 60,
})

describe('finding quotes', () => {
  it('answers with code points and the exact slice', () => {
    expect(quoteFinder('😀 Net was 5M.').find(' Net was 5M ')?.quote).toBe('Net was 5M')
    expect(quoteFinder('😀 Net was 5M.').find('Net was 5M')).toEqual({ start: 2, end: 12, quote: 'Net was 5M' })
  })

  it('sees through line breaks and answers with what stands there', () => {
    expect(quoteFinder('Net\r\n  was 5M.').find('Net was 5M.')).toEqual({ start: 0, end: 14, quote: 'Net\r\n  was 5M.' })
  })

  it.each(['', '  ', 'Net was 6M', 'net was 5M', 'Net was 5M. And'])('does not find %j', quote => {
    expect(quoteFinder('Net was 5M.').find(quote)).toBeNull()
  })

  it('finds every slice of any text, by code points', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.nat(60), (text, one, other) => {
        const points = [...text]
        const quote = points.slice(Math.min(one, other), Math.max(one, other)).join('')
        const found = quoteFinder(text).find(quote)
        // Half a pair is only found where it stands alone.
        if (quote.trim() === '') expect(found).toBeNull()
        else if (!/\ud83d(?![\ude00-\udfff])/.test(quote)) expect(found).not.toBeNull()
        if (found === null) return
        expect(points.slice(found.start, found.end).join('')).toBe(found.quote)
        expect(found.quote.replace(/\s+/g, ' ')).toBe(quote.trim().replace(/\s+/g, ' '))
      }),
    )
  })
})
