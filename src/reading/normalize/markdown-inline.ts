/**
 * One line of markdown without its inline markup: emphasis, code marks, links and images down to their words, escapes and
 * character references decoded; comments, tags, marks of notes and struck text dropped. Each character is visited a bounded number of times.
 */
import { barInCell } from './blocks.js'
import { decodeEntity } from './entities.js'
import { isNoteMark } from './note-mark.js'
import type { Rendering } from './rendering.js'

const tag = /<\/?([a-zA-Z][a-zA-Z0-9-]*)(?:[\s/][^<>\r\n]*)?>/y
const autolink = /<(?:https?:\/\/|mailto:)[^\s<>]+>|<[^\s<>@]+@[^\s<>@]+>/y
const superscript = /<sup>([^<>\r\n]{1,12})<\/sup>/iy
const markup = /[\\`*_~[\]!<&]/g
/** Tags whose neighbours are apart on the page: dropping them outright would join two figures into one. */
const separating = /^(?:br|p|div|td|th|tr|table|li|ul|ol|h[1-6]|hr|dt|dd|section|article|blockquote|details|summary|caption)$/i
const punctuation = /[!-/:-@[-`{-~]/
const wordCharacter = /[\p{L}\p{N}]/u

export function renderInline(out: Rendering, source: string, start: number, end: number): Rendering {
  return new InlineReader(out, source, start, end).read()
}

class InlineReader {
  private readonly out: Rendering
  private readonly source: string
  private readonly start: number
  private readonly end: number
  /** Searches run in the line alone: a search in the whole text would walk far past the line, once for every line. */
  private readonly line: string
  /** Partner of every opening bracket, by offset; made when the first bracket is met. */
  private partners: ReadonlyMap<number, number> | null = null
  /** Where reading goes on after a closing bracket that belongs to a link. */
  private readonly jumps = new Map<number, number>()
  /** Closers that a search has shown to be absent from the rest of the line, so that no search is repeated. */
  private readonly absent = new Set<string>()
  /** Everything before `from` is rendered or dropped; from there to `at` it is to be copied. */
  private from: number
  private at: number

  constructor(out: Rendering, source: string, start: number, end: number) {
    this.out = out
    this.source = source
    this.start = start
    this.end = end
    this.line = source.slice(start, end)
    this.from = start
    this.at = start
  }

  read(): Rendering {
    while (this.at < this.end) {
      markup.lastIndex = this.at - this.start
      const match = markup.exec(this.line)
      if (match === null) break
      this.at = this.start + match.index
      if (!this.step(match[0])) this.at++
    }
    return this.out.copy(this.from, this.end)
  }

  /** Handles markup at the current place; false when it is ordinary text. */
  private step(character: string): boolean {
    switch (character) {
      case '\\':
        return this.escape()
      case '`':
        return this.drop(this.at + 1)
      case '*':
      case '_':
        return this.emphasis(character)
      case '~':
        return this.dropThrough('~~', '~~')
      case '[':
        return this.link(this.at)
      case '!':
        return this.source[this.at + 1] === '[' && this.link(this.at + 1)
      case ']': {
        const jump = this.jumps.get(this.at)
        return jump !== undefined && this.drop(jump)
      }
      case '<':
        return this.dropThrough('<!--', '-->') || this.angle()
      default: {
        const entity = decodeEntity(this.source, this.at, this.end)
        return entity !== null && this.replace(entity.text, entity.end)
      }
    }
  }

  private drop(to: number): true {
    this.out.copy(this.from, this.at)
    this.from = this.at = to
    return true
  }

  private replace(text: string, to: number): true {
    const place = this.at
    this.drop(to)
    this.out.decode(text, place, to)
    return true
  }

  private escape(): boolean {
    const next = this.source[this.at + 1] ?? ''
    if (this.at + 1 >= this.end || !punctuation.test(next)) return false
    if (next === '|') return this.replace(barInCell, this.at + 2)
    this.drop(this.at + 1)
    this.at++
    return true
  }

  /** Marks between blanks, a star between digits and underscores inside a word are text. */
  private emphasis(mark: string): true {
    let stop = this.at + 1
    while (stop < this.end && this.source[stop] === mark) stop++
    const before = this.at > this.start ? (this.source[this.at - 1] ?? ' ') : ' '
    const after = stop < this.end ? (this.source[stop] ?? ' ') : ' '
    const alone = /\s/.test(before) && /\s/.test(after)
    const inside = mark === '_' ? wordCharacter.test(before) && wordCharacter.test(after) : /\d/.test(before) && /\d/.test(after)
    if (!alone && !(inside && (mark === '_' || stop === this.at + 1))) return this.drop(stop)
    this.at = stop
    return true
  }

  /** Drops from `open`, when it stands here, through the next `close` on the line. */
  private dropThrough(open: string, close: string): boolean {
    if (this.absent.has(close) || !this.source.startsWith(open, this.at)) return false
    const place = this.line.indexOf(close, this.at + open.length - this.start)
    if (place >= 0) return this.drop(this.start + place + close.length)
    this.absent.add(close)
    return false
  }

  private link(bracket: number): boolean {
    this.partners ??= matchBrackets(this.source, this.start, this.end)
    const close = this.partners.get(bracket)
    if (close === undefined) return false
    if (this.source[bracket + 1] === '^') return this.drop(close + 1)
    const opener = close + 1
    const target = this.partners.get(opener)
    if (target === undefined) return false
    if (this.source[opener] === '(' && !isDestination(this.source.slice(opener + 1, target).trim())) return false
    this.jumps.set(close, target + 1)
    return this.drop(bracket + 1)
  }

  private angle(): boolean {
    const raised = this.match(superscript)
    if (raised !== null && isNoteMark(this.source.slice(Math.max(this.start, this.at - 4), this.at), raised[1] ?? '')) {
      return this.drop(superscript.lastIndex)
    }
    const element = this.match(tag)
    if (element !== null) return separating.test(element[1] ?? '') ? this.replace(' ', tag.lastIndex) : this.drop(tag.lastIndex)
    if (this.match(autolink) === null) return false
    const after = autolink.lastIndex
    this.drop(this.at + 1)
    this.at = after - 1
    return this.drop(after)
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.source)
    return match !== null && pattern.lastIndex <= this.end ? match : null
  }
}

/** An address, with a title in quotes or brackets perhaps; bracketed words after bracketed words are not a link. */
function isDestination(text: string): boolean {
  const blank = text.search(/\s/)
  return blank < 0 || /^["'(]/.test(text.slice(blank).trimStart())
}

/** Pairs square and round brackets by their own kind, each offset once. */
function matchBrackets(source: string, start: number, end: number): Map<number, number> {
  const partners = new Map<number, number>()
  const square: number[] = []
  const round: number[] = []
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x5b) square.push(at)
    else if (code === 0x28) round.push(at)
    else if (code === 0x5d || code === 0x29) {
      const open = (code === 0x5d ? square : round).pop()
      if (open !== undefined) partners.set(open, at)
    }
  }
  return partners
}
