/** What papers are called, who issued them and when they came, for lists that people are handed. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { TenantTransaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

export interface PaperName {
  document_id: string
  revision: number
  name: string
  received_at: string
  /** As the paper states them; null where it does not, or was not read. */
  issuer: string | null
  issued_on: string | null
}

/** Of the revisions asked for; what was erased has no name left. */
export async function readPaperNames(tx: TenantTransaction, scope: ScopePlace, papers: readonly RevisionRef[]): Promise<PaperName[]> {
  if (papers.length === 0) return []
  return tx.rows<PaperName>(
    `select document_id, revision, name, received_at, left(profile->>'issuer', 120) as issuer, left(profile->>'issuedOn', 120) as issued_on
     from documents join unnest($4::text[], $5::int[]) as asked(document_id, revision) using (document_id, revision)
     where ${ofPlace} and erased_at is null`,
    [...placeOf(scope), ...columnsOf(papers, 'documentId', 'revision')],
  )
}
