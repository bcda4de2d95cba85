/**
 * Scopes of any size with words as often as natural text has them: of rank r about 1/r of the commonest (Zipf). Written by the
 * server itself, so that a million claims take minutes and not hours.
 */

import type pg from 'pg'

export interface ZipfScope {
  tenantId: string
  scopeNo: number
  documents: number
  seed: number
}

const vocabulary = 60_000
/** Words that nearly every document has are not kept: here the commonest. */
const unkept = 40
export const claimsPerDocument = 20
const wordsPerClaim = 10

export const zipfPlace = ({ tenantId, scopeNo }: ZipfScope) => ({ tenantId, scopeNo, generation: 1 })

/** A word of the vocabulary by a number from 0 to 1. */
export const zipfWord = (draw: number): string => `w${unkept + Math.floor((vocabulary / unkept) ** draw * unkept)}`

export async function fillZipfScopes(owner: Pick<pg.Client, 'query'>, scopes: readonly ZipfScope[]): Promise<void> {
  for (const { tenantId, scopeNo, documents, seed } of scopes) {
    const words = claimsPerDocument * wordsPerClaim
    await owner.query(`select setseed(${seed})`)
    await owner.query(`
      create temp table said as
      select d, d * ${claimsPerDocument} + (n / ${wordsPerClaim}) as claim_no, floor(exp(random() * ln(${vocabulary})))::int as rank
      from generate_series(0, ${documents - 1}) d, generate_series(0, ${words - 1}) n`)
    await owner.query(
      `insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text_hash, seq, round, first_claim_no, claim_count)
       select $1, $2, 1, 'doc-' || d, 1, 'indexed', '', 'txt', '', d, d, d * ${claimsPerDocument}, ${claimsPerDocument}
       from generate_series(0, ${documents - 1}) d`,
      [tenantId, scopeNo],
    )
    await owner.query(
      `insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject, attribute,
         confidence, recorded_at, recorded_round, body, quote)
       select $1, $2, 1, claim_no, 'clm_' || claim_no, 'doc-' || d, 1, claim_no, claim_no + 1, claim_no, '', '', 1, now(), d,
         '{"value":{"type":"boolean","value":true},"role":"actual","polarity":"affirmed"}', string_agg('w' || rank, ' ')
       from said group by d, claim_no`,
      [tenantId, scopeNo],
    )
    await owner.query(
      `insert into claim_terms (tenant_id, scope_no, generation, term, first_claim_no, claim_nos)
       select $1, $2, 1, 'w' || rank, d * ${claimsPerDocument}, array_agg(distinct claim_no) from said where rank >= ${unkept} group by d, rank`,
      [tenantId, scopeNo],
    )
    await owner.query(
      `insert into passage_terms (tenant_id, scope_no, generation, term, document_id, passages)
       select $1, $2, 1, 'w' || rank, 'doc-' || d, array_agg(distinct (claim_no % ${claimsPerDocument})::int) from said where rank >= ${unkept} group by d, rank`,
      [tenantId, scopeNo],
    )
    await owner.query('drop table said')
  }
  await owner.query('analyze')
}
