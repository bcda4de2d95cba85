/** What papers are called and when they came, for lists that people are handed. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'

export interface PaperName {
  document_id: string
  name: string
  received_at: string
}

/** Of the present revisions; what was erased has no name left. */
export async function readPaperNames(tx: TenantTransaction, scope: ScopePlace, documentIds: readonly string[]): Promise<PaperName[]> {
  if (documentIds.length === 0) return []
  return tx.rows<PaperName>(
    `select document_id, name, received_at from documents where ${ofPlace} and current and erased_at is null and document_id = any ($4::text[])`,
    [...placeOf(scope), documentIds],
  )
}
