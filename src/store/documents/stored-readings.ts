/** What was read of a document, as it is stored: enough to compare it again when its text is gone. */

import type { ExtractedClaim, Goal, Risk } from '../../reading/types.js'
import { type ClaimRow, claimRowColumns, toExtracted } from '../claims/claims.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

export interface StoredReading {
  /** The revision that was read: of unchanged text one before. */
  revision: number
  extractor: string
  extractorVersion: string
  profile: Record<string, unknown>
  /** Those of its reading, also what a model added to it, in their order. */
  claims: ExtractedClaim[]
  goals: Goal[]
  risks: Risk[]
}

type Revision = { documentId: string; revision: number }

/** Of a document, the row of the revision whose reading it has: of unchanged text that is one before. */
export const readRevisionSql = (document: string, columns: string) => `(
  select ${columns} from documents p
  where p.tenant_id = ${document}.tenant_id and p.scope_no = ${document}.scope_no and p.generation = ${document}.generation
    and p.document_id = ${document}.document_id and p.revision <= ${document}.revision and p.status = 'indexed' and p.profile is not null
  order by p.revision desc limit 1)`

/** Null where it was not read, or its words are erased. */
export async function readStoredReading(tx: Transaction, place: ScopePlace, document: Revision): Promise<StoredReading | null> {
  const found = await tx.row<Omit<StoredReading, 'claims' | 'goals' | 'risks'> & { firstClaimNo: number; claimCount: number }>(
    `select r.revision, d.extractor, d.extractor_version as "extractorVersion", r.profile,
       coalesce(d.first_claim_no, 0) as "firstClaimNo", d.claim_count as "claimCount"
     from documents d cross join lateral ${readRevisionSql('d', 'p.revision, p.profile')} r
     where ${inPlace('d')} and d.document_id = $4 and d.revision = $5 and d.extractor is not null and d.erased_at is null`,
    [...placeOf(place), document.documentId, document.revision],
  )
  if (found === null) return null
  const { firstClaimNo, claimCount, ...reading } = found
  const values = [...placeOf(place), document.documentId, reading.revision]
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
