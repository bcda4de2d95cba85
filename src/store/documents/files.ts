/**
 * Files as they came, in chunks. Written as an upload, a short transaction each chunk, so that a slow client never holds a
 * transaction open; then kept as the original of a document revision. Chunks are read one by one, for bounded memory.
 */

import { limitReached } from '../../platform/errors.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Database, TenantTransaction, Transaction } from '../server/database.js'
import type { DocumentRow, RevisionRef } from './document-row.js'
import { brokenQuota } from './documents-intake.js'

/** Small enough that a hundred of them in one batch of a backup stay below 30 MB. */
export const chunkBytes = 128 * 1024

/** Refuses (`QUOTA_EXCEEDED`) what goes beyond the tenant's limit of bytes. */
export async function appendChunk(tx: TenantTransaction, fileId: string, chunkNo: number, data: Buffer): Promise<void> {
  const limit = await brokenQuota(tx, { documents: 0, bytes: data.length, scopes: 0 })
  if (limit !== null) throw limitReached(limit)
  await tx.run(
    `with counted as (
       insert into uploads as u (tenant_id, file_id, bytes) values ($1, $2, octet_length($4::bytea))
       on conflict (tenant_id, file_id) do update set bytes = u.bytes + excluded.bytes)
     insert into file_chunks (tenant_id, file_id, chunk_no, data) values ($1, $2, $3, $4)`,
    [tx.tenantId, fileId, chunkNo, data],
  )
}

/** The upload becomes a file of the scope. False when it is no longer there. */
export async function keepUpload(tx: TenantTransaction, scope: ScopePlace, fileId: string): Promise<boolean> {
  const isThere = await tx.touches('delete from uploads where tenant_id = $1 and file_id = $2', [scope.tenantId, fileId])
  if (!isThere) return false
  const moved = 'update file_chunks set scope_no = $2, generation = $3 where tenant_id = $1 and file_id = $4'
  await tx.run(moved, [...placeOf(scope), fileId])
  return true
}

/** Nothing happens to a file that was kept. */
export async function dropUpload(tx: TenantTransaction, fileId: string): Promise<void> {
  await tx.run(
    `with dropped as (delete from uploads where tenant_id = $1 and file_id = $2 returning file_id)
     delete from file_chunks where tenant_id = $1 and file_id in (select file_id from dropped)`,
    [tx.tenantId, fileId],
  )
}

/** Answers how many uploads older than an hour were removed. */
export async function removeStaleUploads(db: Database, limit: number): Promise<number> {
  return db.engine(tx =>
    tx.value<number>(
      `with stale as (
         delete from uploads where (tenant_id, file_id) in (
           select tenant_id, file_id from uploads where created_at < clock_timestamp() - interval '1 hour' order by created_at limit $1)
         returning tenant_id, file_id),
       chunks as (delete from file_chunks c using stale s where c.tenant_id = s.tenant_id and c.file_id = s.file_id)
       select count(*) as removed from stale`,
      [limit],
    ),
  )
}

/** Null behind the last chunk. */
export async function readChunk(tx: Transaction, tenantId: string, fileId: string, chunkNo: number): Promise<Buffer | null> {
  return tx.value<Buffer | null>('select data from file_chunks where tenant_id = $1 and file_id = $2 and chunk_no = $3', [
    tenantId,
    fileId,
    chunkNo,
  ])
}

export interface FileOfDocument extends Pick<DocumentRow, 'file_id' | 'name' | 'type' | 'revision' | 'text_extractor'> {
  file_sha256: Buffer
  file_media_type: string
  file_bytes: number
  part_depth: number
  /** That a person said it is in, parted by +. */
  scan_languages: string | null
  /** A later revision counts. */
  overtaken: boolean
}

/** The original of a row of `of`. A file that several revisions were made of is kept once, with the latest of them. */
export const fileIdSql = (of: string) => `case when ${of}.file_id is not null or ${of}.file_sha256 is null then ${of}.file_id else (
  select k.file_id from documents k
  where k.tenant_id = ${of}.tenant_id and k.scope_no = ${of}.scope_no and k.generation = ${of}.generation and k.document_id = ${of}.document_id
    and k.file_sha256 = ${of}.file_sha256 and k.file_id is not null
  order by k.revision desc limit 1) end`

/** Whether a revision has been read, or will be: the text of its file is kept, and what came with it is queued. */
export const countsSql = (of: string) =>
  `(${of}.status in ('indexed', 'held') or ${of}.status in ('queued', 'processing') and ${of}.text_extractor is not null)`

/** One that is retired has no file. */
export const attachedSql = (of: string) => `${of}.current and ${of}.file_sha256 is not null and ${of}.erased_at is null`

/** The last revision of what a mail or archive carries no more. */
export const retiredSql = (of: string) => `(${of}.part_of is not null and ${of}.file_sha256 is null)`

/** Some of what came with it was ended since. Its file, read anew, brings that once more. */
export const carriesRetiredSql = (of: string) => `(${of}.carries <> '{}' and exists (
  select from documents r where ${inPlace('r')} and r.document_id = any (${of}.carries) and r.current and ${retiredSql('r')} offset 0))`

export async function isRetired(tx: Transaction, scope: ScopePlace, { documentId, revision }: RevisionRef): Promise<boolean> {
  return tx.touches(`select from documents d where ${inPlace('d')} and d.document_id = $4 and d.revision = $5 and ${retiredSql('d')}`, [
    ...placeOf(scope),
    documentId,
    revision,
  ])
}

/** Null for a document that came as text, and for none. */
export async function findFile(
  tx: Transaction,
  scope: ScopePlace,
  document: { documentId: string; revision: number | null },
): Promise<FileOfDocument | null> {
  return tx.row<FileOfDocument>(
    `select ${fileIdSql('d')} as file_id, file_sha256, file_media_type, file_bytes, name, type, revision, text_extractor, part_depth, scan_languages, exists (
       select from documents l
       where ${inPlace('l')} and l.document_id = $4 and l.revision > d.revision
         and ${countsSql('l')}) as overtaken
     from documents d
     where ${ofPlace} and document_id = $4
       and case when $5::integer is null then current else revision = $5 end and file_sha256 is not null`,
    [...placeOf(scope), document.documentId, document.revision],
  )
}

/** What was attached to a mail and is not erased yet. */
export async function listParts(tx: Transaction, scope: ScopePlace, documentId: string): Promise<string[]> {
  return tx.column<string>(
    `select distinct document_id from documents
     where ${ofPlace} and part_of = $4 and erased_at is null order by document_id`,
    [...placeOf(scope), documentId],
  )
}

export interface NewFile {
  fileId: string
  sha256: Buffer
  mediaType: string
  bytes: number
  /** The mail it was attached to. */
  part: { of: string; depth: number } | null
  trace: string | null
}

/** The original of a revision that was just written. */
export async function linkFile(
  tx: Transaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  { fileId, sha256, mediaType, bytes, part, trace }: NewFile,
): Promise<void> {
  await tx.run(
    `update documents set file_id = $6, file_sha256 = $7, file_media_type = $8, file_bytes = $9, part_of = $10, part_depth = $11, trace = $12
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(scope), documentId, revision, fileId, sha256, mediaType, bytes, part?.of ?? null, part?.depth ?? 0, trace],
  )
}
