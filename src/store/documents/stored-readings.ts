/** What was read of a document, as it is stored: enough to compare it again when its text is gone. */

import type { ExtractedClaim, Goal, Risk } from '../../reading/types.js'
import { type ClaimRow, claimRowColumns, toExtracted } from '../claims/claims.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

export interface StoredReading {
  extractor: string
  extractorVersion: string
  profile: Record<string, unknown>
  /** Those of its reading, also what a model added to it, in their order. */
  claims: ExtractedClaim[]
  goals: Goal[]
  risks: Risk[]
}

type Revision = { documentId: string; revision: number }

/** Null where it was not read, or its words are erased. */
export async function readStoredReading(tx: Transaction, place: ScopePlace, document: Revision): Promise<StoredReading | null> {
  const values = [...placeOf(place), document.documentId, document.revision]
  const found = await tx.row<Omit<StoredReading, 'claims' | 'goals' | 'risks'> & { firstClaimNo: number; claimCount: number }>(
    `select extractor, extractor_version as "extractorVersion", profile,
       coalesce(first_claim_no, 0) as "firstClaimNo", claim_count as "claimCount"
     from documents where ${ofPlace} and document_id = $4 and revision = $5
       and extractor is not null and profile is not null and erased_at is null`,
    values,
  )
  if (found === null) return null
  const { firstClaimNo, claimCount, ...reading } = found
  const content = `${ofPlace} and document_id = $4 and revision = $5 and live order by ordinal`
  const passage = `start_at as start, end_at as end, coalesce(quote, '') as quote, coalesce(what, '') as what`
  const [rows, goals, risks] = await Promise.all([
    tx.rows<ClaimRow & { quote: string | null }>(
      `select ${claimRowColumns}, c.quote from claims c
       where ${inPlace('c')} and c.claim_no >= $4 and c.claim_no < $5 order by c.claim_no`,
      [...placeOf(place), firstClaimNo, firstClaimNo + claimCount],
    ),
    tx.rows<Goal>(`select ${passage}, owner, due, done from goals where ${content}`, values),
    tx.rows<Risk>(`select ${passage}, level from risks where ${content}`, values),
  ])
  return { ...reading, claims: rows.map(row => toExtracted(row, row.quote ?? '')), goals, risks }
}
