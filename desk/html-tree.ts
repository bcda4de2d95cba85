/**
 * HTML as a small tree of what may be shown: headings, paragraphs, lists, tables, emphasis and words. No script, style, address,
 * picture, form or attribute of it survives, and nothing is handed to the browser as HTML. Each stretch of words knows where
 * it stands in the source. Bounded in depth and number. Pure but for the names of characters, which the caller looks up.
 */

export interface HtmlNode {
  /** Null for words. */
  tag: string | null
  children: HtmlNode[]
  /** Of words: where they stand in the source, and what they say. */
  from: number
  to: number
  text: string
  span: number
}

const kept = new Set(
  'h1 h2 h3 h4 h5 h6 p div section article blockquote pre ul ol li dl dt dd table thead tbody tr td th strong b em i u s sub sup code br hr'.split(
    ' ',
  ),
)
/** What the service does not read either: whatever it reads must be seen by who signs it off. */
const hidden = new Set('script style template noscript svg math object iframe'.split(' '))
/** Read as blocks of their own; a title only where no main heading says it again. */
const shownLike: Readonly<Record<string, string>> = { title: 'h1', option: 'div' }
const single = new Set(['br', 'hr'])
/** One of these ends an open one of the same kind. */
const endsItself = new Set(['p', 'li', 'tr', 'td', 'th', 'dt', 'dd'])
const mostDepth = 40
const mostNodes = 40_000

/** Null: more than is shown. */
export function htmlTree(source: string, characterOf: (name: string) => string): HtmlNode | null {
  const root = element('div')
  const open: HtmlNode[] = [root]
  let nodes = 0
  const add = (node: HtmlNode) => {
    ;(open.at(-1) as HtmlNode).children.push(node)
    nodes++
  }
  for (const { at, end, tag: name, closes, attributes } of tokensOf(source)) {
    if (nodes > mostNodes) return null
    if (name === null) {
      for (const piece of wordsOf(source, at, end, characterOf)) add(piece)
      continue
    }
    const tag = shownLike[name] ?? name
    if (!kept.has(tag)) continue
    if (closes) {
      const index = open.findLastIndex(each => each.tag === tag)
      if (index > 0) open.length = index
      continue
    }
    if (endsItself.has(tag) && open.length > 1 && open.at(-1)?.tag === tag) open.pop()
    const node = element(tag, spanOf(attributes))
    add(node)
    if (!single.has(tag) && open.length < mostDepth) open.push(node)
  }
  return withoutEmptyHeadings(root)
}

/** A heading of which nothing is shown heads nothing, and is read out as one all the same. */
function withoutEmptyHeadings(node: HtmlNode): HtmlNode {
  node.children = node.children.filter(child => !/^h[1-6]$/.test(child.tag ?? '') || saysSomething(child))
  for (const child of node.children) withoutEmptyHeadings(child)
  return node
}

const saysSomething = ({ text, children }: HtmlNode): boolean => text.trim() !== '' || children.some(saysSomething)

function element(tag: string, span = 1): HtmlNode {
  return { tag, children: [], from: 0, to: 0, text: '', span }
}

function spanOf(attributes: string): number {
  return Math.min(60, Number(/\bcolspan\s*=\s*["']?(\d{1,3})/i.exec(attributes)?.[1] ?? 1) || 1)
}

interface Token {
  at: number
  end: number
  /** Null for words. */
  tag: string | null
  closes: boolean
  attributes: string
}

/** What is hidden is passed over, to its first end tag: nothing within it is taken for a tag, a comment or a quote. */
function* tokensOf(source: string): Generator<Token> {
  const signs = /<!--|<[!?]|<(\/?)([a-z][a-z0-9]*)/gi
  const lastEnd = source.lastIndexOf('>')
  const hasMainHeading = /<h1[\s>]/i.test(source)
  // What looks like a tag within them is words, unless they never end.
  const fields = new Set(['title', 'textarea'].filter(name => source.toLowerCase().includes(`</${name}`)))
  let honoursQuotes = true
  let at = 0
  for (let match = signs.exec(source); match !== null; signs.lastIndex = at, match = signs.exec(source)) {
    if (match.index > at) yield { at, end: match.index, tag: null, closes: false, attributes: '' }
    const tag = match[2]?.toLowerCase()
    const from = match.index + match[0].length
    if (match[0] === '<!--') at = after('-->', source, match.index + 2) ?? source.length
    else if (tag === undefined) {
      // A declaration without end is words, as is the rest.
      at = after('>', source, from) ?? match.index
      if (at < from) break
    } else if (from > lastEnd) at = lineEnd(source, from)
    else {
      // A quote that is never closed is a slip of the pen and must hide nothing: from there on they are not regarded.
      let end = tagEnd(source, from, honoursQuotes)
      if (end === null) {
        honoursQuotes = false
        end = tagEnd(source, from, false) as TagEnd
      }
      at = end.at + 1
      const closes = match[1] === '/'
      yield { at: match.index, end: at, tag, closes, attributes: source.slice(from, Math.min(at, match.index + 500)) }
      if (closes || end.closesItself) continue
      if (hidden.has(tag)) at = endTagOf(tag, source, at) ?? source.length
      else if (fields.has(tag)) {
        const until = endTagOf(tag, source, at) ?? source.length
        const isSaidAgain = tag === 'title' && until < source.length && hasMainHeading
        if (!isSaidAgain) yield { at, end: until, tag: null, closes: false, attributes: '' }
        at = until
      }
    }
  }
  if (at < source.length) yield { at, end: source.length, tag: null, closes: false, attributes: '' }
}

function after(sign: string, source: string, from: number): number | undefined {
  const at = source.indexOf(sign, from)
  return at < 0 ? undefined : at + sign.length
}

/** A tag that never ends does so with its line. */
function lineEnd(source: string, from: number): number {
  const length = source.slice(from).search(/[\r\n]/)
  return length < 0 ? source.length : from + length
}

function endTagOf(tag: string, source: string, from: number): number | undefined {
  const ends = new RegExp(`</${tag}(?=[\\s/>])`, 'gi')
  ends.lastIndex = from
  return ends.exec(source)?.index
}

interface TagEnd {
  /** Where its `>` stands. */
  at: number
  closesItself: boolean
}

/** A `>` within a quoted value ends nothing. Null: the quote is never closed. */
function tagEnd(source: string, from: number, honoursQuotes: boolean): TagEnd | null {
  let place: 'name' | 'before value' | 'value' = 'name'
  for (let at = from; at < source.length; at++) {
    const sign = source[at] as string
    if (sign === '>') return { at, closesItself: place !== 'value' && source[at - 1] === '/' }
    if (/\s/.test(sign)) place = place === 'value' ? 'name' : place
    else if (place === 'name') place = sign === '=' ? 'before value' : place
    else if (place === 'before value' && honoursQuotes && (sign === '"' || sign === "'")) {
      const close = source.indexOf(sign, at + 1)
      if (close < 0) return null
      at = close
      place = 'name'
    } else place = 'value'
  }
  return null
}

const named = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));?/gi

function* wordsOf(source: string, from: number, to: number, characterOf: (name: string) => string): Generator<HtmlNode> {
  const words = (start: number, end: number, text: string): HtmlNode => ({ tag: null, children: [], from: start, to: end, text, span: 1 })
  const said = source.slice(from, to)
  let at = 0
  for (const match of said.matchAll(named)) {
    if (match.index > at) yield words(from + at, from + match.index, said.slice(at, match.index))
    at = match.index + match[0].length
    const code = match[1] !== undefined ? Number(match[1]) : match[2] !== undefined ? Number.parseInt(match[2], 16) : null
    const text = code === null ? characterOf(match[3] as string) : code > 0 && code < 0x110000 ? String.fromCodePoint(code) : '\ufffd'
    yield words(from + match.index, from + at, text)
  }
  if (at < said.length) yield words(from + at, to, said.slice(at))
}
