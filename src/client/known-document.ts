/** Whether handing a content in again, under a key that was used before, has nothing to do. */

import type { Schema } from './api.js'

/** False when the document says something else by now, or was taken out unread: `hash` is the SHA-256 of what is handed in, as hex. */
export function saysStill({ status, reason, file, content_hash }: Schema['Document'], hash: string): boolean {
  const isTakenOut = status === 'rejected' && /^(Cancelled|Discarded) by /.test(reason ?? '')
  return !isTakenOut && (file?.sha256 ?? content_hash) === hash
}
