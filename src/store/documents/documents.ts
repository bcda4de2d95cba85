/**
 * Rows of documents: one for each revision, the newest marked `current`. Readers see the scope's generation of the
 * moment only.
 */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { documentHoldSql } from '../scopes/standing-hold.js'
import { bindings, isoSql } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import { aboutSql } from './about.js'
import type { DocumentRow, DocumentStatus, RevisionRef } from './document-row.js'
import { fileIdSql } from './files.js'

export type { DocumentRow, DocumentStatus, RevisionRef }

/** As the index has it. What came as text is its own bytes. */
const bytesSql = (of: string) => `case when ${of}.file_sha256 is null then ${of}.text_hash else ${of}.file_sha256 end`

/** Others that are named for one: the same form may be in a case a thousand times. */
const mostSame = 10

const columns = `
  document_id, revision, current, status, name, type, source, provenance, ${aboutSql('documents')} as about, text_hash, unchanged, seq, attempts, reason, stage, error_class,
  received_at, queued_at, started_at, finished_at, erased_at, timings, round, first_claim_no, claim_count, contradiction_count,
  ${fileIdSql('documents')} as file_id, file_sha256, file_media_type, file_bytes, text_extractor, text_notes, part_of, model_outcome, extractor, extractor_version, compared_model,
  ${documentHoldSql('documents')}, array(
    select s.document_id from documents s
    where s.tenant_id = documents.tenant_id and s.scope_no = documents.scope_no and s.generation = documents.generation
      and s.current and s.erased_at is null and documents.erased_at is null and s.document_id <> documents.document_id
      and ${bytesSql('s')} = ${bytesSql('documents')} and ${bytesSql('documents')} <> sha256('')
    order by s.document_id limit ${mostSame}) as same_as, (
    select json_build_object('by', o.signed_by, 'vouched', o.bound, 'sign_off_id', o.sign_off_id,
      'signed_at', ${isoSql('o.signed_at')}, 'how', u.how)
    from sign_offs o left join lateral (
      select e.value ->> 'how' as how from json_array_elements(o.unread) e
      where e.value ->> 'document_id' = documents.document_id and (e.value ->> 'revision')::integer = documents.revision limit 1) u on true
    where o.tenant_id = documents.tenant_id and o.scope_no = documents.scope_no and o.generation = documents.generation and o.withdrawn is null
      and documents.erased_at is null and (u.how is not null or (documents.status = 'indexed' and o.round > documents.round))
    order by o.round desc limit 1) as signed, case when documents.status = 'indexed' and documents.compared_model is null and documents.erased_at is null then (
      select regexp_replace(m.model, '^model:', '') || '@' || m.prompt_version from model_readings m
      where m.tenant_id = documents.tenant_id and m.scope_no = documents.scope_no and m.generation = documents.generation
        and m.document_id = documents.document_id and m.revision = documents.revision and m.reading is not null) end as partly_compared`

/**
 * Numbers of the claims of a row `d`, of every reading of it, and of those that later findings made of its passages: those of one
 * reading or round are contiguous, so that no index on claims is needed to find them.
 */
export const claimRangesSql =
  'unnest(d.former_claims + d.lent_claims + int8multirange(int8range(coalesce(d.first_claim_no, 0), coalesce(d.first_claim_no, 0) + d.claim_count)))'

/** The current revision, or the one asked for. */
export async function findDocument(
  tx: Transaction,
  scope: ScopePlace,
  documentId: string,
  revision: number | null = null,
): Promise<DocumentRow | null> {
  return tx.row<DocumentRow>(
    `select ${columns} from documents
     where ${ofPlace} and document_id = $4 and case when $5::integer is null then current else revision = $5 end`,
    [...placeOf(scope), documentId, revision],
  )
}

/** Current revisions in the order of their ids. */
export async function listDocumentRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  filter: {
    status: DocumentStatus | null
    receivedFrom: string | null
    receivedTo: string | null
    withoutModel: boolean
    partOf: string | null
    ids: readonly string[] | null
    after: string | null
    limit: number
  },
): Promise<DocumentRow[]> {
  const { values, bind } = bindings(...placeOf(scope), filter.after, filter.limit, filter.receivedFrom, filter.receivedTo)
  const partOf = filter.partOf === null ? '' : `and part_of = ${bind(filter.partOf)}`
  const named = filter.ids === null ? '' : `and document_id = any (${bind(filter.ids)}::text[])`
  const { rows } = await tx.query<DocumentRow>({
    prepared: filter.status === null && !filter.withoutModel && partOf + named === '',
    text: `
      select ${columns} from documents
      where ${ofPlace} and current and ($4::text is null or document_id > $4)
        and ($6::timestamptz is null or received_at >= $6) and ($7::timestamptz is null or received_at < $7)
        ${filter.status === null ? '' : `and status = '${literalStatus(filter.status)}'`}
        ${filter.withoutModel ? "and status = 'indexed' and model_outcome <> 'answered' and erased_at is null" : ''} ${partOf} ${named}
      order by document_id limit $5`,
    values,
  })
  return rows
}

/** Newest first. */
export async function listRevisionRows(
  tx: TenantTransaction,
  scope: ScopePlace,
  page: { documentId: string; before: number | null; limit: number },
): Promise<DocumentRow[]> {
  return tx.rows<DocumentRow>(
    `select ${columns} from documents
     where ${ofPlace} and document_id = $4 and ($5::integer is null or revision < $5)
     order by revision desc limit $6`,
    [...placeOf(scope), page.documentId, page.before, page.limit],
  )
}

/** Null where there is no such revision, or its text is not kept. `text` is null when the reader has it already. */
export async function readText(
  tx: TenantTransaction,
  scope: ScopePlace,
  wanted: { documentId: string; revision: number | null; knownHash: Buffer | null },
): Promise<{ text: string | null; hash: Buffer } | null> {
  return tx.row<{ text: string | null; hash: Buffer }>(
    `select case when text_hash = $6::bytea then null else text end as text, text_hash as hash from documents
     where ${ofPlace} and document_id = $4
       and case when $5::integer is null then current else revision = $5 end and text is not null and text_hash is not null`,
    [...placeOf(scope), wanted.documentId, wanted.revision, wanted.knownHash],
  )
}

/** How long the text of a revision is in UTF-8, without reading it; null where none is kept. */
export async function findText(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
): Promise<{ bytes: number; hash: Buffer } | null> {
  return tx.row<{ bytes: number; hash: Buffer }>(
    `select octet_length(text) as bytes, text_hash as hash from documents
     where ${ofPlace} and document_id = $4 and revision = $5 and text is not null and text_hash is not null`,
    [...placeOf(scope), documentId, revision],
  )
}

const statuses: readonly DocumentStatus[] = ['registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined']

/** A literal, because the planner matches the partial index of waiting documents by its constants only. */
function literalStatus(status: DocumentStatus): string {
  return statuses[statuses.indexOf(status)] ?? 'registered'
}
