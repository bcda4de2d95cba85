/**
 * Documents whose original is a file: queued with it, and given their text once it is extracted. Under the scope's lock.
 */

import { sha256 } from '../../platform/digest.js'
import { AppError, limitReached } from '../../platform/errors.js'
import { appendEvents } from '../events/events.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
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

/** What came with an earlier revision of a mail or archive, or within that, and does not come with this one. */
export interface FormerPart extends RevisionRef {
  partId: string
  name: string
  source: string | null
  partOf: string
  partDepth: number
  /** Its current revision is among the documents that wait: the one without text comes in its place. */
  waits: boolean
}

/**
 * Of these revisions, as if they counted. What comes with a later one that counts, or will, stays; of one whose own parts were not kept,
 * since a later one counted by then, nothing is told. Most revisions carry nothing: the offset keeps the server from going through all
 * documents of the case for them.
 */
export async function listFormerParts(tx: Transaction, scope: ScopePlace, revisions: readonly RevisionRef[]): Promise<FormerPart[]> {
  if (revisions.length === 0) return []
  return tx.rows<FormerPart>(
    `with recursive carrier as (
       select d.document_id, d.revision from unnest($4::text[], $5::integer[]) as k (document_id, revision)
       join documents d on ${inPlace('d')} and d.document_id = k.document_id and d.revision = k.revision
       where d.carries is not null or d.file_sha256 is null
     ), gone as (
       select c.document_id as of_document, c.revision, d.document_id, d.name, d.source, d.part_of, d.part_depth, d.status
       from carrier c cross join lateral (
         select document_id, name, source, part_of, part_depth, status from documents p where ${inPlace('p')} and p.part_of = c.document_id and ${isAttached('p')} offset 0) d
       where not exists (
         select from documents l
         where ${inPlace('l')} and l.document_id = c.document_id and l.revision >= c.revision
           and ${countsSql('l')} and d.document_id = any (l.carries) offset 0)
       union
       select g.of_document, g.revision, d.document_id, d.name, d.source, d.part_of, d.part_depth, d.status from documents d
       join gone g on d.part_of = g.document_id
       where ${inPlace('d')} and ${isAttached('d')})
     select of_document as "documentId", revision, document_id as "partId", name, source, part_of as "partOf", part_depth as "partDepth",
       status in ('queued', 'processing') as waits
     from gone order by part_depth, document_id, revision`,
    [...placeOf(scope), ...columnsOf(revisions, 'documentId', 'revision')],
  )
}

/** Each once: one that several revisions no longer bring is retired by the first. */
export function distinctParts(parts: readonly FormerPart[]): FormerPart[] {
  const seen = new Set<string>()
  return parts.filter(({ partId }) => !seen.has(partId) && seen.add(partId))
}

/**
 * With the commit that admits these revisions: what policy holds or a person rejects takes nothing back. What came before and comes no
 * more, with everything below it, gets a revision without text: what it said counts no longer, and its originals stay with the revisions
 * before. With nothing slow behind it, as `queueSettled`.
 */
export async function retireParts(tx: TenantTransaction, scope: NamedPlace, parts: readonly FormerPart[]): Promise<void> {
  for (const part of parts) await retirePart(tx, scope, part)
}

async function retirePart(tx: TenantTransaction, scope: NamedPlace, part: FormerPart): Promise<void> {
  const documentId = part.partId
  const before = await findLatestRevision(tx, scope, documentId)
  const revision = await insertRevision(tx, scope, before, {
    documentId,
    status: 'attached',
    name: part.name,
    type: 'txt',
    source: part.source,
    provenance: `No longer attached: revision ${part.revision} of the mail or archive does not contain it.`,
    about: null,
    text: '',
    textHash: sha256(''),
    attachedSeq: null,
  })
  await tx.run(
    `update documents set part_of = $6, part_depth = $7
     where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(scope), documentId, revision, part.partOf, part.partDepth],
  )
  await queueRevision(tx, scope, { documentId, revision, type: 'txt', unchanged: false, bytes: 0 })
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
       where a.part_of is null and a.document_id <> $4 and ${inPlace('d')} and ${isAttached('d')} and ${isCarried}
       union
       select d.document_id, d.file_bytes from documents d join below b on d.part_of = b.document_id
       where b.document_id <> $4 and ${inPlace('d')} and ${isAttached('d')} and ${isCarried})
     select count(*) as documents, coalesce(sum(file_bytes), 0)::bigint as bytes from below`,
    [...placeOf(scope), except],
  )
  return counted ?? { documents: 0, bytes: 0 }
}

/** One that is retired has no file. */
const isAttached = (of: string) => `${of}.current and ${of}.file_sha256 is not null and ${of}.erased_at is null`

/**
 * Not what is only waiting to be retired: a part `d` that the latest revision that counts, or will, does not bring. One that was rejected
 * retires nothing, and what it brought stays with the rest.
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
