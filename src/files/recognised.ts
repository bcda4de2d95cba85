/** What recognition makes of the picture of one page: words with their places and confidence. */

import type { Matrix } from './grey.js'
import type { Piece } from './pdf-layout.js'

/** On the upright page, in points from its top left. */
export interface Word {
  text: string
  /** 0 to 1. */
  confidence: number
  left: number
  top: number
  right: number
  bottom: number
  /** A rule stands between it and the word before. */
  ruled?: true
}

export interface WordLine {
  words: Word[]
  size: number
  baseline: number
}

export interface PageReading {
  page: number
  /** Of the upright page, in points. */
  height: number
  /** From the upright page to shares of the page as it is shown, from its top left. */
  toPage: Matrix
  lines: WordLine[]
  /** Its picture cannot be unpacked. */
  broken?: true
}

/** A word's rectangle in ten-thousandths of the page as it is shown: left, top, width, height. */
export type Rectangle = [left: number, top: number, width: number, height: number]

export function rectangleOf({ left, top, right, bottom }: Omit<Word, 'text' | 'confidence'>, [a, b, c, d, e, f]: Matrix): Rectangle {
  const corners = [left, right].flatMap(x => [top, bottom].map(y => [a * x + c * y + e, b * x + d * y + f] as const))
  const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000)
  const [fromX, toX] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))]
  const [fromY, toY] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))]
  return [share(fromX), share(fromY), share(toX) - share(fromX), share(toY) - share(fromY)]
}

export interface WordPiece extends Piece {
  words: Word[]
}

/** Words of a line farther apart than this, in sizes of the letters, stand in different cells. */
const cellGap = 1.1
/** Heights of letters that differ less from the usual are the same: what is measured depends on which letters a line has. */
const sameSize = 0.22

export function piecesOf({ lines, height }: PageReading): WordPiece[] {
  const usual = median(lines.flatMap(line => line.words.map(() => line.size)))
  return lines.flatMap(({ words, size, baseline }) => {
    const own = Math.abs(size - usual) <= sameSize * usual ? usual : size
    const pieces: WordPiece[] = []
    for (const word of words) {
      const last = pieces.at(-1)
      if (last !== undefined && !word.ruled && word.left - (last.x + last.width) <= cellGap * own) {
        last.text += ` ${word.text}`
        last.width = Math.max(last.width, word.right - last.x)
        last.words.push(word)
      } else {
        const place = { x: word.left, y: height - baseline, width: word.right - word.left, size: own }
        pieces.push({ text: word.text, ...place, words: [word], ...(word.ruled && { ruled: true }) })
      }
    }
    return pieces
  })
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 12
}

/** Of one page of a finished text: where each word begins, how long it is, both in code points, its confidence in hundredths, its rectangle. */
export interface PageWords {
  page: number
  starts: number[]
  lengths: number[]
  confidences: number[]
  rectangles: number[]
}
