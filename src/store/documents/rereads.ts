/**
 * Documents that are read again: their places in the backlog, and what their new reading leaves in their row. They keep their
 * state and their revision all the while; the place in the backlog alone says that they wait. Under the scope's lock.
 */

import { storableJson } from '../../platform/storable-text.js'
import { READER_NAME, READER_VERSION, RULES_VERSION } from '../../reading/version.js'
import type { FinishedDocument } from '../claims/claims-documents.js'
import { appendEvents } from '../events/events.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import type { DocumentRow } from './documents.js'
import { isCaseOffSql, keptFromModelSql } from './model-off.js'
import { readRevisionSql } from './stored-readings.js'

/** Why a document is read again. */
export interface RereadRequest {
  /** Whether a model is asked about it. */
  model: boolean
  by: string | null
  reason: string | null
  /** How many rereadings led to this one, each by the one before. */
  depth?: number
}

/** Places of documents that are read again begin here, behind all others: what comes in goes first. */
const firstPlace = 1_000_000_000_000_000

export type RereadableRow = Pick<DocumentRow, 'document_id' | 'revision'>

/** Its newest admitted revision. */
const isNewestAdmitted = `d.status = 'indexed' and d.round is not null and d.erased_at is null
  and not exists (
    select from documents l
    where ${inPlace('l')} and l.document_id = d.document_id and l.revision > d.revision
      and l.status = 'indexed' and l.round is not null)`

/** …, unless it waits to be read again already. */
const isNewest = `${isNewestAdmitted}
  and not exists (
    select from backlog b
    where ${inPlace('b')} and b.document_id = d.document_id and b.reread is not null)`

/**
 * Documents that can be read again, by id: those with a text, and those that the reader in use has read and another comparer judged. With
 * `model` those that no model has answered about, and whose text is there.
 */
export async function listRereadable(
  tx: Transaction,
  scope: ScopePlace,
  { model, after, limit }: { model: boolean; after: string; limit: number },
): Promise<RereadableRow[]> {
  return tx.rows<RereadableRow>(
    `select d.document_id, d.revision from documents d
     where ${inPlace('d')} and d.document_id > $4 and ${isNewest} and (not $5 or d.model_outcome is distinct from 'answered')
       and (d.text is not null or (not $5 and d.extractor_version <> $8 and ${readRevisionSql('d', "p.profile->>'reader'")} = $7))
     order by d.document_id limit $6`,
    [...placeOf(scope), after, model, limit, READER_VERSION, RULES_VERSION],
  )
}

/** Of these documents, those that can be compared again: of one without a text, what was read of it. */
export async function listComparable(tx: Transaction, scope: ScopePlace, documentIds: readonly string[]): Promise<RereadableRow[]> {
  return tx.rows<RereadableRow>(
    `select d.document_id, d.revision from documents d
     where ${inPlace('d')} and d.document_id = any ($4::text[]) and ${isNewest} and (d.text is not null or d.extractor = $5)
     order by d.document_id`,
    [...placeOf(scope), documentIds, READER_NAME],
  )
}

/** A model had compared it in full, and may be shown it again. */
const isForModel = `d.compared_model is not null and d.text is not null and not ${keptFromModelSql} and not ${isCaseOffSql}`

/** Of these, the documents that a model had compared in full, and may be shown again. */
export async function listComparedByModel(tx: Transaction, scope: ScopePlace, documentIds: readonly string[]): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const found = await tx.column<string>(
    `select d.document_id from documents d
     where ${inPlace('d')} and d.document_id = any ($4::text[]) and ${isNewest} and ${isForModel}`,
    [...placeOf(scope), documentIds],
  )
  return new Set(found)
}

export async function queueRereads(
  tx: Transaction,
  scope: NamedPlace,
  documents: readonly RereadableRow[],
  request: RereadRequest,
): Promise<void> {
  if (documents.length === 0) return
  const drafts = documents.map(({ document_id, revision }) => ({
    type: 'document.reread_queued',
    subject: document_id,
    data: { scope_id: scope.scopeId, document_id, revision, model: request.model },
  }))
  const { firstSeq } = await appendEvents(tx, scope, drafts)
  await enqueueRereads(tx, scope, documents, { ...request, firstSeq })
}

/** `firstSeq` is that of the first of their events. */
async function enqueueRereads(
  tx: Transaction,
  scope: ScopePlace,
  documents: readonly RereadableRow[],
  { firstSeq, ...request }: RereadRequest & { firstSeq: number },
): Promise<void> {
  await tx.run(
    `insert into backlog (tenant_id, scope_no, generation, seq, document_id, revision, reread)
     select $1, $2, $3, $6::bigint + t.place - 1, t.document_id, t.revision, $7::json
     from unnest($4::text[], $5::integer[]) with ordinality as t (document_id, revision, place)`,
    [...placeOf(scope), ...columnsOf(documents, 'document_id', 'revision'), firstPlace + firstSeq, JSON.stringify(request)],
  )
}

/**
 * Of these documents, those that wait to be read again by the rules alone although a model had compared them: it is asked about them, too. They
 * keep their places, and who wanted them read again and why. What a worker has in hand by the rules it leaves where it is (see `batch-plan`).
 */
export async function askModelToo(tx: Transaction, scope: ScopePlace, documentIds: readonly string[], depth: number): Promise<void> {
  if (documentIds.length === 0) return
  await tx.run(
    `update backlog b
     set reread = (b.reread::jsonb || jsonb_build_object('model', true, 'depth', greatest($5::integer, (b.reread ->> 'depth')::integer)))::json
     from documents d
     where ${inPlace('b')} and b.document_id = any ($4::text[]) and b.reread is not null and not (b.reread ->> 'model')::boolean
       and ${inPlace('d')} and d.document_id = b.document_id and d.revision = b.revision and ${isNewestAdmitted} and ${isForModel}`,
    [...placeOf(scope), documentIds, depth],
  )
}

export interface WaitingReread {
  seq: number
  /** As it is kept now: an erasure takes the reason away. */
  reread: RereadRequest
  current: boolean
  /** Erased since, or a later revision was admitted: there is nothing to read again. */
  stale: boolean
}

/** Of these places, those that are still there. */
export async function stillRereading(tx: Transaction, place: ScopePlace, seqs: readonly number[]): Promise<WaitingReread[]> {
  if (seqs.length === 0) return []
  return tx.rows<WaitingReread>(
    `select b.seq, b.reread, coalesce(d.current, false) as current, d.status is distinct from 'indexed' or d.erased_at is not null or exists (
         select from documents l
         where ${inPlace('l')} and l.document_id = b.document_id and l.revision > b.revision
           and l.status = 'indexed' and l.round is not null) as stale
     from backlog b left join documents d on ${inPlace('d')} and d.document_id = b.document_id
       and d.revision = b.revision
     where ${inPlace('b')} and b.seq = any ($4::bigint[]) and b.reread is not null`,
    [...placeOf(place), seqs],
  )
}

/** `contradictionCount` counts new ones; a `modelOutcome` of null leaves it as it is, since no model was asked. */
export type RereadDocument = Omit<FinishedDocument, 'status' | 'reason'>

/** The new reading takes the place of the one before; numbers of the claims that one left are kept, for erasure finds them by it. */
export async function finishReread(tx: Transaction, place: ScopePlace, document: RereadDocument): Promise<void> {
  const { documentId, revision } = document
  await tx.run(
    `update documents set reread_round = $6,
       lent_claims = '{}', former_claims = former_claims + lent_claims + int8multirange(int8range(coalesce(first_claim_no, 0), coalesce(first_claim_no, 0) + claim_count)),
       first_claim_no = $7, claim_count = $8, contradiction_count = contradiction_count + $9, profile = $10, timings = $11, extractor = $12, extractor_version = $13,
       unchanged = false, model_outcome = coalesce($14, model_outcome),
       compared_model = case when $14 is null then compared_model else $15 end
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [
      ...placeOf(place),
      documentId,
      revision,
      document.round,
      document.firstClaimNo,
      document.claimCount,
      document.contradictionCount,
      document.profile === null ? null : storableJson(document.profile),
      storableJson(document.timings),
      document.extractor,
      document.extractorVersion,
      document.modelOutcome,
      document.comparedModel,
    ],
  )
  await dropRereads(tx, place, [document.seq])
}

/** Takes documents that were to be read again out of the backlog, and says which of them were still in it. */
export async function dropRereads(tx: Transaction, place: ScopePlace, seqs: readonly number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set()
  const gone = await tx.column<number>(
    `delete from backlog where ${ofPlace} and seq = any ($4::bigint[]) and reread is not null returning seq`,
    [...placeOf(place), seqs],
  )
  return new Set(gone)
}
