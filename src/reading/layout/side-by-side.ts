/**
 * Lines that hold several things side by side: a letterhead with the title at its right, a reference with the date, two
 * labels with their answers. Each becomes a line of its own at its place in the text.
 */

import { matchesOf } from '../matches.js'
import { isShoutedLine, type Line } from './lines.js'

/** How many lines from the top may belong to a letterhead or a form. */
const TOP = 16
const WIDEST = 300

interface Piece {
  from: number
  to: number
}

const PIECES = /\S+(?: {1,3}\S+)*/g
const LABELLED = /^[\p{L}*_][^:|│]{1,34}:\*{0,2}\s+\S|^(?:\p{L}+ )?(?:[Nn]o|[Rr]ef)\.\s?[\p{Lu}\d][\p{L}\d/-]+$/u

const CELLS = /\S+(?: \S+)*/g

function piecesOf(text: string, form: RegExp): Piece[] {
  if (text.length > WIDEST || !/\S {2,}\S|\S\t\S/.test(text)) return []
  return matchesOf(form, text).map(match => ({ from: match.index, to: match.index + match[0].length }))
}

/** Whether a line beside it has something in the same column: rows of a table or a form, not two things. */
function isColumn(piece: Piece, pieces: readonly Piece[]): boolean {
  return pieces.slice(1).some(other => Math.abs(other.from - piece.from) <= 1 || Math.abs(other.to - piece.to) <= 1)
}

function cut(line: Line, pieces: readonly Piece[]): Line[] {
  return pieces.map((piece, at) => {
    const start = at === 0 ? 0 : piece.from
    const text = line.text.slice(start, piece.to)
    return { start: line.start + start, end: line.start + piece.to, text, indent: at === 0 ? line.indent : 0, blank: false }
  })
}

/** What stands apart by four spaces, or by two where every part is a label with its answer. */
function piecesAt(text: string): Piece[] {
  const cells = piecesOf(text, CELLS)
  const isPair = (piece: Piece): boolean => LABELLED.test(text.slice(piece.from, piece.to))
  return cells.length === 0 || (cells.length >= 2 && cells.every(isPair)) ? cells : piecesOf(text, PIECES)
}

export function apart(lines: readonly Line[]): Line[] {
  const out: Line[] = []
  const cellsAt = (i: number): Piece[] => (lines[i] && !lines[i].blank ? piecesOf(lines[i].text, CELLS) : [])
  const inTable = (i: number, piece: Piece): boolean => [i - 1, i + 1].some(near => isColumn(piece, cellsAt(near)))
  let seen = 0
  for (const [i, line] of lines.entries()) {
    if (!line.blank) seen++
    const pieces = line.blank ? [] : piecesAt(line.text)
    const texts = pieces.map(piece => line.text.slice(piece.from, piece.to))
    const top = seen <= TOP
    if (pieces.length >= 2 && pieces.length <= 4 && !/[|│┃║]|\.{4}/.test(line.text) && !texts.some(text => /^[:=]|:$/.test(text))) {
      const labelled = texts.every(text => LABELLED.test(text))
      // The first line is no header of a table, whatever stands below it.
      const beside = top && pieces.length === 2 && (seen === 1 || !inTable(i, pieces[1]!))
      if (labelled || (beside && isApart(texts))) {
        out.push(...cut(line, pieces))
        continue
      }
    }
    out.push(line)
  }
  return out
}

/** A label with figures at its right is a row; names, dates, titles and labelled facts are not. */
function isApart(texts: readonly string[]): boolean {
  const [left, right] = [texts[0]!, texts[1]!]
  if (LABELLED.test(right) || LABELLED.test(left) || (isShoutedLine(left) && right.length <= 40)) return true
  return /^[^\d]*$/.test(right) || /\b(?:19|20)\d{2}\b|\p{Lu}[\p{L}]*[-/]\d|\bNo\.?\s\d/u.test(right)
}
