import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storable, storableJson } from './claims-documents.js'

it('replaces what cannot be stored in names and texts alike, and nothing else', () => {
  expect(JSON.parse(storableJson([{ 'a\0': ['\ud83d', '\\u0000 \\ud83d 😀 \n\u001f'] }]))).toEqual([
    { 'a\ufffd': ['\ufffd', '\\u0000 \\ud83d 😀 \n\u001f'] },
  ])
  const anything = fc.string({ unit: fc.nat(0xffff).map(code => String.fromCharCode(code)) })
  fc.assert(
    fc.property(anything, text => {
      expect(JSON.parse(storableJson([text]))).toEqual([storable(text)])
    }),
  )
})
