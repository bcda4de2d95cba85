/** Whether who signs in again over a page is who was there before. Pure. */

import type { Schema } from '../src/contract/types.js'

type Who = Pick<Schema['Me'], 'tenant_id' | 'person' | 'rights' | 'reach'>

/** A person is known by their name, whatever they may do by now. Keys of nobody by name that may do the same cannot be told apart. */
export function isSameReader(before: Who, now: Who): boolean {
  if (before.tenant_id !== now.tenant_id || before.person !== now.person) return false
  return now.person !== null || mayDo(before) === mayDo(now)
}

function mayDo({ rights, reach }: Who): string {
  return JSON.stringify([[...rights].sort(), reach && [...reach].sort()])
}
