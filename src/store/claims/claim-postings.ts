/** Claims by the words they are found under, newest first and bounded: what a search looks at does not grow with the scope. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'

/** Of a word that more claims have, the newest are looked at. */
export const mostPostings = 200

export interface Posting {
  term: string
  claimNos: number[]
  /** The oldest revision looked at, by its first claim. */
  oldest: number
}

/** Without `documentId` of all documents. */
export async function readPostings(
  tx: Transaction,
  place: ScopePlace,
  wanted: { terms: readonly string[]; documentId: string | null },
): Promise<Posting[]> {
  if (wanted.terms.length === 0) return []
  const ofDocument = `and first_claim_no = any (array(
    select first_claim_no from documents
    where ${ofPlace} and document_id = $5 and first_claim_no is not null))`
  return tx.rows<Posting>(
    `select k.term, r."claimNos", r.oldest from unnest($4::text[]) as k (term)
     cross join lateral (
       select array_agg(p.claim_no) as "claimNos", min(p.first_claim_no) as oldest from (
         select t.first_claim_no, n.claim_no from (
           select first_claim_no, claim_nos from claim_terms
           where ${ofPlace} and term = k.term ${wanted.documentId === null ? '' : ofDocument}
           order by term desc, first_claim_no desc limit ${mostPostings}
         ) t cross join lateral unnest(t.claim_nos) as n (claim_no)
         limit ${mostPostings}
       ) p
     ) r
     where r.oldest is not null`,
    [...placeOf(place), wanted.terms, ...(wanted.documentId === null ? [] : [wanted.documentId])],
  )
}

/** Number of the newest claim, replaced or not; -1 without any. */
export async function newestClaimNo(tx: Transaction, place: ScopePlace): Promise<number> {
  const newest = await tx.value<number | null>(
    `select claim_no from claims where ${ofPlace} order by tenant_id desc, scope_no desc, generation desc, claim_no desc limit 1`,
    placeOf(place),
  )
  return newest ?? -1
}
