/**
 * A document that is read again, but by the same reader: only what is concluded from its claims is new. They are taken as they are
 * stored, so that a new comparer judges documents whose texts are gone as well.
 */

import { keptReading } from '../../models/model-read.js'
import type { ExtractedClaim, Extraction } from '../../reading/types.js'
import { COMPARER_VERSION, READER_NAME, READER_VERSION, RULES_VERSION } from '../../reading/version.js'
import { findModelReading } from '../../store/documents/model-readings.js'
import { readStoredReading, type StoredReading } from '../../store/documents/stored-readings.js'
import type { Lease, LeasedDocument } from '../../store/leases/leases.js'
import type { Database } from '../../store/server/database.js'

/** Its extraction as JSON; null where its text has to be read, or nothing is kept that this comparer understands. */
export async function judgedAgain(db: Database, lease: Lease, document: LeasedDocument): Promise<string | null> {
  if (document.reread === null || document.reread.model) return null
  return db.inTenant(
    lease.tenantId,
    async tx => {
      const kept = await readStoredReading(tx, lease, document)
      if (kept === null || !isOfThisReader(kept) || kept.extractorVersion === RULES_VERSION) return null
      const model = await findModelReading(tx, lease, document)
      return JSON.stringify(extractionOf(kept, model?.reading == null ? [] : keptReading(model.reading).added))
    },
    { readOnly: true },
  )
}

const isOfThisReader = ({ extractor, profile }: StoredReading): boolean => extractor === READER_NAME && profile['reader'] === READER_VERSION

/** What a model added comes with its own reading. Words that the document defines, or a glossary did, are in its claims. */
function extractionOf({ profile, claims, goals, risks }: StoredReading, added: readonly ExtractedClaim[]): Extraction {
  const isAdded = (claim: ExtractedClaim): boolean =>
    added.some(each => each.start === claim.start && each.end === claim.end && each.valueText === claim.valueText)
  return {
    extractor: READER_NAME,
    version: RULES_VERSION,
    profile: { ...profile, comparer: COMPARER_VERSION } as unknown as Extraction['profile'],
    claims: claims.filter(claim => !isAdded(claim)),
    goals,
    risks,
  }
}
