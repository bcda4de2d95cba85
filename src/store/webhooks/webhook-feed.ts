/**
 * How endpoints learn that there is something for them, as the engine: one look at the log serves the endpoints of all
 * tenants that have nothing to send, and those that are due read on from their own cursor (see
 * `migrations/0001_baseline.sql`). Each page looks at a bounded part of the log, whoever its events belong to.
 */

import { type LogPosition, logEnd, type PlacedEvent, placedEvent, scopeOfEvent } from '../events/events-reading.js'
import { across, type Database } from '../server/database.js'

/** Behind every event of its transaction. */
export const lastId = Number.MAX_SAFE_INTEGER

/** Answers whether any endpoint is at rest, and how many events were looked at for those that are. */
export async function feedWebhooks(db: Database, limit: number): Promise<{ resting: boolean; looked: number }> {
  return across(db).one<{ resting: boolean; looked: number }>('select * from concord_feed_webhooks($1)', [limit])
}

export const fedSql = 'select xid::text::bigint as xid, id from webhook_feed'

/** How far the log was looked at. It only grows: one that was read earlier is never too far. */
export async function readFed(db: Database): Promise<LogPosition> {
  return across(db).one<LogPosition>(fedSql)
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
  events: PlacedEvent[]
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
  const values = [String(after.xid), after.id, look, filter.tenantId, filter.events, filter.scopes, most]
  const [head, ...events] = (await across(db).rows<PageRow>(pageSql, values)) as [PageRow, ...PageRow[]]
  const last = events.at(-1)
  const isFull = events.length === most
  const atEnd = !isFull && head.looked < look
  const { removed } = head
  return {
    events: events.map(toEvent),
    upTo: isFull && last !== undefined ? placeOf(last) : atEnd ? { xid: head.logEnd - 1, id: lastId } : placeOf(head),
    atEnd,
    gap: after.xid < removed.xid || (after.xid === removed.xid && after.id < removed.id),
    removed,
  }
}

interface PageRow extends PlacedEvent {
  looked: number
  logEnd: number
  removed: LogPosition
  place: number
}

/** The first row is about the look itself: how many events it saw, the last of them, and where log and retention stand. */
const pageSql = `
with log_end as materialized (select ${logEnd} as xid), slice as materialized (
  select e.tenant_id, e.scope_no, e.seq, e.xid, e.id, e.type, e.subject, e.data, e.time from events e
  where (e.xid, e.id) > ($1::xid8, $2::bigint) and e.xid < (select xid from log_end) order by e.xid, e.id limit $3
), page as (
  select ${placedEvent}, row_number() over (order by e.xid, e.id) as place
  from slice e ${scopeOfEvent}
  where e.tenant_id = $4 and concord_webhook_wants(e.type, coalesce(s.scope_id, e.data ->> 'scope_id'), $5, $6)
  order by place limit $7
)
select l.xid::text::bigint as xid, l.id, null::bigint as "scopeNo", null as "scopeId", null::bigint as seq, null as type, null as subject, null as data,
  null::timestamptz as time, 0::bigint as place, (select count(*) from slice)::integer as looked,
  (select xid::text::bigint from log_end) as "logEnd", jsonb_build_object('xid', h.xid::text::bigint, 'id', h.id) as removed
from event_horizon h left join lateral (select e.xid, e.id from slice e order by e.xid desc, e.id desc limit 1) l on true
union all
select p.*, 0, null, null from page p
order by place`

function placeOf({ xid, id }: LogPosition): LogPosition {
  return { xid, id }
}

function toEvent({ looked, logEnd, removed, place, ...event }: PageRow): PlacedEvent {
  return event
}

/** One event of the log, for a redelivery; null once retention has removed it. */
export async function readEvent(db: Database, at: { tenantId: string; scopeNo: number; seq: number }): Promise<PlacedEvent | null> {
  return across(db).row<PlacedEvent>(
    `select ${placedEvent} from events e ${scopeOfEvent} where e.tenant_id = $1 and e.scope_no = $2 and e.seq = $3`,
    [at.tenantId, at.scopeNo, at.seq],
  )
}
