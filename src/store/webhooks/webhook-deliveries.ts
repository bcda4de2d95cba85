/** What became of messages, as the tenant sees it, and messages that were asked for: tests and redeliveries. */

import type { Database, TenantTransaction } from '../server/database.js'
import type { EndpointRef } from './webhook-feed.js'
import type { Within } from './webhooks.js'

export type DeliveryKind = 'event' | 'test' | 'redelivery'
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'
export type FailureReason = 'status' | 'redirect' | 'timeout' | 'dns' | 'address' | 'tls' | 'connection'

export interface DeliveryRow {
  delivery_id: string
  webhook_id: string
  kind: DeliveryKind
  event_id: string
  type: string
  scope_id: string | null
  scope_no: number | null
  seq: number | null
  status: DeliveryStatus
  attempts: number
  response_status: number | null
  reason: FailureReason | null
  duration_ms: number | null
  created_at: string
  attempted_at: string | null
}

const columns = `delivery_id, webhook_id, kind, event_id, type, scope_id, scope_no, seq, status, attempts, response_status, reason,
  duration_ms, created_at, attempted_at`

/** An endpoint that was narrowed keeps its rows of other scopes. Tests and gaps are about the endpoint itself. */
const ofScopes = (scopes: string) => `(${scopes}::text[] is null or scope_no is null or scope_id = any (${scopes}::text[]))`

/** Newest first. `before` is a delivery and not its number, which counts the deliveries of all tenants. */
export async function listDeliveryRows(
  tx: TenantTransaction,
  list: { webhookId: string; scopes: Within; status: DeliveryStatus | null; before: string | null; limit: number },
): Promise<DeliveryRow[]> {
  return tx.rows<DeliveryRow>(
    `select ${columns} from webhook_deliveries
      where tenant_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)
        and ($4::text is null or delivery_no < (
          select delivery_no from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and delivery_id = $4))
        and ${ofScopes('$6')}
      order by delivery_no desc limit $5`,
    [tx.tenantId, list.webhookId, list.status, list.before, list.limit, list.scopes],
  )
}

export async function findDelivery(
  tx: TenantTransaction,
  { webhookId, scopes, deliveryId }: { webhookId: string; scopes: Within; deliveryId: string },
): Promise<DeliveryRow | null> {
  return tx.row<DeliveryRow>(
    `select ${columns} from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and delivery_id = $3 and ${ofScopes('$4')}`,
    [tx.tenantId, webhookId, deliveryId, scopes],
  )
}

/** What failed and is not asked for any more is not tried again. That events are missing (`stream.gap`) is told of whatever is asked for. */
export async function endUnwanted(
  tx: TenantTransaction,
  { webhookId, events, scopes }: { webhookId: string; events: readonly string[]; scopes: Within },
): Promise<void> {
  await tx.run(
    `update webhook_deliveries set status = 'failed'
      where tenant_id = $1 and webhook_id = $2 and status = 'pending' and kind = 'event' and type <> 'stream.gap'
        and not concord_webhook_wants(type, scope_id, $3, $4)`,
    [tx.tenantId, webhookId, events, scopes],
  )
}

export type AskedDelivery = Pick<DeliveryRow, 'delivery_id' | 'event_id' | 'type' | 'scope_id' | 'scope_no' | 'seq'> & {
  webhookId: string
  kind: 'test' | 'redelivery'
}

/** Null when as many as `most` are waiting already. */
export async function askForDelivery(tx: TenantTransaction, asked: AskedDelivery, most: number): Promise<DeliveryRow | null> {
  const { webhookId, delivery_id, kind, event_id, type, scope_id, scope_no, seq } = asked
  return tx.row<DeliveryRow>(
    `insert into webhook_deliveries (tenant_id, webhook_id, delivery_id, kind, event_id, type, scope_id, scope_no, seq, status)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending'
      where (select count(*) from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and status = 'pending' and kind <> 'event') < $10
      returning ${columns}`,
    [tx.tenantId, webhookId, delivery_id, kind, event_id, type, scope_id, scope_no, seq, most],
  )
}

export interface DeliveryRemoval {
  /** The newest of each endpoint stay. */
  keep: number
  /** Most that are removed, and most endpoints that are looked at. */
  limit: number
  endpoints: number
  /** Null: from the first endpoint on. */
  after: EndpointRef | null
}

/** A chore: removes the old deliveries of the next endpoints. Answers where to go on, null behind the last. */
export async function removeOldDeliveries(db: Database, { keep, limit, endpoints, after }: DeliveryRemoval): Promise<EndpointRef | null> {
  const { rows } = await db.engineQuery<EndpointRef & { removed: number; looked: number }>(
    `with looked as materialized (
       select tenant_id, webhook_id from webhooks where (tenant_id, webhook_id) > ($4, $5) order by tenant_id, webhook_id limit $3
     ), removed as (
       delete from webhook_deliveries where ctid = any (array(
         select d.ctid from looked w
         cross join lateral (
           select x.delivery_no from webhook_deliveries x where x.tenant_id = w.tenant_id and x.webhook_id = w.webhook_id
           order by x.delivery_no desc offset $1 limit 1) floor
         join webhook_deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.delivery_no <= floor.delivery_no
         where d.status <> 'pending' limit $2)) returning 1
     )
     select tenant_id as "tenantId", webhook_id as "webhookId", (select count(*) from removed)::integer as removed,
       (select count(*) from looked)::integer as looked
     from looked order by tenant_id desc, webhook_id desc limit 1`,
    [keep, limit, endpoints, after?.tenantId ?? '', after?.webhookId ?? ''],
  )
  const [last] = rows
  if (last?.removed === limit) return after ?? { tenantId: '', webhookId: '' }
  return last?.looked === endpoints ? { tenantId: last.tenantId, webhookId: last.webhookId } : null
}
