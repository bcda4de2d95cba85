import { expect, it } from 'vitest'
import { marksOfWords, type ScanWord } from './scan-marks'

const word = (start: number, text: string, left: number, top: number): ScanWord => ({
  page: 1,
  start,
  end: start + text.length,
  text,
  confidence: 0.9,
  left,
  top,
  width: text.length / 100,
  height: 0.02,
  corrected: false,
})

it('marks a passage by its words, those of a line together, and nothing else', () => {
  const words = [
    word(0, 'The', 0.1, 0.1),
    word(4, 'rent', 0.14, 0.101),
    word(9, 'is', 0.19, 0.1),
    word(12, 'EUR', 0.1, 0.13),
    word(16, '12,500.', 0.14, 0.13),
  ]
  const marks = marksOfWords(words, [{ start: 4, end: 16, kind: 'main', id: 'c' }])
  expect(marks.map(({ left, top, width, height }) => [left, top, width, height].map(share => Math.round(share * 1000)))).toEqual([
    [140, 100, 70, 21],
    [100, 130, 30, 20],
  ])
  expect(marks[0]).toMatchObject({ kind: 'main', id: 'c' })
  // In another column, and of a passage that stands elsewhere.
  expect(marksOfWords([word(0, 'left', 0.1, 0.1), word(5, 'right', 0.6, 0.1)], [{ start: 0, end: 10, kind: 'claim' }])).toHaveLength(2)
  expect(marksOfWords(words, [{ start: 30, end: 40, kind: 'claim' }])).toEqual([])
})
