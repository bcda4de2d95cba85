/**
 * What models answered about documents, kept for replay and for reading again; and the earlier statements a model is shown,
 * found by the words of claims.
 */

import { commonTerm, countTerms, readTerms, type TermCount } from '../claims/claim-terms.js'
import type { StoredClaim } from '../claims/claims.js'
import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

export interface ModelReadingWrite {
  documentId: string
  revision: number
  model: string
  promptVersion: string
  outcome: string
  listed: readonly number[]
  /** JSON, or null. */
  reading: string | null
  dropped: string
  promptTokens: number
  completionTokens: number
}

/** Without an answer, what a model had said about the text before stays, as its claims do. The outcome is that of the last question. */
export async function insertModelReadings(tx: Transaction, place: RecordedPlace, writes: readonly ModelReadingWrite[]): Promise<void> {
  for (const { documentId, revision, model, promptVersion, outcome, listed, reading, dropped, ...used } of writes) {
    const tokens = [used.promptTokens, used.completionTokens]
    await tx.run(
      `insert into model_readings (tenant_id, scope_no, generation, document_id, revision, model, prompt_version, outcome, listed, reading,
         dropped, prompt_tokens, completion_tokens, asked_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       on conflict (tenant_id, scope_no, generation, document_id, revision) do update set ${ofLastAnswer.join(', ')},
         outcome = excluded.outcome, prompt_tokens = model_readings.prompt_tokens + excluded.prompt_tokens,
         completion_tokens = model_readings.completion_tokens + excluded.completion_tokens, asked_at = excluded.asked_at`,
      [...placeOf(place), documentId, revision, model, promptVersion, outcome, listed, reading, dropped, ...tokens, place.recordedAt],
    )
  }
}

const ofLastAnswer = ['model', 'prompt_version', 'listed', 'reading', 'dropped'].map(
  column =>
    `${column} = case when excluded.reading is null and model_readings.reading is not null then model_readings.${column} else excluded.${column} end`,
)

export interface KeptModelReading {
  model: string
  outcome: string
  reading: unknown
  erasedLinks: number
}

export async function findModelReading(tx: Transaction, place: ScopePlace, document: RevisionRef): Promise<KeptModelReading | null> {
  return tx.row<KeptModelReading>(
    `select model, outcome, reading, erased_links as "erasedLinks" from model_readings
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(place), document.documentId, document.revision],
  )
}

/** The document's own goes whole; of the others' what is about its claims. */
export async function eraseModelReadings(
  tx: Transaction,
  place: ScopePlace,
  document: { documentId: string; claimNos: readonly number[]; claimIds: readonly string[] },
): Promise<void> {
  await tx.run(`delete from model_readings where ${ofPlace} and document_id = $4`, [...placeOf(place), document.documentId])
  if (document.claimNos.length === 0) return
  await tx.run(
    `update model_readings m set
       erased_links = m.erased_links + jsonb_array_length(m.reading -> 'links') - jsonb_array_length(k.links),
       reading = jsonb_set(m.reading, '{links}', k.links)
     from model_readings o cross join lateral (
       select coalesce(jsonb_agg(l.link order by l.place) filter (where not (l.link ->> 'other' = any ($5::text[]))), '[]') as links
       from jsonb_array_elements(o.reading -> 'links') with ordinality as l (link, place)
     ) k
     where ${inPlace('o')} and o.listed && $4::bigint[] and o.reading is not null
       and ${inPlace('m')} and m.document_id = o.document_id and m.revision = o.revision`,
    [...placeOf(place), document.claimNos, document.claimIds],
  )
}

/** Of these, claims that count, with their words. */
export interface StatementRow extends Pick<StoredClaim, WhereSaid | WhatSaid> {
  documentName: string
  issuer: string | null
  issuedOn: string | null
  isCell: boolean
}

type WhereSaid = 'claimNo' | 'claimId' | 'documentId' | 'start' | 'end' | 'quote'
type WhatSaid =
  | 'subject'
  | 'subjectKey'
  | 'subjectCertain'
  | 'attribute'
  | 'value'
  | 'valueText'
  | 'period'
  | 'role'
  | 'polarity'
  | 'slotKey'

/** As many claims are looked at for a question as could ever be listed several times over. */
const mostCandidates = 600

/** Rows of words that are read for a question: in a large scope the rarest fill them, in a small one nearly all. */
const mostRows = 1_200

/**
 * Numbers of the claims that share the rarest words with a document, the best first. Words are counted before they are read:
 * the rarest are taken as far as the bound goes, and one that half the scope has costs no more than one nobody has.
 */
export async function findSimilarClaims(tx: Transaction, place: ScopePlace, terms: readonly string[]): Promise<number[]> {
  const documents = rarest(await countTerms(tx, place, terms))
  const weights = new Map<number, number>()
  for (const { term, claimNos } of await readTerms(tx, place, [...documents.keys()])) {
    const weight = Math.log(1 + commonTerm / (documents.get(term) ?? 1))
    for (const claimNo of claimNos) weights.set(claimNo, (weights.get(claimNo) ?? 0) + weight)
  }
  return [...weights]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, mostCandidates)
    .map(([claimNo]) => claimNo)
}

function rarest(counted: readonly TermCount[]): Map<string, number> {
  const taken = new Map<string, number>()
  let rows = 0
  for (const { term, documents } of [...counted].sort((a, b) => a.documents - b.documents || (a.term < b.term ? -1 : 1))) {
    rows += documents
    if (documents > commonTerm || rows > mostRows) break
    taken.set(term, documents)
  }
  return taken
}

export async function readStatements(tx: Transaction, place: ScopePlace, claimNos: readonly number[]): Promise<StatementRow[]> {
  if (claimNos.length === 0) return []
  return tx.rows<StatementRow>(
    `select c.claim_no as "claimNo", c.claim_id as "claimId", c.document_id as "documentId", d.name as "documentName",
       d.profile ->> 'issuer' as issuer, d.profile ->> 'issuedOn' as "issuedOn", c.start_at as start, c.end_at as end, c.quote,
       c.subject, c.attribute, c.body -> 'value' as value, coalesce(c.body ->> 'valueText', '') as "valueText", c.body -> 'period' as period,
       coalesce(c.body ->> 'subjectKey', '') as "subjectKey", coalesce((c.body ->> 'subjectCertain')::boolean, false) as "subjectCertain",
       c.body ->> 'role' as role, c.body ->> 'polarity' as polarity, coalesce(c.body ->> 'slotKey', '') as "slotKey", coalesce(c.body -> 'frame' ->> 'kind', '') = 'cell' as "isCell"
     from unnest($4::bigint[]) as k (claim_no)
     cross join lateral (
       select * from claims
       where ${ofPlace} and claim_no >= k.claim_no and claim_no <= k.claim_no
       order by claim_no limit 1
     ) c
     cross join lateral (
       select name, profile from documents
       where ${ofPlace} and document_id = c.document_id and revision = c.revision
       limit 1
     ) d
     where c.superseded_at is null and c.quote is not null`,
    [...placeOf(place), claimNos],
  )
}
