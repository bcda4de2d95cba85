/**
 * Lines and what each looks like on its own: rule, heading, pair, list item, table row. Pure classification;
 * blocks.ts decides what they mean together.
 */

import { matchesOf } from '../matches.js'
import { CODES } from '../values/unit-table.js'
import { countCase } from './characters.js'

export interface Line {
  start: number
  end: number
  text: string
  indent: number
  blank: boolean
}

export interface Cell {
  start: number
  end: number
  text: string
}

/** Longer lines than this are prose whatever they look like; it bounds the work on hostile input. */
const STRUCTURED = 600

export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (let at = 0; at <= text.length; ) {
    let end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    let stop = end
    if (stop > at && text[stop - 1] === '\r') stop--
    const body = text.slice(at, stop)
    const indent = body.length - body.trimStart().length
    lines.push({ start: at, end: stop, text: body, indent, blank: indent === body.length })
    at = end + 1
  }
  return lines
}

export function isRule(line: Line): boolean {
  if (line.blank || line.text.length > STRUCTURED) return false
  const text = line.text.trim()
  return text.length >= 3 && /^[-=_*─━═┌┬┐├┼┤└┴┘╔╗╚╝╠╣╦╩╬│|+~: ]+$/.test(text) && !/^[|│ ]+$/.test(text)
}

export function isShoutedLine(text: string): boolean {
  if (text.length > 140) return false
  // What stands in parentheses may be quieter: "TRANSITIONAL MEASURES (Art. 308c)".
  const { capitals, smalls } = countCase(text.includes('(') ? text.replace(/\([^()]{0,80}\)/g, ' ') : text)
  return capitals >= 3 && capitals / (capitals + smalls) >= 0.8
}

const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\)?\s+(?=\p{Lu})/u

export interface HeadingShape {
  level: number
  title: string
}

/** A heading by its own looks; `alone` says blank lines stand around it, `leads` that what it heads follows at once. */
export function headingShape(
  line: Line,
  alone: boolean,
  deeperBelow: boolean,
  leads = false,
  next: Line | null = null,
): HeadingShape | null {
  const text = line.text.trim()
  if (text.length < 2 || text.length > 140) return null
  // Most lines are in the middle of something, and only marks, numbers and capitals make headings there.
  if (!alone && !leads && !/^[#\d]/.test(text) && !isShoutedLine(text)) return null
  // An address or a date above a letter heads nothing.
  if (/^(?:To|Attn|Attention|From)\s\p{Lu}/u.test(text) || /(?:^|,\s)\d{1,2}\.?\s\p{L}{3,9}\.?\s\d{4}[*_]*$/u.test(text)) return null
  if (!text.startsWith('#') && /\S\s?\.{4,}\s?\S|^\d{1,2}\.\s.*\S\s{3,}\S/.test(text)) return null
  const hash = /^(#{1,6})\s+/.exec(text)
  if (hash) return { level: hash[1]!.length, title: text.slice(hash[0].length).replace(/\s+#+$/, '') }
  const numbered = NUMBERED.exec(text)
  const body = numbered ? text.slice(numbered[0].length) : text
  const level = numbered ? numbered[1]!.split('.').length : 1
  const ended = /[.;,!?]$/.test(body)
  if (isShoutedLine(body) && !ended && !/[|│]/.test(body)) {
    const colon = /:\s+\S/.test(body)
    if (!colon || alone || numbered) return line.indent <= 1 || alone || /:$/.test(body) ? { level, title: body.replace(/:$/, '') } : null
    return null
  }
  if (
    numbered &&
    level >= 2 &&
    !ended &&
    body.length <= 100 &&
    !/:\s+\S/.test(body) &&
    !runsOn(line, next) &&
    (alone || deeperBelow || line.indent === 0)
  )
    return { level, title: body.replace(/:$/, '') }
  if (numbered && level === 1 && (alone || (leads && body.length <= 50)) && !ended && body.length <= 80 && !/:\s+\S/.test(body))
    return { level, title: body }
  const bold = /^\*\*([^*]{2,100})\*\*:?$/.exec(text)
  if (bold && alone) return { level: 3, title: bold[1]! }
  const words = body.split(/\s+/).length
  if (
    (alone || (leads && words <= 5 && !/\d/.test(body))) &&
    !numbered &&
    line.indent <= 2 &&
    words <= 9 &&
    body.length <= 80 &&
    /^\p{Lu}/u.test(body) &&
    !ended &&
    !/[:=|│]|\d[\d.,]*\s?%|[€$£]|\s{2,}/.test(body)
  )
    return { level: 2, title: body }
  return null
}

/** A numbered paragraph that goes on in the next line, or holds the end of a sentence, is no heading. */
function runsOn(line: Line, next: Line | null): boolean {
  const text = line.text.trimEnd()
  if (/\p{Ll}{2,}[.;]\s+\p{Lu}/u.test(text)) return true
  if (!next || next.blank || isRule(next)) return false
  return /^\s*\p{Ll}/u.test(next.text) || (text.length >= 72 && !NUMBERED.test(next.text.trim()))
}

const BULLET =
  /^(?:[-*•–◦▪·‣>+]|\(?(?:\d{1,2}[a-z]?|[a-zA-Z]\d?|[ivx]{2,5}|[IVX]{2,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?|[A-Z]\.\d{1,2}\.?(?=\s+\p{Lu}))\s+/u

/** Length of the bullet at the start of a trimmed line, 0 if none. */
export function bulletLength(trimmed: string): number {
  const match = BULLET.exec(trimmed)
  if (!match) return 0
  // "3.1 Market Risk" counts as numbering, "3.5 percent" does not.
  if (/^\d+\.\d/.test(match[0]) && !/^\p{Lu}/u.test(trimmed.slice(match[0].length))) return 0
  return match[0].length
}

export interface PairShape {
  label: Cell
  body: Cell
}

/** "Sum insured ........ NOK 1,150 million": dots lead from the label to what is said of it. */
function leaderOf(head: string): RegExpExecArray | null {
  const at = head.includes('..') ? head.search(/\.{3}|\s\.\.\s/) : -1
  return at < 2 ? null : /^([^:=|│.\n](?:[^:=|│\n]{0,58}?[^.\s])?)(?:\s?\.{3,}|\s\.\.(?=\s))(?=\s?\S)/.exec(head)
}

/** "4. Number of data subjects        14,500": a form whose answers are set apart. */
function spacedOf(head: string): RegExpExecArray | null {
  return head.includes('   ') ? /^([^:=|│\s](?:[^:=|│\n]{0,70}?\S)?)\s{3,}(?=\S)/.exec(head) : null
}

/** "- Items without label – 118": a dash before a figure leads to it like a colon. */
function dashedOf(head: string): RegExpExecArray | null {
  return /^(\p{Lu}[^:=|│\n–—→.;]{1,60}?)\s(?:[–—→]|->)\s(?=[~<>≥≤(]?[€$£]?\d|[A-Z]{3}\s?\d)/u.exec(head)
}

/** "Label: body" and "Label = body"; the label is short and no sentence. */
export function pairShape(line: Line, bullet: number): PairShape | null {
  if (line.text.length > 2_000) return null
  const from = line.indent + bullet
  const head = line.text.slice(from, from + 120)
  const match =
    (bullet > 0 && /[\d(]/.test(line.text[line.indent]!) ? spacedOf(head) : null) ??
    (/[:=]/.test(head) ? /^[*_]{0,2}((?:[^:=|│\n]|[<>]=){1,90}?)[*_]{0,2}\s?(?::[*_]{0,2}(?=\s)|\s=\s)/.exec(head) : null) ??
    (head.includes('?') ? /^([^:=|│?\n]{1,60}\?)(?=\s+\S)/.exec(head) : null) ??
    leaderOf(head) ??
    (bullet > 0 ? dashedOf(head) : null)
  if (!match) return null
  const label = match[1]!.trim()
  if (
    !label ||
    label.lastIndexOf('(') > label.lastIndexOf(')') ||
    label.split(/\s+/).length > 12 ||
    /[.;!]\s/.test(label.replace(/\b(?:Art|No|Nr|Dr|Prof|vs|Ref|Sec|approx|incl|excl)\.\s/gi, '')) ||
    !/\p{L}|\d/u.test(label)
  )
    return null
  const bodyFrom = from + match[0].length
  const rest = line.text.slice(bodyFrom)
  const body = rest.trim()
  if (!body) return null
  const labelStart = line.start + from + match[0].indexOf(label)
  const bodyStart = line.start + bodyFrom + (rest.length - rest.trimStart().length)
  return {
    label: { start: labelStart, end: labelStart + label.length, text: label },
    body: { start: bodyStart, end: bodyStart + body.length, text: body },
  }
}

const BARS = /[|│┃║]/g

/** Cells between pipes or box lines. */
export function pipeCells(line: Line): Cell[] | null {
  const text = line.text
  if (text.length > 2_000) return null
  const bars = matchesOf(BARS, text).map(({ index }) => index)
  if (bars.length < 1 || (bars.length < 2 && !/^\s*[|│┃║]/.test(text) && !/\s[|│┃║]\s/.test(text))) return null
  const cells: Cell[] = []
  let at = 0
  for (const i of [...bars, text.length]) {
    const raw = text.slice(at, i)
    const body = raw.trim()
    const start = line.start + at + (raw.length - raw.trimStart().length)
    if (!(cells.length === 0 && at === 0 && body === '') && !(i === text.length && body === ''))
      cells.push({ start, end: start + body.length, text: body })
    at = i + 1
  }
  return cells.length >= 2 ? cells : null
}

const RUNS = /\S+(?: \S+)*/g

function endsInCurrency(text: string): boolean {
  const end = /(?:^|\s)([A-Z]{3}|[€$£+-])$/.exec(text)?.[1]
  return end !== undefined && (end.length === 1 || CODES.has(end))
}

/** Cells separated by a tab or two spaces; null for prose. */
export function alignedCells(line: Line): Cell[] | null {
  const text = line.text
  if (text.length > STRUCTURED || !/\S(?:\s{2,}|[^\S ])\S/.test(text)) return null
  const cells: Cell[] = []
  for (const match of matchesOf(RUNS, text))
    cells.push({ start: line.start + match.index, end: line.start + match.index + match[0].length, text: match[0] })
  if (cells.length < 2) return null
  // A space that only aligns digits: "EUR  98,000,000".
  const joined: Cell[] = []
  for (const cell of cells) {
    const last = joined.at(-1)
    if (last && endsInCurrency(last.text) && /^[-+(]?\d/.test(cell.text)) {
      last.end = cell.end
      last.text = text.slice(last.start - line.start, cell.end - line.start)
    } else joined.push({ ...cell })
  }
  return joined.length >= 2 ? joined : null
}
