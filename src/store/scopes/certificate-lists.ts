/**
 * The lists a certificate speaks of, as rows: their members, and for long ones the sum that is kept of them with what has
 * changed since (triggers write that down). Which members there are and how they count is said once, in the database.
 */

import { across, type Database, type Transaction } from '../server/database.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from './scopes.js'

export const listNames = ['documents', 'unread', 'possible', 'supersessions'] as const
export type ListName = (typeof listNames)[number]

export interface ListMember {
  /** What a certificate counts it as: reader, version and model, or its state. */
  counted: string
  member: object
}

export interface KeptList {
  sum: Buffer
  counts: Record<string, number>
}

export async function readKeptLists(tx: Transaction, place: ScopePlace): Promise<Map<ListName, KeptList>> {
  const rows = await tx.rows<KeptList & { list: ListName }>(
    `select list, sum, counts from certificate_lists where ${ofPlace}`,
    placeOf(place),
  )
  return new Map(rows.map(({ list, ...kept }) => [list, kept]))
}

export async function writeKeptList(tx: Transaction, place: ScopePlace, list: ListName, { sum, counts }: KeptList): Promise<void> {
  await tx.run(
    `insert into certificate_lists (tenant_id, scope_no, generation, list, sum, counts) values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, scope_no, generation, list) do update set sum = excluded.sum, counts = excluded.counts`,
    [...placeOf(place), list, sum, JSON.stringify(counts)],
  )
}

export async function dropKeptList(tx: Transaction, place: ScopePlace, list: ListName): Promise<void> {
  await tx.run(`delete from certificate_lists where ${ofPlace} and list = $4`, [...placeOf(place), list])
}

export interface ListChange extends ListMember {
  id: number
  list: ListName
  added: boolean
}

/** Takes the oldest behind an id away: fewer than the limit are all there are. Those taken before are not walked over again. */
export async function takeChanges(tx: Transaction, place: ScopePlace, page: { after: number; limit: number }): Promise<ListChange[]> {
  return tx.rows<ListChange>(
    `delete from certificate_changes
     where ${ofPlace} and id > $4 and id <= (
       select max(id) from (
         select id from certificate_changes where ${ofPlace} and id > $4 order by id limit $5) p)
     returning id, list, counted, member, added`,
    [...placeOf(place), page.after, page.limit],
  )
}

/** Forgets what is kept of a scope, with all changes since: its next certificate looks at every member. */
export async function forgetLists(tx: Transaction, place: ScopePlace): Promise<void> {
  await tx.run(
    `with lists as (delete from certificate_lists where ${ofPlace}) delete from certificate_changes where ${ofPlace}`,
    placeOf(place),
  )
}

/** Scopes with more changes than members, and more than `most`. */
export async function listOutgrown(db: Database, most: number, limit: number): Promise<ScopePlace[]> {
  return across(db).rows<ScopePlace>(
    `select l.tenant_id as "tenantId", l.scope_no as "scopeNo", l.generation
     from certificate_lists l cross join lateral json_each_text(l.counts) c
     group by l.tenant_id, l.scope_no, l.generation
     having (
       select count(*) from certificate_changes n where n.tenant_id = l.tenant_id and n.scope_no = l.scope_no and n.generation = l.generation
     ) > greatest($1, sum(c.value::bigint))
     limit $2`,
    [most, limit],
  )
}

const besideSql = (of: string) =>
  `case when ${of}.file_sha256 is not null then json_build_object('file_sha256', encode(${of}.file_sha256, 'hex')) end`

const ofDocuments = (list: 'documents' | 'unread') => `
  select document_id as place,
    concord_document_counted('${list}', extractor, extractor_version, compared_model, status, text_hash, erased_at) as counted,
    concord_document_member('${list}', document_id, revision, status, text_hash, erased_at) as member,
    ${list === 'documents' ? besideSql('documents') : 'null'} as beside
  from documents
  where ${ofPlace} and document_id > $4
    and concord_document_list(current, status, text_hash, erased_at) = '${list}'
    ${list === 'unread' ? "and (status <> 'rejected' or erased_at is not null)" : ''}
  order by document_id limit $5`

/** Of documents whose current revision is not read: the one before it that is. */
const standing = `
  select u.document_id as place,
    concord_document_counted('documents', d.extractor, d.extractor_version, d.compared_model, d.status, d.text_hash, d.erased_at) as counted,
    concord_document_member('documents', d.document_id, d.revision, d.status, d.text_hash, d.erased_at) as member,
    ${besideSql('d')} as beside
  from documents u cross join lateral (
    select document_id, revision, status, text_hash, file_sha256, erased_at, extractor, extractor_version, compared_model from documents
    where ${ofPlace} and document_id = u.document_id and revision < u.revision
      and status = 'indexed' and round is not null and text_hash is not null and erased_at is null
    order by revision desc limit 1) d
  where ${inPlace('u')} and u.document_id > $4 and u.revision > 1
    and concord_document_list(u.current, u.status, u.text_hash, u.erased_at) = 'unread'
  order by u.document_id limit $5`

const selects: Record<ListName | 'standing', { text: string; first: string | number }> = {
  documents: { text: ofDocuments('documents'), first: '' },
  unread: { text: ofDocuments('unread'), first: '' },
  standing: { text: standing, first: '' },
  possible: {
    text: `
      select possible_no as place, case when closed_itself then 'closed' else status end as counted,
        json_build_object('id', possible_conflict_id, 'state', case when closed_itself then 'closed' else status end) as member, null as beside
      from possible_conflicts where ${ofPlace} and possible_no > $4 order by possible_no limit $5`,
    first: -1,
  },
  supersessions: {
    text: `
      select supersession_no as place, status as counted, json_build_object('id', supersession_id, 'state', status) as member, null as beside
      from supersessions where ${ofPlace} and supersession_no > $4 and status <> 'withdrawn'
      order by supersession_no limit $5`,
    first: -1,
  },
}

export interface PlacedMember extends ListMember {
  place: string | number
  /** Of a document that came as a file: what a list that is written out says of it besides. No sum has it. */
  beside: { file_sha256: string } | null
}

/** The members behind a place, from the first on without one. */
export async function readMembers(
  tx: Transaction,
  place: ScopePlace,
  list: ListName | 'standing',
  page: { after?: string | number | undefined; limit: number },
): Promise<PlacedMember[]> {
  const { text, first } = selects[list]
  const values = [...placeOf(place), page.after ?? first, page.limit]
  return tx.rows<PlacedMember>(text, values)
}

/** Undecided possible conflicts, the likeliest first. */
export async function readLeftPossible(tx: Transaction, place: ScopePlace, limit: number): Promise<string[]> {
  return tx.column<string>(
    `select possible_conflict_id as id from possible_conflicts
     where ${ofPlace} and status = 'open' order by score_micros desc, possible_no limit $4`,
    [...placeOf(place), limit],
  )
}

/** Possible conflicts that a model found to be none, the first of them by name. */
export async function readCleared(tx: Transaction, place: ScopePlace, limit: number): Promise<string[]> {
  return tx.column<string>(
    `select possible_conflict_id as id from possible_conflicts where ${ofPlace} and status = 'cleared' order by possible_no limit $4`,
    [...placeOf(place), limit],
  )
}

/**
 * Contradictions that people left disputed while both sides count, the first of them by name. One in words has no statements: it is said
 * until a document of it is erased, which puts what was decided on record, before the certificate of that round and before its words go.
 */
export async function readDisputed(tx: Transaction, place: ScopePlace, limit: number): Promise<{ count: number; ids: string[] }> {
  const counts = (side: 'a' | 'b') => `exists (
    select from contradiction_sides m join claims c on ${inPlace('c')} and c.claim_no = m.claim_no and c.superseded_at is null
    where ${inPlace('m')} and m.contradiction_no = x.contradiction_no and m.side = '${side}')`
  const rows = await tx.rows<{ id: string; total: number }>(
    `select x.contradiction_id as id, count(*) over () as total from contradictions x
     where ${inPlace('x')} and x.status = 'resolved' and x.resolution->>'verdict' = 'disputed'
       and case when x.reported is null then ${counts('a')} and ${counts('b')}
         else x.resolution #>> '{effect,state}' is distinct from 'on_record' end
     order by x.contradiction_no limit $4`,
    [...placeOf(place), limit],
  )
  return { count: rows[0]?.total ?? 0, ids: rows.map(each => each.id) }
}
