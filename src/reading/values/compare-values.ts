/** Whether two figures, days or times say the same, by what was written: precision, ranges, bounds, "about", units of one dimension. */
import type { ClaimValue, Period } from '../types.js'
import { NO_YEAR } from '../words/tokens.js'
import { CLOCK } from './clock.js'
import { scaleOf } from './unit-table.js'

export type Numeric = Extract<ClaimValue, { type: 'money' | 'percent' | 'quantity' }>

/** Kind and dimension: only figures with the same one can be compared. */
export function dimensionOf(value: Numeric): string {
  if (value.type === 'money') return `money ${value.currency ?? '?'}`
  if (value.type === 'percent') return value.points ? 'points' : 'percent'
  if (value.unit === null) return 'count'
  return scaleOf(value.unit)?.dimension ?? value.unit
}

/** In the base of its dimension. */
function scaled(value: Numeric): { low: number; high: number; precision: number } {
  const size = value.type === 'quantity' && value.unit !== null ? (scaleOf(value.unit)?.size ?? 1) : 1
  return { low: value.low * size, high: value.high * size, precision: value.precision * size }
}

export interface Interval {
  low: number
  high: number
}

const SPAN = /^(?:minute|hour|day|week|month|year)s?$/

/** All that a figure as written may stand for. */
export function intervalOf(value: Numeric, bound: 'min' | 'max' | null): Interval {
  const { low, high, precision } = scaled(value)
  // "Two years" are not said of eighteen months.
  const share = value.type === 'quantity' && value.unit !== null && SPAN.test(value.unit) ? 0.2 : 0.49
  const slack = Math.max(precision * share, value.approximate ? Math.abs(high) * 0.04 : 0)
  if (bound === 'min') return { low: low - slack, high: Number.POSITIVE_INFINITY }
  if (bound === 'max') return { low: Number.NEGATIVE_INFINITY, high: high + slack }
  return { low: low - slack, high: high + slack }
}

export const meets = (a: Interval, b: Interval): boolean => a.low <= b.high && b.low <= a.high

/** What a figure stands for: an interval, and for one that is given as one number how coarse it may be. */
export interface Figure {
  interval: Interval
  exact: number | null
  /** What it may be rounded to, by the zeros at its end. */
  coarse: number
}

export function figureOf(value: Numeric, bound: 'min' | 'max' | null): Figure & { slack: number } {
  const { low, high } = scaled(value)
  const exact = low === high && dimensionOf(value) !== CLOCK ? low : null
  let coarse = 1
  if (exact === null || !Number.isInteger(exact) || exact === 0) coarse = 0
  else while (exact % (coarse * 10) === 0) coarse *= 10
  const interval = intervalOf(value, bound)
  return { interval, exact, coarse, slack: bound === null ? (interval.high - interval.low - (high - low)) / 2 : 0 }
}

/** A whole number with zeros at its end may be rounded: 31,000 for 30,962. */
export function isRounded({ exact: x, coarse }: Figure, { exact: y, coarse: other }: Figure): boolean {
  const size = Math.max(coarse, other)
  if (size < 100 || x === null || y === null) return false
  const away = Math.abs(x - y)
  return away <= size / 2 && away <= 0.03 * Math.max(Math.abs(x), Math.abs(y))
}

const YEARLESS = `${NO_YEAR}-`
export const yearless = (period: Period): boolean => period.from.startsWith(YEARLESS)

export function samePeriod(a: Period, b: Period): boolean {
  if (a.from === b.from && a.to === b.to) return true
  if (yearless(a) || yearless(b)) return a.from.slice(4) === b.from.slice(4) && a.to.slice(4) === b.to.slice(4)
  // A day at the end of a period stands for the period: "as at 31 March" and "Q1".
  const [day, span] = a.grain === 'day' ? [a, b] : [b, a]
  return day.grain === 'day' && span.grain !== 'day' && day.to === span.to
}

/** One of these is one of those. */
export function shareTime(x: readonly Period[], y: readonly Period[]): boolean {
  for (const a of x) for (const b of y) if (samePeriod(a, b)) return true
  return false
}

export function overlaps(a: Period, b: Period): boolean {
  return a.from < b.to && b.from < a.to
}
