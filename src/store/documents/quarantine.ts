/**
 * Documents that failed: put back to wait, or kept in quarantine with what is known about the failure, listed, and
 * tried again when someone asks. Earlier diagnoses stay with the document whatever happens next.
 */

import { appendEvents, lockScopes } from '../events/events.js'
import { inPlace, type NamedPlace, placeOf, type ScopeKey, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database, type TenantTransaction, type Transaction } from '../server/database.js'
import type { DocumentRow, RevisionRef } from './documents.js'
import { dropRereads } from './rereads.js'

/** As many diagnoses as stay with a document. */
const keptDiagnoses = 20

export interface FailedDocument {
  seq: number
  documentId: string
  revision: number
  name: string
  /** Failed attempts, this one included. */
  attempts: number
  stage: string
  errorClass: string
  reason: string
  /** Null: quarantine. */
  retryAfterMs: number | null
  /** It was read again: its reading before stands, and it goes into no quarantine. */
  reread: object | null
  /** It did not fail: its file is read beside, and it waits for that. `errorClass` says for what. */
  isHandedOver?: true
}

/**
 * From processing back to queued, or into quarantine. Under the scope's lock, behind the guard. Returns those that nobody waits for
 * any more: in quarantine, or keeping the reading they had.
 */
export async function failDocuments(tx: Transaction, place: NamedPlace, failures: readonly FailedDocument[]): Promise<FailedDocument[]> {
  const rereads = failures.filter(({ reread }) => reread !== null)
  const givenUp = await failRereads(tx, place, rereads)
  const handedOver = failures.filter(({ isHandedOver }) => isHandedOver)
  if (handedOver.length > 0) {
    await postponeBacklog(tx, place, handedOver)
    const data = ({ errorClass }: FailedDocument) => ({ status: 'queued', reason: errorClass })
    await moveDocuments(tx, place, handedOver, { from: 'processing', to: 'queued', type: 'document.requeued', data })
  }
  const failed = failures.filter(({ reread, isHandedOver }) => reread === null && !isHandedOver)
  if (failed.length === 0) return givenUp
  await noteFailures(tx, place, failed)
  const retried = failed.filter(failure => failure.retryAfterMs !== null)
  const quarantined = failed.filter(failure => failure.retryAfterMs === null)
  if (retried.length > 0) {
    await postponeBacklog(tx, place, retried)
    await moveDocuments(tx, place, retried, { from: 'processing', to: 'queued', type: 'document.requeued', data: failureData('queued') })
  }
  if (quarantined.length > 0) {
    const move = { from: 'processing', to: 'quarantined', type: 'document.quarantined', data: failureData('quarantined') }
    const places = quarantined.map(failure => failure.seq)
    await moveDocuments(tx, place, quarantined, move)
    await dropBacklog(tx, place, places)
  }
  return [...givenUp, ...quarantined]
}

/**
 * Waits for its next try, or is given up: then the document keeps the reading it has. What a commit whose answer was lost gave up
 * is not given up once more.
 */
async function failRereads(tx: Transaction, place: NamedPlace, failures: readonly FailedDocument[]): Promise<FailedDocument[]> {
  const retried = failures.filter(failure => failure.retryAfterMs !== null)
  if (retried.length > 0) await postponeBacklog(tx, place, retried)
  const last = failures.filter(failure => failure.retryAfterMs === null)
  const places = last.map(({ seq }) => seq)
  const dropped = await dropRereads(tx, place, places)
  const givenUp = last.filter(({ seq }) => dropped.has(seq))
  if (givenUp.length === 0) return []
  const events = givenUp.map(({ documentId, revision, attempts, stage, errorClass, reason }) => ({
    type: 'document.reread_failed',
    subject: documentId,
    data: { scope_id: place.scopeId, document_id: documentId, revision, reason, stage, attempts, error_class: errorClass },
  }))
  await appendEvents(tx, place, events)
  return givenUp
}

/**
 * From processing back to queued, as if they had not been begun: on a stop, a pause or a drain. One that is read again never
 * left its place.
 */
export async function giveBackDocuments(
  tx: Transaction,
  place: NamedPlace,
  given: readonly { documentId: string; revision: number; reread: object | null }[],
  reason: string,
): Promise<void> {
  const documents = given.filter(({ reread }) => reread === null)
  if (documents.length === 0) return
  await moveDocuments(tx, place, documents, { from: 'processing', ...requeued(reason) })
}

function failureData(status: string): (failure: FailedDocument) => Record<string, unknown> {
  return ({ attempts, stage, errorClass, reason, retryAfterMs }) => ({
    status,
    reason,
    stage,
    attempts,
    error_class: errorClass,
    ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
  })
}

function requeued(reason: string) {
  return { to: 'queued', type: 'document.requeued', data: () => ({ status: 'queued', reason }) }
}

interface Move<T> {
  from: string
  to: string
  type: string
  data: (document: T) => Record<string, unknown>
}

async function moveDocuments<T extends RevisionRef>(
  tx: Transaction,
  place: NamedPlace,
  documents: readonly T[],
  move: Move<T>,
): Promise<void> {
  const events = documents.map(document => {
    const { documentId: document_id, revision } = document
    return JSON.stringify({ scope_id: place.scopeId, document_id, revision, ...move.data(document) })
  })
  const values = [...placeOf(place), ...columnsOf(documents, 'documentId', 'revision'), move.from, move.to, move.type, events]
  await tx.run('select concord_move_documents($1, $2, $3, $4, $5, $6, $7, $8, $9)', values)
}

async function noteFailures(tx: Transaction, place: ScopePlace, failures: readonly FailedDocument[]): Promise<void> {
  await tx.run(
    `update documents d set attempts = f.attempts, reason = f.reason, stage = f.stage, error_class = f.error_class,
       diagnosis = (
         select jsonb_agg(e.value order by e.place) from jsonb_array_elements(
           coalesce(d.diagnosis, '[]') || jsonb_build_object('at', clock_timestamp(), 'attempt', f.attempts, 'stage', f.stage,
             'error_class', f.error_class, 'reason', f.reason)
         ) with ordinality as e (value, place)
         where e.place > jsonb_array_length(coalesce(d.diagnosis, '[]')) + 1 - ${keptDiagnoses})
     from unnest($4::text[], $5::integer[], $6::integer[], $7::text[], $8::text[], $9::text[])
       as f (document_id, revision, attempts, stage, error_class, reason)
     where ${inPlace('d')} and d.document_id = f.document_id and d.revision = f.revision`,
    [...placeOf(place), ...columnsOf(failures, 'documentId', 'revision', 'attempts', 'stage', 'errorClass', 'reason')],
  )
}

async function postponeBacklog(tx: Transaction, place: ScopePlace, failures: readonly FailedDocument[]): Promise<void> {
  await tx.run(
    `update backlog b set attempts = f.attempts, not_before = clock_timestamp() + f.after_ms * interval '1 millisecond'
     from unnest($3::bigint[], $4::integer[], $5::integer[]) as f (seq, attempts, after_ms)
     where b.tenant_id = $1 and b.scope_no = $2 and b.seq = f.seq`,
    [place.tenantId, place.scopeNo, ...columnsOf(failures, 'seq', 'attempts', 'retryAfterMs')],
  )
}

async function dropBacklog(tx: Transaction, place: ScopePlace, seqs: readonly number[]): Promise<void> {
  await tx.run('delete from backlog where tenant_id = $1 and scope_no = $2 and seq = any ($3::bigint[])', [
    place.tenantId,
    place.scopeNo,
    seqs,
  ])
}

type FailedColumn = 'document_id' | 'revision' | 'name' | 'reason' | 'stage' | 'error_class' | 'attempts' | 'received_at' | 'finished_at'

export interface QuarantinedRow extends Pick<DocumentRow, FailedColumn> {
  tenant_id: string
  scope_id: string
  scope_no: number
  diagnosis: Record<string, unknown>[] | null
}

/** Where a page goes on. */
export interface QuarantineCursor extends ScopeKey {
  documentId: string
}

export interface QuarantineFilter {
  /** Null: all tenants. */
  tenantId: string | null
  scopeId: string | null
  after: QuarantineCursor | null
  limit: number
}

export async function listQuarantine(db: Database, { tenantId, scopeId, after, limit }: QuarantineFilter): Promise<QuarantinedRow[]> {
  return across(db).rows<QuarantinedRow>(
    `select d.tenant_id, s.scope_id, s.scope_no, d.document_id, d.revision, d.name, d.reason, d.stage, d.error_class, d.attempts, d.diagnosis,
       d.received_at, d.finished_at
     from documents d
     join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
     join tenants t on t.tenant_id = d.tenant_id and t.deleted_at is null
     where d.current and d.status = 'quarantined' and ($1::text is null or d.tenant_id = $1) and ($2::text is null or s.scope_id = $2)
       and ($3::text is null or (d.tenant_id, d.scope_no, d.document_id) > ($3, $4::bigint, $5))
     order by d.tenant_id, d.scope_no, d.document_id limit $6`,
    [tenantId, scopeId, after?.tenantId ?? null, after?.scopeNo ?? 0, after?.documentId ?? '', limit],
  )
}

/**
 * Documents whose last failure was the storage's (classes of SQLSTATE: connection, transaction, resources, operator,
 * system) and is `afterMs` ago. 25P02 names no reason of its own. One that fails like that again and again is left to a
 * person once as many diagnoses as are kept say so.
 */
export async function listFailedByStorage(
  db: Database,
  { afterMs, limit }: { afterMs: number; limit: number },
): Promise<QuarantineCursor[]> {
  return across(db).rows<QuarantineCursor>(
    `select d.tenant_id as "tenantId", d.scope_no as "scopeNo", d.document_id as "documentId"
     from documents d
     join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
     join tenants t on t.tenant_id = d.tenant_id and t.deleted_at is null
     where d.current and d.status = 'quarantined' and d.error_class ~ '^(08|25|40|53|55|57|58|XX)[0-9A-Z]{3}$'
       and (d.error_class = '25P02' or d.finished_at < clock_timestamp() - $1::integer * interval '1 millisecond')
       and jsonb_array_length(coalesce(d.diagnosis, '[]')) < ${keptDiagnoses}
     order by d.tenant_id, d.scope_no, d.document_id limit $2`,
    [afterMs, limit],
  )
}

/** Back into the queue at their old places, with fresh attempts. Documents that are not in quarantine are left out. */
export async function retryQuarantined(
  db: Database,
  tenantId: string,
  targets: readonly Omit<QuarantineCursor, 'tenantId'>[],
  reason = 'retry_requested',
): Promise<number> {
  const byScope = new Map<number, string[]>()
  for (const { scopeNo, documentId } of targets) byScope.set(scopeNo, [...(byScope.get(scopeNo) ?? []), documentId])
  let retried = 0
  for (const [scopeNo, documentIds] of [...byScope].sort(([a], [b]) => a - b)) {
    retried += await db.inTenant(tenantId, tx => retryInScope(tx, scopeNo, documentIds, reason))
  }
  return retried
}

async function retryInScope(tx: TenantTransaction, scopeNo: number, documentIds: readonly string[], reason: string): Promise<number> {
  await lockScopes(tx, [scopeNo])
  const rows = await tx.rows<NamedPlace & RevisionRef>(
    `select s.tenant_id as "tenantId", s.scope_no as "scopeNo", s.scope_id as "scopeId", d.generation, d.document_id as "documentId", d.revision
     from scopes s
     join documents d on d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
     where s.tenant_id = $1 and s.scope_no = $2 and d.current and d.status = 'quarantined' and d.document_id = any($3::text[])
     order by d.seq`,
    [tx.tenantId, scopeNo, [...new Set(documentIds)]],
  )
  const place = rows[0]
  if (place === undefined) return 0
  await tx.run(
    `with moved as (
       update documents d set attempts = 0, queued_at = clock_timestamp(), finished_at = null
       from unnest($4::text[], $5::integer[]) as t (document_id, revision)
       where ${inPlace('d')} and d.document_id = t.document_id and d.revision = t.revision
       returning d.seq, d.document_id, d.revision
     )
     insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
     select $1, $2, m.seq, $3, m.document_id, m.revision from moved m`,
    [...placeOf(place), ...columnsOf(rows, 'documentId', 'revision')],
  )
  await moveDocuments(tx, place, rows, { from: 'quarantined', ...requeued(reason) })
  return rows.length
}
