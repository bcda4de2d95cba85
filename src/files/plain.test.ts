import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractPlain } from './plain.js'
import { codePoints } from './text-writer.js'

const limits = { maxChars: 2_000_000, maxUnpackedBytes: 1 }
const read = (text: string, kind: 'txt' | 'csv') => extractPlain(Buffer.from(text), kind, limits)

/** Where paragraphs begin, as one expression says it: right, and quadratic in blank lines. */
function beginnings(text: string): number[] {
  return [...text.matchAll(/(?:^|\n[^\S\n]*\n)\s*(?=\S)/g)].map(match => codePoints(text.slice(0, match.index + match[0].length)))
}

describe('the paragraphs of a text', () => {
  it('begin behind blank lines, whatever those hold', () => {
    const piece = fc.constantFrom('a', 'b c', '😀', '\n', '\n', '\n\n', ' ', '\t', '\r\n', '\u00a0', '\u2028')
    const text = fc.array(piece, { minLength: 1, maxLength: 30 }).map(pieces => `${pieces.join('')}z`)
    fc.assert(
      fc.property(text, each => {
        expect(read(each, 'txt').places?.starts).toEqual(beginnings(each))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['\n', '\r\n', ' \n', '\n\t '])('cost no more than their length where nothing but %j follows', blank => {
    const spentMs = (blanks: number) => {
      const from = process.cpuUsage()
      expect(read(`The rent is EUR 4,000.${blank.repeat(blanks)}`, 'txt').places?.labels).toEqual(['1'])
      return process.cpuUsage(from).user / 1000
    }
    // As one expression it takes ten seconds, and sixty times as long as an eighth of it.
    const large = spentMs(64_000)
    if (large > 700) expect(large / spentMs(8000)).toBeLessThan(24)
  })
})

describe('the encoding', () => {
  it('is UTF-8 where a NUL strayed in, and UTF-16 where every other byte is one', () => {
    expect(read('Die Prämie\u0000 beträgt 4.000 €.', 'txt')).toMatchObject({ text: 'Die Prämie beträgt 4.000 €.', notes: [] })
    const wide = extractPlain(Buffer.from('The rent is EUR 4,000.', 'utf16le'), 'txt', limits)
    expect(wide).toMatchObject({ text: 'The rent is EUR 4,000.', notes: [expect.stringContaining('UTF-16')] })
  })
})

describe('places', () => {
  it('are counted, and too many of them refused', () => {
    expect(read(`rent${','.repeat(499_999)}`, 'csv').places?.starts).toHaveLength(500_000)
    expect(() => read(`rent${','.repeat(500_000)}`, 'csv')).toThrow('more pages, sheets, cells or parts')
    expect(() => read('a\n\n'.repeat(500_001), 'txt')).toThrow('more pages, sheets, cells or parts')
  })
})
