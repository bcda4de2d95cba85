/**
 * What a model had added to the reading of a text, where it is read again and the model answers not at all or about some of its parts
 * only. The text is the same, so what was added is still in it; a whole answer alone takes its place.
 */

import type { FoundReading, ModelRead } from '../models/model-read.js'
import type { ExtractedClaim } from '../reading/types.js'
import type { AttachedFindings } from '../store/findings/attached-findings.js'
import { valueKey } from './carry-over.js'

/** Without a new answer. Its links are findings by now. */
export function addedBefore(attached: Pick<AttachedFindings, 'model'> | null): FoundReading | null {
  if (attached?.model == null) return null
  return { foundBy: attached.model.foundBy, added: addedBy(attached.model), links: [], acquitted: [] }
}

/**
 * Those that the new answer lacks stand behind its own, for its links count claims by their place. One that overlaps and says the same
 * value is the successor by which findings go on (see `carry-over`).
 */
export function withAddedBefore(read: ModelRead, attached: Pick<AttachedFindings, 'model'> | null): ModelRead {
  if (read.reading === null || read.outcome === 'answered' || attached?.model == null) return read
  const { added } = read.reading
  const lacking = addedBy(attached.model).filter(old => !added.some(claim => isSuccessor(claim, old)))
  return lacking.length === 0 ? read : { ...read, reading: { ...read.reading, added: [...added, ...lacking] } }
}

function addedBy({ added }: NonNullable<AttachedFindings['model']>): ExtractedClaim[] {
  return added as ExtractedClaim[]
}

function isSuccessor(claim: ExtractedClaim, old: ExtractedClaim): boolean {
  return claim.start < old.end && old.start < claim.end && valueKey(claim) === valueKey(old)
}
