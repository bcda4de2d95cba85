/**
 * How endpoints learn that there is something for them, as the engine: one look at the log serves the endpoints of all
 * tenants that have nothing to send, and those that are due read on from their own cursor (see
 * `migrations/0025_webhooks.sql`). Each page looks at a bounded part of the log, whoever its events belong to.
 */

import { documentOfEvent, type LogPosition, logEnd, namedData, type StoredEvent } from '../events/events-reading.js'
import type { Database } from '../server/database.js'

/** Behind every event of its transaction. */
export const lastId = Number.MAX_SAFE_INTEGER

/** Answers whether any endpoint is at rest, and how many events were looked at for those that are. */
export async function feedWebhooks(db: Database, limit: number): Promise<{ resting: boolean; looked: number }> {
  const { rows } = await db.engineQuery<{ resting: boolean; looked: number }>('select * from concord_feed_webhooks($1)', [limit])
  return rows[0] ?? { resting: false, looked: 0 }
}

/** How far the log was looked at. It only grows: one that was read earlier is never too far. */
export async function readFed(db: Database): Promise<LogPosition> {
  const { rows } = await db.engineQuery<{ xid: string; id: number }>('select xid::text as xid, id from webhook_feed')
  return { xid: Number(rows[0]?.xid ?? 0), id: rows[0]?.id ?? 0 }
}

export interface WebhookEvent extends StoredEvent, LogPosition {
  scopeNo: number
  scopeId: string | null
}

export interface EndpointRef {
  tenantId: string
  webhookId: string
}

export interface EndpointFilter {
  tenantId: string
  events: readonly string[]
  scopes: readonly string[] | null
}

export interface EventPage {
  events: WebhookEvent[]
  /** Nothing else for the endpoint lies before it. */
  upTo: LogPosition
  /** The log had ended there. */
  atEnd: boolean
  /** Retention has removed events behind the cursor. */
  gap: boolean
  /** Newest event that retention has removed. */
  removed: LogPosition
}

/** Events of one endpoint behind `after`, in commit order: at most `most`, found among the next `look` of everybody. */
export async function readEndpointPage(
  db: Database,
  filter: EndpointFilter,
  after: LogPosition,
  { most, look }: { most: number; look: number },
): Promise<EventPage> {
  const { rows } = await db.engineQuery<PageRow>(pageSql, [
    String(after.xid),
    after.id,
    look,
    filter.tenantId,
    filter.events,
    filter.scopes,
    most,
  ])
  const [head, ...events] = rows as [PageRow, ...PageRow[]]
  const last = events.at(-1)
  const isFull = events.length === most
  const atEnd = !isFull && head.looked < look
  const removed = { xid: Number(head.removed_xid), id: head.removed_id }
  return {
    events: events.map(toEvent),
    upTo: isFull && last !== undefined ? placeOf(last) : atEnd ? { xid: Number(head.log_end) - 1, id: lastId } : placeOf(head),
    atEnd,
    gap: after.xid < removed.xid || (after.xid === removed.xid && after.id < removed.id),
    removed,
  }
}

interface PageRow extends StoredEvent {
  xid: string
  id: number
  scope_no: number
  scope_id: string | null
  looked: number
  log_end: string
  removed_xid: string
  removed_id: number
}

/** The first row is about the look itself: how many events it saw, the last of them, and where log and retention stand. */
const pageSql = `
with log_end as materialized (select ${logEnd} as xid), slice as materialized (
  select e.tenant_id, e.scope_no, e.seq, e.xid, e.id, e.type, e.subject, e.data, e.time from events e
  where (e.xid, e.id) > ($1::xid8, $2::bigint) and e.xid < (select xid from log_end) order by e.xid, e.id limit $3
), page as (
  select e.xid::text as xid, e.id, e.scope_no, coalesce(s.scope_id, e.data ->> 'scope_id') as scope_id, e.seq, e.type, e.subject, ${namedData}, e.time,
    row_number() over (order by e.xid, e.id) as place
  from slice e left join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no ${documentOfEvent}
  where e.tenant_id = $4 and concord_webhook_wants(e.type, coalesce(s.scope_id, e.data ->> 'scope_id'), $5, $6)
  order by place limit $7
)
select l.xid::text as xid, l.id, null::bigint as scope_no, null as scope_id, null::bigint as seq, null as type, null as subject, null as data,
  null::timestamptz as time, 0::bigint as place, (select count(*) from slice)::integer as looked, (select xid::text from log_end) as log_end,
  h.xid::text as removed_xid, h.id as removed_id
from event_horizon h left join lateral (select e.xid, e.id from slice e order by e.xid desc, e.id desc limit 1) l on true
union all
select p.*, 0, null, null, null from page p
order by place`

function placeOf(row: { xid: string; id: number }): LogPosition {
  return { xid: Number(row.xid), id: row.id }
}

function toEvent({ scope_no, scope_id, seq, type, subject, data, time, ...row }: PageRow): WebhookEvent {
  return { ...placeOf(row), scopeNo: scope_no, scopeId: scope_id, seq, type, subject, data, time }
}

/** One event of the log, for a redelivery; null once retention has removed it. */
export async function readEvent(db: Database, at: { tenantId: string; scopeNo: number; seq: number }): Promise<WebhookEvent | null> {
  const { rows } = await db.engineQuery<PageRow>(
    `select e.xid::text as xid, e.id, e.scope_no, coalesce(s.scope_id, e.data ->> 'scope_id') as scope_id, e.seq, e.type, e.subject,
       ${namedData}, e.time
     from events e left join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no ${documentOfEvent}
     where e.tenant_id = $1 and e.scope_no = $2 and e.seq = $3`,
    [at.tenantId, at.scopeNo, at.seq],
  )
  return rows[0] === undefined ? null : toEvent(rows[0])
}
