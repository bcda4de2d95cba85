/** The text extracted from a document's file, with where its parts stand. Under the scope's lock, by the worker that leases it. */

import { ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'
import { countMove } from './documents-intake.js'

export interface ExtractedText {
  text: string
  textHash: Buffer
  extractor: string
  notes: readonly string[]
  places: { kind: string; starts: readonly number[]; labels: readonly string[] } | null
}

/** Places in one row: enough that few rows are read for one, and few bytes for a row. */
const placesPerRow = 500

/** False when the document is not waiting for its text any more: erased, reset, or extracted by another. */
export async function keepExtractedText(
  tx: TenantTransaction,
  scope: ScopePlace,
  document: RevisionRef,
  { text, textHash, extractor, notes, places }: ExtractedText,
): Promise<boolean> {
  const place = [...placeOf(scope), document.documentId, document.revision]
  const rowCount = await tx.run(
    `update documents set text = $6, text_hash = $7, text_extractor = $8, text_notes = $9
     where ${ofPlace} and document_id = $4 and revision = $5
       and text is null and erased_at is null and status = 'processing'`,
    [...place, text, textHash, extractor, JSON.stringify(notes)],
  )
  if (rowCount === 0) return false
  await countMove(tx, scope, { from: null, to: null, documents: 0, bytes: Buffer.byteLength(text) })
  if (places === null) return true
  await tx.run(`delete from text_places where ${ofPlace} and document_id = $4 and revision = $5`, place)
  for (let from = 0; from < places.starts.length; from += placesPerRow) {
    await tx.run(
      `insert into text_places (tenant_id, scope_no, generation, document_id, revision, first_at, kind, starts, labels)
       values ($1, $2, $3, $4, $5, ($7::integer[])[1], $6, $7, $8)`,
      [...place, places.kind, places.starts.slice(from, from + placesPerRow), places.labels.slice(from, from + placesPerRow)],
    )
  }
  return true
}
