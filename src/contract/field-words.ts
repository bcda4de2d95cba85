/** The words people of the field read for what the API calls otherwise, the same on the command line, in papers and at the desk. */

import type { Schema } from './types.js'

export function countOf(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

export const finalityWords: Record<Schema['FinalityStatus'], string> = {
  active: 'open',
  review: 'needs a person',
  resolved: 'review complete',
  escalated: 'escalated',
  blocked: 'blocked',
}

/** The state of a document; the service's own word where that is one. */
export function statusWords(status: string): string {
  return { indexed: 'read', quarantined: 'could not be read' }[status] ?? status
}
