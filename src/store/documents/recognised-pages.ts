/**
 * Pages whose letters were recognised. While a scan is read, each page as it was recognised, so that a crash costs the page in hand; once
 * its text is kept, where in the text each word stands, how sure its recognition was, and its rectangle on the page.
 */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

/** As JSON, an array in the order of the pages. */
export async function listReadings(tx: Transaction, scope: ScopePlace, { documentId, revision }: RevisionRef): Promise<string> {
  return tx.value<string>(
    `select coalesce(json_agg(reading order by page), '[]')::text from recognised_pages
     where ${ofPlace} and document_id = $4 and revision = $5 and reading is not null`,
    [...placeOf(scope), documentId, revision],
  )
}

/** Once. False when the document is not waiting for its text any more: erased, reset, or read by another. */
export async function keepReading(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  { page, reading }: { page: number; reading: string },
): Promise<boolean> {
  const place = [...placeOf(scope), documentId, revision]
  return tx.touches(
    `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, reading)
     select tenant_id, scope_no, generation, document_id, revision, $6, $7 from documents
     where ${ofPlace} and document_id = $4 and revision = $5 and text is null and erased_at is null and status = 'processing'
     on conflict (tenant_id, scope_no, generation, document_id, revision, page) do update set reading = excluded.reading`,
    [...place, page, reading],
  )
}

/** Below this a word says so wherever it is quoted. */
const sureHundredths = 80

/** Words that were recognised with little confidence: from and to in the text, and how sure it was, 0 to 1. */
export async function listDoubtfulWords(
  tx: Transaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
): Promise<[start: number, end: number, confidence: number][]> {
  const words = await tx.value<[number, number, number][] | null>(
    `select json_agg(json_build_array(w.start, w.start + w.length, w.confidence) order by w.start)
     from recognised_pages p, unnest(p.starts, p.lengths, p.confidences) as w (start, length, confidence)
     where ${inPlace('p')} and p.document_id = $4 and p.revision = $5 and w.confidence < $6`,
    [...placeOf(scope), documentId, revision, sureHundredths],
  )
  return (words ?? []).map(([start, end, confidence]) => [start, end, confidence / 100])
}

/** Of one page: arrays in PostgreSQL's notation. */
export interface RecognisedWords {
  page: number
  starts: Buffer
  lengths: Buffer
  confidences: Buffer
  rectangles: Buffer
}

/** In place of the readings. */
export async function keepWords(
  tx: TenantTransaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  pages: readonly RecognisedWords[],
): Promise<void> {
  const place = [...placeOf(scope), documentId, revision]
  await tx.run(`delete from recognised_pages where ${ofPlace} and document_id = $4 and revision = $5`, place)
  for (const { page, starts, lengths, confidences, rectangles } of pages) {
    await tx.run(
      `insert into recognised_pages (tenant_id, scope_no, generation, document_id, revision, page, starts, lengths, confidences, rectangles)
       values ($1, $2, $3, $4, $5, $6, $7::integer[], $8::smallint[], $9::smallint[], $10::smallint[])`,
      [...place, page, ...[starts, lengths, confidences, rectangles].map(array => array.toString('latin1'))],
    )
  }
}
