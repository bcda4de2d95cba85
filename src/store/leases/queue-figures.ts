/**
 * How much waits and how old it is, from what is kept in the heads of scopes that wait: their counts, their turn and whether they
 * are halted. Only for the oldest age a few of them are looked up in the backlog. Nothing here reads a backlog as a whole.
 */

import { serviceTenant } from '../events/events.js'
import { wholeTenant } from '../runtime/runtime.js'
import type { EngineTransaction } from '../server/database.js'

export interface QueueReading {
  /** Documents queued, in progress or to be read again, in scopes of every state. */
  depth: number
  /** Of these, in running scopes whose turn has come. */
  runnable: number
  runnable_scopes: number
  /** Beyond `mostLookUps` runnable scopes: of those that wait longest for their turn and those with the most documents. */
  oldest_age_seconds: number
  /** True when more scopes wait than were looked at. */
  at_least: boolean
  taken_at: string
}

/** Beyond this many waiting scopes the figures are a lower bound, and say so (`at_least`). */
const mostScopes = 20_000

const mostLookUps = 500

const readingSql = `
with waiting as materialized (
  select h.tenant_id, h.scope_no, h.turn_at, h.rest_until, h.queued + h.processing + h.rereads as documents,
    h.turn_at <= clock_timestamp() and not h.halted
      and not exists (select from runtime_states where state <> 'running' and tenant_id = '${serviceTenant}' and scope_no = ${wholeTenant})
      and h.tenant_id not in (select tenant_id from runtime_states where state <> 'running' and scope_no = ${wholeTenant}) as runnable
  from scope_heads h where h.has_backlog limit ${mostScopes + 1}
), looked_up as (
  (select w.tenant_id, w.scope_no, w.rest_until from waiting w where w.runnable order by w.turn_at limit ${mostLookUps / 2})
  union
  (select w.tenant_id, w.scope_no, w.rest_until from waiting w where w.runnable order by w.documents desc limit ${mostLookUps / 2})
), oldest as (
  select min(d.since) as since from looked_up l cross join lateral (
    select greatest(b.enqueued_at, b.not_before, l.rest_until) as since
    from backlog b
    join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
    where b.tenant_id = l.tenant_id and b.scope_no = l.scope_no and b.not_before <= clock_timestamp()
    order by b.seq limit 1
  ) d
)
select coalesce(sum(w.documents), 0)::bigint as depth,
  coalesce(sum(w.documents) filter (where w.runnable), 0)::bigint as runnable,
  count(*) filter (where w.runnable) as runnable_scopes,
  greatest(0, coalesce(extract(epoch from clock_timestamp() - (select since from oldest)), 0))::float8 as oldest_age_seconds,
  count(*) > ${mostScopes} as at_least,
  clock_timestamp() as taken_at
from waiting w`

export async function readQueueFigures(tx: EngineTransaction): Promise<QueueReading> {
  return tx.one<QueueReading>(readingSql)
}
