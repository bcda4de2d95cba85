/**
 * Pages whose letters were recognised. While a scan is read, each page as it was recognised, so that a crash costs the page in hand; once
 * its text is kept, where in the text each word stands, how sure its recognition was, and its rectangle on the page.
 */

import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'

/** The last page that was recognised; 0 where none was. They are recognised in order. */
export async function lastReading(tx: Transaction, scope: ScopePlace, { documentId, revision }: RevisionRef): Promise<number> {
  return tx.value<number>(
    `select coalesce(max(page), 0) from recognised_pages
     where ${ofPlace} and document_id = $4 and revision = $5 and reading is not null`,
    [...placeOf(scope), documentId, revision],
  )
}

/** As JSON, an array in the order of the pages. */
export async function listReadings(tx: Transaction, scope: ScopePlace, { documentId, revision }: RevisionRef): Promise<string> {
  return tx.value<string>(
    `select coalesce(json_agg(reading order by page), '[]')::text from recognised_pages
     where ${ofPlace} and document_id = $4 and revision = $5 and reading is not null`,
    [...placeOf(scope), documentId, revision],
  )
}

/** Once. False when the document is not waiting for this page any more: erased, reset, or recognised by another process. */
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
     where ${ofPlace} and document_id = $4 and revision = $5 and text is null and erased_at is null and status in ('queued', 'processing')
     on conflict do nothing`,
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

export interface WordRow {
  page: number
  start: number
  length: number
  /** In hundredths. */
  confidence: number
  /** Left, top, width, height in ten-thousandths of the page. */
  rectangle: number[]
  /** Its place among the words of the page, from 1. */
  number: number
  corrected: boolean
}

/** In the order of the text. */
export async function listWordRows(
  tx: Transaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  wanted: { page?: number | null; below?: number | null; after: number | null; limit: number },
): Promise<WordRow[]> {
  return tx.rows<WordRow>(
    `with words as (
       select p.page, w.start, w.length, w.confidence, w.number
       from recognised_pages p, unnest(p.starts, p.lengths, p.confidences) with ordinality as w (start, length, confidence, number)
       where ${inPlace('p')} and p.document_id = $4 and p.revision = $5 and ($6::integer is null or p.page = $6)
         and ($7::real is null or w.confidence < round($7::numeric * 100)) and ($8::integer is null or w.start > $8)
       order by w.start limit $9)
     select w.page, w.start, w.length, w.confidence, p.rectangles[4 * w.number - 3 : 4 * w.number] as rectangle, w.number::integer, w.number = any (p.corrected) as corrected
     from words w join recognised_pages p on ${inPlace('p')} and p.document_id = $4 and p.revision = $5 and p.page = w.page
     order by w.start`,
    [...placeOf(scope), documentId, revision, wanted.page ?? null, wanted.below ?? null, wanted.after, wanted.limit],
  )
}

/** From one code point of a text to before another; null where the text is not kept. */
export async function readSlice(
  tx: Transaction,
  scope: ScopePlace,
  { documentId, revision }: RevisionRef,
  { from, to }: { from: number; to: number },
): Promise<string | null> {
  return tx.value<string | null>(
    `select substr(text, $6::integer + 1, $7::integer - $6::integer) from documents where ${ofPlace} and document_id = $4 and revision = $5`,
    [...placeOf(scope), documentId, revision, from, to],
  )
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
