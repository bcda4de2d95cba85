/** What models answered about documents, kept for replay and for reading again. */

import { inPlace, ofPlace, placeOf, type RecordedPlace, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

export interface ModelReadingWrite {
  documentId: string
  revision: number
  model: string
  promptVersion: string
  outcome: string
  /** Other documents of which something was shown. */
  shown: readonly string[]
  wholeCase: boolean | null
  /** JSON, or null. */
  reading: string | null
  dropped: string
  promptTokens: number
  completionTokens: number
}

/** Without an answer, what a model had said about the text before stays, as its claims do. The outcome is that of the last question. */
export async function insertModelReadings(tx: Transaction, place: RecordedPlace, writes: readonly ModelReadingWrite[]): Promise<void> {
  for (const { documentId, revision, model, promptVersion, outcome, shown, wholeCase, reading, dropped, ...used } of writes) {
    const tokens = [used.promptTokens, used.completionTokens]
    await tx.run(
      `insert into model_readings (tenant_id, scope_no, generation, document_id, revision, model, prompt_version, outcome, shown, whole_case,
         reading, dropped, prompt_tokens, completion_tokens, asked_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       on conflict (tenant_id, scope_no, generation, document_id, revision) do update set ${ofLastAnswer.join(', ')},
         outcome = excluded.outcome, prompt_tokens = model_readings.prompt_tokens + excluded.prompt_tokens,
         completion_tokens = model_readings.completion_tokens + excluded.completion_tokens, asked_at = excluded.asked_at`,
      [
        ...placeOf(place),
        documentId,
        revision,
        model,
        promptVersion,
        outcome,
        shown,
        wholeCase,
        reading,
        dropped,
        ...tokens,
        place.recordedAt,
      ],
    )
  }
}

const ofLastAnswer = ['model', 'prompt_version', 'shown', 'whole_case', 'reading', 'dropped'].map(
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

/** The document's own goes whole; of the others' what is about its claims and passages. */
export async function eraseModelReadings(
  tx: Transaction,
  place: ScopePlace,
  { documentId, claimIds }: { documentId: string; claimIds: readonly string[] },
): Promise<void> {
  await tx.run(`delete from model_readings where ${ofPlace} and document_id = $4`, [...placeOf(place), documentId])
  const about = `each ->> 'document' = $4 or each ->> 'documentId' = $4 or each ->> 'other' = any ($5::text[])
    or each ->> 'a' = any ($5::text[]) or each ->> 'b' = any ($5::text[])`
  const lists = ['lent', 'links', 'acquitted', 'cleared']
  const left = (list: string) => `'${list}', coalesce((
    select jsonb_agg(each order by place) filter (where (${about}) is not true)
    from jsonb_array_elements(m.reading -> '${list}') with ordinality as l (each, place)), '[]')`
  await tx.run(
    `update model_readings m set reading = m.reading || k.kept, shown = array_remove(m.shown, $4),
       erased_links = m.erased_links + jsonb_array_length(m.reading -> 'links') - jsonb_array_length(k.kept -> 'links')
     from model_readings o cross join lateral (select jsonb_build_object(${lists.map(left).join(', ').replaceAll('m.reading', 'o.reading')}) as kept) k
     where ${inPlace('o')} and o.shown @> array[$4::text] and o.reading is not null
       and ${inPlace('m')} and m.document_id = o.document_id and m.revision = o.revision`,
    [...placeOf(place), documentId, claimIds],
  )
}

/** A claim that a finding of the rules is about, with its words. */
export interface ClaimSide {
  claimNo: number
  claimId: string
  documentId: string
  start: number
  end: number
  quote: string
  subject: string
  attribute: string
  valueText: string
}

export async function readClaimSides(tx: Transaction, place: ScopePlace, claimNos: readonly number[]): Promise<ClaimSide[]> {
  if (claimNos.length === 0) return []
  return tx.rows<ClaimSide>(
    `select c.claim_no as "claimNo", c.claim_id as "claimId", c.document_id as "documentId", c.start_at as start, c.end_at as end, c.quote,
       c.subject, c.attribute, coalesce(c.body ->> 'valueText', '') as "valueText"
     from unnest($4::bigint[]) as k (claim_no)
     cross join lateral (
       select * from claims
       where ${ofPlace} and claim_no >= k.claim_no and claim_no <= k.claim_no
       order by claim_no limit 1
     ) c
     where c.superseded_at is null and c.quote is not null`,
    [...placeOf(place), claimNos],
  )
}
