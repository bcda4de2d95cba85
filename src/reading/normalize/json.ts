/**
 * JSON as plain text: scalars as `path.to.key: value` lines, arrays of objects as pipe tables under a heading (or, when they
 * nest further, a section each), long strings as paragraphs under a heading. Null when the text is not JSON.
 */
import { addColon, Blocks, barInCell } from './blocks.js'
import { type JsonNode, parseJson } from './json-nodes.js'
import type { Rendering } from './rendering.js'

/** Paths are cut to their last parts: in deep or long-named data they would otherwise multiply the text. */
const pathParts = 6
const pathCharacters = 120
/** Longer strings are prose and stand as paragraphs of their own. */
const lineCharacters = 160
const inlineItems = 12
const inlineItemCharacters = 40
const nameKeys = new Set(['name', 'title', 'label', 'id', 'key', 'code'])

const escapes = /\\u[\da-f]{4}|\\./gi
const escapesOnOneLine = /\\u[\da-fA-F]{4}|\\.|\|/g
const wordBreaks = /\\u[\da-fA-F]{4}|\\.|\||_|(?<=[a-z\d])(?=[A-Z])/g

/** The names of the members that lead to a value. */
type Path = readonly JsonNode[]

interface Leaf {
  path: Path
  value: JsonNode
}

export function renderJson(source: string): Rendering | null {
  const nodes = parseJson(source)
  if (nodes === null) return null
  const writer = new JsonWriter(source)
  writer.write([], nodes.length === 1 ? nodes[0]! : { type: 'array', start: 0, end: source.length, items: nodes, key: null })
  return writer.blocks.out
}

class JsonWriter {
  readonly blocks: Blocks
  private readonly source: string
  /** How many headings the current one stands under. */
  private level = 0

  constructor(source: string) {
    this.source = source
    this.blocks = new Blocks(source)
  }

  write(path: Path, node: JsonNode): void {
    if (node.type === 'object') this.object(path, node)
    else if (node.type === 'array') this.array(path, node)
    else this.blocks.line(this.inline(node))
  }

  /** Lines first, then what brings a heading, so that no line falls under a heading that is not its own. */
  private object(path: Path, node: JsonNode): void {
    const leaves = this.leaves(path, node)
    for (const leaf of leaves.filter(({ value }) => this.fitsLine(value))) {
      const content = this.inline(leaf.value)
      if (content.length > 0) this.blocks.line(addColon(this.path(leaf.path)).append(content))
    }
    for (const leaf of leaves.filter(({ value }) => !this.fitsLine(value))) this.section(leaf)
  }

  /** Everything in an object and the objects in it that is no object itself. */
  private leaves(path: Path, node: JsonNode, found: Leaf[] = []): Leaf[] {
    for (const value of node.items) {
      const own = [...path.slice(-pathParts), value.key!]
      if (value.type === 'object') this.leaves(own, value, found)
      else found.push({ path: own, value })
    }
    return found
  }

  private fitsLine({ type, start, end, items }: JsonNode): boolean {
    if (type === 'string') return end - start <= lineCharacters && !this.source.slice(start, end).includes('\\n')
    return type !== 'array' || (items.length <= inlineItems && items.every(isShort))
  }

  private section({ path, value }: Leaf): void {
    this.heading(this.path(path))
    if (value.type === 'string') this.blocks.paragraph(this.blocks.piece().replace(value.start, value.end, escapes, unescaped))
    else this.write(path, value)
    this.level--
  }

  private heading(content: Rendering): void {
    this.level++
    this.blocks.paragraph(content, '#'.repeat(Math.min(this.level, 6)) + ' ')
  }

  private array(path: Path, { items }: JsonNode): void {
    const rows = this.tableRows(items)
    if (items.every(isScalar))
      this.blocks.group(
        items.map(item => this.inline(item)),
        '- ',
      )
    else if (rows !== null) this.blocks.table(rows)
    else for (const [index, item] of items.entries()) this.element(path, item, index)
  }

  /** An element that does not fit a table row is a section under its own name, or its number. */
  private element(path: Path, node: JsonNode, index: number): void {
    if (isScalar(node)) this.blocks.line(this.inline(node), '- ')
    else if (node.type === 'array') this.write(path, node)
    else {
      const name = node.items.find(value => nameKeys.has(this.nameOf(value)) && value.type === 'string' && this.fitsLine(value))
      // The name of the array is repeated for each of its elements: one that is long would make a text of any size.
      const last = path.at(-1)
      const above = this.path(last === undefined || last.end - last.start > pathCharacters ? [] : path)
      this.heading(name ? this.inline(name) : above.add(`${above.length > 0 ? ' ' : ''}${index + 1}`, node.start))
      this.object([], node)
      this.level--
      this.blocks.gap(2)
    }
  }

  /** Header and rows, when every item is flat and they share most of their keys; null otherwise. */
  private tableRows(items: readonly JsonNode[]): Rendering[][] | null {
    if (items.every(item => item.type === 'array' && item.items.every(isScalar))) {
      return items.map(item => item.items.map(field => this.inline(field)))
    }
    const columns = new Map<string, Path>()
    const rows: Map<string, JsonNode>[] = []
    let filled = 0
    for (const item of items) {
      const leaves = item.type === 'object' ? this.leaves([], item) : null
      if (leaves === null || leaves.some(({ value }) => value.type === 'array' && !this.fitsLine(value))) return null
      const row = new Map<string, JsonNode>()
      for (const { path, value } of leaves) {
        const name = this.path(path).toString()
        if (!columns.has(name)) columns.set(name, path)
        row.set(name, value)
      }
      filled += row.size
      rows.push(row)
    }
    if (columns.size === 0 || columns.size * rows.length > 4 * filled + 16) return null
    const cells = (row: ReadonlyMap<string, JsonNode>): Rendering[] => [...columns.keys()].map(name => this.inline(row.get(name)))
    return [[...columns.values()].map(path => this.path(path)), ...rows.map(cells)]
  }

  private inline(node: JsonNode | undefined): Rendering {
    const out = this.blocks.piece()
    if (node?.type === 'string') out.replace(node.start, node.end, escapesOnOneLine, onOneLine)
    else if (node?.type === 'literal') out.copy(node.start, node.end)
    else for (const item of node?.items ?? []) out.add(out.length > 0 ? ', ' : '').append(this.inline(item))
    return out
  }

  /** Only the last part stands where it is written; the parts before it are repeated from further up. */
  private path(path: Path): Rendering {
    const out = this.blocks.piece()
    const last = path.at(-1)
    if (last === undefined) return out
    let prefix = ''
    for (const part of path.slice(-pathParts, -1).reverse()) {
      if (prefix.length + part.end - part.start >= pathCharacters) break
      prefix = this.words(this.blocks.piece(), part).toString() + ' · ' + prefix
    }
    return this.words(out.add(prefix, last.start), last)
  }

  /** Machine names (`net_revenue`, `netRevenue`) read as words. */
  private words(out: Rendering, name: JsonNode): Rendering {
    return out.replace(name.start, name.end, wordBreaks, onOneLine)
  }

  private nameOf({ key }: JsonNode): string {
    return key === null || key.end - key.start > 20 ? '' : this.source.slice(key.start, key.end).toLowerCase()
  }
}

function unescaped(sequence: string): string {
  return JSON.parse(`"${sequence}"`) as string
}

function onOneLine(found: string): string {
  if (found === '' || found === '_') return ' '
  const text = unescaped(found)
  return text === '|' ? barInCell : /[\s\u0000-\u001f]/.test(text) ? ' ' : text
}

function isScalar(node: JsonNode): boolean {
  return node.type !== 'array' && node.type !== 'object'
}

function isShort(node: JsonNode): boolean {
  return isScalar(node) && node.end - node.start <= inlineItemCharacters
}
