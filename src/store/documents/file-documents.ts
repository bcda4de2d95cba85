/**
 * Documents whose original is a file: queued with it, and given their text once it is extracted. Under the scope's lock.
 */

import { AppError, limitReached } from '../../platform/errors.js'
import { appendEvents } from '../events/events.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'
import { brokenQuota, countMove, enqueue, findLatestRevision, insertRevision } from './documents-intake.js'
import { attachedSql, carriesRetiredSql, countsSql, findFile, keepUpload, linkFile, type NewFile } from './files.js'

export interface NewFileDocument {
  documentId: string
  name: string
  source: string | null
  /** Null: what the revision before is about. */
  about: string | null
  /** Its `type`. */
  kind: string
  /** Whether its text would be extracted so today. */
  isCurrent(extractor: string): boolean
  file: NewFile
}

/** Writes the next revision of the document with its event and its place in the queue, and keeps the upload as its original. */
export async function queueFile(
  tx: TenantTransaction,
  scope: NamedPlace,
  { documentId, name, source, about, kind, isCurrent, file }: NewFileDocument,
): Promise<{ documentId: string; seq: number }> {
  const before = await findLatestRevision(tx, scope, documentId)
  const earlier = before === null ? null : await readSameFile(tx, scope, { documentId, revision: before.revision }, { file, isCurrent })
  // Its bytes were counted as they came.
  const limit = await brokenQuota(tx, { documents: before === null ? 1 : 0, bytes: 0, scopes: 0 })
  if (limit !== null) throw limitReached(limit)
  if (!(await keepUpload(tx, scope, file.fileId))) {
    throw new AppError('REQUEST_TIMEOUT', { detail: 'The upload took so long that it was removed.' })
  }
  const revision = await insertRevision(tx, scope, before, {
    documentId,
    status: 'attached',
    name,
    type: kind,
    source,
    provenance: null,
    about,
    text: earlier?.text ?? null,
    textHash: earlier?.text_hash ?? null,
    attachedSeq: null,
  })
  await linkFile(tx, scope, { documentId, revision }, file)
  const unchanged = earlier === null ? false : await keepEarlierText(tx, scope, { documentId, revision }, earlier.extractor)
  return { documentId, seq: await queueRevision(tx, scope, { documentId, revision, type: kind, unchanged, bytes: file.bytes }) }
}

/** With its event. Gives the event's place, which is its place in the queue. `told` is what the event says beyond. */
export async function queueRevision(
  tx: TenantTransaction,
  scope: NamedPlace,
  { documentId, revision, type, unchanged, bytes }: RevisionRef & { type: string; unchanged: boolean; bytes: number },
  told: Readonly<Record<string, string | number>> = {},
): Promise<number> {
  const data = { scope_id: scope.scopeId, document_id: documentId, revision, type, status: 'queued', unchanged, ...told }
  const { firstSeq: seq } = await appendEvents(tx, scope, [{ type: 'document.queued', subject: documentId, data }])
  await enqueue(tx, scope, [{ documentId, revision, seq }])
  await countMove(tx, scope, { from: 'attached', to: 'queued', documents: 1, bytes })
  return seq
}

/** How many documents a mail or archive brought, through all within it, without those below `except`, and their bytes: it may bring only so many. */
export async function countParts(tx: Transaction, scope: ScopePlace, except: string): Promise<{ documents: number; bytes: number }> {
  const counted = await tx.row<{ documents: number; bytes: number }>(
    `with recursive above as (
       select document_id, part_of from documents
       where ${ofPlace} and document_id = $4 and current
       union
       select d.document_id, d.part_of from documents d join above a on d.document_id = a.part_of
       where ${inPlace('d')} and d.current
     ), below as (
       select d.document_id, d.file_bytes from documents d join above a on d.part_of = a.document_id
       where a.part_of is null and a.document_id <> $4 and ${inPlace('d')} and ${attachedSql('d')} and ${isCarried}
       union
       select d.document_id, d.file_bytes from documents d join below b on d.part_of = b.document_id
       where b.document_id <> $4 and ${inPlace('d')} and ${attachedSql('d')} and ${isCarried})
     select count(*) as documents, coalesce(sum(file_bytes), 0)::bigint as bytes from below`,
    [...placeOf(scope), except],
  )
  return counted ?? { documents: 0, bytes: 0 }
}

/**
 * Not what is only waiting to be retired: a part `d` that the latest revision that counts, or will, does not bring. One that was rejected
 * is asked only where it brings the part: what it lacks stays.
 */
const isCarried = `coalesce((
  select d.document_id = any (c.carries) from documents c
  where ${inPlace('c')} and c.document_id = d.part_of and c.carries is not null and (${countsSql('c')} or d.document_id = any (c.carries))
  order by c.revision desc limit 1), true)`

interface EarlierText {
  extractor: string
  text: string | null
  text_hash: Buffer
}

/** The text of the revision before, where the same bytes were extracted by the same extractor, and what came with it is still there. */
async function readSameFile(
  tx: TenantTransaction,
  scope: ScopePlace,
  document: RevisionRef,
  { file, isCurrent }: Pick<NewFileDocument, 'file' | 'isCurrent'>,
): Promise<EarlierText | null> {
  const found = await findFile(tx, scope, document)
  const extractor = found?.text_extractor ?? null
  if (found === null || extractor === null || !found.file_sha256.equals(file.sha256) || !isCurrent(extractor)) return null
  const row = await tx.row<{ text: string | null; text_hash: Buffer | null }>(
    `select d.text, d.text_hash from documents d
     where ${inPlace('d')} and d.document_id = $4 and d.revision = $5 and d.erased_at is null and ${carriesRetiredSql('d')} is not true`,
    [...placeOf(scope), document.documentId, document.revision],
  )
  return row === null || row.text_hash === null ? null : { extractor, text: row.text, text_hash: row.text_hash }
}

/** Places are found by the revision that claims belong to; a revision that is read after all needs its own. */
async function keepEarlierText(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  extractor: string,
): Promise<boolean> {
  const values = [...placeOf(scope), documentId, revision, extractor]
  const unchanged = await tx.value<boolean>(
    `update documents d set text_extractor = $6,
       (text_notes, carries) = (select e.text_notes, e.carries from documents e
         where ${inPlace('e')} and e.document_id = $4 and e.revision = $5 - 1)
     where ${inPlace('d')} and d.document_id = $4 and d.revision = $5
     returning d.unchanged`,
    values,
  )
  await tx.run(
    `insert into text_places (tenant_id, scope_no, generation, document_id, revision, first_at, kind, starts, labels)
     select tenant_id, scope_no, generation, document_id, $5, first_at, kind, starts, labels from text_places
     where ${ofPlace} and document_id = $4 and revision = $5 - 1`,
    values.slice(0, 5),
  )
  await tx.run(
    `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, starts, lengths, confidences, rectangles, corrected)
     select tenant_id, scope_no, generation, document_id, $5, page, starts, lengths, confidences, rectangles, corrected from recognised_pages
     where ${ofPlace} and document_id = $4 and revision = $5 - 1`,
    values.slice(0, 5),
  )
  return unchanged
}
