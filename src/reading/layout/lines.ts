/**
 * Lines and what each looks like on its own: rule, heading, pair, list item, table row. Pure classification;
 * blocks.ts decides what they mean together.
 */

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

export interface Shape {
  rule: boolean
  heading: { level: number; title: string } | null
  /** "Label: body": the label, and where the body begins. */
  pair: { label: Cell; body: number } | null
  /** Between bars, between commas of records, or set apart by spaces. */
  cells: Cell[] | null
  piped: boolean
  /** Length of the bullet. */
  bullet: number
}

/** Longer lines than this are prose whatever they look like; it bounds the work on hostile input. */
const STRUCTURED = 600
/** "Ref: A-1      Date: 5 May 2031": labels side by side. */
const NEXT_LABEL = /(?:\s{2,}|\t)(?=[*_]{0,2}\p{Lu}[\p{L} ]{1,30}:[*_]{0,2}\s)/u

export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (let at = 0; at <= text.length; ) {
    let end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    const stop = end > at && text[end - 1] === '\r' ? end - 1 : end
    lines.push(...labelsOf(at, text.slice(at, stop)))
    at = end + 1
  }
  return lines
}

function labelsOf(start: number, text: string): Line[] {
  const indent = text.length - text.trimStart().length
  const line = { start, end: start + text.length, text, indent, blank: indent === text.length }
  if (line.blank || text.length > STRUCTURED || !/:[*_]{0,2}\s.*(?:\s\s|\t)/.test(text)) return [line]
  const next = NEXT_LABEL.exec(text)
  if (!next || next.index <= indent || !/:[*_]{0,2}\s/.test(text.slice(0, next.index))) return [line]
  const rest = next.index + next[0].length
  return [{ ...line, end: start + next.index, text: text.slice(0, next.index) }, ...labelsOf(start + rest, text.slice(rest))]
}

const EMPTY: Shape = { rule: false, heading: null, pair: null, cells: null, piped: false, bullet: 0 }

export function shapeOf(lines: readonly Line[], i: number): Shape {
  const line = lines[i]!
  if (line.blank) return EMPTY
  if (isRule(line)) return { ...EMPTY, rule: true }
  const piped = pipeCells(line) ?? recordCells(line)
  const bullet = BULLET.exec(line.text.trimStart())?.[0].length ?? 0
  return {
    rule: false,
    heading: piped ? null : headingOf(lines, i),
    pair: pairOf(line, bullet) ?? tersePair(line, lines[i - 1]),
    cells: piped ?? alignedCells(line),
    piped: piped !== null,
    bullet,
  }
}

const isQuiet = (line: Line | undefined): boolean => line === undefined || line.blank || isRule(line)

function isRule(line: Line): boolean {
  if (line.blank || line.text.length > STRUCTURED) return false
  const text = line.text.trim()
  return text.length >= 3 && /^[-=_*─━═┌┬┐├┼┤└┴┘╔╗╚╝╠╣╦╩╬│|+~: ]+$/.test(text) && !/^[|│ ]+$/.test(text)
}

const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\)?\s+(?=\p{Lu})/u
/** An address or a date above a letter heads nothing. */
const OF_LETTER = /^(?:To|Attn|Attention|From)\s\p{Lu}|(?:^|,\s)\d{1,2}\.?\s\p{L}{3,9}\.?\s\d{4}[*_]*$/u

/** In capitals; what stands in parentheses may be quieter: "TRANSITIONAL MEASURES (Art. 308c)". */
function isShouted(text: string): boolean {
  if (!/\p{Lu}{2}/u.test(text)) return false
  const letters = text.replace(/\([^()]{0,80}\)|\P{L}/gu, '')
  const capitals = letters.replace(/\P{Lu}/gu, '').length
  return capitals >= 3 && capitals >= letters.length * 0.8
}

/** By its own looks, by the blank lines around it, or by what it leads to. */
function headingOf(lines: readonly Line[], i: number): Shape['heading'] {
  const line = lines[i]!
  const text = line.text.trim()
  if (text.length < 2 || text.length > 140 || OF_LETTER.test(text)) return null
  const hash = /^(#{1,6})\s+(.*?)(?:\s+#+)?$/.exec(text)
  if (hash) return { level: hash[1]!.length, title: hash[2]! }
  const next = lines[i + 1]
  const above = isQuiet(lines[i - 1])
  const alone = above && isQuiet(next)
  const leads = above && i > 0 && next !== undefined && isContent(next)
  const numbered = NUMBERED.exec(text)
  const body = numbered ? text.slice(numbered[0].length) : text
  const loud = isShouted(body)
  // Most lines are in the middle of something, and only numbers and capitals make headings there.
  if (!alone && !leads && !numbered && !loud) return null
  if (/[.;,!?]$|[|│]|:\s+\S|\.{4}/.test(body)) return null
  const level = numbered ? numbered[1]!.split('.').length : 1
  const title = body.replace(/:$/, '')
  if (loud) return { level, title }
  if (numbered) {
    const isShort = alone || (leads && body.length <= 50)
    const isSection = level >= 2 && line.indent === 0 && !/\p{Ll}{2,}[.;]\s+\p{Lu}/u.test(body) && !/^\s*\p{Ll}/u.test(next?.text ?? '')
    return body.length <= 80 && (isShort || isSection) ? { level, title } : null
  }
  const words = body.split(/\s+/).length
  const isTitle = alone || (leads && words <= 5 && !/\d/.test(body))
  if (!isTitle || line.indent > 2 || words > 9 || body.length > 80) return null
  return /^\p{Lu}/u.test(body) && !/[:=]|\d[\d.,]*\s?%|[€$£]|\s{2,}/.test(body) ? { level: 2, title: body } : null
}

/** A line that says something: a sentence, or a pair. */
function isContent(line: Line): boolean {
  const text = line.text.trim()
  return (text.length >= 40 && /\p{Ll}/u.test(text)) || /^[^:]{2,40}:\s+\S/.test(text) || (/[.!?]$/.test(text) && /\s\S+\s/.test(text))
}

const BULLET =
  /^(?:[-*•–◦▪·‣>+]|\(?(?:\d{1,2}[a-z]?|[a-zA-Z]\d?|[ivx]{2,5}|[IVX]{2,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?|[A-Z]\.\d{1,2}\.?(?=\s+\p{Lu}))\s+/u

/** "Label: body", "Label = body", "Question? Answer", "Label ..... body". */
const PAIR = /^[*_]{0,2}((?:[^:=|│\n]|[<>]=){1,90}?)[*_]{0,2}\s?(?::[*_]{0,2}(?=\s)|\s=\s|\.{3,}(?=\s?\S))|^([^:=|│?\n]{1,60}\?)(?=\s+\S)/
/** "4. Number of data subjects        14,500": a form whose answers are set apart. */
const SPACED = /^([^:=|│\s](?:[^:=|│\n]{0,70}?\S)?)\s{3,}(?=\S)/

/** The label is short and no sentence. */
function pairOf(line: Line, bullet: number): Shape['pair'] {
  if (line.text.length > 2_000) return null
  const from = line.indent + bullet
  const head = line.text.slice(from, from + 120)
  const match = (bullet > 0 ? SPACED.exec(head) : null) ?? (/[:=?]|\.{3}/.test(head) ? PAIR.exec(head) : null)
  if (!match) return null
  const label = (match[1] ?? match[2]!).trim()
  const isOpen = label.lastIndexOf('(') > label.lastIndexOf(')')
  if (isOpen || !/[\p{L}\d]/u.test(label) || label.split(/\s+/).length > 12 || /[.;!]\s/.test(label)) return null
  const behind = from + match[0].length
  const rest = line.text.slice(behind)
  if (rest.trim() === '') return null
  const start = line.start + from + match[0].indexOf(label)
  return { label: { start, end: start + label.length, text: label }, body: line.start + behind + rest.length - rest.trimStart().length }
}

/** "cars 40", "alt 80 m", "pilot Arno", "shade A2": a label of a few words before a figure, of one before a name or a code. A year is none. */
const TERSE =
  /^((?:\p{L}[\p{L}'/-]*\.?\s){1,3})(?=(?!(?:19|20)\d{2}$)[€$£]?\d[\d.,:/–-]*(?:\s?[\p{L}%°/²³]{1,8})?$)|^((?:\p{Ll}+|\p{Lu}{2,})\s)(?=\p{Lu}[\p{L}\d-]*$)/u
const MOST_TERSE = 40

/** In a form of which nobody wrote the colons: below another short line, for what stands alone or first is a title. */
function tersePair(line: Line, above: Line | undefined): Shape['pair'] {
  if (line.text.length > MOST_TERSE || !above || above.blank || above.text.length > MOST_TERSE) return null
  const [label] = TERSE.exec(line.text.trim()) ?? []
  if (label === undefined) return null
  const start = line.start + line.indent
  return { label: { start, end: start + label.length - 1, text: label.trimEnd() }, body: start + label.length }
}

const cellAt = (line: Line, from: number, raw: string): Cell => {
  const text = raw.trim()
  const start = line.start + from + (raw.length - raw.trimStart().length)
  return { start, end: start + text.length, text }
}

/** Cells between pipes or box lines. */
function pipeCells(line: Line): Cell[] | null {
  const { text } = line
  if (text.length > 2_000 || !/^\s*[|│┃║]|\s[|│┃║]\s|[|│┃║].*[|│┃║]/.test(text)) return null
  const cells: Cell[] = []
  let at = 0
  for (const raw of text.split(/[|│┃║]/)) {
    cells.push(cellAt(line, at, raw))
    at += raw.length + 1
  }
  // What is blank outside the first and the last bar is no cell.
  if (cells[0]!.text === '') cells.shift()
  if (cells.at(-1)?.text === '') cells.pop()
  return cells.length >= 2 ? cells : null
}

/** "2 Aug,08:00,main": a record. Prose has a blank behind its commas. */
function recordCells(line: Line): Cell[] | null {
  const { text } = line
  if (text.length > STRUCTURED || !/[,;][^,;]*[,;]/.test(text)) return null
  const by = text.includes(';') ? ';' : ','
  // In quotes a comma is a comma, and in "1,200,000" as well.
  const bare = text.replace(/"[^"]*"/g, quoted => '_'.repeat(quoted.length))
  if (new RegExp(`${by}\\s`).test(bare) || !bare.replace(/\d,(?=\d{3}(?!\d))/g, '').includes(by)) return null
  const cells: Cell[] = []
  let at = 0
  for (const { length } of bare.split(by)) {
    const { start, end, text: said } = cellAt(line, at, text.slice(at, at + length))
    const quote = /^".*"$/.test(said) ? 1 : 0
    cells.push({ start: start + quote, end: end - quote, text: said.slice(quote, said.length - quote) })
    at += length + 1
  }
  return cells.length >= 3 ? cells : null
}

/** Cells separated by a tab or two spaces; null for prose. */
function alignedCells(line: Line): Cell[] | null {
  const { text } = line
  if (text.length > STRUCTURED || !/\S(?:\s{2,}|[^\S ])\S/.test(text)) return null
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: raw, index }) => cellAt(line, index, raw))
}
