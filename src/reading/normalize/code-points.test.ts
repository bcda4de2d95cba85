import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePointOffsets } from './code-points.js'

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
    const offsets = codePointOffsets('a😀b\ud83d')
    expect(offsets.length).toBe(4)
    expect([0, 1, 3, 4, 5].map(offsets.toCodePoint)).toEqual([0, 1, 2, 3, 4])
    expect([0, 1, 2, 3, 4].map(offsets.toUtf16)).toEqual([0, 1, 3, 4, 5])
  })

  it('clamp what is out of range', () => {
    for (const source of ['ab', '😀']) {
      const offsets = codePointOffsets(source)
      expect(offsets.toCodePoint(-5)).toBe(0)
      expect(offsets.toCodePoint(99)).toBe(offsets.length)
      expect(offsets.toUtf16(Number.NaN)).toBe(0)
      expect(offsets.toUtf16(99)).toBe(source.length)
    }
  })

  it('agree with string iteration for any units and at any length', () => {
    fc.assert(
      fc.property(anyUnits, source => {
        const points = [...source]
        const offsets = codePointOffsets(source)
        expect(offsets.length).toBe(points.length)
        let unit = 0
        points.forEach((point, index) => {
          expect(offsets.toCodePoint(unit)).toBe(index)
          expect(offsets.toUtf16(index)).toBe(unit)
          unit += point.length
        })
        expect(offsets.toCodePoint(source.length)).toBe(points.length)
        expect(offsets.toUtf16(points.length)).toBe(source.length)
      }),
    )
  })

  it('convert across checkpoints in a text of pairs', () => {
    const offsets = codePointOffsets('😀'.repeat(1000))
    for (const index of [0, 127, 128, 129, 500, 999, 1000]) {
      expect(offsets.toUtf16(index)).toBe(2 * index)
      expect(offsets.toCodePoint(2 * index)).toBe(index)
    }
  })
})
