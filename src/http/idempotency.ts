/** The idempotency key of a request: from the header or the body, and the same in both when it is in both. */

import { validationFailed } from './validation.js'

export function idempotencyKeyOf(headers: Record<string, string | undefined>, inBody?: string): string | undefined {
  const inHeader = headers['idempotency-key']
  // Intermediaries may decode other bytes differently: two keys must never become one on the way.
  if (inHeader !== undefined && !/^[ -~]*$/.test(inHeader)) {
    throw validationFailed([{ pointer: '/headers/idempotency-key', detail: 'must be ASCII; send non-ASCII keys in the body' }])
  }
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw validationFailed([{ pointer: '/idempotency_key', detail: 'must match the Idempotency-Key header' }])
  }
  return inBody ?? inHeader
}

export function replayed(was: boolean): Record<string, string> {
  return was ? { 'idempotent-replayed': 'true' } : {}
}
