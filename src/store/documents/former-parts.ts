/**
 * What mails and archives brought before and bring no more: which of it is to be ended once a revision waits no more, and ending it.
 */

import { sha256 } from '../../platform/digest.js'
import { inPlace, type NamedPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { TenantTransaction, Transaction } from '../server/database.js'
import type { RevisionRef } from './documents.js'
import { findLatestRevision, insertRevision } from './documents-intake.js'
import { queueRevision } from './file-documents.js'
import { attachedSql, countsSql, retiredSql } from './files.js'

/** A revision that waits no more, or will not. Those that are given together end in their order. */
export interface EndedRevision extends RevisionRef {
  /**
   * `given_up`: rejected by policy or a person, cancelled or discarded; what is in quarantine may be tried again. `either`: what follows from
   * the one and from the other is asked, and for those behind it, it was admitted.
   */
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
 * Where a revision of a mail is given up, all its parts are asked, if it brings something or came behind others that were not admitted;
 * where an attachment is given up, that alone. Where the last admitted mail has no list of its parts, since a later one counted when it was
 * read, nothing is ended. An attached mail that was ended itself brings nothing, and what came within it ended with it, but for what stood
 * for itself: that is held to what came after the last revision of it that was not an end.
 *
 * Most revisions carry nothing: the offsets keep the server from going through all documents of the case for them.
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
         where ${inPlace('p')} and p.part_of = e.mail and ${attachedSql('p')} and (e.part is null or p.document_id = e.part) offset 0) d
       cross join lateral (${laterOf('e', 'e.mail', 'l.revision >= e.since')}) later
       cross join lateral (${lastOf('e', 'e.mail')}) last
       where later.counts is not true and last.is_of_before
       union
       select g.of_document, g.revision, g.outcome, g.place, g.without, last.revision,
         d.document_id, d.name, d.source, d.part_of, d.part_depth, d.status
       from documents d join gone g on d.part_of = g.document_id
       cross join lateral (${laterOf('g', 'g.document_id', 'l.revision > g.before')}) later
       cross join lateral (${lastOf('g', 'g.document_id')}) last
       where ${inPlace('d')} and ${attachedSql('d')} and last.is_of_before)
     select of_document as "documentId", revision, outcome, without, document_id as "partId", name, source, part_of as "partOf",
       part_depth as "partDepth", status in ('queued', 'processing') as waits
     from gone order by part_depth, document_id, place`,
    [...placeOf(scope), ...columnsOf(revised, 'documentId', 'revision', 'outcome')],
  )
}

/** Each once: what several revisions no longer bring is retired with the first. */
export function distinctParts(parts: readonly FormerPart[]): FormerPart[] {
  const seen = new Set<string>()
  return parts.filter(({ partId }) => !seen.has(partId) && seen.add(partId))
}

/** What is to be retired with revisions of a document that a person takes out, and how many more documents wait for it. */
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
