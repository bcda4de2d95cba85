/** The idempotency key of a request: from the header or the body, and the same in both when it is in both. */

import { findUnstorable } from './json-body.js'
import { validationFailed } from './validation.js'

export function idempotencyKeyOf(headers: Record<string, string | undefined>, inBody?: string): string | undefined {
  const raw = headers['idempotency-key']
  // Header bytes arrive as Latin-1; keys are compared as the text that was meant.
  const inHeader = raw === undefined ? undefined : Buffer.from(raw, 'latin1').toString('utf8')
  const faults = findUnstorable(inHeader, '/headers/idempotency-key')
  if (faults.length > 0) throw validationFailed(faults)
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw validationFailed([{ pointer: '/idempotency_key', detail: 'differs from the header Idempotency-Key' }])
  }
  return inBody ?? inHeader
}

export function replayed(was: boolean): Record<string, string> {
  return was ? { 'idempotent-replayed': 'true' } : {}
}
