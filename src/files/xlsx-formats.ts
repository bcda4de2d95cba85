/** Formats of cells: which numbers are dates, times, percentages or money, and how they are written. */

import { attribute, parseXml } from './xml.js'

export interface CellFormat {
  kind: 'date' | 'time' | 'datetime' | 'duration' | 'number'
  /** What is shown of it: a hundred times as much for a percentage, a thousandth for each comma that says so. */
  factor: number
  decimals: number | null
  grouped: boolean
  prefix: string
  suffix: string
  /** Of which figures this holds; null: of all. */
  when: Condition | null
  /** Of the others. */
  otherwise: CellFormat | null
}

interface Condition {
  sign: string
  limit: number
}

const general: CellFormat = {
  kind: 'number',
  factor: 1,
  decimals: null,
  grouped: false,
  prefix: '',
  suffix: '',
  when: null,
  otherwise: null,
}

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

/** Of a format, or of one part of it. */
interface FormatParts {
  when: Condition | null
  /** Runs of places for digits, with the points and commas between them. */
  runs: string[]
  before: string
  after: string
  /** What stands between those runs. */
  between: string
  /** What is neither words nor a place for a digit: parts of a date, a percent sign, an exponent, a fraction's line. */
  bare: string
}

/** Words in quotes, what stands in brackets, a sign behind a backslash, a space as wide as a sign or filled with it, places for digits. */
const formatToken = /"([^"]*)"|\[([^\]]*)\]|\\(.)|[_*].|(general|[0#?][0#?.,]*|\.[0#?][0#?.,]*)|([\s\S])/giu
/** Longer than any program writes one. */
const longestFormat = 255

function partsOf(code: string): FormatParts[] {
  const empty = (): FormatParts => ({ when: null, runs: [], between: '', before: '', after: '', bare: '' })
  let parts = empty()
  const all = [parts]
  const say = (words: string) => {
    if (parts.runs.length === 0) parts.before += words
    else parts.after += words
  }
  for (const [, quoted, bracketed, escaped, run, sign] of code.slice(0, longestFormat).matchAll(formatToken)) {
    if (sign === ';') {
      parts = empty()
      all.push(parts)
    } else if (run !== undefined) {
      parts.runs.push(run)
      // What stands between digits belongs to neither side.
      parts.between += parts.after
      parts.after = ''
    } else if (bracketed !== undefined) {
      // A currency, a language or both; a condition; elapsed hours, minutes or seconds; else a colour.
      say(/^\$([^-]*)/.exec(bracketed)?.[1] ?? '')
      const [, compared, limit] = /^([<>]=?|<>|=)(-?[\d.]+)$/.exec(bracketed) ?? []
      if (compared !== undefined) parts.when = { sign: compared, limit: Number(limit) }
      if (/^(?:h+|m+|s+)$/i.test(bracketed)) parts.bare += `[${bracketed}]`
    } else if (sign === "'" || (sign === '/' && parts.runs.length > 0)) say(sign)
    else if (sign !== undefined && !/[€$£¥\s]/.test(sign)) parts.bare += sign
    else say(quoted ?? escaped ?? sign ?? '')
  }
  return all
}

/** Without conditions the parts of a format are those above zero, below zero and of zero: the first is that of all. */
function formatOf(code: string): CellFormat {
  const parts = partsOf(code)
  const last = parts.findIndex(({ when }) => when === null)
  const used = last < 0 ? parts : parts.slice(0, last + 1)
  return used.reduceRight<CellFormat | null>((otherwise, part) => ({ ...formatOfPart(part), when: part.when, otherwise }), null) ?? general
}

function formatOfPart({ runs, between, before, after, bare }: FormatParts): CellFormat {
  const moment = momentKind(bare)
  if (moment !== null) return { ...general, kind: moment }
  if (runs.length === 0) return general
  const [prefix, suffix] = [wordsIn(before), wordsIn(after).replace(/\s*\/$/, '')]
  const spacedPrefix = prefix === '' ? '' : `${prefix} `
  const spacedSuffix = suffix === '' ? '' : ` ${suffix}`
  // With an exponent or as a fraction the figure itself says more.
  const digits = runs.join('')
  if (/general/i.test(digits) || /E[+-]/i.test(bare) || between.includes('/'))
    return { ...general, prefix: spacedPrefix, suffix: spacedSuffix }
  // Digits with something between them, as in a number of a telephone: which figure the words belong to is not known.
  const isSpaced = runs.length > 1 && /^[\s'’]+$/.test(between) && areThousands(runs)
  if (runs.length > 1 && !isSpaced && wordsIn(before + after) !== '') return general
  const scalingCommas = runs.length > 1 && !isSpaced ? 0 : (digits.match(/,+(?=\.|$)/g) ?? []).join('').length
  const isPercent = bare.includes('%')
  return {
    ...general,
    factor: (isPercent ? 100 : 1) / 1000 ** scalingCommas,
    decimals: /\.([0#?]+)/.exec(digits)?.[1]?.length ?? 0,
    grouped: isSpaced || /[0#?],+[0#?]/.test(digits),
    prefix: spacedPrefix,
    // The M of millions stands at its figure, where the format puts it there.
    suffix: (isPercent ? '%' : '') + (scalingCommas > 0 && suffix !== '' && !/^\s/.test(after) ? suffix : spacedSuffix),
  }
}

/** Before the point and scaling commas: optional digits first, in groups of three. Numbers of accounts and telephones have other places. */
function areThousands(runs: readonly string[]): boolean {
  const whole = runs.join(' ').replace(/,*(?:\..*)?$/, '')
  return /^[#?]+0*$/.test(whole.replaceAll(' ', '')) && /^[#?0]{1,3}(?: [#?0]{3})+$/.test(whole)
}

/** The part of a format that is for this figure. */
function chosen(format: CellFormat | null | undefined, value: number): CellFormat {
  for (let each = format; each; each = each.otherwise) if (each.when === null || holds(each.when, value)) return each
  return general
}

function holds({ sign, limit }: Condition, value: number): boolean {
  if (sign === '=') return value === limit
  if (sign === '<>') return value !== limit
  if (value === limit) return sign.endsWith('=')
  return sign.startsWith('<') ? value < limit : value > limit
}

function momentKind(bare: string): 'date' | 'time' | 'datetime' | 'duration' | null {
  const hasDate = /[yd]/i.test(bare) || /mmm/i.test(bare)
  const hasTime = /[hs]|\[m/i.test(bare)
  if (hasDate) return hasTime ? 'datetime' : 'date'
  if (!hasTime) return null
  return bare.includes('[') ? 'duration' : 'time'
}

/** Signs, brackets and dashes alone say nothing: a figure below zero has its minus. */
function wordsIn(text: string): string {
  return /[^\s\-–—−+().,:;*/]/u.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : ''
}

export function formatNumber(value: number, written: string, format: CellFormat | undefined, from1904: boolean): string {
  if (!Number.isFinite(value)) return written
  const { kind, factor, decimals, grouped, prefix, suffix } = chosen(format, value)
  if (!Number.isFinite(value * factor)) return written
  if (kind !== 'number') return momentOf(value, kind, from1904) ?? plain(value)
  const [whole = '', part] = decimals === null ? [plain(Math.abs(value))] : rounded(Math.abs(value) * factor, decimals).split('.')
  const digits = (grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole) + (part === undefined ? '' : `.${part}`)
  return `${prefix}${value < 0 ? '-' : ''}${digits}${suffix}`
}

/** Fifteen digits are what a sheet shows and keeps. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)))
}

const mostDecimals = 20

/** A figure that is not below zero, with so many decimals: halves of what is shown of it go up, also where the number kept for it is a little less. */
export function rounded(value: number, decimals: number): string {
  const places = Math.min(mostDecimals, decimals)
  const [digits = '', exponent] = value.toExponential(14).split('e')
  const shift = places + Number(exponent) - 14
  const all = BigInt(digits.replace('.', ''))
  const kept = shift >= 0 ? all * 10n ** BigInt(shift) : (all + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift)
  const written = String(kept).padStart(places + 1, '0')
  return places === 0 ? written : `${written.slice(0, -places)}.${written.slice(-places)}`
}

const dayMs = 86_400_000

/** Days are counted from 1900, with a 29 February that never was, or from 1904. */
function momentOf(value: number, kind: 'date' | 'time' | 'datetime' | 'duration', from1904: boolean): string | null {
  if (Math.abs(value) > 2_958_465) return null
  if (kind === 'duration') return durationOf(value)
  if (value < 0) return null
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  const iso = new Date(start + Math.round(value * 86_400) * 1000).toISOString()
  if (kind === 'date') return iso.slice(0, 10)
  if (kind === 'time') return new Date(Math.round((value % 1) * dayMs)).toISOString().slice(11, 19)
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

/** Hours in all, however many days they are. */
function durationOf(value: number): string {
  const seconds = Math.round(Math.abs(value) * 86_400)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  return `${value < 0 ? '-' : ''}${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
}
