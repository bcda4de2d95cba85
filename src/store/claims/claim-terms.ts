/**
 * Words under which the claims of a scope are found: lemmas and identifiers of each statement, one row for a word and a
 * document. Looked up by equality, which row-level security lets an index answer.
 */

import { cut } from '../../platform/storable-text.js'
import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { int8Array, textArray } from '../server/binary-arrays.js'
import type { Transaction } from '../server/database.js'

/** A word that more documents of the scope have names nothing: it is not used to find claims. */
export const commonTerm = 64

export interface TermRow {
  term: string
  /** Names the revision of a document that has the word. */
  firstClaimNo: number
  claimNos: number[]
}

const longestTerm = 120

/** What a revision of a document says is found from now on. */
export async function insertTerms(tx: Transaction, place: ScopePlace, rows: readonly TermRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(
    `insert into claim_terms (tenant_id, scope_no, generation, term, first_claim_no, claim_nos)
     select $1, $2, $3, t.term, t.first_claim_no, t.claim_nos::bigint[]
     from unnest($4::text[], $5::bigint[], $6::text[]) as t (term, first_claim_no, claim_nos)
     on conflict do nothing`,
    [
      ...placeOf(place),
      textArray(rows.map(row => row.term)),
      int8Array(rows.map(row => row.firstClaimNo)),
      textArray(rows.map(row => `{${row.claimNos.join()}}`)),
    ],
  )
}

/** What revisions said that are replaced is not looked for any more. */
export async function removeTerms(tx: Transaction, place: ScopePlace, firstClaimNos: readonly number[]): Promise<void> {
  if (firstClaimNos.length === 0) return
  await tx.run(`delete from claim_terms where ${ofPlace} and first_claim_no = any ($4::bigint[])`, [...placeOf(place), firstClaimNos])
}

/** Rows of each word, one more than `commonTerm` at most: then the word names nothing. */
export async function readTerms(tx: Transaction, place: ScopePlace, terms: readonly string[]): Promise<TermRow[]> {
  if (terms.length === 0) return []
  return tx.rows<TermRow>(
    `select k.term, r.first_claim_no as "firstClaimNo", r.claim_nos as "claimNos" from unnest($4::text[]) as k (term)
     cross join lateral (
       select first_claim_no, claim_nos from claim_terms
       where ${ofPlace} and term = k.term
       order by term, first_claim_no limit ${commonTerm + 1}
     ) r`,
    [...placeOf(place), terms],
  )
}

/** The rows of one document: each of its words with the claims that have it. */
export function termRows(claims: readonly { claimNo: number; terms: readonly string[] }[]): TermRow[] {
  const firstClaimNo = claims[0]?.claimNo ?? 0
  const rows = new Map<string, TermRow>()
  for (const { claimNo, terms } of claims)
    for (const written of terms) {
      const term = cut(written, longestTerm)
      const row = rows.get(term)
      if (row === undefined) rows.set(term, { term, firstClaimNo, claimNos: [claimNo] })
      else if (row.claimNos.at(-1) !== claimNo) row.claimNos.push(claimNo)
    }
  return [...rows.values()]
}
