/** What a schema cannot say about a key that is asked for. */

import type { Static } from 'typebox'
import type { CreateKeyRequest } from '../contract/tenants.js'
import { validationFailed } from './validation.js'

export function checkedKey(wanted: Static<typeof CreateKeyRequest>): Static<typeof CreateKeyRequest> {
  if (wanted.speak_for === false && wanted.person === undefined) {
    throw validationFailed([{ pointer: '/speak_for', detail: 'a key that speaks for nobody else needs a person' }])
  }
  if (wanted.expires_at === undefined) return wanted
  const end = Date.parse(wanted.expires_at)
  // The database has no name for the year 0.
  if (!(end > 0)) throw validationFailed([{ pointer: '/expires_at', detail: 'must be a time of this age, such as 2030-01-31T09:00:00Z' }])
  return { ...wanted, expires_at: new Date(end).toISOString() }
}
