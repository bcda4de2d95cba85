/**
 * Parses JSON, one value or several one after another (NDJSON), into nodes that know where they stand in the source.
 * Null when the text is not JSON, or nests deeper than any document for people would.
 */

export interface JsonScalar {
  /** Strings: the range between the quotes, escapes undecoded. */
  readonly type: 'string' | 'number' | 'boolean' | 'null'
  readonly start: number
  readonly end: number
}

export interface JsonArray {
  readonly type: 'array'
  readonly start: number
  readonly items: readonly JsonNode[]
}

export interface JsonObject {
  readonly type: 'object'
  readonly start: number
  readonly members: readonly JsonMember[]
}

export interface JsonMember {
  readonly key: JsonScalar
  readonly value: JsonNode
}

export type JsonNode = JsonScalar | JsonArray | JsonObject

const deepest = 100
const blanks = /[ \t\r\n]*/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const literal = /true|false|null/y

export function parseJson(source: string, from: number): JsonNode[] | null {
  const parser = new JsonParser(source, from)
  const nodes: JsonNode[] = []
  while (!parser.atEnd()) {
    const node = parser.value(0)
    if (node === null) return null
    nodes.push(node)
  }
  return nodes.length > 0 ? nodes : null
}

class JsonParser {
  private readonly source: string
  private at: number

  constructor(source: string, from: number) {
    this.source = source
    this.at = from
  }

  atEnd(): boolean {
    this.skip()
    return this.at >= this.source.length
  }

  value(depth: number): JsonNode | null {
    this.skip()
    const character = this.source[this.at] ?? ''
    if (character === '{') return depth < deepest ? this.object(depth + 1) : null
    if (character === '[') return depth < deepest ? this.array(depth + 1) : null
    if (character === '"') return this.text()
    return this.scalar('number', number) ?? this.scalar('literal', literal)
  }

  private object(depth: number): JsonObject | null {
    const start = this.at++
    const members: JsonMember[] = []
    if (this.take('}')) return { type: 'object', start, members }
    do {
      this.skip()
      const key = this.text()
      if (key === null || !this.take(':')) return null
      const value = this.value(depth)
      if (value === null) return null
      members.push({ key, value })
    } while (this.take(','))
    return this.take('}') ? { type: 'object', start, members } : null
  }

  private array(depth: number): JsonArray | null {
    const start = this.at++
    const items: JsonNode[] = []
    if (this.take(']')) return { type: 'array', start, items }
    do {
      const item = this.value(depth)
      if (item === null) return null
      items.push(item)
    } while (this.take(','))
    return this.take(']') ? { type: 'array', start, items } : null
  }

  /** Walked by hand: one pattern over a string of millions of characters could exhaust the matcher's stack. */
  private text(): JsonScalar | null {
    if (this.source[this.at] !== '"') return null
    const start = this.at + 1
    let at = start
    while (at < this.source.length) {
      const code = this.source.charCodeAt(at)
      if (code === 0x22) {
        this.at = at + 1
        return { type: 'string', start, end: at }
      }
      if (code < 0x20) return null
      escapeSequence.lastIndex = at
      if (code !== 0x5c) at++
      else if (escapeSequence.test(this.source)) at = escapeSequence.lastIndex
      else return null
    }
    return null
  }

  private scalar(kind: 'number' | 'literal', pattern: RegExp): JsonScalar | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.source)
    if (match === null) return null
    const start = this.at
    this.at = pattern.lastIndex
    const type = kind === 'number' ? 'number' : match[0] === 'null' ? 'null' : 'boolean'
    return { type, start, end: this.at }
  }

  private skip(): void {
    blanks.lastIndex = this.at
    blanks.exec(this.source)
    this.at = blanks.lastIndex
  }

  private take(character: string): boolean {
    this.skip()
    if (this.source[this.at] !== character) return false
    this.at++
    return true
  }
}
