/**
 * Who has examined a scope: the people whose sign-offs cover what counts now, and the documents nobody has examined. A sign-off covers
 * what was indexed by its round, and the documents without a reading that it names; withdrawn ones cover nothing.
 */

import { DEFAULT_SETTINGS } from '../../kernel/settings.js'
import type { Examination } from '../../kernel/types.js'
import type { Transaction } from '../server/database.js'
import { keyOf, type ScopeKey } from './scopes.js'
import type { NotExaminedRow } from './sign-offs.js'

/** As many are counted: beyond it only matters that there are some. */
const mostCounted = 1001

/** What the settings ask for where a scope has none of its own. */
const { examination, signatures } = DEFAULT_SETTINGS.finality

const unreadSql =
  "concord_document_list(d.current, d.status, d.text_hash, d.erased_at) = 'unread' and d.status in ('attached', 'quarantined') and d.erased_at is null"
const notComparedSql = "d.current and d.status = 'indexed' and d.compared_model is null and d.text_hash is not null and d.erased_at is null"

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

/** Documents of a place `p` that neither a model compared nor enough people signed for. Those that wait for a reading are not among them. */
const unexaminedSql = `
  select d.document_id, d.revision, d.status from documents d
  where d.tenant_id = p.tenant_id and d.scope_no = p.scope_no and d.generation = p.generation and ${notComparedSql}
    and d.round > (select round from cover)
    and (p.rereads = 0 or not exists (
      select from backlog b where b.tenant_id = d.tenant_id and b.scope_no = d.scope_no and b.generation = d.generation
        and b.document_id = d.document_id and b.reread is not null))
  union all
  select d.document_id, d.revision, d.status from documents d
  where d.tenant_id = p.tenant_id and d.scope_no = p.scope_no and d.generation = p.generation and ${unreadSql}
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
       (select count(distinct u.value ->> 'document_id') from standing o cross join json_array_elements(o.unread) u
        where o.round > p.changed_round and u.value ->> 'how' = 'read_by_eye') as "readByEye",
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

/** Whether it is one of those nobody has examined, where the settings ask for a model. */
export async function isUnexamined(tx: Transaction, scope: ScopeKey, documentId: string): Promise<boolean> {
  return tx.value<boolean>(
    `with ${placeSql}, ${coverSql}
     select exists (select from place p cross join lateral (${unexaminedSql}) n where p.asked = 'model' and n.document_id = $7)`,
    [...keyOf(scope), examination, signatures, -1, null, documentId],
  )
}
