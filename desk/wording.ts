/** Names, times and counts as people read them. */

import { countOf } from '../src/contract/field-words.js'

/** With a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toLocaleUpperCase('en')}${text.slice(1)}.`
}

/** In the reader's own time and as their locale writes it, to the minute. */
export function moment(time: string | null | undefined): string {
  return time === null || time === undefined ? '–' : toTheMinute.format(new Date(time))
}

const toTheMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A day without a time, such as when something is due. */
export function day(date: string): string {
  return toTheDay.format(new Date(`${date}T00:00:00Z`))
}

/** A period is as the paper names it; where it is a day, as the reader's locale writes one. Papers also write days that are none ("0000-00-00"). */
export function periodWords(period: string | null): string | null {
  return period !== null && /^\d{4}-\d{2}-\d{2}$/.test(period) && !Number.isNaN(Date.parse(period)) ? day(period) : period
}

const toTheDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** To the second, with where the reader is and in UTC. */
export function exactMoment(time: string): string {
  return `${toTheSecond.format(new Date(time))} (${time})`
}

// To make one takes as long as to draw dozens of rows.
const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

export function ago(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000))
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return seconds < 14 * 86_400 ? countOf(Math.floor(seconds / 86_400), 'day') + ' ago' : toTheDay.format(new Date(time))
}

/** Who read something: a person by name, else with what; which session it was is for the record, not for readers. */
export function readerWords(by: string): string {
  if (by.startsWith('session:')) return 'somebody signed in with a key'
  return by.startsWith('key:') ? `the key ${by.slice('key:'.length)}` : by
}

/** Who found something, for a small place: the name of a model is told where there is room. */
export function finderWords(foundBy: string): string {
  return foundBy.startsWith('model:')
    ? 'by a model'
    : foundBy === 'person'
      ? 'reported'
      : foundBy.startsWith('person:')
        ? `by ${foundBy.slice('person:'.length)}`
        : 'by the rules'
}
