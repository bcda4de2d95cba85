/**
 * Where the words of a passage stand on a page of a PDF. The page is laid out by the very code that made the text of the
 * document; where what comes of it is not found in that text, letter by letter and at the place of the passage, nothing is
 * marked. Pure.
 */

import { type Piece, pieceOf, type TextItem, writePage } from '../src/files/pdf-layout.js'
import { TextWriter } from '../src/files/text-writer.js'

/** Text of an item from one index to another, as parts of its length. */
export interface MarkedItem {
  item: number
  from: number
  to: number
}

/** What is written from `start` on, in code points, is made of these pieces. */
interface Unit {
  start: number
  pieces: readonly Piece[]
}

interface LaidOut {
  text: string
  units: Unit[]
}

/** Heading or not depends on the size most text of the document has, which one page need not show: every size is tried. */
const bodySizes = [10, 11, 12, 9, 8, 13, 14, 7, 15, 16, 6, 18, 20, 5, 24]

/** Null: the page does not read as it did when the text was made. */
export function marksOnPage(
  items: readonly TextItem[],
  text: string,
  passages: readonly { start: number; end: number }[],
): MarkedItem[][] | null {
  const pieces = new Map<Piece, number>()
  for (const [index, item] of items.entries()) {
    const piece = pieceOf(item)
    if (piece !== null) pieces.set(piece, index)
  }
  if (pieces.size === 0) return null
  const points = [...text]
  const least = Math.min(...passages.map(each => each.start))
  for (const size of bodySizes) {
    const page = layOut([...pieces.keys()], size)
    const written = [...page.text]
    const at = placeOf(written, points, least)
    if (at === null) continue
    return passages.map(({ start, end }) => markedItems(page, written, { from: start - at, to: end - at }, pieces))
  }
  return null
}

function layOut(pieces: readonly Piece[], bodySize: number): LaidOut {
  const out = new TextWriter({ kind: null, maxChars: Number.POSITIVE_INFINITY })
  const units: Unit[] = []
  writePage(out, pieces, bodySize, made => units.push({ start: out.length, pieces: made }))
  return { text: out.finish().text, units }
}

/** Where the page begins in the text, so that it holds that place; null where it stands nowhere so. */
function placeOf(written: readonly string[], points: readonly string[], offset: number): number | null {
  for (let at = Math.max(0, offset - written.length + 1); at <= offset && at + written.length <= points.length; at++) {
    let same = 0
    while (same < written.length && points[at + same] === written[same]) same++
    if (same === written.length) return at
  }
  return null
}

const unmarked = /[\s\u00ad]/

/** The letters of a unit are those of its pieces in their order, but for spaces, hyphens at ends of lines, bars and bullets. */
function markedItems(
  { units }: LaidOut,
  written: readonly string[],
  wanted: { from: number; to: number },
  pieces: ReadonlyMap<Piece, number>,
): MarkedItem[] {
  const found: MarkedItem[] = []
  for (const [index, unit] of units.entries()) {
    const end = units[index + 1]?.start ?? written.length
    if (end <= wanted.from || unit.start >= wanted.to) continue
    let at = unit.start
    for (const piece of unit.pieces) {
      const letters = [...piece.text]
      let [first, last] = [-1, -1]
      for (const [place, letter] of letters.entries()) {
        if (unmarked.test(letter)) continue
        const seen = nextOf(written, at, end, letter)
        if (seen === null) continue
        at = seen + 1
        if (seen < wanted.from || seen >= wanted.to) continue
        if (first < 0) first = place
        last = place
      }
      if (first >= 0) found.push({ item: pieces.get(piece) as number, from: first / letters.length, to: (last + 1) / letters.length })
    }
  }
  return found
}

/** Bullets become hyphens and bars broken bars; a hyphen that divided a word is gone. None is far. */
function nextOf(written: readonly string[], from: number, end: number, letter: string): number | null {
  for (let at = from; at < Math.min(end, from + 8); at++) {
    if (written[at] === letter || (letter === '|' && written[at] === '¦')) return at
  }
  return null
}
