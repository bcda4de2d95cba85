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
const hidden = new Set(
  'script style head title template noscript svg math object iframe embed canvas video audio select textarea'.split(' '),
)
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
  let unseen: string | null = null
  const add = (node: HtmlNode) => {
    ;(open.at(-1) as HtmlNode).children.push(node)
    nodes++
  }
  for (const { at, end, tag, closes, attributes } of tokensOf(source)) {
    if (nodes > mostNodes) return null
    if (unseen !== null) {
      if (closes && tag === unseen) unseen = null
      continue
    }
    if (tag === null) {
      for (const piece of wordsOf(source, at, end, characterOf)) add(piece)
      continue
    }
    if (hidden.has(tag) && !closes) {
      unseen = tag
      continue
    }
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
  return root
}

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

function* tokensOf(source: string): Generator<Token> {
  const signs = /<!--|<[!?]|<(\/?)([a-z][a-z0-9]*)/gi
  let at = 0
  for (let match = signs.exec(source); match !== null; match = signs.exec(source)) {
    if (match.index > at) yield { at, end: match.index, tag: null, closes: false, attributes: '' }
    const isComment = match[0] === '<!--'
    const close = isComment ? source.indexOf('-->', match.index + 4) : tagEnd(source, match.index + match[0].length)
    const end = close < 0 ? source.length : close + (isComment ? 3 : 1)
    const tag = match[2]?.toLowerCase()
    if (tag !== undefined) {
      const attributes = source.slice(match.index + match[0].length, Math.min(end, match.index + 500))
      yield { at: match.index, end, tag, closes: match[1] === '/', attributes }
    }
    at = end
    signs.lastIndex = end
  }
  if (at < source.length) yield { at, end: source.length, tag: null, closes: false, attributes: '' }
}

/** A `>` within quotes ends nothing. */
function tagEnd(source: string, from: number): number {
  let quote = ''
  for (let at = from; at < source.length; at++) {
    const sign = source[at] as string
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at
  }
  return -1
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
