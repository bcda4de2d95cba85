/**
 * A document that is read again, but only what is concluded from its claims is new: where another comparer judged it, where statements of
 * it count again, and where its text is gone. Its claims are taken as they are stored, so that nothing that counts again goes uncompared
 * for want of a text or because a text cannot be read. They stay those of the reader that made them, and are held against its others alone.
 */

import { keptReading } from '../../models/model-read.js'
import type { ExtractedClaim, Extraction } from '../../reading/types.js'
import { COMPARER_VERSION, READER_NAME, READER_VERSION, RULES_VERSION } from '../../reading/version.js'
import { findModelReading } from '../../store/documents/model-readings.js'
import { readStoredReading, type StoredReading } from '../../store/documents/stored-readings.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'

/** Its extraction as JSON; null where its text has to be read, or nothing of it is kept. */
export async function judgedAgain(db: Database, lease: Lease, document: LeasedDocument): Promise<string | null> {
  if (document.reread === null || document.reread.model) return null
  return db.inTenant(
    lease.tenantId,
    async tx => {
      const kept = await readStoredReading(tx, lease, document)
      if (kept === null || kept.extractor !== READER_NAME) return null
      if (document.text !== null && !isRead(kept, document.reread?.depth)) return null
      const model = await findModelReading(tx, lease, { documentId: document.documentId, revision: kept.revision })
      return JSON.stringify(extractionOf(kept, model?.reading == null ? [] : keptReading(model.reading).added))
    },
    { readOnly: true },
  )
}

/** By the reader in use, and nobody asked for more than a comparison: another comparer judged it, or a change of what counts asks (`depth`). */
function isRead({ profile, extractorVersion }: StoredReading, depth = 0): boolean {
  return profile['reader'] === READER_VERSION && (extractorVersion !== RULES_VERSION || depth > 0)
}

/** What a model added comes with its own reading. Words that the document defines, or a glossary did, are in its claims. */
function extractionOf({ profile, claims, goals, risks }: StoredReading, added: readonly ExtractedClaim[]): Extraction {
  const isAdded = (claim: ExtractedClaim): boolean =>
    added.some(each => each.start === claim.start && each.end === claim.end && each.valueText === claim.valueText)
  return {
    extractor: READER_NAME,
    version: `${profile['reader']}.${COMPARER_VERSION}`,
    profile: { ...profile, comparer: COMPARER_VERSION } as unknown as Extraction['profile'],
    claims: claims.filter(claim => !isAdded(claim)),
    goals,
    risks,
  }
}
