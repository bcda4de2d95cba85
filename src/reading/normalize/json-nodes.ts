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
/** A string, a bracket, or a bare word, and what stands before it. Blanks behind the last would be gone over once from each of them. */
const token = /[\s,:]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([[{])|[\]}]|([^\s,:"[\]{}]+))/gs

export function parseJson(source: string): JsonNode[] | null {
  if (!isJson(source) && !(source.includes('\n') && source.split('\n').every(line => line.trim() === '' || isJson(line)))) return null
  const nodes: JsonNode[] = []
  const open: { items: JsonNode[]; node: JsonNode | null; key: JsonNode | null }[] = [{ items: nodes, node: null, key: null }]
  for (const { index, 0: all, 1: text, 2: bracket, 3: word } of source.trimEnd().matchAll(token)) {
    const end = index + all.length
    const within = open.at(-1)!
    if (text === undefined && bracket === undefined && word === undefined) {
      open.pop()!.node!.end = end
      continue
    }
    const type = bracket === '{' ? 'object' : bracket ? 'array' : text !== undefined ? 'string' : word === 'null' ? 'null' : 'literal'
    const start = text === undefined ? end - (bracket ?? word)!.length : end - 1 - text.length
    const node: JsonNode = { type, start, end: text === undefined ? end : end - 1, items: [], key: within.key }
    const isName = within.node?.type === 'object' && within.key === null
    within.key = isName ? node : null
    if (!isName) within.items.push(node)
    if (bracket !== undefined && open.push({ items: node.items, node, key: null }) > deepest + 1) return null
  }
  return nodes.length === 0 ? null : nodes
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
