/**
 * Parses JSON, one value or several one after another (NDJSON), into nodes that know where they stand in the source.
 * Null when the text is not JSON, or nests deeper than any document for people would.
 */

export interface JsonNode {
  readonly type: 'object' | 'array' | 'string' | 'literal' | 'null'
  /** Strings: the range between the quotes, escapes undecoded. */
  readonly start: number
  readonly end: number
  /** The members of an object or the items of an array. */
  readonly items: readonly JsonNode[]
  /** The name of a member. */
  readonly key: JsonNode | null
}

const deepest = 100

export function parseJson(source: string): JsonNode[] | null {
  const scan = new Scan(source)
  const nodes: JsonNode[] = []
  for (let from = 0; ; from = scan.at) {
    const node = scan.value(0)
    if (node === null) return nodes.length > 0 && source.slice(from).trim() === '' ? nodes : null
    if (!isJson(source.slice(from, scan.at))) return null
    nodes.push(node)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const separators = /[\s,:]*/y
const word = /[^\s,:"[\]{}]*/y

/** Finds the values and takes their form on trust: it is checked by `JSON.parse`. */
class Scan {
  at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** Null at the end of an array, an object or the text. What is too deep ends there as well, and then its brackets do not pair. */
  value(depth: number, key: JsonNode | null = null): JsonNode | null {
    this.skip(separators)
    const start = this.at
    const first = this.source[start]
    if (first === '"') return this.text(start + 1, key)
    if (first === '{' || first === '[') {
      if (depth === deepest) return null
      const items = this.items(depth + 1, first === '{')
      return { type: first === '{' ? 'object' : 'array', start, end: this.at, items, key }
    }
    this.skip(word)
    if (this.at === start) return null
    return { type: this.source.startsWith('null', start) ? 'null' : 'literal', start, end: this.at, items: [], key }
  }

  private items(depth: number, areMembers: boolean): JsonNode[] {
    this.at++
    const items: JsonNode[] = []
    for (;;) {
      const first = this.value(depth)
      const item = areMembers && first !== null ? this.value(depth, first) : first
      if (item === null) break
      items.push(item)
    }
    this.at++
    return items
  }

  private text(start: number, key: JsonNode | null): JsonNode {
    let end = start
    while (end < this.source.length && this.source[end] !== '"') end += this.source[end] === '\\' ? 2 : 1
    this.at = end + 1
    return { type: 'string', start, end, items: [], key }
  }

  private skip(pattern: RegExp): void {
    // Beyond the end, which a string without end reaches, a pattern would begin anew.
    pattern.lastIndex = Math.min(this.at, this.source.length)
    pattern.exec(this.source)
    this.at = pattern.lastIndex
  }
}
