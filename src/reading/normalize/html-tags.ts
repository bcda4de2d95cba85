/**
 * Splits html into text and tags and nothing else: comments, declarations and the content of elements that are not
 * read (scripts, styles, struck text …) are passed over.
 */
import { Tokenizer } from 'htmlparser2'

export interface HtmlReader {
  text(start: number, end: number): void
  tag(name: string, closing: boolean, start: number, end: number): void
}

/** Without an end tag, the rest of the text belongs to them. */
const rawElements = new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object', 'math', 'noembed', 'noframes', 'xmp'])
/** Struck text is no longer said, and a title is said again in a main heading. Without an end tag, they hide nothing. */
const endTags = /<\/(del|strike|s|title)(?=[\s>])/gi

const ignore = (): void => undefined
const ignored = {
  onattribname: ignore,
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  ontextentity: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
  onend: ignore,
}

export function readHtml(source: string, reader: HtmlReader): void {
  const lastEnd = new Map(Array.from(source.matchAll(endTags), end => [end[1]!.toLowerCase(), end.index]))
  const showsTitle = !/<h1[\s>]/i.test(source)
  let hidden: string | null = null
  let open: { name: string; start: number } | null = null
  let shift = 0

  const text = (start: number, end: number): void => {
    // The tokenizer reports a tag that the end of the text cuts off behind its name as text from -1.
    if (hidden === null && start >= 0) reader.text(shift + start, shift + end)
  }
  const endOpenTag = (end: number, closesItself: boolean): void => {
    const { name, start } = open!
    open = null
    const hides = rawElements.has(name) || (lastEnd.get(name) ?? 0) > start
    if (hidden === null && hides && !closesItself && !(name === 'title' && showsTitle)) hidden = name
    else if (hidden === null) reader.tag(name, false, start, shift + end + 1)
  }
  const endTag = (start: number, end: number): void => {
    const name = source.slice(shift + start, shift + end).toLowerCase()
    if (hidden === null) reader.tag(name, true, shift + start - 2, shift + end + 1)
    else if (hidden === name) hidden = null
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext: text,
      oncdata: (start, end, endOffset) => text(start, end - endOffset),
      onopentagname: (start, end) => {
        open = { name: source.slice(shift + start, shift + end).toLowerCase(), start: shift + start - 1 }
      },
      onopentagend: end => endOpenTag(end, false),
      onselfclosingtag: end => endOpenTag(end, true),
      onclosetag: endTag,
      ...ignored,
    },
  )
  // What the tokenizer reads only has to have its tags where the source has them. To it all behind a title or a field without end would be its text.
  let read = source
  for (const name of ['title', 'textarea'])
    if (!source.toLowerCase().includes(`</${name}`)) read = read.replace(new RegExp(`<${name}`, 'gi'), `<${'x'.repeat(name.length)}`)
  tokenizer.write(read)
  tokenizer.end()
  if (open === null) return
  // A quote that is never closed is a slip of the pen, not an attribute that swallows the document: read on without quotes. A tag
  // that never ends does so with its line.
  shift = (open as { start: number }).start
  const rest = read.slice(shift).replace(/["']/g, ' ')
  const ended = rest.lastIndexOf('>') + 1
  tokenizer.reset()
  tokenizer.write(rest.slice(0, ended) + rest.slice(ended).replace(/[\r\n]/g, '>'))
  tokenizer.end()
}
