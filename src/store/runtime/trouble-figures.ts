/** Figures of what may be wrong, across tenants. Each is read from what is kept in heads or from an index of the few that fail. */

import { serviceTenant } from '../events/events.js'
import type { EngineTransaction } from '../server/database.js'

export interface TroubleFigures {
  now: string
  /** Of scopes with work that may run. */
  waiting_tenants: number
  quarantined: number
  quarantined_tenants: number
  quarantined_since: string | null
  /** Tried again, and given up: those are sent nothing until somebody enables them. */
  failing_webhooks: number
  given_up_webhooks: number
  failing_webhook_tenants: number
  failing_webhooks_since: string | null
  tenants: number
}

export async function readTroubleFigures(tx: EngineTransaction): Promise<TroubleFigures> {
  return tx.one<TroubleFigures>(
    `with failed as (
       select count(*)::integer as documents, count(distinct d.tenant_id)::integer as tenants, min(d.finished_at) as since
       from documents d
       join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
       join tenants t on t.tenant_id = d.tenant_id and t.deleted_at is null
       where d.current and d.status = 'quarantined'
     ), failing as (
       select count(*) filter (where w.enabled)::integer as webhooks, count(*) filter (where not w.enabled)::integer as given_up,
         count(distinct w.tenant_id)::integer as tenants, min(w.failing_since) as since
       from webhooks w join tenants t on t.tenant_id = w.tenant_id and t.deleted_at is null
       where (w.enabled and w.failing_since is not null) or w.disabled_reason in ('failing', 'gone')
     )
     select clock_timestamp() as now,
       (select count(distinct tenant_id)::integer from scope_heads where has_backlog and not halted and turn_at <= clock_timestamp()) as waiting_tenants,
       failed.documents as quarantined, failed.tenants as quarantined_tenants, failed.since as quarantined_since,
       failing.webhooks as failing_webhooks, failing.given_up as given_up_webhooks, failing.tenants as failing_webhook_tenants, failing.since as failing_webhooks_since,
       (select count(*)::integer from tenants where deleted_at is null and tenant_id <> '${serviceTenant}') as tenants
     from failed, failing`,
  )
}

/** How many tenants have cases that these workers hold. */
export async function countHeldTenants(tx: EngineTransaction, workerIds: readonly string[]): Promise<number> {
  const { tenants } = await tx.one<{ tenants: number }>(
    'select count(distinct tenant_id)::integer as tenants from scope_leases where owner = any($1)',
    [workerIds],
  )
  return tenants
}
