/**
 * A document that is read again, but only what is concluded from its claims is new: by the same reader where another comparer judged it,
 * by whatever reader where its text is gone. Its claims are taken as they are stored, so that nothing that counts again goes uncompared
 * for want of a text. They stay those of the reader that made them, and are held against its others alone.
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
      const isJudgedByAnother = kept.profile['reader'] === READER_VERSION && kept.extractorVersion !== RULES_VERSION
      if (document.text !== null && !isJudgedByAnother) return null
      const model = await findModelReading(tx, lease, { documentId: document.documentId, revision: kept.revision })
      return JSON.stringify(extractionOf(kept, model?.reading == null ? [] : keptReading(model.reading).added))
    },
    { readOnly: true },
  )
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
