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
import { carriesRetiredSql, countsSql, findFile, keepUpload, linkFile, type NewFile, retiredSql } from './files.js'

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
 * A revision that waits no more, or will not; those given together end in their order. `given_up`: rejected by policy or a person, cancelled
 * or discarded; what is in quarantine may be tried again. `either`: what follows from the one and from the other is asked; for those behind it, it is admitted.
 */
export interface EndedRevision extends RevisionRef {
  outcome: 'admitted' | 'given_up' | 'either'
}

/** What came with an earlier revision of a mail or archive, or within that, and is to be ended once a revision waits no more. */
export interface FormerPart extends RevisionRef {
  outcome: 'admitted' | 'given_up'
  /** The admitted revision of the mail or archive that does not bring it. */
  without: number
  partId: string
  name: string
  source: string | null
  partOf: string
  partDepth: number
  /** Its current revision is among the documents that wait: the one without text comes in its place. */
  waits: boolean
}

/**
 * One rule, whichever of the revisions ends last: what the last admitted revision of a mail or archive does not bring is to be ended, and
 * with it what came within it, unless
 *
 * - a later one brings it that counts, or may; or
 * - it came again with a later one, or by itself, and was admitted since, or may be: it stands for itself, whatever becomes of the mail.
 *
 * Asked of the mail where a revision is given up that brings something or came behind others that were not admitted, and where an attachment
 * is given up, of that alone. Of a mail whose own parts were not kept, since a later one counted by then, nothing is told. One that was ended brings
 * nothing, and what came within it ended with it, but for what stood for itself: that is held to what came after the last that was not. Most revisions
 * carry nothing: the offsets keep the server from going through all documents of the case for them.
 */
export async function listFormerParts(tx: Transaction, scope: ScopePlace, revisions: readonly EndedRevision[]): Promise<FormerPart[]> {
  const revised = revisions.filter(({ revision }) => revision > 1)
  if (revised.length === 0) return []
  return tx.rows<FormerPart>(
    `with recursive asked as (
       select a.place, a.outcome, d.document_id, d.revision, d.part_of, d.carries, d.file_sha256
       from unnest($4::text[], $5::integer[], $6::text[]) with ordinality as a (document_id, revision, outcome, place)
       join documents d on ${inPlace('d')} and d.document_id = a.document_id and d.revision = a.revision
     ), ended as (
       select place, 'admitted' as outcome, document_id, revision, document_id as mail, revision as without, revision as since, null as part
       from asked a
       where outcome <> 'given_up' and (carries is not null or file_sha256 is null) and not ${retiredSql('a')}
       union all
       select a.place, 'given_up', a.document_id, a.revision, m.document_id, m.revision, coalesce(real.revision + 1, m.revision), q.part
       from asked a
       cross join lateral (values (a.document_id, null), (a.part_of, a.document_id)) as q (mail, part)
       cross join lateral (
         select document_id, revision, carries, file_sha256, part_of from documents m
         where ${inPlace('m')} and m.document_id = q.mail and ${isAdmitted('m', 'a')}
         order by revision desc limit 1) m
       left join lateral (
         select revision from documents x
         where ${retiredSql('m')} and ${inPlace('x')} and x.document_id = m.document_id and ${isAdmitted('x', 'a')} and not ${retiredSql('x')}
         order by revision desc limit 1) real on true
       where a.outcome <> 'admitted' and (m.carries is not null or m.file_sha256 is null)
         and case when q.part is null then a.carries <> '{}' or a.revision > m.revision + 1 else (q.part = any (m.carries)) is not true end
     ), gone as (
       select e.document_id as of_document, e.revision, e.outcome, e.place, e.without, last.revision as before,
         d.document_id, d.name, d.source, d.part_of, d.part_depth, d.status
       from ended e cross join lateral (
         select document_id, name, source, part_of, part_depth, status from documents p
         where ${inPlace('p')} and p.part_of = e.mail and ${isAttached('p')} and (e.part is null or p.document_id = e.part) offset 0) d
       cross join lateral (${laterOf('e', 'e.mail', 'l.revision >= e.since')}) later
       cross join lateral (${lastOf('e', 'e.mail')}) last
       where later.counts is not true and last.is_of_before
       union
       select g.of_document, g.revision, g.outcome, g.place, g.without, last.revision,
         d.document_id, d.name, d.source, d.part_of, d.part_depth, d.status
       from documents d join gone g on d.part_of = g.document_id
       cross join lateral (${laterOf('g', 'g.document_id', 'l.revision > g.before')}) later
       cross join lateral (${lastOf('g', 'g.document_id')}) last
       where ${inPlace('d')} and ${isAttached('d')} and last.is_of_before)
     select of_document as "documentId", revision, outcome, without, document_id as "partId", name, source, part_of as "partOf",
       part_depth as "partDepth", status in ('queued', 'processing') as waits
     from gone order by part_depth, document_id, place`,
    [...placeOf(scope), ...columnsOf(revised, 'documentId', 'revision', 'outcome')],
  )
}

/** Each once: one that several revisions no longer bring is retired by the first. */
export function distinctParts(parts: readonly FormerPart[]): FormerPart[] {
  const seen = new Set<string>()
  return parts.filter(({ partId }) => !seen.has(partId) && seen.add(partId))
}

/** What follows from revisions of a document that a person takes out, and how many more wait then. */
export async function listRetiring(
  tx: Transaction,
  scope: ScopePlace,
  documentId: string,
  revisions: readonly number[],
): Promise<{ parts: FormerPart[]; coming: number }> {
  const ended = revisions.map((revision): EndedRevision => ({ documentId, revision, outcome: 'given_up' }))
  const parts = distinctParts(await listFormerParts(tx, scope, ended))
  // What is taken out waits no more itself.
  return { parts, coming: parts.filter(({ partId, waits }) => !waits || partId === documentId).length }
}

/**
 * With the commit or act that ends the wait of the revisions it follows from. What came before and comes no more, with everything below it,
 * gets a revision without text: what it said counts no longer, and its originals stay with the revisions before. With nothing slow behind
 * it, as `queueSettled`.
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
    provenance: `No longer attached: revision ${part.without} of the mail or archive does not contain it.`,
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

/** As it is kept, or as the revisions that end before `of` leave it. */
const isAdmitted = (revision: string, of: string) => `coalesce((
  select b.outcome <> 'given_up' from asked b
  where b.document_id = ${revision}.document_id and b.revision = ${revision}.revision and b.place < ${of}.place), ${revision}.status = 'indexed')`

/** Nobody can approve what is held, or try again what failed, once a later revision came. */
const isGivenUp = (revision: string, of: string) => `coalesce((
  select case when b.place = ${of}.place then ${of}.outcome else b.outcome end = 'given_up' from asked b
  where b.document_id = ${revision}.document_id and b.revision = ${revision}.revision and b.place <= ${of}.place),
  ${revision}.status = 'rejected' or ${revision}.status in ('held', 'quarantined') and not ${revision}.current)`

/** Of a part `d`: the revisions of what it came with that bring it again. */
const laterOf = (of: string, carrier: string, since: string) => `
  select count(*) as times, min(l.seq) as first_seq,
    bool_or((${countsSql('l')} or l.status = 'quarantined') and not ${isGivenUp('l', of)}) as counts
  from documents l
  where ${inPlace('l')} and l.document_id = ${carrier} and ${since} and d.document_id = any (l.carries) offset 0`

/**
 * Of a part `d`: the last revision of it that was not given up, and whether it is one of those that came before the ones that bring it again
 * (`later`). Which revision came with which of the mail is not kept. One that was queued before the first later mail that brings it came
 * before that; and as each such mail brings one at most, so did those with as many behind them.
 */
const lastOf = (of: string, carrier: string) => `
  select r.revision, r.file_sha256 is not null and r.part_of = ${carrier} and not (
    coalesce(r.seq > later.first_seq, false) and later.times > (
      select count(*) from documents k
      where ${inPlace('k')} and k.document_id = r.document_id and k.revision > r.revision
        and k.part_of = ${carrier} and k.file_sha256 is not null and k.provenance is null)) as is_of_before
  from documents r
  where ${inPlace('r')} and r.document_id = d.document_id and not ${isGivenUp('r', of)}
  order by r.revision desc limit 1`

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
