/** The idempotency key of a request: from the header or the body, and the same in both when it is in both. */

import { validationFailed } from './validation.js'

export function idempotencyKeyOf(headers: Record<string, string | undefined>, inBody?: string): string | undefined {
  const inHeader = headers['idempotency-key']
  // What other bytes mean depends on who reads them: two keys must never become one on the way.
  if (inHeader !== undefined && !/^[ -~]*$/.test(inHeader)) {
    throw validationFailed([{ pointer: '/headers/idempotency-key', detail: 'must be ASCII; any other key can be given in the body' }])
  }
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw validationFailed([{ pointer: '/idempotency_key', detail: 'differs from the header Idempotency-Key' }])
  }
  return inBody ?? inHeader
}

export function replayed(was: boolean): Record<string, string> {
  return was ? { 'idempotent-replayed': 'true' } : {}
}
