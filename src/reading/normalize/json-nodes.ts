/**
 * Parses JSON, one value or one a line (NDJSON), into nodes that know where they stand in the source. Null when the text is
 * not JSON, or nests deeper than any document for people would.
 */

export interface JsonNode {
  readonly type: 'object' | 'array' | 'string' | 'literal' | 'null'
  /** Strings: the range between the quotes, escapes undecoded. */
  readonly start: number
  end: number
  /** The members of an object or the items of an array. */
  readonly items: JsonNode[]
  /** The name of a member. */
  readonly key: JsonNode | null
}

const deepest = 100
/** The beginning of a string, a bracket, or a bare word, and what stands before it. Blanks behind the last would be gone over once from each of them. */
const token = /[\s,:]*(?:(")|([[{])|[\]}]|([^\s,:"[\]{}]+))/g

export function parseJson(source: string): JsonNode[] | null {
  if (!isJson(source) && !(source.includes('\n') && source.split('\n').every(line => line.trim() === '' || isJson(line)))) return null
  const text = source.trimEnd()
  const nodes: JsonNode[] = []
  const open: { items: JsonNode[]; node: JsonNode | null; key: JsonNode | null }[] = [{ items: nodes, node: null, key: null }]
  token.lastIndex = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, quote, bracket, word] = found
    const behind = token.lastIndex
    const within = open.at(-1)!
    if (quote === undefined && bracket === undefined && word === undefined) {
      open.pop()!.node!.end = behind
      continue
    }
    const type = bracket === '{' ? 'object' : bracket ? 'array' : quote ? 'string' : word === 'null' ? 'null' : 'literal'
    const start = quote ? behind : behind - (bracket ?? word)!.length
    const end = quote ? endOfString(text, start) : behind
    if (quote) token.lastIndex = end + 1
    const node: JsonNode = { type, start, end, items: [], key: within.key }
    const isName = within.node?.type === 'object' && within.key === null
    within.key = isName ? node : null
    if (!isName) within.items.push(node)
    if (bracket !== undefined && open.push({ items: node.items, node, key: null }) > deepest + 1) return null
  }
  return nodes.length === 0 ? null : nodes
}

/** Where its closing quote stands. An expression would remember every escape, and millions of them are too many. */
function endOfString(text: string, start: number): number {
  let at = start
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
