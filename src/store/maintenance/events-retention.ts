/**
 * Removal of events and idempotency keys past their time, one batch at a time. Events leave a scope's log from its old
 * end only, and the log remembers where it now begins. What belongs to a case in which anything is on legal hold stays whatever its age.
 * Ages are by the database's clock: a node whose clock is ahead must not forget what is young.
 */

import { lockFreeScopes } from '../events/events.js'
import type { LogPosition } from '../events/events-reading.js'
import { heldScopesSql } from '../scopes/standing-hold.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database } from '../server/database.js'

/** Later than this is no time of an event: the clock of the database was ahead. */
const ahead = "now() + interval '1 day'"

export interface RemovedBatch {
  removed: number
  /** As many were due as a batch takes; those of a busy case were left, so fewer may be removed. */
  isFull: boolean
}

export interface RemovedEvents extends RemovedBatch {
  /** The oldest event that no hold keeps stood here. The next batch begins there, or each would walk past all that are held. */
  from: LogPosition | null
}

interface DueEvents {
  tenant_id: string
  scope_no: number
  last_seq: number
  xid: string
  id: number
  count: number
  from: LogPosition
}

/**
 * The oldest events in commit order that are older than `hours`, up to the first that is younger: events that came with a
 * tenant from elsewhere are older than those before them, and the log begins behind what was removed. One with a time that is ahead
 * is as old as the next that has a time. The oldest rows are looked at, not the whole log; before `from` nothing may go.
 */
export async function removeOldEvents(db: Database, hours: number, limit: number, from: LogPosition | null = null): Promise<RemovedEvents> {
  return db.engine(async tx => {
    const oldest = await tx.rows<DueEvents>(
      `with oldest as materialized (
          select tenant_id, scope_no, seq, xid, id, time, true as goes from events
          where (xid, id) >= ($3::xid8, $4::bigint) and scope_no not in (${heldScopesSql}) order by xid, id limit $2
        ), timed as (
          select * from oldest
          union all (
            select tenant_id, scope_no, seq, xid, id, time, false from events
            where (xid, id) > (select xid, id from oldest order by xid desc, id desc limit 1) and time < ${ahead}
              and scope_no not in (${heldScopesSql})
            order by xid, id limit 1)
        ), placed as (
          -- One with a time, and those ahead before it, have as many with a time from there on.
          select *, count(*) filter (where time < ${ahead}) over (order by xid desc, id desc) as place from timed
        ), prefix as (
          select *, bool_and(time < now() - $1::integer * interval '1 hour') filter (where time < ${ahead}) over (order by place desc) as is_old
          from placed where place > 0
        )
        select tenant_id, scope_no, max(seq) as last_seq, max(xid)::text as xid, max(id) as id, count(*)::integer as count,
          (select json_build_object('xid', xid::text::bigint, 'id', id) from oldest order by xid, id limit 1) as "from"
        from prefix where goes and is_old group by tenant_id, scope_no`,
      [hours, limit, String(from?.xid ?? 0), from?.id ?? 0],
    )
    const due = oldest.reduce((sum, row) => sum + row.count, 0)
    const next = { isFull: due >= limit, from: oldest[0]?.from ?? from }
    if (due === 0) return { removed: 0, ...next }
    // Events of a scope in which somebody is at work go another time.
    const locked = await lockFreeScopes(
      tx,
      oldest.map(row => row.scope_no),
    )
    // A hold is set under the same lock: one that was set since is seen now.
    const held = new Set(await tx.column<number>(heldScopesSql))
    const rows = oldest.filter(row => locked.has(row.scope_no) && !held.has(row.scope_no))
    if (rows.length === 0) return { removed: 0, ...next }
    const columns = columnsOf(rows, 'tenant_id', 'scope_no', 'last_seq')
    const removed = await tx.run(
      `delete from events e using unnest($1::text[], $2::bigint[], $3::bigint[]) as o(tenant_id, scope_no, last_seq)
        where e.tenant_id = o.tenant_id and e.scope_no = o.scope_no and e.seq <= o.last_seq
          and (e.time < now() - $4::integer * interval '1 hour' or e.time >= ${ahead})`,
      [...columns, hours],
    )
    await tx.run(
      `update scope_heads h set oldest_seq = greatest(h.oldest_seq, o.last_seq + 1)
        from unnest($1::text[], $2::bigint[], $3::bigint[]) as o(tenant_id, scope_no, last_seq)
        where h.tenant_id = o.tenant_id and h.scope_no = o.scope_no`,
      columns,
    )
    const newest = rows.reduce((a, b) => (Number(b.xid) > Number(a.xid) || (b.xid === a.xid && b.id > a.id) ? b : a))
    await tx.run('update event_horizon set xid = $1::xid8, id = $2 where (xid, id) < ($1::xid8, $2::bigint)', [newest.xid, newest.id])
    return { removed, ...next }
  })
}

export async function removeOldKeys(db: Database, hours: number, limit: number): Promise<RemovedBatch> {
  const removed = await across(db).run(
    `delete from idempotency_keys where ctid = any (array(
       select ctid from idempotency_keys where created_at < now() - $1::integer * interval '1 hour'
         and scope_no not in (${heldScopesSql}) limit $2))`,
    [hours, limit],
  )
  return { removed, isFull: removed >= limit }
}
