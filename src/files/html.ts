/** HTML as a text with headings, items and tables, for mails that have no other. Scripts, styles and addresses are left out. */

import { Parser } from 'htmlparser2'
import type { TextWriter } from './text-writer.js'

/** The head is not among them: what may stand in it is, or has no words, and its end may be left out. */
const unseen = new Set(['script', 'style', 'title', 'template', 'noscript', 'svg', 'object', 'iframe'])
const blocks = new Set([
  'p',
  'div',
  'section',
  'article',
  'header',
  'footer',
  'blockquote',
  'ul',
  'ol',
  'pre',
  'address',
  'form',
  'hr',
  'dl',
  'dt',
  'dd',
])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

interface TableState {
  rows: string[][]
  row: string[] | null
  cell: string | null
}

export function writeHtml(out: TextWriter, html: string): void {
  let hidden = 0
  let line = ''
  let prefix = ''
  const tables: TableState[] = []
  const flush = (newlines: 1 | 2) => {
    const text = line.replaceAll(/[^\S\n]+/g, ' ').trim()
    const table = tables.at(-1)
    line = ''
    if (text === '') return
    if (table !== undefined) table.cell = table.cell === null ? text : `${table.cell} ${text}`
    else
      out
        .gap(newlines)
        .write(prefix + text)
        .gap(newlines)
    prefix = ''
  }
  const begin = (name: string) => {
    if (name === 'br') flush(1)
    else if (name === 'table') {
      flush(2)
      tables.push({ rows: [], row: null, cell: null })
    } else if (name === 'tr') startRow(tables.at(-1))
    else if (name === 'td' || name === 'th') startCell(tables.at(-1))
    else if (name === 'li') {
      flush(1)
      prefix = '- '
    } else if (headings.has(name)) {
      flush(2)
      prefix = `${'#'.repeat(Number(name[1]))} `
    } else if (blocks.has(name)) flush(2)
  }
  const end = (name: string) => {
    if (name === 'table') {
      flush(1)
      endTable(out, tables)
    } else if (name === 'td' || name === 'th') {
      flush(1)
      endCell(tables.at(-1))
    } else if (name === 'tr') endRow(tables.at(-1))
    else if (name === 'li') flush(1)
    else if (headings.has(name) || blocks.has(name)) flush(2)
  }
  const parser = new Parser(
    {
      onopentagname(name) {
        if (unseen.has(name)) hidden++
        else if (hidden === 0) begin(name)
      },
      ontext(text) {
        if (hidden === 0) line += text.replaceAll(/[\r\n\u00a0]+/g, ' ')
      },
      onclosetag(name) {
        if (unseen.has(name)) hidden = Math.max(0, hidden - 1)
        else if (hidden === 0) end(name)
      },
    },
    { decodeEntities: true },
  )
  parser.write(html)
  parser.end()
  flush(2)
}

function startRow(table: TableState | undefined): void {
  if (table !== undefined) table.row = []
}

function startCell(table: TableState | undefined): void {
  if (table !== undefined) table.cell = ''
}

function endCell(table: TableState | undefined): void {
  if (table === undefined || table.cell === null) return
  table.row ??= []
  table.row.push(table.cell.trim())
  table.cell = null
}

function endRow(table: TableState | undefined): void {
  if (table === undefined || table.row === null) return
  if (table.row.some(cell => cell !== '')) table.rows.push(table.row)
  table.row = null
}

/** Mails are laid out with tables: one of a single column, or with a table inside, is text and not a table. */
function endTable(out: TextWriter, tables: TableState[]): void {
  const table = tables.pop()
  if (table === undefined) return
  const outer = tables.at(-1)
  const lines = table.rows.map(row => row.filter(cell => cell !== '').join('   '))
  if (outer !== undefined) outer.cell = [outer.cell ?? '', ...lines].filter(text => text !== '').join('; ')
  else if (table.rows.length < 2 || table.rows.every(row => row.filter(cell => cell !== '').length < 2)) {
    for (const each of lines) out.line(each)
  } else out.table(table.rows)
}
