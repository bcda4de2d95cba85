/** Figures of what may be wrong, across tenants. Each is read from what is kept in heads or from an index of the few that fail. */

import { serviceTenant } from '../events/events.js'
import type { EngineTransaction } from '../server/database.js'
import { runnableSql } from './runtime.js'

export interface TroubleFigures {
  now: string
  /** Of scopes with work that may run. */
  waiting_tenants: number
  waiting_tenant_ids: string[]
  quarantined: number
  quarantined_tenants: number
  quarantined_tenant_ids: string[]
  quarantined_since: string | null
  /** Tried again, and given up: those are sent nothing until somebody enables them. */
  failing_webhooks: number
  given_up_webhooks: number
  failing_webhook_tenants: number
  failing_webhook_tenant_ids: string[]
  failing_webhooks_since: string | null
  tenants: number
}

/** So many tenants of a trouble are named. */
export const namedTenants = 5
/** The first few ids of those that are grouped. */
const firstIds = (column: string) => `(array_agg(distinct ${column} order by ${column}))[:${namedTenants}]`

export async function readTroubleFigures(tx: EngineTransaction): Promise<TroubleFigures> {
  return tx.one<TroubleFigures>(
    `with failed as (
       select count(*)::integer as documents, count(distinct d.tenant_id)::integer as tenants, ${firstIds('d.tenant_id')} as tenant_ids, min(d.finished_at) as since
       from documents d
       join scopes s on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
       join tenants t on t.tenant_id = d.tenant_id and t.deleted_at is null
       where d.current and d.status = 'quarantined'
     ), failing as (
       select count(*) filter (where w.enabled)::integer as webhooks, count(*) filter (where not w.enabled)::integer as given_up,
         count(distinct w.tenant_id)::integer as tenants, ${firstIds('w.tenant_id')} as tenant_ids, min(w.failing_since) as since
       from webhooks w join tenants t on t.tenant_id = w.tenant_id and t.deleted_at is null
       where (w.enabled and w.failing_since is not null) or w.disabled_reason in ('failing', 'gone')
     ), waiting as (
       select count(distinct tenant_id)::integer as tenants, ${firstIds('tenant_id')} as tenant_ids
       from scope_heads h where has_backlog and turn_at <= clock_timestamp() and ${runnableSql('h.tenant_id', 'h.scope_no')}
     )
     select clock_timestamp() as now,
       waiting.tenants as waiting_tenants, coalesce(waiting.tenant_ids, '{}') as waiting_tenant_ids,
       failed.documents as quarantined, failed.tenants as quarantined_tenants, coalesce(failed.tenant_ids, '{}') as quarantined_tenant_ids, failed.since as quarantined_since,
       failing.webhooks as failing_webhooks, failing.given_up as given_up_webhooks, failing.tenants as failing_webhook_tenants,
       coalesce(failing.tenant_ids, '{}') as failing_webhook_tenant_ids, failing.since as failing_webhooks_since,
       (select count(*)::integer from tenants where deleted_at is null and tenant_id <> '${serviceTenant}') as tenants
     from failed, failing, waiting`,
  )
}

/** The tenants with cases that these workers hold: how many, and the first few. */
export function findHeldTenants(tx: EngineTransaction, workerIds: readonly string[]): Promise<{ tenants: number; tenant_ids: string[] }> {
  return tx.one(
    `select count(distinct tenant_id)::integer as tenants, coalesce(${firstIds('tenant_id')}, '{}') as tenant_ids from scope_leases where owner = any($1)`,
    [workerIds],
  )
}
