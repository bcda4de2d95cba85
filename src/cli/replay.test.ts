import { expect, it } from 'vitest'
import { notReadWords } from './replay.js'

it('says why readings were not made again in words, and only where there are any', () => {
  const none = { erased: 0, otherReader: 0, readAgain: 0, afterLoss: 0, textRemoved: 0, otherExtractor: 0, unchanged: 0 }
  expect(notReadWords(none)).toEqual([])
  expect(notReadWords({ ...none, readAgain: 1, afterLoss: 8, unchanged: 2 })).toEqual([
    '1 that a later reading replaced',
    '8 that came after one of these',
    '2 with the same text as before',
  ])
})
