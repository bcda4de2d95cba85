import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePointOffsets, codePointSlices } from './code-points.js'

/** Any sequence of UTF-16 units, lone surrogates included. */
const anyUnits = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '\ud83d', '\ude00', '😀', 'é', '\u0301', 'ש'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 1500,
})

describe('code point offsets', () => {
  it('count a surrogate pair as one and a lone surrogate as one', () => {
    const toCodePoint = codePointOffsets('a😀b\ud83d')
    expect([0, 1, 3, 4, 5].map(at => toCodePoint(at))).toEqual([0, 1, 2, 3, 4])
  })

  it('clamp what is out of range', () => {
    for (const source of ['ab', '😀']) {
      const toCodePoint = codePointOffsets(source)
      expect(toCodePoint(-5)).toBe(0)
      expect(toCodePoint(Number.NaN)).toBe(0)
      expect(toCodePoint(99)).toBe([...source].length)
    }
  })

  it('agree with string iteration for any units and at any length', () => {
    fc.assert(
      fc.property(anyUnits, source => {
        const points = [...source]
        const toCodePoint = codePointOffsets(source)
        let unit = 0
        points.forEach((point, index) => {
          expect(toCodePoint(unit)).toBe(index)
          unit += point.length
        })
        expect(toCodePoint(source.length)).toBe(points.length)
      }),
    )
  })

  it('convert across checkpoints in a text of pairs', () => {
    const toCodePoint = codePointOffsets('😀'.repeat(1000))
    for (const index of [0, 127, 128, 129, 500, 999, 1000]) expect(toCodePoint(2 * index)).toBe(index)
  })
})

describe('slices by code points', () => {
  it('are those of string iteration, for any units and any offsets', () => {
    fc.assert(
      fc.property(anyUnits, fc.nat(1600), fc.nat(1600), (source, start, length) => {
        const expected = [...source].slice(start, start + length).join('')
        expect(codePointSlices(source)(start, start + length)).toBe(expected)
      }),
    )
  })
})
