/**
 * How much waits and how old it is, from counts that are kept and one index probe for each waiting scope. Nothing here
 * reads a backlog as a whole.
 */

import { runnableSql } from '../runtime/runtime.js'
import type { EngineTransaction } from '../server/database.js'

export interface QueueReading {
  /** Documents queued, in progress or to be read again, in scopes of every state. */
  depth: number
  /** Of these, in running scopes where something is due. */
  runnable: number
  runnable_scopes: number
  oldest_age_seconds: number
  /** True when more scopes wait than were looked at. */
  at_least: boolean
  taken_at: string
}

/** Beyond this many waiting scopes the figures are a lower bound; sizes are at their maximum long before. */
const mostScopes = 20_000

const readingSql = `
with waiting as materialized (
  select h.tenant_id, h.scope_no, h.queued + h.processing + h.rereads as documents, ${runnableSql('h.tenant_id', 'h.scope_no')} as running
  from scope_heads h where h.has_backlog limit ${mostScopes + 1}
)
select coalesce(sum(w.documents), 0)::bigint as depth,
  coalesce(sum(w.documents) filter (where d.since is not null), 0)::bigint as runnable,
  count(d.since) as runnable_scopes,
  greatest(0, coalesce(extract(epoch from clock_timestamp() - min(d.since)), 0))::float8 as oldest_age_seconds,
  count(*) > ${mostScopes} as at_least,
  clock_timestamp() as taken_at
from waiting w
left join lateral (
  select greatest(b.enqueued_at, b.not_before) as since
  from backlog b
  join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
  where w.running and b.tenant_id = w.tenant_id and b.scope_no = w.scope_no and b.not_before <= clock_timestamp()
  order by b.seq limit 1
) d on true`

export async function readQueueFigures(tx: EngineTransaction): Promise<QueueReading> {
  const rows = await tx.rows<QueueReading>('queue-figures', readingSql)
  return rows[0] as QueueReading
}
