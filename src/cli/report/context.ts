/**
 * What stands around a quote, so that a reader can judge it without opening the document: the words before and after it, and tables
 * as tables, in whole rows below their header.
 */

import type { Client } from '../../client/client.js'
import { csvRows } from '../../contract/csv-rows.js'
import type { Schema } from '../../contract/types.js'
import { undefinedWhenMissing } from '../undefined-when-missing.js'

export interface Piece {
  text: string
  isQuoted: boolean
}

/** Words, or rows of cells of which the first is the header. */
export type Block = { words: Piece[] } | { rows: Piece[][][] }

/** By claim. */
type Contexts = ReadonlyMap<string, readonly Block[]>

/** What is known of quotes beyond themselves: what stands around them, and the names of their documents. */
export interface Around {
  contexts: Contexts
  names: ReadonlyMap<string, string>
}

const shownCharacters = 220
/** A longer row is shown as words. */
const mostRowCharacters = 2000
const mostDocuments = 200
const lanes = 4

type Finding = Pick<Schema['Contradiction'], 'a' | 'b'>

/** Of both sides of each finding; a document whose text is not kept leaves its quotes without. `sheets` are documents that are one table. */
export async function gatherContexts(
  client: Pick<Client, 'documentText'>,
  scopeId: string,
  findings: readonly Finding[],
  sheets: ReadonlySet<string>,
): Promise<Contexts> {
  const sides = findings.flatMap(({ a, b }) => [a, b]).filter(side => 'claim_id' in side)
  // A claim can stand in several findings, and a finding be named twice.
  const claims = new Map(sides.map(side => [side.claim_id, side]))
  const byDocument = new Map<string, Schema['Claim'][]>()
  for (const claim of claims.values()) {
    const key = JSON.stringify([claim.document_id, claim.revision])
    const known = byDocument.get(key)
    if (known === undefined) byDocument.set(key, [claim])
    else known.push(claim)
  }
  const contexts = new Map<string, readonly Block[]>()
  const waiting = [...byDocument.values()].slice(0, mostDocuments).values()
  const lane = async () => {
    for (const [first, ...others] of waiting) {
      if (first === undefined) continue
      const text = await client.documentText(scopeId, first.document_id, { revision: first.revision }).catch(undefinedWhenMissing)
      if (text === undefined) continue
      const contextOf = contextsIn(text, sheets.has(first.document_id))
      for (const claim of [first, ...others]) contexts.set(claim.claim_id, contextOf(claim))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return contexts
}

/** From the first character to the one that follows the last. */
interface Span {
  from: number
  to: number
}

interface Cell extends Span {
  /** Where it is written with signs around it. */
  text?: string
}

interface Row extends Span {
  cells: Cell[]
}

/** Of quotes in one text, a table of which is read once. `start` and `end` count code points. */
export function contextsIn(text: string, isSheet = false): (quoted: { start: number; end: number }) => Block[] {
  const rows = isSheet ? sheetRows(text) : []
  return ({ start, end }) => {
    const from = utf16Of(text, start)
    const quote = { from, to: from + utf16Of(text.slice(from), end - start) }
    return sheetAround(text, rows, quote) ?? blocksAround(text, quote)
  }
}

function utf16Of(text: string, points: number): number {
  let at = 0
  for (let left = points; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

function sheetRows(text: string): Row[] {
  return csvRows(text).map(cells => ({ from: cells[0]?.from ?? 0, to: cells.at(-1)?.to ?? 0, cells }))
}

/** Null where it has no rows, or some too long to be read as a table. */
function sheetAround(text: string, rows: readonly Row[], quote: Span): Block[] | null {
  const [head] = rows
  const near = rows.filter(row => row.to >= quote.from - shownCharacters && row.from <= quote.to + shownCharacters)
  if (head === undefined || [head, ...near].some(({ from, to }) => to - from > mostRowCharacters)) return null
  return [tableOf(text, quote, { head, near, isNext: near[0] === head || near[0] === rows[1] })]
}

function blocksAround(text: string, quote: Span): Block[] {
  const before = startOf(text, quote)
  const after = endOf(text, quote)
  const blocks: Block[] = []
  let words: Piece[] = before.isCut ? [{ text: '… ', isQuoted: false }] : []
  const endWords = () => {
    if (words.some(piece => piece.text.trim() !== '')) blocks.push({ words })
    words = []
  }
  for (let at = before.at; at < after.at; ) {
    const line = lineAt(text, at)
    if (!isTableLine(text, line)) {
      const to = Math.min(after.at, line.to + 1)
      words.push(...piecesOf(text, { from: at, to }, quote))
      at = to
      continue
    }
    endWords()
    const lines: Span[] = []
    for (; at < after.at && isTableLine(text, lineAt(text, at)); at = (lines.at(-1)?.to ?? at) + 1) lines.push(lineAt(text, at))
    blocks.push(barredTable(text, quote, lines))
  }
  if (after.isCut) words.push({ text: ' …', isQuoted: false })
  endWords()
  return blocks
}

/** Rows of a table begin whole; words with one. */
function startOf(text: string, quote: Span): { at: number; isCut: boolean } {
  const at = Math.max(0, quote.from - shownCharacters)
  const line = lineAt(text, at)
  if (at === 0 || isTableLine(text, line)) return { at: Math.min(at, line.from), isCut: false }
  const word = /^\S*\s/.exec(text.slice(at, quote.from))?.[0].length ?? 0
  return { at: at + word, isCut: true }
}

function endOf(text: string, quote: Span): { at: number; isCut: boolean } {
  const at = Math.min(text.length, quote.to + shownCharacters)
  const line = lineAt(text, at)
  if (at === text.length || isTableLine(text, line)) return { at: Math.max(at, line.to), isCut: false }
  const word = /\s\S*$/.exec(text.slice(quote.to, at))?.[0].length ?? 0
  return { at: at - word, isCut: true }
}

function lineAt(text: string, at: number): Span {
  const end = text.indexOf('\n', at)
  return { from: at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1, to: end < 0 ? text.length : end }
}

function isTableLine(text: string, { from, to }: Span): boolean {
  return to - from <= mostRowCharacters && /^\s*\|.*\|\s*$/.test(text.slice(from, to))
}

/** The line below a header. */
const isRule = (text: string, { from, to }: Span) => /^[\s|:-]+$/.test(text.slice(from, to))

function barredTable(text: string, quote: Span, lines: readonly Span[]): Block {
  let top = lines[0] as Span
  let above = 0
  for (let line = top; line.from > 0; ) {
    line = lineAt(text, line.from - 1)
    if (!isTableLine(text, line)) break
    if (!isRule(text, line)) above++
    top = line
  }
  const near = lines.filter(line => !isRule(text, line)).map(line => rowOf(text, line))
  return tableOf(text, quote, { head: rowOf(text, top), near, isNext: above <= 1 })
}

function rowOf(text: string, { from, to }: Span): Row {
  const cells: Cell[] = []
  for (let start = text.indexOf('|', from) + 1; ; ) {
    const bar = text.indexOf('|', start)
    if (bar < 0 || bar >= to) break
    cells.push({ from: start, to: bar })
    start = bar + 1
  }
  return { from, to, cells }
}

/** `isNext`: nothing lies between the header and the first row that is near. */
function tableOf(text: string, quote: Span, { head, near, isNext }: { head: Row; near: readonly Row[]; isNext: boolean }): Block {
  const rest = near.filter(row => row.from !== head.from)
  const cellsOf = ({ cells }: Row) =>
    cells.map(cell => {
      const pieces = piecesOf(text, cell, quote)
      const isApart = pieces.every(piece => !piece.isQuoted)
      return isApart && cell.text !== undefined ? [{ text: cell.text, isQuoted: false }] : pieces
    })
  const gap = isNext ? [] : [[[{ text: '…', isQuoted: false }]]]
  return { rows: [cellsOf(head), ...gap, ...rest.map(cellsOf)] }
}

function piecesOf(text: string, { from, to }: Span, quote: Span): Piece[] {
  const [start, end] = [Math.min(Math.max(quote.from, from), to), Math.max(Math.min(quote.to, to), from)]
  const parts = [
    { text: text.slice(from, start), isQuoted: false },
    { text: text.slice(start, end), isQuoted: true },
    { text: text.slice(Math.max(start, end), to), isQuoted: false },
  ]
  return parts.filter(part => part.text !== '')
}
