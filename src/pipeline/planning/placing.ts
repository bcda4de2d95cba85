/** Gives the claims of documents that were read their place in the scope: ids, numbers, slots, and the words their rivals share. Pure. */

import { type DerivedIds, derivedIds } from '../../kernel/derived-ids.js'
import type { FoundReading } from '../../models/model-read.js'
import type { LentClaim } from '../../models/verdicts.js'
import { lookupWeights, placeClaims } from '../../reading/relations/place.js'
import type { DocumentFacts, Extraction, PlacedClaim } from '../../reading/types.js'
import type { AttachedFindings } from '../../store/findings/attached-findings.js'
import type { LeasedDocument } from '../../store/leases/leases.js'
import type { StoredScope } from '../../store/scopes/rounds.js'
import type { WantedTerms } from './rivals.js'

/** What planning knows of a document. */
export type PlannableDocument = Omit<LeasedDocument, 'text'>

export interface ReadDocument {
  document: PlannableDocument
  /** Null for unchanged text. */
  extraction: Extraction | null
  /** What a model found in it beside what the scope held; null without. */
  model: FoundReading | null
  /** Whether a model compared it in full; absent where none was asked. */
  byModel?: boolean
  /** Where it is read again: what hangs on its reading before, and whether a model answered this time. */
  again: (AttachedFindings & { asked: boolean }) | null
  timings: Record<string, number>
}

export interface PlacedDocument {
  read: ReadDocument
  claims: readonly PlacedClaim[]
  /** Claims made of passages of other documents, numbered behind its own, those of one document together. */
  lent: readonly PlacedLent[]
  /** Words its rivals are looked up by. */
  wanted: WantedTerms
  facts: DocumentFacts | null
  firstClaimNo: number
}

export interface PlacedLent {
  key: string
  claim: PlacedClaim
}

/** Ends before a document whose claims cannot be placed. */
export interface Placing {
  placed: PlacedDocument[]
  failed: { read: ReadDocument; error: unknown } | null
}

/** Gives the claims of each document their place; their numbers are as if every document before it were admitted. */
export function placeAll(stored: StoredScope, reads: readonly ReadDocument[]): Placing {
  const ids = derivedIds('claim', stored)
  const placing: Placing = { placed: [], failed: null }
  let claimNo = stored.nextClaimNo
  for (const read of reads) {
    try {
      const document = placeOne(read, { glossary: stored.glossary, firstClaimNo: claimNo, ids })
      placing.placed.push(document)
      claimNo += document.claims.length + document.lent.length
    } catch (error) {
      return { ...placing, failed: { read, error } }
    }
  }
  return placing
}

/** The claims of one document in their scope. */
export function placeOne(
  read: ReadDocument,
  { glossary, firstClaimNo, ids }: { glossary: StoredScope['glossary']; firstClaimNo: number; ids: DerivedIds },
): PlacedDocument {
  const { documentId, revision, name, about } = read.document
  if (read.extraction === null) return { read, claims: [], lent: [], wanted: [], facts: null, firstClaimNo }
  const claimId = (index: number) => ids.idOf(firstClaimNo + index)
  const { claims, facts } = placeClaims({ extraction: read.extraction, documentId, revision, name, about, glossary, claimId })
  const lent = (read.model?.lent ?? []).map((each, index) => placeLent(each, ids.idOf(firstClaimNo + claims.length + index)))
  return { read, claims, lent, wanted: lookupWeights(claims), facts, firstClaimNo }
}

/** Found through the finding that needed it, and by no word. */
function placeLent({ key, documentId, revision, claim }: LentClaim, claimId: string): PlacedLent {
  const extraction = { profile: {}, claims: [claim] } as unknown as Extraction
  const glossary = { terms: {}, entities: {} }
  const { claims } = placeClaims({ extraction, documentId, revision, name: '', glossary, claimId: () => claimId })
  return { key, claim: { ...(claims[0] as PlacedClaim), lookupKeys: [] } }
}
