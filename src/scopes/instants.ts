/** Instants and days from requests, as the database takes them: any offset, and no year it does not know. */

import { invalidMember } from '../platform/errors.js'

const earliest = '0001-01-01T00:00:00.000Z'
const latest = '9999-12-31T23:59:59.999Z'

/** The instant in UTC; what lies outside the years 1 to 9999 is moved to their edge. */
export function instantOf(text: string, pointer: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw invalidMember(pointer, 'must be an instant such as 2026-01-31T09:00:00Z')
  return new Date(Math.min(Math.max(ms, Date.parse(earliest)), Date.parse(latest))).toISOString()
}

export function optionalInstant(text: string | undefined, pointer: string): string | null {
  return text === undefined ? null : instantOf(text, pointer)
}

/** The day of a date, or the day in UTC of an instant. */
export function dayOf(text: string, pointer: string): string {
  return instantOf(text, pointer).slice(0, 10)
}
