/** What a document is about, said beside a body of closed form. */

import { aboutCharacters } from '../contract/documents.js'
import { canBeSeen } from '../platform/visible-text.js'
import { findUnstorable } from './json-body.js'
import { validationFailed, visibleAsked } from './validation.js'

const pointer = '/headers/x-document-about'

/** Null where it is not said. */
export function aboutOf({ 'x-document-about': given }: { 'x-document-about'?: string | undefined }): string | null {
  if (given === undefined) return null
  const about = decoded(given)
  const faults = findUnstorable(about, pointer)
  if (faults.length > 0) throw validationFailed(faults)
  if (!canBeSeen(about)) throw validationFailed([{ pointer, detail: visibleAsked }])
  if (Array.from(about).length > aboutCharacters) {
    throw validationFailed([{ pointer, detail: `must have at most ${aboutCharacters} characters` }])
  }
  return about
}

/** Other bytes than ASCII arrive differently by the way they came. */
function decoded(given: string): string {
  try {
    if (/^[ -~]*$/.test(given)) return decodeURIComponent(given)
  } catch {
    // Refused as well.
  }
  throw validationFailed([{ pointer, detail: 'must be percent-encoded UTF-8' }])
}
