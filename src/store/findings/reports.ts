/** Contradictions that somebody reported in words: which documents they are about. */

import { inPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** Named as a source by its id or by a name that one of its revisions has; the place is $1 to $3. */
export const isReportedOf = (alias: string, documentId: string) => {
  const names = (source: string) => `${alias}.reported->>'${source}' = ${documentId} or ${alias}.reported->>'${source}' in (
    select d.name from documents d where ${inPlace('d')} and d.document_id = ${documentId} and d.name <> '')`
  return `(${alias}.kind = 'reported' and (${names('source_a')} or ${names('source_b')}))`
}

/** Those that are said: their words were not erased with a document yet. */
export async function listReportsOf(tx: Transaction, place: ScopePlace, documentId: string): Promise<number[]> {
  return tx.column<number>(
    `select x.contradiction_no from contradictions x where ${inPlace('x')} and x.reported->>'claim_a' <> '' and ${isReportedOf('x', '$4')}`,
    [...placeOf(place), documentId],
  )
}
