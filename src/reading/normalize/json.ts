/**
 * JSON as plain text: scalars as `path.to.key: value` lines, arrays of objects as pipe tables under a heading (or, when they
 * nest further, a section each), long strings as paragraphs under a heading. Null when the text is not JSON.
 */
import { Blocks, barInCell } from './blocks.js'
import { type JsonArray, type JsonMember, type JsonNode, type JsonObject, type JsonScalar, parseJson } from './json-nodes.js'
import type { Rendering } from './rendering.js'

/** Paths are cut to their last parts: in deep or long-named data they would otherwise multiply the text. */
const pathParts = 6
const pathCharacters = 120
/** Longer strings are prose and stand as paragraphs of their own. */
const lineCharacters = 160
const inlineItems = 12
const inlineItemCharacters = 40
const nameKeys = new Set(['name', 'title', 'label', 'id', 'key', 'code'])
const amountKeys = new Set(['value', 'amount', 'quantity', 'figure', 'number'])
const unitKeys = new Set(['unit', 'units', 'currency', 'uom'])

type Path = readonly JsonScalar[]

interface Cell {
  path: Path
  value: JsonNode
}

export function renderJson(source: string, from: number): Rendering | null {
  const nodes = parseJson(source, from)
  const first = nodes?.[0]
  if (nodes === null || first === undefined) return null
  const root: JsonNode = nodes.length === 1 ? first : { type: 'array', start: first.start, items: nodes }
  const writer = new JsonWriter(source)
  writer.write([], root)
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
    else this.scalarLine(path, node)
  }

  /** Lines first, then what brings a heading, so that no line falls under a heading that is not its own. */
  private object(path: Path, node: JsonObject): void {
    const later: Cell[] = []
    this.lines(path, node, later)
    for (const { path: own, value } of later) this.section(own, value)
  }

  private lines(path: Path, node: JsonObject, later: Cell[]): void {
    for (const { key, value } of node.members) {
      const own = [...path.slice(-pathParts), key]
      const amount = value.type === 'object' ? this.amount(value) : null
      if (amount !== null) this.blocks.line(this.label(own).append(amount))
      else if (value.type === 'object') this.lines(own, value, later)
      else if (this.fitsLine(value)) this.scalarLine(own, value)
      else later.push({ path: own, value })
    }
  }

  private fitsLine(node: JsonNode): boolean {
    if (node.type === 'object') return false
    if (node.type === 'string') return node.end - node.start <= lineCharacters && !this.source.slice(node.start, node.end).includes('\\n')
    if (node.type !== 'array') return true
    return node.items.length <= inlineItems && node.items.every(item => isScalar(item) && item.end - item.start <= inlineItemCharacters)
  }

  private scalarLine(path: Path, node: JsonNode): void {
    const content = this.inline(node)
    if (content.length > 0) this.blocks.line(path.length === 0 ? content : this.label(path).append(content))
  }

  private section(path: Path, node: JsonNode): void {
    this.heading(this.path(path))
    if (node.type === 'string') this.blocks.paragraph(this.string(this.blocks.piece(), node, false))
    else this.write(path, node)
    this.level--
  }

  private heading(content: Rendering): void {
    this.level++
    this.blocks.paragraph(content, '#'.repeat(Math.min(this.level, 6)) + ' ')
  }

  private array(path: Path, node: JsonArray): void {
    if (node.items.every(isScalar)) {
      this.blocks.gap(2)
      for (const item of node.items) this.blocks.line(this.inline(item), '- ')
      this.blocks.gap(2)
      return
    }
    const rows = this.tableRows(node)
    if (rows !== null) this.blocks.table(rows)
    else
      node.items.forEach((item, index) => {
        this.element(path, item, index)
      })
  }

  /** An element that does not fit a table row is a section under its own name, or its number. */
  private element(path: Path, node: JsonNode, index: number): void {
    if (node.type !== 'object') {
      if (isScalar(node)) this.blocks.line(this.inline(node), '- ')
      else this.write(path, node)
      return
    }
    const name = node.members.find(({ key, value }) => nameKeys.has(this.text(key)) && value.type === 'string' && this.fitsLine(value))
    this.heading(
      name === undefined ? this.path(path).add(`${path.length > 0 ? ' ' : ''}${index + 1}`, node.start) : this.inline(name.value),
    )
    this.object([], node)
    this.level--
    this.blocks.gap(2)
  }

  /** Header and rows, when every item is flat and they share most of their keys; null otherwise. */
  private tableRows(node: JsonArray): Rendering[][] | null {
    if (node.items.every(item => item.type === 'array' && item.items.every(isScalar))) {
      return node.items.map(item => (item.type === 'array' ? item.items.map(field => this.inline(field)) : []))
    }
    const columns = new Map<string, { index: number; path: Path }>()
    const rows: { cells: Map<string, JsonNode> }[] = []
    let filled = 0
    for (const item of node.items) {
      const cells = item.type === 'object' ? this.flatten([], item, []) : null
      if (cells === null) return null
      const row = { cells: new Map<string, JsonNode>() }
      for (const { path, value } of cells) {
        const name = this.path(path).toString()
        if (!columns.has(name)) columns.set(name, { index: columns.size, path })
        row.cells.set(name, value)
      }
      filled += row.cells.size
      rows.push(row)
    }
    if (columns.size === 0 || columns.size * rows.length > 4 * filled + 16) return null
    const names = [...columns.keys()]
    const header = [...columns.values()].map(column => this.path(column.path))
    return [header, ...rows.map(row => names.map(name => this.cell(row.cells.get(name))))]
  }

  private cell(node: JsonNode | undefined): Rendering {
    if (node === undefined) return this.blocks.piece()
    return (node.type === 'object' ? this.amount(node) : null) ?? this.inline(node)
  }

  private flatten(path: Path, node: JsonObject, cells: Cell[]): Cell[] | null {
    for (const { key, value } of node.members) {
      const own = [...path.slice(-pathParts), key]
      if (value.type === 'object' && this.amount(value) === null) {
        if (this.flatten(own, value, cells) === null) return null
      } else if (value.type === 'object' || isScalar(value) || this.fitsLine(value)) cells.push({ path: own, value })
      else return null
    }
    return cells
  }

  /** `{ "value": 5, "unit": "MW" }` is one figure with its unit. */
  private amount(node: JsonObject): Rendering | null {
    if (node.members.length !== 2) return null
    const pick = (keys: ReadonlySet<string>): JsonMember | undefined =>
      node.members.find(({ key, value }) => keys.has(this.text(key)) && isScalar(value) && value.end - value.start <= inlineItemCharacters)
    const value = pick(amountKeys)
    const unit = pick(unitKeys)
    if (value === undefined || unit === undefined) return null
    const line = this.inline(value.value)
    return line.add(' ', line.tail).append(this.inline(unit.value))
  }

  private inline(node: JsonNode): Rendering {
    const out = this.blocks.piece()
    if (node.type === 'string') return this.string(out, node, true)
    if (node.type === 'array') {
      for (const item of node.items) {
        if (out.length > 0) out.add(', ', out.tail)
        out.append(this.inline(item))
      }
    } else if (node.type === 'number' || node.type === 'boolean') out.copy(node.start, node.end)
    return out
  }

  private label(path: Path): Rendering {
    const label = this.path(path)
    return label.add(': ', label.tail)
  }

  /** Only the last part stands where it is written; the parts before it are repeated from further up. */
  private path(path: Path): Rendering {
    const out = this.blocks.piece()
    const last = path[path.length - 1]
    if (last === undefined) return out
    let prefix = ''
    for (let index = path.length - 2; index >= 0 && index > path.length - 1 - pathParts; index--) {
      const part = path[index]
      if (part === undefined || prefix.length + part.end - part.start >= pathCharacters) break
      prefix = this.string(this.blocks.piece(), part, true, true).toString() + ' · ' + prefix
    }
    return this.string(out.add(prefix, last.start), last, true, true)
  }

  private text(node: JsonScalar): string {
    return node.end - node.start > 20 ? '' : this.source.slice(node.start, node.end).toLowerCase()
  }

  /** A string with its escapes decoded; on one line, and in words, where asked. */
  private string(out: Rendering, node: JsonScalar, onOneLine: boolean, asWords = false): Rendering {
    let from = node.start
    for (let at = node.start; at < node.end; at++) {
      const character = this.source[at] ?? ''
      const isName = asWords && character === '_'
      const starts = asWords && /[A-Z]/.test(character) && at > node.start && /[a-z0-9]/.test(this.source[at - 1] ?? '')
      if (character !== '\\' && !(onOneLine && character === '|') && !isName && !starts) continue
      out.copy(from, at)
      from = at
      if (starts) out.add(' ', at)
      else {
        const end = character !== '\\' ? at + 1 : this.source[at + 1] === 'u' ? at + 6 : at + 2
        out.decode(isName ? ' ' : character === '|' ? barInCell : this.escaped(at, end, onOneLine), at, end)
        from = end
        at = end - 1
      }
    }
    return out.copy(from, node.end)
  }

  private escaped(start: number, end: number, onOneLine: boolean): string {
    const decoded = JSON.parse(`"${this.source.slice(start, end)}"`) as string
    if (onOneLine && /[\s\u0000-\u001f]/.test(decoded)) return ' '
    return onOneLine && decoded === '|' ? barInCell : decoded
  }
}

function isScalar(node: JsonNode): node is JsonScalar {
  return node.type !== 'array' && node.type !== 'object'
}
