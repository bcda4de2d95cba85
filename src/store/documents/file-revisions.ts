/**
 * Further revisions of a file that is here: its text corrected by a person, or recognised in other languages. The original goes
 * with the latest. Under the scope's lock.
 */

import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import type { DocumentRow, RevisionRef } from './documents.js'
import { findLatestRevision, insertRevision } from './documents-intake.js'
import type { WordRow } from './recognised-pages.js'

export interface NextRevision {
  provenance: string
  /** Null: it is read anew. */
  text: { words: string; hash: Buffer } | null
  /** Languages to read it in, parted by +; null: as the revision before. */
  languages: string | null
}

/** Writes the next revision of the same file, not queued yet, and gives its number. */
export async function insertFileRevision(
  tx: TenantTransaction,
  scope: NamedPlace,
  row: Pick<DocumentRow, 'document_id' | 'name' | 'type' | 'source'>,
  { provenance, text, languages }: NextRevision,
): Promise<number> {
  const documentId = row.document_id
  const revision = await insertRevision(tx, scope, await findLatestRevision(tx, scope, documentId), {
    documentId,
    status: 'attached',
    name: row.name,
    type: row.type,
    source: row.source,
    provenance,
    about: null,
    text: text?.words ?? null,
    textHash: text?.hash ?? null,
    attachedSeq: null,
  })
  await tx.run(
    `update documents d set file_id = e.file_id, file_sha256 = e.file_sha256, file_media_type = e.file_media_type, file_bytes = e.file_bytes,
       part_of = e.part_of, part_depth = e.part_depth, carries = e.carries, scan_languages = coalesce($6, e.scan_languages), unchanged = false
     from documents e
     where ${inPlace('d')} and d.document_id = $4 and d.revision = $5 and ${inPlace('e')} and e.document_id = $4 and e.revision = $5 - 1`,
    [...placeOf(scope), documentId, revision, languages],
  )
  await tx.run(`update documents set file_id = null where ${ofPlace} and document_id = $4 and revision = $5 - 1`, [
    ...placeOf(scope),
    documentId,
    revision,
  ])
  return revision
}

/** Places and words of the revision before, where one word has become longer or shorter and certain. */
export async function keepCorrectedPlaces(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  { page, number, start }: Pick<WordRow, 'page' | 'number' | 'start'>,
  { length, longer }: { length: number; longer: number },
): Promise<void> {
  const values = [...placeOf(scope), documentId, revision, start, longer]
  const moved = (starts: string) =>
    `array(select s.at + case when s.at > $6::integer then $7::integer else 0 end from unnest(${starts}) with ordinality as s (at, place) order by s.place)`
  await tx.run(
    `insert into text_places (tenant_id, scope_no, generation, document_id, revision, first_at, kind, starts, labels)
     select tenant_id, scope_no, generation, document_id, $5, first_at + case when first_at > $6 then $7 else 0 end, kind, ${moved('starts')}, labels
     from text_places where ${ofPlace} and document_id = $4 and revision = $5 - 1`,
    values,
  )
  await tx.run(
    `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, starts, lengths, confidences, rectangles, corrected)
     select tenant_id, scope_no, generation, document_id, $5, page, ${moved('starts')}, lengths, confidences, rectangles, corrected
     from recognised_pages where ${ofPlace} and document_id = $4 and revision = $5 - 1`,
    values,
  )
  await tx.run(
    `update recognised_pages set lengths[$7] = $8, confidences[$7] = 100,
       corrected = array(select distinct n from unnest(corrected || $7::smallint) as n order by n)
     where ${ofPlace} and document_id = $4 and revision = $5 and page = $6`,
    [...placeOf(scope), documentId, revision, page, number, length],
  )
}

/** What made its text stays; the notes say in how many words people read the page for us. */
export async function noteCorrections(tx: TenantTransaction, scope: ScopePlace, { documentId, revision }: RevisionRef): Promise<void> {
  await tx.run(
    `update documents d set text_extractor = e.text_extractor, text_notes = (
       select json_agg(note order by place) from (
         select note, place from json_array_elements_text(coalesce(e.text_notes, '[]')) with ordinality as n (note, place)
         where note not like 'Words corrected by people: %'
         union all
         select 'Words corrected by people: ' || sum(cardinality(p.corrected)) || '.', 1000000 from recognised_pages p
         where ${inPlace('p')} and p.document_id = $4 and p.revision = $5) as notes)
     from documents e
     where ${inPlace('d')} and d.document_id = $4 and d.revision = $5 and ${inPlace('e')} and e.document_id = $4 and e.revision = $5 - 1`,
    [...placeOf(scope), documentId, revision],
  )
}
