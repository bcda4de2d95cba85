/** Whether a case can be signed off as it stands, by the gates of its last round. Pure. */

import type { Schema } from '../src/contract/types.js'

/**
 * The gate of examination is what signing is for. Content may be missing while papers could not be read: one that the signer read counts as
 * content, and only the sign-off says so.
 */
export function canBeSignedOff(gates: readonly Pick<Schema['Gate'], 'gate' | 'ok'>[], unreadPapers: number): boolean {
  return gates.every(({ gate, ok }) => ok || gate === 'examined' || (gate === 'minimum_content' && unreadPapers > 0))
}
