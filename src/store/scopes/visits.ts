/** Who looked at a case last, and where its log stood then. */

import type { TenantTransaction } from '../server/database.js'
import { ofPlace, placeOf, type ScopePlace } from './scopes.js'

export interface Visit {
  seq: number
  at: string
}

const continued = "seen_at > clock_timestamp() - interval '30 minutes'"

/** Of the visit before the one that goes on or begins now. */
export async function findLastVisit(tx: TenantTransaction, scope: ScopePlace, visitor: string): Promise<Visit | null> {
  const row = await tx.row<{ seq: number | null; at: string | null }>(
    `select case when ${continued} then before_seq else seq end as seq, case when ${continued} then before_at else seen_at end as at
     from visits where ${ofPlace} and visitor = $4`,
    [...placeOf(scope), visitor],
  )
  return row?.seq == null || row.at === null ? null : { seq: row.seq, at: row.at }
}

/** Written every few minutes of a visit, however often is read. Nothing where the case was reset meanwhile. */
export async function keepVisit(tx: TenantTransaction, scope: ScopePlace, visitor: string, seq: number): Promise<void> {
  await tx.run(
    `insert into visits as v (tenant_id, scope_no, generation, visitor, seq)
     select s.tenant_id, s.scope_no, s.generation, $4, $5 from scopes s where s.tenant_id = $1 and s.scope_no = $2 and s.generation = $3
     on conflict (tenant_id, scope_no, generation, visitor) do update set seq = excluded.seq, seen_at = excluded.seen_at,
       before_seq = case when v.${continued} then v.before_seq else v.seq end, before_at = case when v.${continued} then v.before_at else v.seen_at end
     where v.seen_at < clock_timestamp() - interval '5 minutes'`,
    [...placeOf(scope), visitor, seq],
  )
}
