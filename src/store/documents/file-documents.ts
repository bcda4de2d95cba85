/**
 * Documents whose original is a file: queued with it, and given their text once it is extracted. Under the scope's lock.
 */

import { sha256 } from '../../platform/digest.js'
import { AppError, limitReached } from '../../platform/errors.js'
import { appendEvents } from '../events/events.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'
import { brokenQuota, countMove, enqueue, findLatestRevision, insertRevision } from './documents-intake.js'
import { countsSql, findFile, keepUpload, linkFile, type NewFile } from './files.js'

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

/**
 * What a mail carried before and carries no more, with everything below it, gets a revision without text: what it said counts
 * no longer, and its originals stay with the revisions before. Gives how many documents that are.
 */
export async function retireParts(
  tx: TenantTransaction,
  scope: NamedPlace,
  mail: RevisionRef,
  carried: readonly string[],
): Promise<number> {
  const gone = await tx.rows<{ document_id: string; name: string; source: string | null; part_of: string; part_depth: number }>(
    `with recursive gone as (
       select document_id, name, source, part_of, part_depth from documents
       where ${ofPlace} and part_of = $4 and document_id <> all ($5::text[]) and ${isAttached}
       union
       select d.document_id, d.name, d.source, d.part_of, d.part_depth from documents d
       join gone g on d.part_of = g.document_id
       where ${inPlace('d')} and ${isAttached})
     select document_id, name, source, part_of, part_depth from gone order by part_depth, document_id`,
    [...placeOf(scope), mail.documentId, carried],
  )
  for (const { document_id: documentId, name, source, part_of, part_depth } of gone) {
    const before = await findLatestRevision(tx, scope, documentId)
    const revision = await insertRevision(tx, scope, before, {
      documentId,
      status: 'attached',
      name,
      type: 'txt',
      source,
      provenance: `No longer attached: revision ${mail.revision} of the mail or archive does not contain it.`,
      about: null,
      text: '',
      textHash: sha256(''),
      attachedSeq: null,
    })
    await tx.run(
      `update documents set part_of = $6, part_depth = $7
       where ${ofPlace} and document_id = $4 and revision = $5`,
      [...placeOf(scope), documentId, revision, part_of, part_depth],
    )
    await queueRevision(tx, scope, { documentId, revision, type: 'txt', unchanged: false, bytes: 0 })
  }
  return gone.length
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
       where a.part_of is null and a.document_id <> $4 and ${inPlace('d')} and ${isAttached}
       union
       select d.document_id, d.file_bytes from documents d join below b on d.part_of = b.document_id
       where b.document_id <> $4 and ${inPlace('d')} and ${isAttached})
     select count(*) as documents, coalesce(sum(file_bytes), 0)::bigint as bytes from below`,
    [...placeOf(scope), except],
  )
  return counted ?? { documents: 0, bytes: 0 }
}

/** Whether a revision that is none of the kinds that carry documents, and the latest that counts, has some that came with an earlier one. */
export async function hasFormerParts(
  tx: Transaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  carriers: readonly string[],
): Promise<boolean> {
  return tx.value<boolean>(
    `select exists (
       select from documents where ${ofPlace} and part_of = $4 and ${isAttached}
     ) and not exists (
       select from documents l
       where ${inPlace('l')} and l.document_id = $4
         and (l.revision = $5 and l.file_media_type = any ($6) or l.revision > $5 and ${countsSql('l')})) as former`,
    [...placeOf(scope), documentId, revision, carriers],
  )
}

/** One that is retired has no file. */
const isAttached = 'current and file_sha256 is not null and erased_at is null'

interface EarlierText {
  extractor: string
  text: string | null
  text_hash: Buffer
}

/** The text of the revision before, where the same bytes were extracted by the same extractor. */
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
    `select text, text_hash from documents
     where ${ofPlace} and document_id = $4 and revision = $5 and erased_at is null`,
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
       text_notes = (select e.text_notes from documents e
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
