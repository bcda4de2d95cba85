/** Documents as passages: where they are cut, the words they are found by, and those of a case that a model is shown. */

import { cut, storable, storableJson } from '../../platform/storable-text.js'
import { stillSaidSql } from '../claims/claim-ends.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { textArray } from '../server/binary-arrays.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'
import { claimRangesSql, type RevisionRef } from './documents.js'
import { keptFromModelSql } from './model-off.js'
import { readRevisionSql } from './stored-readings.js'

/** In code points; `about` is what it is about where its own words do not tell. */
export type StoredPassage = [start: number, end: number, about: string | null]

export interface PassagesWrite {
  documentId: string
  revision: number
  passages: readonly StoredPassage[]
  /** Each word with the places of the passages that have it. */
  terms: ReadonlyMap<string, readonly number[]>
}

const longestTerm = 60
/** Of a long document, so that the process does something else in between. */
const termsAtOnce = 2_000

/** In place of those of the revision before. Passages count towards the limit of bytes. */
export async function replacePassages(tx: Transaction, place: ScopePlace, writes: readonly PassagesWrite[]): Promise<void> {
  for (const { documentId, revision, passages, terms } of writes) {
    await removePassages(tx, place, documentId)
    await tx.run(
      `insert into document_passages (tenant_id, scope_no, generation, document_id, revision, passages)
       values ($1, $2, $3, $4, $5, $6::jsonb)`,
      [...placeOf(place), documentId, revision, storableJson(passages)],
    )
    const all = [...terms]
    for (let at = 0; at < all.length; at += termsAtOnce) {
      const words = all.slice(at, at + termsAtOnce)
      await tx.run(
        `insert into passage_terms (tenant_id, scope_no, generation, term, document_id, passages)
         select $1, $2, $3, t.term, $4, t.passages::integer[] from unnest($5::text[], $6::text[]) as t (term, passages) on conflict do nothing`,
        [
          ...placeOf(place),
          documentId,
          textArray(words.map(([word]) => storable(cut(word, longestTerm)))),
          textArray(words.map(([, places]) => `{${places.join()}}`)),
        ],
      )
    }
    await tx.run(`update scope_states set passages = passages + $4 where ${ofPlace}`, [...placeOf(place), passages.length])
  }
}

/** With the words by which they are found. They count no longer. */
export async function removePassages(tx: Transaction, place: ScopePlace, documentId: string): Promise<void> {
  await tx.run(
    `with gone as (delete from document_passages where ${ofPlace} and document_id = $4 returning jsonb_array_length(passages) as passages),
     words as (delete from passage_terms where ${ofPlace} and document_id = $4)
     update scope_states s set passages = s.passages - g.passages from (select sum(passages) as passages from gone) g
     where ${inPlace('s')} and g.passages > 0`,
    [...placeOf(place), documentId],
  )
}

/** A document as far as it can be shown: the newest revision that was read, where its text is still there. */
export interface CaseDocument {
  documentId: string
  revision: number
  /** The revision whose row has the text: a later one that repeats it may have it when that of the one that was read is removed by age. */
  textRevision: number
  name: string
  type: string
  issuer: string | null
  issuedOn: string | null
  /** Of its text. Told without reading it, as its characters are not. */
  bytes: number
}

/** Of a row `d` that has the text, and the row `r` that was read. */
const caseColumns = `d.document_id as "documentId", r.revision, d.revision as "textRevision", d.name, d.type, r.profile ->> 'issuer' as issuer,
    r.profile ->> 'issuedOn' as "issuedOn", octet_length(d.text) as bytes`
const readRow = `cross join lateral ${readRevisionSql('d', 'p.revision, p.profile, p.round')} r`

/**
 * The shown ones in the order in which they were admitted, which only grows. Of more than the limit one more than that, whichever: a
 * large case is not read and sorted for each of its documents.
 */
export async function listCase(
  tx: Transaction,
  place: ScopePlace,
  { except, limit }: { except: string; limit: number },
): Promise<CaseDocument[]> {
  return tx.rows<CaseDocument>(
    `select ${caseColumns} from (
       select d.* from documents d where ${inPlace('d')} and ${shownSql} and d.document_id <> $4 limit $5
     ) d ${readRow} order by r.round, d.document_id`,
    [...placeOf(place), except, limit + 1],
  )
}

/**
 * Of a row `d`: the newest that has the text of what was read last, be it that revision or one that repeats it. The offset keeps the server
 * from joining: it expects one row of any scope, and would go through all documents of the case for each of them.
 */
export const shownSql = `d.status = 'indexed' and d.round is not null and d.text is not null and d.erased_at is null
  and (d.profile is not null or d.unchanged)
  and not ${keptFromModelSql}
  and not exists (
    select from documents l where ${inPlace('l')} and l.document_id = d.document_id and l.revision > d.revision
      and l.status = 'indexed' and l.round is not null and (l.profile is not null or l.text is not null) offset 0)`

export interface ShownText {
  documentId: string
  text: string
  /** Null of documents that were read before passages were kept. */
  passages: StoredPassage[] | null
}

export async function readTexts(tx: Transaction, place: ScopePlace, documents: readonly CaseDocument[]): Promise<ShownText[]> {
  if (documents.length === 0) return []
  return tx.rows<ShownText>(
    `select d.document_id as "documentId", d.text, p.passages from unnest($4::text[], $5::integer[], $6::integer[]) as k (document_id, revision, text_revision)
     join documents d on ${inPlace('d')} and d.document_id = k.document_id and d.revision = k.text_revision and d.text is not null and d.erased_at is null
     left join document_passages p on ${inPlace('p')} and p.document_id = k.document_id and p.revision = k.revision`,
    [...placeOf(place), ...columnsOf(documents, 'documentId', 'revision', 'textRevision')],
  )
}

/** A word that more documents of the scope have finds nothing. */
const commonTerm = 64
/** Rows of words that are read for a question: in a large scope the rarest fill them, in a small one nearly all. */
const mostRows = 2_000
/** As many passages are looked at for a question as could be listed several times over. */
const mostPassages = 1_200

/** Passages of other documents that share the rarest of these words, the best first. Words are counted before they are read. */
export async function findSimilarPassages(
  tx: Transaction,
  place: ScopePlace,
  terms: readonly string[],
  except: string,
): Promise<{ documentId: string; at: number }[]> {
  const wanted = [...new Set(terms.map(term => storable(cut(term, longestTerm))))]
  if (wanted.length === 0) return []
  const rows = await tx.rows<{ documents: number; documentId: string; passages: number[] }>(
    `with counted as (
       select k.term, c.documents from unnest($4::text[]) as k (term)
       cross join lateral (
         select count(*) as documents from (
           select from passage_terms where ${ofPlace} and term = k.term order by term, document_id limit ${commonTerm + 1}
         ) r
       ) c
       where c.documents between 1 and ${commonTerm}
     ), added as (
       select term, documents, sum(documents) over (order by documents, term collate "C") as "read" from counted
     )
     select t.documents, r.document_id as "documentId", r.passages from added t
     cross join lateral (
       select document_id, passages from passage_terms where ${ofPlace} and term = t.term order by term, document_id limit ${commonTerm}
     ) r
     where t."read" <= ${mostRows} order by t.documents, t.term collate "C"`,
    [...placeOf(place), wanted],
  )
  const weights = new Map<string, Map<number, number>>()
  for (const { documents, documentId, passages } of rows) {
    if (documentId === except) continue
    const weight = Math.log(1 + commonTerm / documents)
    const known = weights.get(documentId) ?? new Map<number, number>()
    for (const at of passages) known.set(at, (known.get(at) ?? 0) + weight)
    weights.set(documentId, known)
  }
  return [...weights]
    .flatMap(([documentId, places]) => [...places].map(([at, weight]) => ({ documentId, at, weight })))
    .sort((a, b) => b.weight - a.weight || (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.at - b.at))
    .slice(0, mostPassages)
}

/** These documents as far as they can be shown. */
export async function readCaseDocuments(tx: Transaction, place: ScopePlace, documentIds: readonly string[]): Promise<CaseDocument[]> {
  if (documentIds.length === 0) return []
  return tx.rows<CaseDocument>(
    `select ${caseColumns} from documents d ${readRow}
     where ${inPlace('d')} and d.document_id = any ($4::text[]) and ${shownSql} order by r.round, d.document_id`,
    [...placeOf(place), documentIds],
  )
}

export interface ClaimAtPassage {
  claimId: string
  documentId: string
  start: number
  end: number
  body: string
}

/** Claims that overlap one of these places, first those that count: what was replaced is not said anew by whoever compares with it later. */
export async function readClaimsAt(
  tx: Transaction,
  place: ScopePlace,
  places: readonly { documentId: string; start: number; end: number }[],
): Promise<ClaimAtPassage[]> {
  if (places.length === 0) return []
  return tx.rows<ClaimAtPassage>(
    `select at."claimId", at."documentId", at.start, at.end, at.body from (
     select distinct on (c.claim_no) c.claim_no, c.superseded_at is not null as ended, c.claim_id as "claimId", c.document_id as "documentId",
       c.start_at as start, c.end_at as end, c.body::text as body
     from unnest($4::text[], $5::integer[], $6::integer[]) as k (document_id, start_at, end_at)
     join documents d on ${inPlace('d')} and d.document_id = k.document_id and d.status = 'indexed' and d.erased_at is null
     cross join ${claimRangesSql} as of_reading (numbers)
     join claims c on ${inPlace('c')} and c.claim_no >= lower(of_reading.numbers) and c.claim_no < upper(of_reading.numbers)
       and c.start_at < k.end_at and k.start_at < c.end_at and c.document_id = k.document_id and ${stillSaidSql('c')}
     order by c.claim_no) at order by at.ended, at.claim_no`,
    [...placeOf(place), places.map(each => each.documentId), places.map(each => each.start), places.map(each => each.end)],
  )
}

export interface AdmittedText {
  status: string
  /** The newest revision that was admitted; null where none was. */
  revision: number | null
  /** Its text; null where it is not kept. */
  text: string | null
}

/** What counts of a document. Null where there is none, or it was erased. */
export async function findAdmitted(tx: Transaction, place: ScopePlace, documentId: string): Promise<AdmittedText | null> {
  return tx.row<AdmittedText>(
    `select d.status, p.revision, p.text from documents d left join lateral (
       select revision, text from documents
       where ${ofPlace} and document_id = d.document_id and status = 'indexed' and round is not null
       order by revision desc limit 1
     ) p on true
     where ${inPlace('d')} and d.document_id = $4 and d.current and d.erased_at is null`,
    [...placeOf(place), documentId],
  )
}

/**
 * As `lendClaims` does, for what a person reported: noted with the revision and with those before it of the same text, for the claims of a revision
 * without a change are found with the one that was read.
 */
export async function lendReported(
  tx: Transaction,
  place: ScopePlace,
  { documentId, revision }: RevisionRef,
  claimNo: number,
): Promise<void> {
  await tx.run(
    `update documents set lent_claims = lent_claims + int8multirange(int8range($6::bigint, $6::bigint + 1))
     where ${ofPlace} and document_id = $4 and revision <= $5 and status = 'indexed' and revision >= (
       select max(revision) from documents where ${ofPlace} and document_id = $4 and revision <= $5 and status = 'indexed' and not unchanged)`,
    [...placeOf(place), documentId, revision, claimNo],
  )
}

/** Numbers of claims made of passages of a document, which its next reading takes over. */
export async function lendClaims(
  tx: Transaction,
  place: ScopePlace,
  lent: readonly { documentId: string; revision: number; firstClaimNo: number; count: number }[],
): Promise<void> {
  for (const { documentId, revision, firstClaimNo, count } of lent) {
    await tx.run(
      `update documents set lent_claims = lent_claims + int8multirange(int8range($6::bigint, $6::bigint + $7::bigint))
       where ${ofPlace} and document_id = $4 and status = 'indexed' and (revision = $5 or revision > $5 and unchanged and not exists (
         select from documents l where ${inPlace('l')} and l.document_id = $4 and l.revision > $5 and l.revision < documents.revision
           and l.status = 'indexed' and not l.unchanged))`,
      [...placeOf(place), documentId, revision, firstClaimNo, count],
    )
  }
}
