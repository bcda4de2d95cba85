/**
 * Who delivers to which endpoint: leases in rows, by the database's clock, with a fence that guards what is recorded. A
 * node takes the endpoints that have been due longest. Those that fail are taken in a share of their own, so that they
 * never keep the others waiting.
 */

import { appendServiceEvents } from '../events/events.js'
import type { LogPosition } from '../events/events-reading.js'
import { wholeTenant } from '../runtime/runtime.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database, type EngineTransaction } from '../server/database.js'
import type { DeliveryRow, DeliveryStatus, FailureReason } from './webhook-deliveries.js'
import { type EndpointFilter, type EndpointRef, fedSql } from './webhook-feed.js'

export interface LeasedEndpoint extends EndpointRef, EndpointFilter {
  owner: string
  fence: number
  url: string
  enabled: boolean
  cursor: LogPosition
  cursorAt: string
  /** Since when the message at the cursor has failed, in milliseconds before now. */
  failingMs: number | null
  attempts: number
  /** Newest first. */
  secrets: string[]
}

/** At most `healthy` endpoints in good order and `failing` others, each due, unleased, of a tenant that runs. */
export async function leaseEndpoints(
  db: Database,
  { owner, leaseMs, healthy, failing }: { owner: string; leaseMs: number; healthy: number; failing: number },
): Promise<LeasedEndpoint[]> {
  const rows = await across(db).rows<Omit<LeasedEndpoint, 'owner' | 'cursor'> & LogPosition>(leaseSql, [owner, leaseMs, healthy, failing])
  return rows.map(({ xid, id, ...endpoint }) => ({ ...endpoint, owner, cursor: { xid, id } }))
}

const halted = (tenant: string) =>
  `exists (select from runtime_states r where r.state <> 'running' and r.scope_no = ${wholeTenant} and r.tenant_id = ${tenant})`

const dueOf = (condition: string, limit: string) => `
  select w.tenant_id, w.webhook_id from webhooks w
  where w.due_at <= clock_timestamp() and (w.owner is null or w.leased_until < clock_timestamp()) and ${condition}
    and not ${halted("'-'")} and not ${halted('w.tenant_id')}
    and exists (select from tenants t where t.tenant_id = w.tenant_id and t.deleted_at is null)
  order by w.due_at limit ${limit} for update skip locked`

const leaseSql = `
with healthy as (${dueOf('w.failing_since is null', '$3')}), failing as (${dueOf('w.failing_since is not null', '$4')}),
taken as (
  update webhooks w set owner = $1, fence = w.fence + 1, leased_until = clock_timestamp() + $2::integer * interval '1 millisecond'
  from (select * from healthy union all select * from failing) n
  where w.tenant_id = n.tenant_id and w.webhook_id = n.webhook_id
  returning w.*
)
select w.tenant_id as "tenantId", w.webhook_id as "webhookId", w.fence, w.url, w.events, w.scopes, w.enabled,
  w.cursor_xid::text::bigint as xid, w.cursor_id as id, w.cursor_at as "cursorAt",
  (extract(epoch from clock_timestamp() - w.failing_since) * 1000)::float8 as "failingMs", w.attempts,
  array(select s.secret from webhook_secrets s where s.tenant_id = w.tenant_id and s.webhook_id = w.webhook_id
    and (s.expires_at is null or s.expires_at > clock_timestamp()) order by s.secret_no desc limit 2) as secrets
from taken w`

/** Keeps the leases of a node while requests are under way; those that expired are not brought back. */
export async function extendLeases(db: Database, owner: string, leaseMs: number): Promise<void> {
  await db.engineQuery(
    `update webhooks set leased_until = clock_timestamp() + $2::integer * interval '1 millisecond'
     where owner = $1 and leased_until > clock_timestamp()`,
    [owner, leaseMs],
  )
}

/** Tests and redeliveries that wait, oldest first. */
export async function readAsked(db: Database, { tenantId, webhookId }: EndpointRef, limit: number): Promise<DeliveryRow[]> {
  return across(db).rows<DeliveryRow>(
    `select delivery_id, kind, event_id, type, scope_id, scope_no, seq, attempts from webhook_deliveries
     where tenant_id = $1 and webhook_id = $2 and status = 'pending' and kind <> 'event' order by delivery_no limit $3`,
    [tenantId, webhookId, limit],
  )
}

export interface TriedMessage {
  delivered: boolean
  /** Since the last attempt. */
  sinceMs: number
}

/** Which of these were tried before: delivered ahead of the cursor, or failed. */
export async function findTried(
  db: Database,
  { tenantId, webhookId }: EndpointRef,
  deliveryIds: readonly string[],
): Promise<Map<string, TriedMessage>> {
  const { rows } = await db.engineQuery<TriedMessage & { delivery_id: string }>(
    `select delivery_id, status = 'delivered' as delivered,
       (extract(epoch from clock_timestamp() - attempted_at) * 1000)::float8 as "sinceMs"
     from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and delivery_id = any ($3) and attempted_at is not null`,
    [tenantId, webhookId, deliveryIds],
  )
  return new Map(rows.map(({ delivery_id, ...tried }) => [delivery_id, tried]))
}

/** One attempt at one message. */
export interface AttemptRecord extends Pick<DeliveryRow, 'delivery_id' | 'kind' | 'event_id' | 'type' | 'scope_id' | 'scope_no' | 'seq'> {
  status: DeliveryStatus
  responseStatus: number | null
  reason: FailureReason | null
  durationMs: number
}

export type Next =
  /** Caught up: no events after `cursor`. */
  | { kind: 'rest' }
  | { kind: 'again' }
  /** The message at the cursor was not tried, and is due as before. */
  | { kind: 'keep' }
  /** The message at the cursor was skipped: still in backoff. Others were tried. */
  | { kind: 'hold'; waitMs: number }
  /** `moved`: the message that failed now is another one than the last time. */
  | { kind: 'backoff'; waitMs: number; moved: boolean }
  | { kind: 'disable'; reason: 'failing' | 'gone'; moved: boolean }

export interface TurnRecord {
  cursor: LogPosition
  cursorAt: string | null
  attempts: readonly AttemptRecord[]
  next: Next
}

/** Writes what became of a turn and gives the lease back. False, and nothing written, when the lease was lost. */
export async function recordTurn(db: Database, endpoint: LeasedEndpoint, record: TurnRecord): Promise<boolean> {
  return db.engine(async tx => {
    // Nobody may look at the log for endpoints at rest while this one decides whether to rest.
    const fed = record.next.kind === 'rest' ? await tx.one<LogPosition>(`${fedSql} for update`) : null
    const lease = [endpoint.tenantId, endpoint.webhookId, endpoint.owner, endpoint.fence]
    const isHeld = 'select from webhooks where tenant_id = $1 and webhook_id = $2 and owner = $3 and fence = $4 for update'
    if (!(await tx.touches(isHeld, lease))) return false
    await writeAttempts(tx, endpoint, record.attempts)
    // Looked at by itself no further than for others, it reads on first.
    const rests = fed === null || fed.xid < record.cursor.xid || (fed.xid === record.cursor.xid && fed.id <= record.cursor.id)
    if (fed !== null && rests) await feedFrom(tx, record.cursor)
    await moveOn(tx, endpoint, rests ? record : { ...record, next: { kind: 'again' } })
    return true
  })
}

/** The first at rest takes the feed along, which has stood still. */
async function feedFrom(tx: EngineTransaction, { xid, id }: LogPosition): Promise<void> {
  await tx.run(`update webhook_feed set xid = $1::xid8, id = $2 where not exists (select from webhooks where enabled and due_at is null)`, [
    String(xid),
    id,
  ])
}

async function writeAttempts(
  tx: EngineTransaction,
  { tenantId, webhookId }: EndpointRef,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  if (attempts.length === 0) return
  await tx.run(
    `insert into webhook_deliveries as d (tenant_id, webhook_id, delivery_id, kind, event_id, type, scope_id, scope_no, seq, status, attempts,
        response_status, reason, duration_ms, attempted_at)
      select $1, $2, a.delivery_id, a.kind, a.event_id, a.type, a.scope_id, a.scope_no, a.seq, a.status, 1, a.response_status, a.reason, a.duration_ms,
        clock_timestamp()
      from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::integer[], $12::text[],
        $13::integer[]) with ordinality
        as a (delivery_id, kind, event_id, type, scope_id, scope_no, seq, status, response_status, reason, duration_ms, place)
      order by a.place
      on conflict (tenant_id, webhook_id, delivery_id) do update set status = excluded.status, attempts = d.attempts + 1,
        response_status = excluded.response_status, reason = excluded.reason, duration_ms = excluded.duration_ms, attempted_at = excluded.attempted_at`,
    [
      tenantId,
      webhookId,
      ...columnsOf(attempts, 'delivery_id', 'kind', 'event_id', 'type', 'scope_id', 'scope_no', 'seq', 'status'),
      ...columnsOf(attempts, 'responseStatus', 'reason', 'durationMs'),
    ],
  )
}

async function moveOn(tx: EngineTransaction, endpoint: LeasedEndpoint, { cursor, cursorAt, attempts, next }: TurnRecord): Promise<void> {
  const failed = next.kind === 'backoff' || next.kind === 'disable'
  const failing = await tx.one<{ failing_since: string | null; attempts: number }>(
    `update webhooks w set cursor_xid = $3::xid8, cursor_id = $4, cursor_at = coalesce($5::timestamptz, w.cursor_at),
        owner = null, leased_until = null, enabled = $6::text is null and w.enabled, disabled_reason = coalesce($6, w.disabled_reason),
        failing_since = case when $11 then w.failing_since when not $7 then null when $8 then clock_timestamp()
          else coalesce(w.failing_since, clock_timestamp()) end,
        attempts = case when $11 then w.attempts when not $7 then 0 when $8 then 1 else w.attempts + 1 end,
        last_delivered_at = case when $9 then clock_timestamp() else w.last_delivered_at end,
        due_at = case when exists (select from webhook_deliveries d where d.tenant_id = $1 and d.webhook_id = $2 and d.status = 'pending' and d.kind <> 'event')
          then clock_timestamp() when $11 and $10::float8 is null then case when w.enabled then w.due_at end
          else clock_timestamp() + $10::float8 * interval '1 millisecond' end
      where w.tenant_id = $1 and w.webhook_id = $2 returning w.failing_since, w.attempts`,
    [
      endpoint.tenantId,
      endpoint.webhookId,
      String(cursor.xid),
      cursor.id,
      cursorAt,
      next.kind === 'disable' ? next.reason : null,
      failed,
      failed && next.moved,
      attempts.some(attempt => attempt.status === 'delivered'),
      next.kind === 'again' ? 0 : next.kind === 'backoff' || next.kind === 'hold' ? next.waitMs : null,
      next.kind === 'keep' || next.kind === 'hold',
    ],
  )
  if (next.kind !== 'disable') return
  const data = { webhook_id: endpoint.webhookId, reason: next.reason, ...failing }
  const scope = endpoint.scopes?.length === 1 ? { scope_id: endpoint.scopes[0] } : {}
  await appendServiceEvents(tx, endpoint.tenantId, [{ type: 'webhook.disabled', subject: endpoint.webhookId, data: { ...scope, ...data } }])
}
