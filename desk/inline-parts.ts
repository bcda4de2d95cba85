/** Bold, italics, code and links within a line of Markdown: its words without the signs, each part with where it stands. Pure. */

export interface InlinePart {
  /** Null: words as they are. */
  tag: 'strong' | 'em' | 'code' | 'link' | null
  from: number
  to: number
}

/** Each bounded: a sign that is never closed is not looked for to the end of a line, which may be all of a document. */
const signs = /(\*\*|__)(?=\S)(.{1,200}?)\1|(?<![\w*])([*_])(?=\S)(.{1,200}?)\3(?!\w)|`([^`]{1,200})`|!?\[([^\]]{0,200})\]\([^)]{0,500}\)/dg

export function inlineParts(line: string): InlinePart[] {
  const parts: InlinePart[] = []
  let at = 0
  const plain = (to: number) => {
    if (to > at) parts.push({ tag: null, from: at, to })
  }
  for (const match of line.matchAll(signs)) {
    plain(match.index)
    at = match.index + match[0].length
    const [, , bold, , leaning, code] = match
    const tag = bold !== undefined ? 'strong' : leaning !== undefined ? 'em' : code !== undefined ? 'code' : 'link'
    const group = { strong: 2, em: 4, code: 5, link: 6 }[tag]
    const [from, to] = (match.indices as RegExpIndicesArray)[group] as [number, number]
    parts.push({ tag, from, to })
  }
  plain(line.length)
  return parts
}
