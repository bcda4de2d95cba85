/** Documents that no model is shown, and what models were shown of a document before. */

import { lockScopeSoon } from '../events/events.js'
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

/** Whether models were turned off for the scope or its tenant, or it was reset, or one of these was deleted. */
export const isCaseOffSql = `(not exists (select from scopes where ${ofPlace} and settings -> 'model' ->> 'reading' is distinct from 'off')
  or exists (select from tenants where tenant_id = $1 and (limits ->> 'model' = 'off' or deleted_at is not null)))`

/**
 * Whether one of these revisions, whose texts were read before, may be shown no more: its document was kept from models or erased
 * meanwhile, or its case was (see `isCaseOffSql`).
 */
async function isWithdrawn(tx: Transaction, place: ScopePlace, shown: readonly RevisionRef[]): Promise<boolean> {
  return tx.value<boolean>(
    `select exists (select from model_off where ${ofPlace} and document_id = any ($4::text[]))
       or exists (
         select from unnest($4::text[], $5::integer[]) as k (document_id, revision)
         join documents d on ${inPlace('d')} and d.document_id = k.document_id and d.revision = k.revision where d.erased_at is not null)
       or ${isCaseOffSql}`,
    [...placeOf(place), shown.map(each => each.documentId), shown.map(each => each.revision)],
  )
}

/** A question about the first of these revisions, which shows something of each. */
export interface QuestionSent {
  shown: readonly [RevisionRef, ...RevisionRef[]]
  model: string
  wholeCase: boolean | null
}

/**
 * Writes down that a question is about to be sent; false where that may be no more (see `isWithdrawn`). Under the scope's lock: what
 * erases, keeps from models or deletes after it finds the entry, and what came before is seen here. The lock is waited for half a second:
 * a place at the model waits with it.
 */
export async function noteSent(tx: Transaction, place: ScopePlace, question: QuestionSent): Promise<boolean> {
  await lockScopeSoon(tx, place.scopeNo)
  if (await isWithdrawn(tx, place, question.shown)) return false
  const [asked] = question.shown
  const { model, wholeCase } = question
  await tx.run(
    `insert into documents_sent (tenant_id, scope_no, generation, document_id, asked_id, asked_revision, model, whole_case, sent_at)
     select distinct $1, $2::bigint, $3::integer, s.document_id, $4, $5::integer, $6, $7::boolean, statement_timestamp()
     from unnest($8::text[]) as s (document_id)
     on conflict (tenant_id, scope_no, generation, document_id, asked_id, asked_revision, model)
       do update set whole_case = excluded.whole_case, sent_at = excluded.sent_at`,
    [...placeOf(place), asked.documentId, asked.revision, model, wholeCase, question.shown.map(each => each.documentId)],
  )
  return true
}

/** What an operator set for the tenant: whether a model reads at all, and how many tokens a day. */
export async function readModelLimits(tx: Transaction, tenantId: string): Promise<{ off: boolean; tokensPerDay: number | null }> {
  const row = await tx.row<{ off: boolean; tokensPerDay: number | null }>(
    `select coalesce(limits ->> 'model' = 'off', false) as off, (limits ->> 'model_tokens_per_day')::float8 as "tokensPerDay" from tenants where tenant_id = $1`,
    [tenantId],
  )
  return row ?? { off: false, tokensPerDay: null }
}

/** The latest question about a document to a model that showed something of another, or of the document itself. */
export interface SentRow {
  /** Which was asked about. */
  document_id: string
  revision: number
  whole_case: boolean | null
  model: string
  asked_at: string
}

/** The latest first. Questions that were never put are not among them. */
export async function listSent(tx: Transaction, place: ScopePlace, documentId: string, limit: number): Promise<SentRow[]> {
  return tx.rows<SentRow>(
    `select asked_id as document_id, asked_revision as revision, whole_case, model, sent_at as asked_at from documents_sent
     where ${ofPlace} and document_id = $4
     order by sent_at desc, asked_id, asked_revision desc, model limit $5`,
    [...placeOf(place), documentId, limit],
  )
}

/** What questions about it sent of others stays: those are still there, and of this one no more is told than its id. */
export async function eraseSent(tx: Transaction, place: ScopePlace, documentId: string): Promise<void> {
  await tx.run(`delete from documents_sent where ${ofPlace} and document_id = $4`, [...placeOf(place), documentId])
}
