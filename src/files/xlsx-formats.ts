/** Formats of cells: which numbers are dates, times, percentages or money, and how they are written. */

import { attribute, parseXml } from './xml.js'

export interface CellFormat {
  kind: 'date' | 'time' | 'datetime' | 'percent' | 'number'
  decimals: number | null
  grouped: boolean
  prefix: string
  suffix: string
}

const general: CellFormat = { kind: 'number', decimals: null, grouped: false, prefix: '', suffix: '' }

/** Of the numbers that every program knows; others are written out in the file. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}

/** By the index that cells refer to. */
export function readFormats(styles: string): CellFormat[] {
  const codes = new Map<number, string>(Object.entries(builtIn).map(([id, code]) => [Number(id), code]))
  const formats: CellFormat[] = []
  let inCells = false
  parseXml(styles, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) formats.push(formatOf(codes.get(Number(attribute(attributes, 'numFmtId'))) ?? 'General'))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

function formatOf(code: string): CellFormat {
  const first = code.split(';', 1)[0] ?? ''
  const currency = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(first)?.[1] ?? /[€$£¥]/.exec(first)?.[0] ?? /"([^"]{1,12})"/.exec(first)?.[1] ?? ''
  const bare = first.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./g, '')
  if (bare.includes('%')) return { ...general, kind: 'percent', decimals: decimalsOf(bare) }
  const hasDate = /[yd]/i.test(bare) || /mmm/i.test(bare)
  const hasTime = /[hs]/i.test(bare)
  if (hasDate || hasTime) return { ...general, kind: hasDate && hasTime ? 'datetime' : hasDate ? 'date' : 'time' }
  if (!/[0#]/.test(bare)) return general
  const digits = first.search(/[0#]/)
  const before = currency !== '' && first.indexOf(currency) < digits
  return {
    kind: 'number',
    decimals: decimalsOf(bare),
    grouped: /[0#],[0#]/.test(bare),
    prefix: before ? `${currency.trim()} ` : '',
    suffix: currency !== '' && !before ? ` ${currency.trim()}` : '',
  }
}

function decimalsOf(code: string): number {
  return /\.([0#?]+)/.exec(code)?.[1]?.length ?? 0
}

export function formatNumber(value: number, written: string, format: CellFormat | undefined, from1904: boolean): string {
  if (!Number.isFinite(value)) return written
  const { kind, decimals, grouped, prefix, suffix } = format ?? general
  if (kind === 'percent') return `${round(value * 100, decimals ?? 0)}%`
  if (kind === 'number') {
    if (decimals === null) return plain(value)
    const [whole = '', part] = round(Math.abs(value), decimals).split('.')
    const digits = (grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole) + (part === undefined ? '' : `.${part}`)
    return `${prefix}${value < 0 ? '-' : ''}${digits}${suffix}`
  }
  return momentOf(value, kind, from1904) ?? plain(value)
}

/** Fifteen digits are what a sheet shows and keeps. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function round(value: number, decimals: number): string {
  return Number(value.toPrecision(15)).toFixed(Math.min(20, decimals))
}

const dayMs = 86_400_000

/** Days are counted from 1900, with a 29 February that never was, or from 1904. */
function momentOf(value: number, kind: 'date' | 'time' | 'datetime', from1904: boolean): string | null {
  if (value < 0 || value > 2_958_465) return null
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  const iso = new Date(start + Math.round(value * 86_400) * 1000).toISOString()
  if (kind === 'date') return iso.slice(0, 10)
  if (kind === 'time') return new Date(Math.round((value % 1) * dayMs)).toISOString().slice(11, 19)
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}
