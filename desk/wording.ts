/** Names, times and counts as people read them. */

import type { Schema } from '../src/contract/types.js'

export function words(name: string): string {
  return name.replaceAll('_', ' ').replace(/\binverse\b/, '(inverse)')
}

export function countOf(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** With a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toLocaleUpperCase('en')}${text.slice(1)}.`
}

/** In the reader's own time, to the minute. */
export function moment(time: string | null | undefined): string {
  if (time === null || time === undefined) return '–'
  const at = new Date(time)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

export function ago(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000))
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return seconds < 14 * 86_400 ? countOf(Math.floor(seconds / 86_400), 'day') + ' ago' : moment(time).slice(0, 10)
}

export const finalityWords: Record<Schema['FinalityStatus'], string> = {
  active: 'open',
  review: 'needs a person',
  resolved: 'settled',
  escalated: 'escalated',
  blocked: 'blocked',
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
