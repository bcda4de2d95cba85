/**
 * Whether two values can both be true: magnitudes and written precision respected, ranges by containment, ratings and
 * statuses only within their set. Says also by how much they differ.
 */
import type { ClaimValue } from './types.js'
import { scaleOf } from './units.js'

export type Comparison = 'equal' | 'compatible' | 'different' | 'incomparable'

interface Numeric {
  low: number
  high: number
  precision: number
  approximate: boolean
}

function numeric(a: Numeric, b: Numeric): Comparison {
  const tolerance = (Math.max(a.precision, b.precision) / 2) * 1.0001
  // "Approximately 40" allows what a person would round to it.
  const slack = (a.approximate || b.approximate ? Math.max(Math.abs(a.high), Math.abs(b.high)) * 0.01 : 0) + tolerance
  const aPoint = a.low === a.high
  const bPoint = b.low === b.high
  if (aPoint && bPoint) {
    if (Math.abs(a.low - b.low) <= Math.abs(a.low) * 1e-9) return 'equal'
    if (Math.abs(a.low - b.low) <= slack) return 'compatible'
    // A cost in parentheses and the same cost without sign are one figure.
    return Math.abs(Math.abs(a.low) - Math.abs(b.low)) <= tolerance && a.low * b.low < 0 ? 'compatible' : 'different'
  }
  if (Math.abs(a.low - b.low) <= slack && Math.abs(a.high - b.high) <= slack) return 'equal'
  const contains = (outer: Numeric, inner: Numeric): boolean => outer.low - slack <= inner.low && inner.high <= outer.high + slack
  return contains(a, b) || contains(b, a) ? 'compatible' : 'different'
}

const inBase = (v: Numeric, size: number): Numeric => ({
  low: v.low * size,
  high: v.high * size,
  precision: v.precision * size,
  approximate: v.approximate,
})

function quantities(a: Extract<ClaimValue, { type: 'quantity' }>, b: Extract<ClaimValue, { type: 'quantity' }>): Comparison {
  if (a.unit === b.unit) return numeric(a, b)
  if ((a.unit === null && b.unit === 'FTE') || (a.unit === 'FTE' && b.unit === null)) return numeric(a, b)
  const left = a.unit ? scaleOf(a.unit) : null
  const right = b.unit ? scaleOf(b.unit) : null
  if (!left || !right || left.dimension !== right.dimension) return 'incomparable'
  return numeric(inBase(a, left.size), inBase(b, right.size))
}

type Dated = Extract<ClaimValue, { type: 'date' }>

/** Begin and end are the same days, or lie in the months that are all one side gives. */
function sameEnds(a: Dated, b: Dated): boolean {
  const months = (x: Dated): boolean => x.from.endsWith('-01') && x.to.endsWith('-01')
  const near = (x: string, y: string): boolean => Math.abs(Date.parse(x) - Date.parse(y)) <= 31 * 86_400_000
  return (months(a) || months(b)) && near(a.from, b.from) && near(a.to, b.to)
}

export function compareValues(a: ClaimValue, b: ClaimValue): Comparison {
  if (a.type === 'money' && b.type === 'money')
    return a.currency && b.currency && a.currency !== b.currency ? 'incomparable' : numeric(a, b)
  if (a.type === 'percent' && b.type === 'percent') return a.points !== b.points ? 'incomparable' : numeric(a, b)
  if (a.type === 'quantity' && b.type === 'quantity') return quantities(a, b)
  if (a.type === 'date' && b.type === 'date') {
    if (a.from === b.from && a.to === b.to) return 'equal'
    if (a.from >= b.to || b.from >= a.to) return 'different'
    // "Closed from 3 May to 9 June" against "from 3 May to 20 May": what lasts has a begin and an end.
    return a.grain === 'range' && b.grain === 'range' && !sameEnds(a, b) ? 'different' : 'compatible'
  }
  if (a.type === 'category' && b.type === 'category') return a.set !== b.set ? 'incomparable' : a.value === b.value ? 'equal' : 'different'
  if (a.type === 'boolean' && b.type === 'boolean') return a.value === b.value ? 'equal' : 'different'
  if (a.type === 'name' && b.type === 'name') return a.value.toLowerCase() === b.value.toLowerCase() ? 'equal' : 'different'
  return 'incomparable'
}

/** Relative distance of two numeric values, 0 to 1; null for others. */
export function distance(a: ClaimValue, b: ClaimValue): number | null {
  if (!('low' in a) || !('low' in b)) return null
  const mid = (v: Extract<ClaimValue, { low: number }>): number =>
    ((v.low + v.high) / 2) * ((v.type === 'quantity' && v.unit && scaleOf(v.unit)?.size) || 1)
  const x = mid(a)
  const y = mid(b)
  const size = Math.max(Math.abs(x), Math.abs(y))
  return size === 0 ? 0 : Math.min(1, Math.abs(x - y) / size)
}

/** Values that count as one side of a contradiction share this key. */
export function valueKey(value: ClaimValue): string {
  switch (value.type) {
    case 'money':
      return `money:${value.currency ?? '?'}:${value.low}:${value.high}`
    case 'percent':
      return `percent:${value.points ? 'pp' : ''}:${value.low}:${value.high}`
    case 'quantity':
      return `quantity:${value.unit ?? ''}:${value.low}:${value.high}`
    case 'date':
      return `date:${value.from}:${value.to}`
    case 'category':
      return `category:${value.set}:${value.value}`
    case 'boolean':
      return `boolean:${value.value}`
    case 'name':
      return `name:${value.value.toLowerCase()}`
  }
}
