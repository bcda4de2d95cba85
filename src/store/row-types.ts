/**
 * How column values arrive: int8 as a number (refused beyond what a number holds exactly), timestamptz as an ISO
 * string in UTC with milliseconds, date and numeric as their text, json parsed. Connections run with TimeZone UTC.
 */

import pg from 'pg'
import { invariant } from '../platform/errors.js'

const oid = { int8: 20, int8Array: 1016, date: 1082, timestamptz: 1184, timestamptzArray: 1185, dateArray: 1182 } as const
const { builtins, getTypeParser } = pg.types

/** A type registry for one pool; the driver's global one stays as it is. */
export function createRowTypes(): pg.CustomTypesConfig {
  const textArray = getTypeParser(1009 as never, 'text') as (value: string) => (string | null)[]
  const parsers = new Map<number, (value: string) => unknown>([
    [oid.int8, parseInt8],
    [oid.int8Array, value => textArray(value).map(item => (item === null ? null : parseInt8(item)))],
    [oid.date, value => value],
    [oid.dateArray, value => textArray(value)],
    [oid.timestamptz, parseTimestamp],
    [oid.timestamptzArray, value => textArray(value).map(item => (item === null ? null : parseTimestamp(item)))],
  ])
  return {
    getTypeParser: ((type: number, format?: 'text' | 'binary') =>
      (format !== 'binary' && parsers.get(type)) || getTypeParser(type as typeof builtins.INT8, format as 'text')) as typeof getTypeParser,
  }
}

function parseInt8(value: string): number {
  const number = Number(value)
  invariant(Number.isSafeInteger(number), 'an int8 column holds more than a number can')
  return number
}

/** `2026-01-31 10:20:30.123456+00` → `2026-01-31T10:20:30.123Z`; `infinity` and years before 1 or past 9999 stay as they are. */
export function parseTimestamp(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d+)?\+00$/.test(value)) return value
  const fraction = value.charCodeAt(19) === 46 ? value.slice(20, -3) : ''
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}
