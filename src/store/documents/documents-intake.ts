/**
 * Documents coming in by hand: attached, registered, and moved into the queue. Every function runs under the scope's
 * lock. Counts in heads are of current revisions: a revision that is replaced leaves the count of its status.
 */

import type { TenantLimit } from '../../platform/errors.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { TenantTransaction } from '../server/database.js'
import { aboutSql } from './about.js'
import type { DocumentRow, DocumentStatus, RevisionRef } from './document-row.js'

export interface NewRevision {
  documentId: string
  status: 'attached' | 'registered' | 'indexed'
  name: string
  type: string
  source: string | null
  provenance: string | null
  /** Null: what the revision before is about. */
  about: string | null
  text: string | null
  textHash: Buffer | null
  attachedSeq: number | null
}

export type LatestRevision = Pick<DocumentRow, 'revision' | 'status' | 'name' | 'type' | 'source' | 'text_hash' | 'erased_at' | 'about'>

export async function findLatestRevision(tx: TenantTransaction, scope: ScopePlace, documentId: string): Promise<LatestRevision | null> {
  return tx.row<LatestRevision>(
    `select revision, status, name, type, source, text_hash, erased_at, ${aboutSql('documents')} as about from documents
     where ${ofPlace} and document_id = $4 order by revision desc limit 1`,
    [...placeOf(scope), documentId],
  )
}

/** The limit of the tenant that one more document of this size would break, or null. */
export async function brokenQuota(
  tx: TenantTransaction,
  more: { documents: number; bytes: number; scopes: number },
): Promise<TenantLimit | null> {
  const values = [tx.tenantId, more.documents, more.bytes, more.scopes]
  return tx.value<TenantLimit | null>('select concord_over_quota($1, $2, $3, $4)', values)
}

/** Writes the next revision and takes its predecessor's place in the counts. Gives its number. */
export async function insertRevision(
  tx: TenantTransaction,
  scope: ScopePlace,
  before: LatestRevision | null,
  draft: NewRevision,
): Promise<number> {
  const { documentId, status, name, type, source, provenance, about, text, textHash, attachedSeq } = draft
  const revision = (before?.revision ?? 0) + 1
  if (before !== null) {
    await tx.run(
      `update documents set current = false
       where ${ofPlace} and document_id = $4 and revision = $5`,
      [...placeOf(scope), documentId, before.revision],
    )
  }
  await tx.run(
    `insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, source, provenance, text, text_hash,
       unchanged, attached_seq, about, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, concord_is_unchanged($12, $14, array[$7, $8, $9]::text[], $15, $16, $17, $18, $19), $13, $14,
       case when $6 = 'indexed' then clock_timestamp() end)`,
    [
      ...[...placeOf(scope), documentId, revision, status, name, type, source, provenance, text, textHash, attachedSeq, about],
      ...[before?.text_hash ?? null, before?.about ?? null, before === null ? null : [before.name, before.type, before.source]],
      ...[before?.status ?? null, before?.erased_at ?? null],
    ],
  )
  await countMove(tx, scope, { from: before?.status ?? null, to: status, documents: 1, bytes: text === null ? 0 : Buffer.byteLength(text) })
  return revision
}

export interface CountMove {
  from: DocumentStatus | null
  to: DocumentStatus | null
  documents: number
  bytes?: number
}

/** Moves the kept counts of current revisions. Statuses name columns of ours and are never input. */
export async function countMove(tx: TenantTransaction, scope: ScopePlace, move: CountMove): Promise<void> {
  const steps = new Map<string, number>()
  if (move.from !== null) steps.set(move.from, -move.documents)
  if (move.to !== null) steps.set(move.to, (steps.get(move.to) ?? 0) + move.documents)
  const sets = [...steps].filter(([, step]) => step !== 0).map(([status, step]) => `${status} = ${status} + (${step})`)
  if (move.bytes) sets.push(`bytes = bytes + (${move.bytes})`)
  if (sets.length === 0) return
  await tx.query({
    text: `update scope_heads set ${sets.join(', ')} where tenant_id = $1 and scope_no = $2`,
    values: [scope.tenantId, scope.scopeNo],
  })
}

export type AttachedRow = Pick<DocumentRow, 'document_id' | 'revision' | 'name' | 'type' | 'unchanged'> & { attached_seq: number }

/** In the order they were attached, from after `afterSeq`; of the named ones only when names are given. */
export async function listAttached(
  tx: TenantTransaction,
  scope: ScopePlace,
  wanted: { documentIds: readonly string[] | null; afterSeq: number; limit: number },
): Promise<AttachedRow[]> {
  return tx.rows<AttachedRow>(
    `select document_id, revision, name, type, unchanged, attached_seq from documents
     where ${ofPlace} and current and status = 'attached' and attached_seq > $4
       ${wanted.documentIds === null ? '' : 'and document_id = any ($6::text[])'}
     order by attached_seq limit $5`,
    [...placeOf(scope), wanted.afterSeq, wanted.limit, ...(wanted.documentIds === null ? [] : [wanted.documentIds])],
  )
}

/** Which of the named documents the scope does not have. */
export async function listUnknown(tx: TenantTransaction, scope: ScopePlace, documentIds: readonly string[]): Promise<string[]> {
  return tx.column<string>(
    `select n.document_id from unnest($4::text[]) as n (document_id)
     where not exists (
       select from documents d
       where ${inPlace('d')} and d.document_id = n.document_id and d.current)`,
    [...placeOf(scope), documentIds],
  )
}

/** Gives documents their place in the queue at `seq` of their event, and marks them queued. Counts are the caller's. */
export async function enqueue(
  tx: TenantTransaction,
  scope: ScopePlace,
  documents: readonly (RevisionRef & { seq: number })[],
): Promise<void> {
  await tx.run(
    `with moved as (
       update documents d set status = 'queued', seq = n.seq, queued_at = clock_timestamp(), started_at = null, finished_at = null, reason = null
       from unnest($4::text[], $5::integer[], $6::bigint[]) as n (document_id, revision, seq)
       where ${inPlace('d')} and d.document_id = n.document_id and d.revision = n.revision
       returning n.document_id, n.revision, n.seq)
     insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
     select $1, $2, seq, $3, document_id, revision from moved`,
    [...placeOf(scope), ...columnsOf(documents, 'documentId', 'revision', 'seq')],
  )
}
