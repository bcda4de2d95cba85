/**
 * Lines that hold several things side by side: a letterhead with the title at its right, a reference with the date, two
 * labels with their answers, a byline of labels in one sentence. Each becomes a line of its own at its place in the text.
 */

import { matchesOf } from '../matches.js'
import { isHeaderLabel } from './header-labels.js'
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
const NEXT_LABEL =
  /[.;]\s+(?=([\p{Lu}][\p{L} ]{1,30}):\s)|\s+(?=(To|From|Date|Subject|Ref|Cc|CC|Author|Version|Period|Prepared by|Issued by):[*_]{0,2}\s)/gu

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

/** "Author: A. Reader. Date: 5 March 2031. Period: …": labels of a header in one sentence. */
function byline(line: Line): Line[] | null {
  if (line.text.length > 600 || !line.text.includes(': ')) return null
  // Without a stop between them, the words before must be a label with its answer: not the "Report" of "Report Date:".
  const stops = matchesOf(NEXT_LABEL, line.text).filter(
    match =>
      isHeaderLabel(match[1] ?? match[2]!) && (match[1] !== undefined || /:[*_]{0,2}\s+\S[^:]*$/.test(line.text.slice(0, match.index))),
  )
  if (!stops.length) return null
  const pieces: Piece[] = []
  let from = 0
  for (const stop of stops) {
    pieces.push({ from, to: stop.index })
    from = stop.index + stop[0].length
  }
  pieces.push({ from, to: line.text.trimEnd().replace(/\.$/, '').length })
  return cut(line, pieces)
}

const isHeaderPart = (part: string): boolean => LABELLED.test(part.trim()) && isHeaderLabel(part.slice(0, part.indexOf(':')).trim())

const BARS = /[|│┃║]/

/**
 * "Eastgate Water Ltd | Monthly report | May 2031", "Date: 5 May 2031 | Ward 7": bars in a line that stands alone part its
 * words, not cells. Labels that stand in no header may stand in a table.
 */
function barred(line: Line, above: Line | undefined, below: Line | undefined): Line[] | null {
  if (line.text.length > WIDEST || !/\S [|│] \S/.test(line.text) || /^\s*[|│]|=/.test(line.text)) return null
  if (line.text.includes(': ') && !line.text.split(/ [|│] /).some(isHeaderPart)) return null
  if ([above, below].some(near => near !== undefined && BARS.test(near.text.slice(0, WIDEST)))) return null
  const pieces: Piece[] = []
  let from = line.indent
  for (const match of [...matchesOf(/ [|│] /g, line.text), null]) {
    pieces.push({ from, to: match?.index ?? line.text.trimEnd().length })
    from = (match?.index ?? 0) + 3
  }
  return cut(line, pieces)
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
    out.push(...((top ? (barred(line, lines[i - 1], lines[i + 1]) ?? byline(line)) : null) ?? [line]))
  }
  return out
}

/** A label with figures at its right is a row; names, dates, titles and labelled facts are not. */
function isApart(texts: readonly string[]): boolean {
  const [left, right] = [texts[0]!, texts[1]!]
  if (LABELLED.test(right) || LABELLED.test(left) || (isShoutedLine(left) && right.length <= 40)) return true
  return /^[^\d]*$/.test(right) || /\b(?:19|20)\d{2}\b|\p{Lu}[\p{L}]*[-/]\d|\bNo\.?\s\d/u.test(right)
}
