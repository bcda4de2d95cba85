/** Where passages stand on a page of a scan, by the rectangles of its recognised words. Pure. */

import type { Schema } from '../src/contract/types.js'
import type { Passage } from './passages'

export type ScanWord = Schema['RecognisedWord']

/** In shares of the page. */
export interface ScanMark extends Pick<Passage, 'kind' | 'id'> {
  left: number
  top: number
  width: number
  height: number
}

/** Words of a passage that follow each other on a line share a mark. None where no word of it is on the page. */
export function marksOfWords(words: readonly ScanWord[], passages: readonly Passage[]): ScanMark[] {
  return passages.flatMap(({ start, end, kind, id }) => {
    const marks: ScanMark[] = []
    for (const word of words) {
      if (word.end <= start || word.start >= end) continue
      const last = marks.at(-1)
      if (last !== undefined && isBeside(last, word)) widen(last, word)
      else marks.push({ left: word.left, top: word.top, width: word.width, height: word.height, kind, ...(id !== undefined && { id }) })
    }
    return marks
  })
}

type Box = Pick<ScanMark, 'left' | 'top' | 'width' | 'height'>

/** On its line, and not farther behind it than columns stand apart. */
function isBeside(mark: Box, word: Box): boolean {
  const shared = Math.min(mark.top + mark.height, word.top + word.height) - Math.max(mark.top, word.top)
  const gap = word.left - (mark.left + mark.width)
  return shared > Math.min(mark.height, word.height) / 2 && gap >= -word.width && gap <= 0.03
}

function widen(mark: Box, { left, top, width, height }: Box): void {
  const [right, bottom] = [Math.max(mark.left + mark.width, left + width), Math.max(mark.top + mark.height, top + height)]
  mark.left = Math.min(mark.left, left)
  mark.top = Math.min(mark.top, top)
  mark.width = right - mark.left
  mark.height = bottom - mark.top
}
