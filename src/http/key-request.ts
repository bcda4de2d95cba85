/** Validation of key requests that JSON Schema cannot express. */

import type { Static } from 'typebox'
import type { CreateKeyRequest } from '../contract/tenants.js'
import { instantOf } from '../scopes/instants.js'
import { validationFailed } from './validation.js'

export function checkedKey(wanted: Static<typeof CreateKeyRequest>, now: Date): Static<typeof CreateKeyRequest> {
  if (wanted.speak_for === false && wanted.person === undefined) {
    throw validationFailed([{ pointer: '/speak_for', detail: 'requires `person` when false' }])
  }
  if (wanted.expires_at === undefined) return wanted
  const end = instantOf(wanted.expires_at, '/expires_at')
  if (Date.parse(end) <= now.getTime()) {
    throw validationFailed([{ pointer: '/expires_at', detail: 'must be a timestamp in the future, such as 2030-01-31T09:00:00Z' }])
  }
  return { ...wanted, expires_at: end }
}
