/** A moment as a person names it in a field, and as the service takes it. */

/** Of a minute its end, so that what happened in it is there; never later than now, which the service refuses. Null where none is named. */
export function momentAsked(field: string, nowMs: number): string | null {
  const start = Date.parse(field)
  return Number.isNaN(start) ? null : new Date(Math.min(start + 59_999, nowMs)).toISOString()
}

/** The beginning of a day as a field names it, or its end, in the reader's own time. Fields take years that no calendar has. */
export function instantOfDay(field: string, time: '00:00:00' | '23:59:59'): string {
  const ms = Date.parse(`${field}T${time}`)
  if (Number.isNaN(ms)) throw new Error('There is no such day: the year has four digits.')
  return new Date(ms).toISOString()
}

/** The minute of an instant as a field shows it, in the reader's own time. */
export function fieldOf(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
