/** Ids that a list is narrowed to, as they stand in a query: parted by commas, a comma within one encoded. */

import { AppError } from '../platform/errors.js'
import { isStorable } from './storable.js'

const mostIds = 100

/** Null where the list is not narrowed. */
export function idsAsked(ids: string | undefined): string[] | null {
  if (ids === undefined) return null
  const asked = ids.split(',').map(decoded)
  if (asked.length > mostIds) throw refused(`must name at most ${mostIds}`)
  return [...new Set(asked)].filter(isStorable)
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch (cause) {
    throw refused('must be percent-encoded', cause)
  }
}

function refused(detail: string, cause?: unknown): AppError {
  const fault = { pointer: '/query/ids', detail }
  return new AppError('VALIDATION_FAILED', { detail: `${fault.pointer}: ${detail}`, errors: [fault], cause })
}
