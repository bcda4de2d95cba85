/** Whether handing a content in again, under a key that was used before, has nothing to do. */

import type { Schema } from './api.js'

/** False when the document says something else by now, or was taken out unread: `hash` is the SHA-256 of what is handed in, as hex. */
export function saysStill({ status, reason, file, content_hash }: Schema['Document'], hash: string): boolean {
  const isTakenOut = status === 'rejected' && /^(Cancelled|Discarded) by /.test(reason ?? '')
  return !isTakenOut && (file?.sha256 ?? content_hash) === hash
}

/** Its key stays used, so that a late retry does not bring it back: only who means to hands it in again, as another document. Null: it was not erased. */
export function erasedWords({ erased_at }: Pick<Schema['Document'], 'erased_at'>): string | null {
  if (erased_at === null) return null
  return `It was erased on ${erased_at.slice(0, 10)} and is not taken again by itself. To hand it in all the same, give the file another name.`
}
