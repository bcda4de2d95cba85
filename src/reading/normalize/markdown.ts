/**
 * Markdown without its inline marks: emphasis, code marks, links and images down to their words, escapes and character
 * references decoded; comments, fences, tags, marks of notes and struck text dropped. Headings, items, quotes and tables are
 * read by their lines, as in any text. Every part of the pattern is bounded, so the cost is that of the text.
 */
import { barInCell } from './blocks.js'
import { decodeEntity, reference } from './entities.js'
import { isNoteMark } from './note-mark.js'
import { Rendering } from './rendering.js'

/** What follows the words of a link: an address, with a title perhaps, or the name of one. */
const TARGET = /\](?:\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?:\s+["'][^"'\r\n]{0,200}["'])?\)|\[[^[\]\r\n]{0,200}\])/.source
const MARKUP = new RegExp(
  [
    /<!--[\s\S]{0,2000}?-->|^[ \t]{0,12}(?:`{3,}|~{3,}).*$/.source,
    // Definitions of links are addresses; definitions of notes are text.
    /^[ \t]{0,3}\[(?!\^)[^\]\r\n]{1,200}\]:.*$|^[ \t]{0,3}\[\^[^\]\r\n]{1,60}\]:[ \t]*|\[\^[^\]\r\n]{1,60}\]/.source,
    /\\(?<escaped>[!-/:-@[-`{-~])|`|~~.{0,400}?~~|\*+|_+/.source,
    `!?\\[(?=[^[\\]\\r\\n]{0,300}${TARGET})|${TARGET}`,
    /<sup>(?<raised>[^<>]{1,12})<\/sup>|<\/?(?<tag>[a-z][a-z\d-]*)(?:[\s/][^<>]{0,500})?>/.source,
    /<(?<address>(?:https?:\/\/|mailto:)[^\s<>]{1,500}|[^\s<>@]{1,100}@[^\s<>@]{1,100})>/.source,
    reference,
  ].join('|'),
  'gim',
)
/** Tags whose neighbours are apart on the page: dropping them outright would join two figures into one. */
const SEPARATING = /^(?:br|p|div|td|th|tr|table|li|ul|ol|h[1-6]|hr|dt|dd|section|article|blockquote|details|summary|caption)$/i
const WORD = /[\p{L}\p{N}]/u

export function renderMarkdown(source: string): Rendering {
  const out = new Rendering(source)
  let from = 0
  for (const match of source.matchAll(MARKUP)) {
    const text = textOf(source, match)
    if (text === null) continue
    out.copy(from, match.index)
    from = match.index + match[0].length
    out.decode(text, match.index, from)
  }
  return out.copy(from, source.length)
}

/** What a mark stands for; null where it is text. */
function textOf(source: string, { 0: mark, index, groups }: RegExpExecArray): string | null {
  const { escaped, raised, tag, address } = groups ?? {}
  if (escaped !== undefined) return escaped === '|' ? barInCell : escaped
  if (raised !== undefined) return isNoteMark(source.slice(Math.max(0, index - 4), index), raised) ? '' : raised
  if (tag !== undefined) return SEPARATING.test(tag) ? ' ' : ''
  if (address !== undefined) return address
  if (mark.startsWith('&')) return decodeEntity(mark)
  return /^[*_]/.test(mark) && !isEmphasis(mark, source[index - 1] ?? '\n', source[index + mark.length] ?? '\n') ? null : ''
}

/** Marks between blanks, a star between digits and underscores inside a word are text. */
function isEmphasis(mark: string, before: string, after: string): boolean {
  if (/\s/.test(before) && /\s/.test(after)) return false
  if (mark.startsWith('_')) return !(WORD.test(before) && WORD.test(after))
  return mark.length > 1 || !(/\d/.test(before) && /\d/.test(after))
}
