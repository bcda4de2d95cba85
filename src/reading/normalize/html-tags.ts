/**
 * Splits html into text, tags and nothing else: comments, declarations and the content of elements that are not
 * read (scripts, styles, struck text …) are passed over. Every search that can fail fails once, so the scan is linear.
 */

export type HtmlToken =
  | { type: 'text'; start: number; end: number }
  | { type: 'tag'; name: string; closing: boolean; start: number; end: number }
  | { type: 'title'; start: number; end: number }

/** Without an end tag, the rest of the text belongs to them. */
const rawElements = new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object', 'math', 'noembed', 'noframes', 'xmp'])
/** Struck text is no longer said. Without an end tag, the tag is ignored. */
const struckElements = new Set(['del', 's', 'strike'])
const tagName = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]*)/y

export function* htmlTokens(source: string, from: number): Generator<HtmlToken> {
  const scan = new Scan(source)
  let text = from
  let at = from
  while (at < source.length) {
    const open = source.indexOf('<', at)
    if (open < 0) break
    const skipped = scan.passOver(open)
    tagName.lastIndex = open
    const match = skipped === null ? tagName.exec(source) : null
    if (skipped === null && match === null) {
      at = open + 1
      continue
    }
    if (open > text) yield { type: 'text', start: text, end: open }
    if (match === null) {
      at = text = skipped ?? open + 1
      continue
    }
    const name = (match[2] ?? '').toLowerCase()
    const closing = match[1] === '/'
    const end = scan.tagEnd(tagName.lastIndex)
    yield { type: 'tag', name, closing, start: open, end }
    at = text = end
    if (closing) continue
    if (name === 'title') {
      const close = scan.endTag('title', end)
      if (close === null) continue
      yield { type: 'title', start: end, end: close }
      at = text = scan.tagEnd(close + 7)
    } else if (rawElements.has(name) && source[end - 2] !== '/') {
      const close = scan.endTag(name, end)
      at = text = close === null ? source.length : scan.tagEnd(close + name.length + 2)
    } else if (struckElements.has(name)) {
      const close = scan.endTag(name, end)
      if (close !== null) at = text = scan.tagEnd(close + name.length + 2)
    }
  }
  if (text < source.length) yield { type: 'text', start: text, end: source.length }
}

class Scan {
  private readonly source: string
  private readonly lastQuote: Readonly<Record<string, number>>
  private readonly lastClose: number
  /** Set once quotes hid the end of a tag to the end of the text: from there on they cannot be trusted. */
  private ignoresQuotes = false
  private readonly withoutEnd = new Set<string>()

  constructor(source: string) {
    this.source = source
    this.lastClose = source.lastIndexOf('>')
    this.lastQuote = { '"': source.lastIndexOf('"'), "'": source.lastIndexOf("'") }
  }

  /** The end of a comment, CDATA mark, declaration or instruction at `open`; null when there is none. */
  passOver(open: number): number | null {
    const next = this.source[open + 1]
    if (next !== '!' && next !== '?') return null
    if (this.source.startsWith('<!--', open)) return this.after('-->', open + 2)
    if (this.source.startsWith('<![CDATA[', open)) return open + 9
    return open < this.lastClose ? this.after('>', open) : null
  }

  /** Where the tag whose name ends at `at` ends. A tag cut off by the end of the text ends before the next tag or line. */
  tagEnd(at: number): number {
    if (at > this.lastClose) return this.cutOff(at)
    for (let place = at; !this.ignoresQuotes && place < this.source.length; place++) {
      const character = this.source[place] ?? ''
      if (character === '>') return place + 1
      if (character !== '"' && character !== "'") continue
      // A quote that is never closed is a slip of the pen, not an attribute that swallows the document.
      if (place < (this.lastQuote[character] ?? -1) && this.source[place - 1] === '=') place = this.source.indexOf(character, place + 1)
    }
    this.ignoresQuotes = true
    return this.source.indexOf('>', at) + 1
  }

  endTag(name: string, from: number): number | null {
    if (this.withoutEnd.has(name)) return null
    const pattern = new RegExp(`</${name}(?![a-z0-9-])`, 'gi')
    pattern.lastIndex = from
    const match = pattern.exec(this.source)
    if (match === null) this.withoutEnd.add(name)
    return match?.index ?? null
  }

  private after(mark: string, from: number): number {
    const place = this.source.indexOf(mark, from)
    return place < 0 ? this.source.length : place + mark.length
  }

  private cutOff(at: number): number {
    const stop = this.source.slice(at).search(/[<\r\n]/)
    return stop < 0 ? this.source.length : at + stop
  }
}
