/**
 * Places in the log of everything are `(xid, id)`, and transaction ids belong to a cluster: a copy of the rows that is
 * restored into a younger one would hide its own events from the kernel stream until that cluster has caught up, and put new
 * ones before them. So what is stored is the transaction's id plus a base, and a database that holds a place ahead of its
 * cluster gets a higher base before anybody works on it. The base comes along with the rows, the default of `events.xid` that
 * adds it does not: the default is brought to the stored base each time. So new places lie behind all that are stored, those of
 * events as well as those endpoints and their feed have reached.
 */

import type pg from 'pg'
import { invariant } from '../../platform/errors.js'
import type { Logger } from '../../platform/logger.js'
import { clientConfig, type DatabaseAddress, type SessionLimits } from '../server/connection.js'
import { logIn } from '../server/login.js'

/** As the owner, under the lock of `migrate`, while no node works on the database. */
export async function raiseLogBase(
  owner: pg.Client,
  { address, limits, logger }: { address: DatabaseAddress; limits: SessionLimits; logger: Logger },
): Promise<void> {
  // Migrations other than ours make no log.
  const known = await owner.query("select from pg_class where oid = to_regclass('event_horizon')")
  if (known.rowCount === 0) return
  const newest = await newestPlace(address, limits)
  const { rows } = await owner.query<{ base: number; xmin: number; xmax: number }>(
    `select h.xid_base as base, pg_snapshot_xmin(s.now)::text::bigint as xmin, pg_snapshot_xmax(s.now)::text::bigint as xmax
     from event_horizon h, (select pg_current_snapshot() as now) s`,
  )
  const cluster = rows[0]
  if (cluster === undefined) return
  const isBehind = newest >= cluster.xmax + cluster.base
  // From the oldest transaction still running, so that no stored event is hidden by it.
  const base = isBehind ? newest + 1 - cluster.xmin : cluster.base
  if (base === (await baseOfDefault(owner))) return
  await owner.query('begin')
  await owner.query('update event_horizon set xid_base = $1', [base])
  await owner.query(`alter table events alter column xid set default ((pg_current_xact_id()::text::bigint + ${base})::text::xid8)`)
  await owner.query('commit')
  logger.warn({ base }, 'database restored from another cluster, event log base raised')
}

/** What the default of `events.xid` adds to the transaction's id. */
async function baseOfDefault(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ expression: string }>(
    `select pg_get_expr(d.adbin, d.adrelid) as expression from pg_attrdef d
     join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where d.adrelid = 'events'::regclass and a.attname = 'xid'`,
  )
  invariant(rows[0] !== undefined, 'events.xid has no default')
  const added = await owner.query<{ base: number }>(
    `select (${rows[0].expression})::text::bigint - pg_current_xact_id()::text::bigint as base`,
  )
  return added.rows[0]?.base ?? 0
}

/** Of all that are stored. As the engine, because forced row-level security shows the owner no rows of tenants. */
async function newestPlace(address: DatabaseAddress, limits: SessionLimits): Promise<number> {
  const engine = await logIn(clientConfig(address, 'engine', limits))
  try {
    const { rows } = await engine.query<{ newest: number }>(
      `select greatest(h.xid::text::bigint, f.xid::text::bigint, (select max(w.cursor_xid::text::bigint) from webhooks w),
         (select e.xid::text::bigint from events e order by e.xid desc, e.id desc limit 1)) as newest
       from event_horizon h, webhook_feed f`,
    )
    return rows[0]?.newest ?? 0
  } finally {
    await engine.end()
  }
}
