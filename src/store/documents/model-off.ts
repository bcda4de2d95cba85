/** Documents that no model is shown, and what models were shown of a document before. */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

/** Of a row `d` of documents, looked up for it alone (see `shownSql`). */
export const keptFromModelSql = `exists (select from model_off k where ${inPlace('k')} and k.document_id = d.document_id offset 0)`

export async function keepFromModel(tx: Transaction, place: ScopePlace, documentId: string): Promise<void> {
  await tx.run(`insert into model_off (tenant_id, scope_no, generation, document_id) values ($1, $2, $3, $4) on conflict do nothing`, [
    ...placeOf(place),
    documentId,
  ])
}

export async function letModelRead(tx: Transaction, place: ScopePlace, documentId: string): Promise<void> {
  await tx.run(`delete from model_off where ${ofPlace} and document_id = $4`, [...placeOf(place), documentId])
}

/** Since when no model is shown it; null where one may be. */
export async function keptFromModelSince(tx: Transaction, place: ScopePlace, documentId: string): Promise<string | null> {
  const [since] = await tx.column<string>(`select set_at from model_off where ${ofPlace} and document_id = $4`, [
    ...placeOf(place),
    documentId,
  ])
  return since ?? null
}

/**
 * Whether one of these revisions, whose texts were read before, may be shown no more: its document was kept from models or erased
 * meanwhile, or they were turned off for the scope or the tenant.
 */
export async function isWithdrawn(tx: Transaction, place: ScopePlace, shown: readonly RevisionRef[]): Promise<boolean> {
  return tx.value<boolean>(
    `select exists (select from model_off where ${ofPlace} and document_id = any ($4::text[]))
       or exists (
         select from unnest($4::text[], $5::integer[]) as k (document_id, revision)
         join documents d on ${inPlace('d')} and d.document_id = k.document_id and d.revision = k.revision where d.erased_at is not null)
       or exists (select from scopes where ${ofPlace} and settings -> 'model' ->> 'reading' = 'off')
       or exists (select from tenants where tenant_id = $1 and limits ->> 'model' = 'off')`,
    [...placeOf(place), shown.map(each => each.documentId), shown.map(each => each.revision)],
  )
}

/** What an operator set for the tenant: whether a model reads at all, and how many tokens a day. */
export async function readModelLimits(tx: Transaction, tenantId: string): Promise<{ off: boolean; tokensPerDay: number | null }> {
  const row = await tx.row<{ off: boolean; tokensPerDay: number | null }>(
    `select coalesce(limits ->> 'model' = 'off', false) as off, (limits ->> 'model_tokens_per_day')::float8 as "tokensPerDay" from tenants where tenant_id = $1`,
    [tenantId],
  )
  return row ?? { off: false, tokensPerDay: null }
}

/** A reading whose questions showed something of the document: its own, or that of another one. */
export interface SentRow {
  document_id: string
  revision: number
  whole_case: boolean | null
  model: string
  asked_at: string
}

/** What a question came to that was put and not answered: nobody says what it cost. */
const putInVain = [
  ...['timeout', 'network', 'rate_limited', 'quota', 'server_error', 'refused', 'question_refused', 'declined', 'context_too_long'],
  ...['too_large', 'not_json', 'truncated', 'empty', 'invalid_answer'],
]

/** The latest first. Questions that were never put are not among them. */
export async function listSent(tx: Transaction, place: ScopePlace, documentId: string, limit: number): Promise<SentRow[]> {
  return tx.rows<SentRow>(
    `select document_id, revision, whole_case, model, asked_at from model_readings
     where ${ofPlace} and (document_id = $4 or shown @> array[$4::text])
       and (prompt_tokens + completion_tokens > 0 or outcome = any ($6::text[]))
     order by asked_at desc, document_id, revision desc limit $5`,
    [...placeOf(place), documentId, limit, putInVain],
  )
}
