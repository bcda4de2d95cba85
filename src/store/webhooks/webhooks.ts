/**
 * Endpoints of a tenant as the tenant sees and changes them. Under the tenant's role, which can write secrets and cannot
 * read them. `within` limits everything to endpoints that are about these scopes alone; null limits nothing.
 */

import type { LogPosition } from '../events/events-reading.js'
import { across, type Database, type TenantTransaction } from '../server/database.js'

export interface WebhookRow {
  webhook_id: string
  url: string
  description: string | null
  events: string[]
  scopes: string[] | null
  enabled: boolean
  disabled_reason: 'asked' | 'failing' | 'gone' | null
  failing_since: string | null
  attempts: number
  /** Of one that is failing: its next attempt. */
  due_at: string | null
  last_delivered_at: string | null
  previous_secret_until: string | null
  created_at: string
}

export type Within = readonly string[] | null

const columns = `w.webhook_id, w.url, w.description, w.events, w.scopes, w.enabled, w.disabled_reason, w.failing_since, w.attempts, w.due_at,
  w.last_delivered_at, w.created_at,
  (select max(s.expires_at) from webhook_secrets s where s.tenant_id = w.tenant_id and s.webhook_id = w.webhook_id
     and s.expires_at > clock_timestamp()) as previous_secret_until`
/** An endpoint about all scopes is out of reach for whoever is limited to some. */
const reached = (within: string) => `(${within}::text[] is null or w.scopes <@ ${within}::text[])`

/** Whoever counts endpoints waits here for those who are adding one. */
export async function lockWebhooks(tx: TenantTransaction): Promise<void> {
  await tx.run("select pg_advisory_xact_lock(1668641641, hashtext('webhooks ' || $1))", [tx.tenantId])
}

export async function countWebhooks(tx: TenantTransaction): Promise<number> {
  return tx.value<number>('select count(*)::integer as n from webhooks where tenant_id = $1', [tx.tenantId])
}

interface WebhookSettings {
  url: string
  description: string | null
  events: readonly string[]
  scopes: readonly string[] | null
}

export interface NewWebhook extends WebhookSettings {
  webhookId: string
  /** Events behind it are delivered. */
  start: LogPosition
}

/** Due at once: it looks for itself what was committed since `start`. */
export async function insertWebhook(tx: TenantTransaction, webhook: NewWebhook): Promise<void> {
  const { webhookId, url, description, events, scopes, start } = webhook
  await tx.run(
    `insert into webhooks (tenant_id, webhook_id, url, description, events, scopes, cursor_xid, cursor_id)
      values ($1, $2, $3, $4, $5, $6, $7::xid8, $8)`,
    [tx.tenantId, webhookId, url, description, events, scopes, String(start.xid), start.id],
  )
}

export async function findWebhook(tx: TenantTransaction, webhookId: string, within: Within): Promise<WebhookRow | null> {
  return tx.row<WebhookRow>(`select ${columns} from webhooks w where w.tenant_id = $1 and w.webhook_id = $2 and ${reached('$3')}`, [
    tx.tenantId,
    webhookId,
    within,
  ])
}

export async function listWebhookRows(
  tx: TenantTransaction,
  { within, after, limit }: { within: Within; after: string | null; limit: number },
): Promise<WebhookRow[]> {
  return tx.rows<WebhookRow>(
    `select ${columns} from webhooks w
      where w.tenant_id = $1 and ${reached('$2')} and ($3::text is null or w.webhook_id > $3) order by w.webhook_id limit $4`,
    [tx.tenantId, within, after, limit],
  )
}

export interface WebhookChange extends WebhookSettings {
  enabled: boolean
  /** How far the log was looked at for endpoints that had nothing to send. */
  fed: LogPosition
}

/**
 * Whoever delivers to it loses the lease: the next attempt is at once and by the new settings. One that had nothing to
 * send goes on behind what was looked at for it, so that kinds it newly asks for are not those of long ago.
 */
export async function updateWebhook(tx: TenantTransaction, webhookId: string, within: Within, change: WebhookChange): Promise<boolean> {
  const { url, description, events, scopes, enabled, fed } = change
  return tx.touches(
    `update webhooks w set url = $4, description = $5, events = $6, scopes = $7, enabled = $8,
        disabled_reason = case when $8 then null when w.enabled then 'asked' else w.disabled_reason end,
        failing_since = null, attempts = 0, due_at = case when $8 then clock_timestamp() end,
        owner = null, leased_until = null, fence = w.fence + 1, ${caughtUp('$9', '$10')}
      where w.tenant_id = $1 and w.webhook_id = $2 and ${reached('$3')}`,
    [tx.tenantId, webhookId, within, url, description, events, scopes, enabled, String(fed.xid), fed.id],
  )
}

/** Has a node look at it now. A message that has failed waits no longer than after its first attempt. */
export async function wakeWebhook(tx: TenantTransaction, webhookId: string, fed: LogPosition): Promise<void> {
  await tx.run(
    `update webhooks w set due_at = clock_timestamp(), attempts = least(w.attempts, 1), ${caughtUp('$3', '$4')}
      where w.tenant_id = $1 and w.webhook_id = $2`,
    [tx.tenantId, webhookId, String(fed.xid), fed.id],
  )
}

/** The cursor of an enabled endpoint that is not due stands where the feed stands. */
function caughtUp(xid: string, id: string): string {
  const behind = `w.enabled and w.due_at is null and (w.cursor_xid, w.cursor_id) < (${xid}::xid8, ${id}::bigint)`
  return `cursor_xid = case when ${behind} then ${xid}::xid8 else w.cursor_xid end,
    cursor_id = case when ${behind} then ${id}::bigint else w.cursor_id end,
    cursor_at = case when ${behind} then clock_timestamp() else w.cursor_at end`
}

export async function deleteWebhookRow(tx: TenantTransaction, webhookId: string, within: Within): Promise<boolean> {
  return tx.touches(`delete from webhooks w where w.tenant_id = $1 and w.webhook_id = $2 and ${reached('$3')}`, [
    tx.tenantId,
    webhookId,
    within,
  ])
}

/**
 * Puts a secret to use. Of those before it the newest signs for `keepHours` more, the others no longer. Answers until when.
 */
export async function addSecret(tx: TenantTransaction, webhookId: string, secret: string, keepHours: number): Promise<string | null> {
  const before = await tx.one<{ secret_no: number | null; expires_at: string | null }>(
    `with newest as (select max(secret_no) as secret_no from webhook_secrets where tenant_id = $1 and webhook_id = $2),
        gone as (delete from webhook_secrets s using newest n
          where s.tenant_id = $1 and s.webhook_id = $2 and (s.secret_no < n.secret_no or $3::integer = 0)),
        kept as (update webhook_secrets s set expires_at = clock_timestamp() + $3::integer * interval '1 hour' from newest n
          where s.tenant_id = $1 and s.webhook_id = $2 and s.secret_no = n.secret_no and $3::integer > 0 returning s.expires_at)
      select n.secret_no, (select expires_at from kept) as expires_at from newest n`,
    [tx.tenantId, webhookId, keepHours],
  )
  await tx.run('insert into webhook_secrets (tenant_id, webhook_id, secret_no, secret) values ($1, $2, $3, $4)', [
    tx.tenantId,
    webhookId,
    (before.secret_no ?? 0) + 1,
    secret,
  ])
  return before.expires_at
}

export interface WebhookFigures {
  enabled: number
  failing: number
  disabled: number
  /** Of messages that are due and not waiting for another attempt. */
  oldest_due_seconds: number
}

/** Of all tenants, for metrics. */
export async function readWebhookFigures(db: Database): Promise<WebhookFigures> {
  return across(db).one<WebhookFigures>(
    `select count(*) filter (where enabled and failing_since is null)::integer as enabled,
       count(*) filter (where enabled and failing_since is not null)::integer as failing,
       count(*) filter (where not enabled)::integer as disabled,
       coalesce(extract(epoch from clock_timestamp() - min(due_at) filter (where enabled and failing_since is null and due_at < clock_timestamp())), 0)::float8
         as oldest_due_seconds
     from webhooks`,
  )
}
