/**
 * Who has examined a scope: the people whose sign-offs cover what counts now, and the documents nobody has examined. A sign-off covers
 * what was indexed by its round, and the documents without a reading that it names; withdrawn ones cover nothing.
 */

import type { KeptScope } from '../../kernel/restore.js'
import { DEFAULT_SETTINGS, effectiveSettings } from '../../kernel/settings.js'
import type { Examination } from '../../kernel/types.js'
import type { RevisionRef } from '../documents/documents.js'
import type { Transaction } from '../server/database.js'
import { atPlace, inPlace, keyOf, placeOf, type ScopeKey, type ScopePlace } from './scopes.js'
import { isUnreadSql, mostCounted, type NotExaminedRow } from './sign-offs.js'

/** What the settings ask for where a scope has none of its own. */
const { examination, signatures } = DEFAULT_SETTINGS.finality

const notComparedSql = "d.current and d.status = 'indexed' and d.compared_model is null and d.text_hash is not null and d.erased_at is null"
/** Of the document of a row `of`, its newest admitted revision that is not erased, as `d`; another version of the text may have come since. */
const admittedSql = (of: string) => `cross join lateral (
    select r.tenant_id, r.scope_no, r.generation, r.document_id, r.revision, r.status, r.round, r.compared_model from documents r
    where ${atPlace('r')} and r.document_id = ${of}.document_id and r.status = 'indexed' and r.round is not null
      and r.text_hash is not null and r.erased_at is null
    order by r.revision desc limit 1) d`
const waitsSql = `exists (
    select from backlog b where b.tenant_id = d.tenant_id and b.scope_no = d.scope_no and b.generation = d.generation
      and b.document_id = d.document_id and b.reread is not null)`

/** Standing sign-offs of a place `p`, and the round by which enough people have signed. Without it nothing is covered. */
const coverSql = `
  standing as materialized (
    select o.person, o.round, o.unread from place p
    join sign_offs o on o.tenant_id = p.tenant_id and o.scope_no = p.scope_no and o.generation = p.generation
    where o.withdrawn is null and o.round <> p.except
  ), cover as materialized (
    select coalesce(max(k.round), -1) as round from place p cross join (
      select max(round) as round, row_number() over (order by max(round) desc) as rank from standing group by person) k
    where k.rank = p.signatures
  )`

/** Of stored settings what does not fit falls back, as `effectiveSettings` of the kernel has it. */
const placeSql = `
  place as materialized (
    select s.tenant_id, s.scope_no, s.generation, coalesce(t.changed_round, 0) as changed_round, h.rereads, $5::bigint as except,
      coalesce($6::text, case when s.settings -> 'finality' ->> 'examination' in ('person', 'model', 'none')
        then s.settings -> 'finality' ->> 'examination' end, $3) as asked,
      coalesce(case when s.settings -> 'finality' ->> 'signatures' ~ '^([1-9][0-9]?|100)$'
        then (s.settings -> 'finality' ->> 'signatures')::integer end, $4::integer) as signatures
    from scopes s
    join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
    left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
    where s.tenant_id = $1 and s.scope_no = $2
  )`

/**
 * Papers of a place `p` that neither a model compared nor enough people signed for: what counts of each document, also where a later
 * revision was refused or not read, and what was not read. Those that wait for a reading are not among them.
 */
const unexaminedSql = `
  select d.document_id, d.revision, d.status from documents d
  where ${atPlace('d')} and ${notComparedSql} and d.round > (select round from cover) and (p.rereads = 0 or not ${waitsSql})
  union all
  select d.document_id, d.revision, d.status from documents u ${admittedSql('u')}
  where ${atPlace('u')} and u.revision > 1 and concord_document_list(u.current, u.status, u.text_hash, u.erased_at) = 'unread'
    and d.compared_model is null and d.round > (select round from cover) and (p.rereads = 0 or not ${waitsSql})
  union all
  select d.document_id, d.revision, d.status from documents d
  where ${atPlace('d')} and ${isUnreadSql('d')}
    and p.signatures > (
      select count(distinct o.person) from standing o cross join json_array_elements(o.unread) u
      where u.value ->> 'document_id' = d.document_id and (u.value ->> 'revision')::integer = d.revision)`

export interface ExaminationQuery {
  /** As if the sign-off of this round were withdrawn. */
  except?: number
  /** As if the settings asked for this. */
  asked?: string
}

/** As it stands, in the caller's transaction. */
export async function readExamination(
  tx: Transaction,
  scope: ScopeKey,
  { except = -1, asked }: ExaminationQuery = {},
): Promise<Examination> {
  const row = await tx.row<Examination>(
    `with ${placeSql}, ${coverSql}
     select
       (select count(distinct o.person) from standing o where o.round > p.changed_round) as signers,
       (select count(distinct d.document_id) from standing o cross join json_array_elements(o.unread) u
        join documents d on ${atPlace('d')} and d.document_id = u.value ->> 'document_id' and d.revision = (u.value ->> 'revision')::integer
        where o.round > p.changed_round and u.value ->> 'how' = 'read_by_eye' and ${isUnreadSql('d')}) as "readByEye",
       case when p.asked = 'model' then (select count(*) from (${unexaminedSql} limit ${mostCounted}) n) else 0 end as unexamined
     from place p`,
    [...keyOf(scope), examination, signatures, except, asked ?? null],
  )
  return row ?? { signers: 0, readByEye: 0, unexamined: 0 }
}

/** Documents that count and that neither a model compared in full nor enough people signed for, with what came of asking a model. */
export async function listUnexamined(tx: Transaction, scope: ScopeKey, limit: number): Promise<NotExaminedRow[]> {
  return tx.rows<NotExaminedRow>(
    `with ${placeSql}, ${coverSql}
     select n.document_id, d.name, case
         when d.model_outcome is null then 'no model was asked'
         when d.model_outcome = 'off' then 'the model is off'
         when d.model_outcome = 'unconfirmed' then 'candidates unconfirmed'
         when d.model_outcome = 'too_long' then 'longer than a model is shown'
         when d.model_outcome = 'answered' then 'not compared in full'
         else 'read without the model: ' || d.model_outcome end as why, count(*) over () as total
     from place p cross join lateral (select u.document_id, u.revision from (${unexaminedSql}) u where u.status = 'indexed' limit ${mostCounted}) n
     join documents d on d.tenant_id = p.tenant_id and d.scope_no = p.scope_no and d.generation = p.generation
       and d.document_id = n.document_id and d.revision = n.revision
     order by n.document_id limit $7`,
    [...keyOf(scope), examination, signatures, -1, null, limit],
  )
}

/** How many papers of a document are among those nobody has examined, where the settings ask for a model. */
export async function countUnexamined(tx: Transaction, scope: ScopeKey, documentId: string): Promise<number> {
  return tx.value<number>(
    `with ${placeSql}, ${coverSql}
     select count(*) from place p cross join lateral (${unexaminedSql}) n where p.asked = 'model' and n.document_id = $7`,
    [...keyOf(scope), examination, signatures, -1, null, documentId],
  )
}

/** What counts of a document, where the settings ask for a model and not enough people have signed for it. */
export interface UnsignedReading {
  documentId: string
  /** A model compared it in full. */
  compared: boolean
  /** A later revision waits, to be read or for a person. */
  isRevised: boolean
  /** It waits to be read again itself. */
  isReread: boolean
}

export async function readUnsigned(tx: Transaction, scope: ScopeKey, documentIds: readonly string[]): Promise<UnsignedReading[]> {
  return tx.rows<UnsignedReading>(
    `with ${placeSql}, ${coverSql}
     select d.document_id as "documentId", d.compared_model is not null as compared, exists (
         select from documents l where ${atPlace('l')} and l.document_id = d.document_id and l.revision > d.revision
           and l.current and l.status in ('queued', 'processing', 'held')) as "isRevised", ${waitsSql} as "isReread"
     from place p cross join unnest($7::text[]) as k (document_id) ${admittedSql('k')}
     where p.asked = 'model' and d.round > (select round from cover)`,
    [...keyOf(scope), examination, signatures, -1, null, documentIds],
  )
}

/** Whether what counts of a document, once nothing else of it waits, is a paper that nobody has examined. */
export async function isLeftUnexamined(tx: Transaction, scope: ScopeKey, documentId: string): Promise<boolean> {
  return (await readUnsigned(tx, scope, [documentId])).some(isUnexamined)
}

export function isUnexamined({ compared, isReread }: UnsignedReading): boolean {
  return !compared && !isReread
}

/** Revisions of these documents that sign-offs of what counts now name among what was not read. */
export async function listNamedUnread(tx: Transaction, scope: ScopeKey, documentIds: readonly string[]): Promise<RevisionRef[]> {
  return tx.rows<RevisionRef>(
    `with ${placeSql}, ${coverSql}
     select distinct u.value ->> 'document_id' as "documentId", (u.value ->> 'revision')::integer as revision
     from place p cross join standing o cross join json_array_elements(o.unread) u
     where o.round > p.changed_round and u.value ->> 'document_id' = any ($7::text[])`,
    [...keyOf(scope), examination, signatures, -1, null, documentIds],
  )
}

/** Whether a sign-off of what counts now waits for a second person. */
async function isSignOffHeld(tx: Transaction, { pending, changedRound, ...place }: Signable): Promise<boolean> {
  if (pending === 0) return false
  return tx.touches(
    `select from decisions d join rounds r on ${inPlace('r')} and r.round = d.round
     where ${inPlace('d')} and d.review = 'pending' and d.kind = 'resolution' and r.kind = 'sign_off' and r.round > $4
       and r.input -> 'sign_off' ->> 'verdict' = 'sign_off'`,
    [...placeOf(place), changedRound],
  )
}

/** Of a stored scope, what says whether somebody signed it. */
interface Signable extends ScopePlace {
  kept: KeptScope
  pending: number
  changedRound: number
}

/**
 * Whether papers that nobody read unsettle a scope that was settled or signed off, or for which a sign-off waits. Where nobody is asked to examine it they change
 * nothing, but for another revision of what somebody signed for.
 */
export async function isUnsettledBy(tx: Transaction, scope: Signable, unread: readonly RevisionRef[]): Promise<boolean> {
  const { kept } = scope
  const isSigned = kept.examination.signers > 0
  if (unread.length === 0 || !(isSigned || kept.kept?.finality === 'resolved' || (await isSignOffHeld(tx, scope)))) return false
  if (effectiveSettings(kept.settings).finality.examination !== 'none') return true
  const ids = unread.map(each => each.documentId)
  const named = isSigned ? await listNamedUnread(tx, scope, ids) : []
  return named.some(one => unread.some(other => one.documentId === other.documentId && one.revision !== other.revision))
}
