/**
 * The sheets of an OpenDocument spreadsheet as rows of cells: days as ISO writes them and figures with the decimals that are shown,
 * whatever the language of the program that wrote them.
 */

import { FileFault } from './extraction.js'
import { odfContent } from './odf-text.js'
import { rounded } from './xlsx-formats.js'
import { mostCells, mostSheets, type Sheet, type SheetRow } from './xlsx-sheets.js'
import { attribute, type Parts, parseXml } from './xml.js'

interface OpenCell {
  of: (key: string) => string
  /** As it is shown. */
  text: string
}

/** Of one cell or row that stands for many. */
const mostRepeats = 1000

export function readOdsSheets(parts: Parts): Sheet[] {
  const reader = new OdsReader()
  parseXml(odfContent(parts), {
    open: (name, attributes) => reader.begin(name, key => attribute(attributes, key) ?? ''),
    close: name => reader.end(name),
    text: text => reader.say(text),
  })
  return reader.sheets
}

const skipped = new Set(['annotation', 'tracked-changes', 'shapes', 'forms', 'dde-links', 'frame'])

class OdsReader {
  readonly sheets: Sheet[] = []
  private skip = 0
  private cellsLeft = mostCells
  private rowNumber = 0
  private rowRepeats = 1
  private column = 0
  private row: SheetRow = { number: 0, cells: [] }
  private cell: OpenCell | null = null

  begin(name: string, of: (key: string) => string): void {
    if (skipped.has(name)) this.skip++
    if (this.skip > 0) return
    if (name === 'table') {
      if (this.sheets.length === mostSheets) throw new FileFault('TOO_COMPLEX')
      this.sheets.push({ name: of('name') || `Sheet ${this.sheets.length + 1}`, rows: [] })
      this.rowNumber = 0
    } else if (name === 'table-row') {
      this.row = { number: this.rowNumber + 1, cells: [] }
      this.rowRepeats = repeatsOf(of('number-rows-repeated'))
      this.column = 0
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.cell = { of, text: '' }
    else if (this.cell !== null && name === 'p' && this.cell.text !== '') this.cell.text += '\n'
    else if (this.cell !== null && name === 's') this.cell.text += ' '
  }

  say(text: string): void {
    if (this.skip === 0 && this.cell !== null) this.cell.text += text
  }

  end(name: string): void {
    if (skipped.has(name)) {
      this.skip--
      return
    }
    if (this.skip > 0) return
    if ((name === 'table-cell' || name === 'covered-table-cell') && this.cell !== null) this.endCell(this.cell)
    else if (name === 'table-row') this.endRow()
  }

  private endCell(cell: OpenCell): void {
    const repeats = repeatsOf(cell.of('number-columns-repeated'))
    const text = textOf(cell).trim()
    if (text !== '') for (let n = 0; n < Math.min(mostRepeats, repeats); n++) this.keep({ column: this.column + n, text })
    this.column += repeats
    this.cell = null
  }

  private keep(cell: SheetRow['cells'][number]): void {
    if (--this.cellsLeft < 0) throw new FileFault('TOO_COMPLEX')
    this.row.cells.push(cell)
  }

  private endRow(): void {
    const { cells } = this.row
    const copies = cells.length === 0 ? 0 : Math.min(mostRepeats, this.rowRepeats)
    this.cellsLeft -= Math.max(0, copies - 1) * cells.length
    if (this.cellsLeft < 0) throw new FileFault('TOO_COMPLEX')
    for (let n = 0; n < copies; n++) this.sheets.at(-1)?.rows.push({ number: this.rowNumber + 1 + n, cells })
    this.rowNumber += this.rowRepeats
  }
}

function repeatsOf(given: string): number {
  const repeats = Number(given)
  return Number.isInteger(repeats) && repeats > 0 ? repeats : 1
}

function textOf({ of, text }: OpenCell): string {
  const type = of('value-type')
  if (type === 'date') return of('date-value').replace('T00:00:00', '').replace('T', ' ').slice(0, 16) || text
  if (type === 'boolean') return of('boolean-value').toUpperCase() || text
  if (type === 'currency' && of('currency') !== '') return figureOf(Number(of('value')), text, of('currency'))
  if (type === 'float' || type === 'currency') return figureOf(Number(of('value')), text)
  if (type === 'percentage') return figureOf(Number(of('value')) * 100, text).replace(/\s%/, '%')
  return text
}

/**
 * A figure as it is shown, with point and comma as in an XLSX: what is shown alone does not tell one from the other. Words and
 * signs around it stay, such as a unit; a known currency takes their place, but for
 * what it is paid for, as in €/m².
 */
function figureOf(value: number, shown: string, currency?: string): string {
  const first = shown.search(/\d/)
  const end = shown.search(/\d\D*$/) + 1
  const [before, number, after] = [shown.slice(0, Math.max(0, first)), shown.slice(Math.max(0, first), end), shown.slice(end)]
  const digits = number.replaceAll(/\D/g, '')
  for (let decimals = 0; decimals <= 10 && digits !== '' && Number.isFinite(value); decimals++) {
    const [whole = '', part] = rounded(Math.abs(value), decimals).split('.')
    if (whole + (part ?? '') !== digits) continue
    const isGrouped = whole.length > 3 && /\d\D\d{3}$/.test(part === undefined ? number : number.slice(0, -part.length - 1))
    const ungrouped = (isGrouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole) + (part === undefined ? '' : `.${part}`)
    const figure = `${value < 0 ? '-' : ''}${ungrouped}`
    return currency === undefined ? withSign({ before, figure, after }) : `${currency} ${figure}${/\/.*$/.exec(after)?.[0] ?? ''}`
  }
  return shown
}

/** The sign of a figure below zero stands before its digits, wherever it is shown; a dash for no cents is left out. */
function withSign({ before, figure, after }: { before: string; figure: string; after: string }): string {
  const rest = after.replace(/^[.,][-–—]+/, '')
  if (!figure.startsWith('-')) return `${before}${figure}${rest}`
  const isBracketed = before.includes('(')
  return `${before.replace(isBracketed ? '(' : /[-−–]/, '')}${figure}${rest.replace(isBracketed ? ')' : /^[-−–]/, '')}`
}
