import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, storable, storableJson } from './storable-text.js'

/** Any UTF-16 units, halves of pairs and NUL among them. */
const anything = fc.string({
  unit: fc.oneof(
    fc.nat(0xffff).map(code => String.fromCharCode(code)),
    fc.constantFrom('\0', '\ud83d', '\ude00', '😀'),
  ),
})

it('replaces what cannot be stored in names and texts alike, and nothing else', () => {
  expect(JSON.parse(storableJson([{ 'a\0': ['\ud83d', '\\u0000 \\ud83d 😀 \n\u001f'] }]))).toEqual([
    { 'a\ufffd': ['\ufffd', '\\u0000 \\ud83d 😀 \n\u001f'] },
  ])
  fc.assert(
    fc.property(anything, text => {
      expect(JSON.parse(storableJson([text]))).toEqual([storable(text)])
    }),
  )
})

it('keeps the length of a text, so that offsets into it hold', () => {
  fc.assert(
    fc.property(anything, text => {
      expect(storable(text)).toHaveLength(text.length)
      expect(Buffer.from(storable(text)).toString()).toBe(storable(text))
    }),
  )
})

it('cuts no pair in two, and nothing else but the end', () => {
  expect(cut('ab😀', 4)).toBe('ab😀')
  expect(cut('ab😀', 3)).toBe('ab')
  expect(cut('ab😀c', 4)).toBe('ab😀')
  expect(cut('😀', 0)).toBe('')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      const kept = cut(text, most)
      expect(text.startsWith(kept)).toBe(true)
      expect(storable(kept)).toBe(kept.replaceAll('\0', '\ufffd'))
      expect(Math.min(text.length, most) - kept.length).toBeLessThanOrEqual(1)
    }),
  )
})
