/**
 * The text extracted from a document's file, with where its parts stand. Under the scope's lock, by the worker that leases it, or by the
 * process that recognises its letters while it waits.
 */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'
import { countMove } from './documents-intake.js'
import { keepWords, type RecognisedWords } from './recognised-pages.js'

export interface ExtractedText {
  text: string
  textHash: Buffer
  extractor: string
  notes: readonly string[]
  /** Rows whose arrays are in PostgreSQL's notation. */
  places: { kind: string; rows: readonly { firstAt: number; starts: Buffer; labels: Buffer }[] } | null
  /** Of pages that were recognised. */
  words: readonly RecognisedWords[]
  /** The documents that came with it; null where a later revision counts already, and none were kept. */
  carries: readonly string[] | null
}

/** Rows of places in one statement: half a megabyte at most. */
const rowsAtOnce = 50

/** False when the document is not waiting for its text any more: erased, reset, or extracted by another. */
export async function keepExtractedText(
  tx: TenantTransaction,
  scope: ScopePlace,
  document: RevisionRef,
  { text, textHash, extractor, notes, places, words, carries }: ExtractedText,
): Promise<boolean> {
  const place = [...placeOf(scope), document.documentId, document.revision]
  const rowCount = await tx.run(
    `update documents set text = $6, text_hash = $7, text_extractor = $8, text_notes = $9, carries = $10
     where ${ofPlace} and document_id = $4 and revision = $5
       and text is null and erased_at is null and status in ('queued', 'processing')
       and exists (select from scopes where ${ofPlace})`,
    [...place, text, textHash, extractor, JSON.stringify(notes), carries],
  )
  if (rowCount === 0) return false
  await countMove(tx, scope, { from: null, to: null, documents: 0, bytes: Buffer.byteLength(text) })
  await keepWords(tx, scope, document, words)
  if (places === null) return true
  await tx.run(`delete from text_places where ${ofPlace} and document_id = $4 and revision = $5`, place)
  for (let from = 0; from < places.rows.length; from += rowsAtOnce) {
    const rows = places.rows.slice(from, from + rowsAtOnce)
    await tx.run(
      `insert into text_places (tenant_id, scope_no, generation, document_id, revision, first_at, kind, starts, labels)
       select $1, $2, $3, $4, $5, first_at, $6, starts::integer[], labels::text[]
       from unnest($7::integer[], $8::text[], $9::text[]) as given (first_at, starts, labels)`,
      [
        ...place,
        places.kind,
        rows.map(row => row.firstAt),
        rows.map(row => row.starts.toString('latin1')),
        rows.map(row => row.labels.toString('utf8')),
      ],
    )
  }
  return true
}
