/**
 * What stop and restart do to scopes: leases are revoked by raising the fence, documents in progress are requeued,
 * and restart also clears retries. In bounded batches, each a transaction that locks its scopes first.
 */

import { lockFreeScopes, lockScopes, serviceTenant } from '../events/events.js'
import type { ScopeKey } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { Transaction } from '../server/database.js'

/** Scopes in one transaction: a lease holds a batch of documents, each of which becomes an event. */
const batchScopes = 32

export const passStart: ScopeKey = { tenantId: '', scopeNo: 0 }

export interface PassBatch {
  /** The last scope of the batch; undefined when the pass is over. */
  next: ScopeKey | undefined
  documents: number
}

/** Takes back the next leased scopes of a tenant, or of all tenants for the service. */
export async function takeBackLeased(tx: Transaction, tenantId: string, after: ScopeKey, reason: string): Promise<PassBatch> {
  const { next, locked } = await lockNext(tx, 'leased', tenantId, after)
  return { next, documents: await takeBack(tx, locked, reason) }
}

/**
 * Takes back the next leased scopes that are stopped, or paused with a lease that ran out: what processes left that
 * died while stopping a level or while finishing its current document.
 */
export async function takeBackHalted(tx: Transaction, after: ScopeKey): Promise<PassBatch> {
  const { next, locked } = await lockNext(tx, 'halted', serviceTenant, after)
  return { next, documents: await takeBack(tx, locked, 'lease_expired') }
}

/** Clears the retries of the next scopes that have any, and ends the rest of those that rest. */
export async function clearNextRetries(tx: Transaction, tenantId: string, after: ScopeKey): Promise<PassBatch> {
  const { next, locked } = await lockNext(tx, 'retrying', tenantId, after)
  return { next, documents: await clearRetries(tx, locked) }
}

/** The caller holds the scopes' locks. Answers how many documents went back to queued. */
export async function takeBack(tx: Transaction, scopes: readonly ScopeKey[], reason: string): Promise<number> {
  if (scopes.length === 0) return 0
  const values = [...columnsOf(scopes, 'tenantId', 'scopeNo'), reason]
  return tx.value<number>('select concord_take_back($1, $2, $3)', values)
}

/** The caller holds the scopes' locks. */
export async function clearRetries(tx: Transaction, scopes: readonly ScopeKey[]): Promise<number> {
  if (scopes.length === 0) return 0
  return tx.run(
    `with scopes as (select * from unnest($1::text[], $2::bigint[]) as t (tenant_id, scope_no)), due as (
       update scope_heads h set turn_at = clock_timestamp(), rest_until = null
       from scopes t where h.tenant_id = t.tenant_id and h.scope_no = t.scope_no and h.turn_at > clock_timestamp()
     )
     update backlog b set attempts = 0, not_before = '-infinity'
     from scopes t
     where b.tenant_id = t.tenant_id and b.scope_no = t.scope_no and (b.attempts > 0 or b.not_before > '-infinity')`,
    columnsOf(scopes, 'tenantId', 'scopeNo'),
  )
}

const chosen = {
  leased: 'scope_leases c where c.owner is not null',
  // No worker takes over an expired lease of a scope that may not run.
  halted: `scope_leases c where c.owner is not null and (concord_effective_state(c.tenant_id, c.scope_no) = 'stopped'
    or (c.leased_until < clock_timestamp() and concord_effective_state(c.tenant_id, c.scope_no) = 'paused'))`,
  retrying: `(
    select tenant_id, scope_no from backlog where attempts > 0 or not_before > '-infinity'
    union all
    select tenant_id, scope_no from scope_heads where has_backlog and rest_until > clock_timestamp()
  ) c where true`,
}

interface Locked extends Pick<PassBatch, 'next'> {
  /** Those that are still to be treated so: one may have been resumed, and leased anew, while its lock was waited for. */
  locked: ScopeKey[]
}

async function lockNext(tx: Transaction, which: keyof typeof chosen, tenantId: string, after: ScopeKey): Promise<Locked> {
  const those = `select distinct c.tenant_id as "tenantId", c.scope_no as "scopeNo" from ${chosen[which]}`
  const scopes = await tx.rows<ScopeKey>(
    `${those} and ($1 = '${serviceTenant}' or c.tenant_id = $1) and (c.tenant_id, c.scope_no) > ($2, $3::bigint)
     order by 1, 2 limit ${batchScopes}`,
    [tenantId, after.tenantId, after.scopeNo],
  )
  if (scopes.length === 0) return { next: undefined, locked: [] }
  const scopeNos = scopes.map(scope => scope.scopeNo)
  // The leader comes again soon for those in which somebody is at work.
  const had = which === 'halted' ? await lockFreeScopes(tx, scopeNos) : new Set(scopeNos)
  if (which !== 'halted') await lockScopes(tx, scopeNos)
  const locked = await tx.rows<ScopeKey>(
    `${those} and (c.tenant_id, c.scope_no) in (select * from unnest($1::text[], $2::bigint[]))`,
    columnsOf(
      scopes.filter(scope => had.has(scope.scopeNo)),
      'tenantId',
      'scopeNo',
    ),
  )
  return { next: scopes[batchScopes - 1], locked }
}
