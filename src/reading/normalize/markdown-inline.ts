/**
 * One line of markdown without its inline markup: emphasis, code marks, links and images down to their words, escapes and
 * character references decoded; comments, tags, marks of notes and struck text dropped. Each character is visited a bounded number of times.
 */
import { barInCell } from './blocks.js'
import { decodeEntity, reference } from './entities.js'
import { isNoteMark } from './note-mark.js'
import type { Rendering } from './rendering.js'

const markup = new RegExp(
  [
    /\\[!-/:-@[-`{-~]|`|\*+|_+|~~.*?~~|!?\[|\]|<!--/,
    /<sup>(?<raised>[^<>]{1,12})<\/sup>/,
    /<\/?(?<tag>[a-z][a-z\d-]*)(?:[\s/][^<>]*)?>/,
    /<(?<address>(?:https?:\/\/|mailto:)[^\s<>]+|[^\s<>@]+@[^\s<>@]+)>/,
    new RegExp(reference),
  ]
    .map(pattern => pattern.source)
    .join('|'),
  'gi',
)
/** Tags whose neighbours are apart on the page: dropping them outright would join two figures into one. */
const separating = /^(?:br|p|div|td|th|tr|table|li|ul|ol|h[1-6]|hr|dt|dd|section|article|blockquote|details|summary|caption)$/i
/** Of nested links each address holds the next ones: looked at to their ends, they would cost the square of the line. */
const longestAddress = 2_000
const wordCharacter = /[\p{L}\p{N}]/u

export function renderInline(out: Rendering, source: string, start: number, end: number): Rendering {
  // Searches run in the line alone: a search in the whole text would walk far past the line, once for every line.
  const line = source.slice(start, end)
  const links = line.includes('[') ? linkMarks(line) : null
  const lastCommentEnd = line.lastIndexOf('-->')
  let from = 0
  markup.lastIndex = 0
  const replace = (at: number, to: number, text = ''): void => {
    out.copy(start + from, start + at).decode(text, start + at, start + to)
    from = markup.lastIndex = to
  }
  for (let match = markup.exec(line); match !== null; match = markup.exec(line)) {
    const [mark] = match
    const at = match.index
    const to = at + mark.length
    const { raised, tag, address } = match.groups ?? {}
    if (mark === '\\|') replace(at, to, barInCell)
    else if (mark.startsWith('\\')) {
      replace(at, at + 1)
      markup.lastIndex = to
    } else if (mark === '`' || mark.startsWith('~')) replace(at, to)
    else if (/^[*_]/.test(mark)) {
      if (isEmphasis(line, at, to)) replace(at, to)
    } else if (mark.startsWith('&')) {
      const text = decodeEntity(mark)
      if (text !== null) replace(at, to, text)
    } else if (mark === '<!--') {
      if (lastCommentEnd >= to) replace(at, line.indexOf('-->', to) + 3)
    } else if (raised !== undefined) replace(at, isNoteMark(line.slice(Math.max(0, at - 4), at), raised) ? to : at + '<sup>'.length)
    else if (tag !== undefined) replace(at, to, separating.test(tag) ? ' ' : '')
    else if (address !== undefined) {
      replace(at, at + 1)
      replace(to - 1, to)
    } else if (links?.has(to - 1)) replace(at, links.get(to - 1)!)
  }
  return out.copy(start + from, end)
}

/** Marks between blanks, a star between digits and underscores inside a word are text. */
function isEmphasis(line: string, at: number, to: number): boolean {
  const before = line[at - 1] ?? ' '
  const after = line[to] ?? ' '
  if (/\s/.test(before) && /\s/.test(after)) return false
  if (line[at] === '_') return !(wordCharacter.test(before) && wordCharacter.test(after))
  return to > at + 1 || !(/\d/.test(before) && /\d/.test(after))
}

/** The brackets of links and notes that are dropped, each with the place where reading goes on: after a link's words follows its address. */
function linkMarks(line: string): Map<number, number> {
  const partners = matchBrackets(line)
  const marks = new Map<number, number>()
  for (const [open, close] of partners) {
    const target = partners.get(close + 1)
    if (line[open] !== '[') continue
    if (line[open + 1] === '^') marks.set(open, close + 1)
    else if (
      target !== undefined &&
      (line[close + 1] === '[' || isDestination(line.slice(close + 2, Math.min(target, close + longestAddress)).trim()))
    ) {
      marks.set(open, open + 1).set(close, target + 1)
    }
  }
  return marks
}

/** An address, with a title in quotes or brackets perhaps; bracketed words after bracketed words are not a link. */
function isDestination(text: string): boolean {
  const blank = text.search(/\s/)
  return blank < 0 || /^["'(]/.test(text.slice(blank).trimStart())
}

/** Pairs square and round brackets by their own kind, each offset once. */
function matchBrackets(line: string): Map<number, number> {
  const partners = new Map<number, number>()
  const square: number[] = []
  const round: number[] = []
  for (const { 0: bracket, index } of line.matchAll(/\\.|[[\]()]/g)) {
    if (bracket === '[') square.push(index)
    else if (bracket === '(') round.push(index)
    else if (bracket === ']' || bracket === ')') {
      const open = (bracket === ']' ? square : round).pop()
      if (open !== undefined) partners.set(open, index)
    }
  }
  return partners
}
