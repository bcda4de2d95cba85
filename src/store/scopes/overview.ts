/** What the first page of a case is made of. Every statement is bounded. */

import { readRevisionSql } from '../documents/stored-readings.js'
import type { TenantTransaction } from '../server/database.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from './scopes.js'
import { isUnreadSql } from './sign-offs.js'

export interface PaperRow {
  document_id: string
  name: string
  issuer: string | null
  /** A day, a month or a year. */
  issued_on: string | null
  received_at: string
}

/** What was read of a paper; of one whose text came twice that is kept with the revision before. */
const profileSql = `case when d.unchanged then ${readRevisionSql('d', 'p.profile')} else d.profile end`
const currentSql = `documents d where ${inPlace('d')} and d.current and d.erased_at is null`

/** Of the current revisions that were not erased the newest, in the order they came. */
export async function listPapers(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<PaperRow[]> {
  return tx.rows<PaperRow>(
    `select document_id, name, profile->>'issuer' as issuer, profile->>'issuedOn' as issued_on, received_at from (
       select document_id, name, ${profileSql} as profile, received_at from ${currentSql} order by received_at desc, document_id desc limit $4) k
     order by received_at, document_id`,
    [...placeOf(scope), limit],
  )
}

export interface LinkRow {
  a: string
  b: string
  kind: 'contradicts' | 'replaces'
  count: number
  open: number
}

/** Pairs of documents that contradict or replace each other, those with most first. */
export async function listLinks(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<LinkRow[]> {
  const claim = (alias: string, no: string) => `join claims ${alias} on ${inPlace(alias)} and ${alias}.claim_no = ${no}`
  const lead = (alias: string) =>
    `join contradiction_sides ${alias} on ${inPlace(alias)} and ${alias}.contradiction_no = x.contradiction_no and ${alias}.side = '${alias}' and ${alias}.lead`
  return tx.rows<LinkRow>(
    `(select ca.document_id as a, cb.document_id as b, 'contradicts' as kind, count(*) as count, count(*) filter (where x.status = 'open') as open
       from contradictions x ${lead('a')} ${lead('b')} ${claim('ca', 'a.claim_no')} ${claim('cb', 'b.claim_no')}
       where ${inPlace('x')} and x.status <> 'dismissed' and not x.closed_itself group by 1, 2 order by open desc, count desc, a, b limit $4)
     union all
     (select c.document_id, r.document_id, 'replaces', count(*), 0
       from supersessions p ${claim('c', 'p.claim_no')} ${claim('r', 'p.by_claim_no')}
       where ${inPlace('p')} and p.status = 'standing' and c.document_id <> r.document_id group by 1, 2 order by 4 desc, 1, 2 limit $4)`,
    [...placeOf(scope), limit],
  )
}

export interface OwnerRow {
  person: string
  open: number
  overdue: number
  next_due: string | null
}

/** Who is to look at open contradictions. */
export async function listOwners(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<(OwnerRow & { all: number })[]> {
  return tx.rows<OwnerRow & { all: number }>(
    `select s.assigned_to as person, count(*) as open, count(*) filter (where s.due < current_date) as overdue, min(s.due) as next_due,
       sum(count(*)) over ()::integer as all
     from assignments s join contradictions x on ${inPlace('x')} and x.contradiction_no = s.contradiction_no and x.status = 'open'
     where ${inPlace('s')} and s.ended_at is null group by 1 order by 2 desc, 1 limit $4`,
    [...placeOf(scope), limit],
  )
}

export interface SetAsideRow {
  document_id: string
  name: string | null
  how: 'read_by_eye' | 'set_aside'
  by: string
  reason: string
}

/** What sign-offs that stand say about papers that are not read, the latest first; of another revision they say nothing. */
export async function listSetAside(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<SetAsideRow[]> {
  return tx.rows<SetAsideRow>(
    `select e.value->>'document_id' as document_id, nullif(d.name, '') as name, e.value->>'how' as how, o.signed_by as by, e.value->>'reason' as reason
     from sign_offs o cross join json_array_elements(o.unread) e
     join documents d on ${inPlace('d')} and d.document_id = e.value->>'document_id' and d.revision = (e.value->>'revision')::integer
       and ${isUnreadSql('d')}
     where ${inPlace('o')} and o.withdrawn is null order by o.round desc, 1 limit $4`,
    [...placeOf(scope), limit],
  )
}

/** Kinds of events after this one, of the latest. */
export async function countEvents(tx: TenantTransaction, scope: ScopePlace, after: number): Promise<{ type: string; count: number }[]> {
  return tx.rows<{ type: string; count: number }>(
    `select type, count(*) as count from (
       select type from events where tenant_id = $1 and scope_no = $2 and seq > $3 order by seq desc limit 10000) e
     group by type order by type`,
    [scope.tenantId, scope.scopeNo, after],
  )
}

/** How many possible conflicts there ever were. */
export async function countPossible(tx: TenantTransaction, scope: ScopePlace): Promise<number> {
  return tx.value<number>(`select count(*) from (select from possible_conflicts where ${ofPlace} limit 100000) p`, placeOf(scope))
}

export interface MentionRow {
  key: string
  mention: string
  count: number
  /** Of those that mention it, the first. */
  papers: { document_id: string; name: string | null }[]
}

/** Papers that others mention and none is or has within itself, those most mention first. */
export async function listMentions(
  tx: TenantTransaction,
  scope: ScopePlace,
  { limit, named }: { limit: number; named: number },
): Promise<MentionRow[]> {
  return tx.rows<MentionRow>(
    `with here as materialized (select document_id, name, received_at, ${profileSql} as profile from ${currentSql})
     select e.value ->> 0 as key, min(e.value ->> 1) as mention, count(*) as count,
       to_json((array_agg(json_build_object('document_id', document_id, 'name', nullif(name, '')) order by received_at, document_id))[1:$5]) as papers
     from here cross join jsonb_array_elements(here.profile -> 'mentions') e
     where e.value ->> 0 not in (select h.value from here cross join jsonb_array_elements_text(here.profile -> 'holds') h)
     group by 1 order by 3 desc, 1 limit $4`,
    [...placeOf(scope), limit, named],
  )
}

/** Which of these days, or days of any year, a paper was issued on. */
export async function listIssueDays(tx: TenantTransaction, scope: ScopePlace, days: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ day: string }>(
    `select distinct profile ->> 'issuedOn' as day from (select ${profileSql} as profile from ${currentSql}) k
     where right(profile ->> 'issuedOn', 6) = any ($4::text[])`,
    [...placeOf(scope), [...new Set(days.map(day => day.slice(-6)))]],
  )
  return rows.map(({ day }) => day)
}

/** Names of papers nobody has read yet. */
export async function listUnreadNames(tx: TenantTransaction, scope: ScopePlace, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(
    `select name from ${currentSql} and (${profileSql}) is null order by received_at desc, document_id limit $4`,
    [...placeOf(scope), limit],
  )
  return rows.map(({ name }) => name)
}
