/**
 * Desired processing states: one row for the service ('-', 0), one for a tenant (tenant, 0) and one for a scope, each
 * absent while it is running for the first time. The effective state of a scope is the most restrictive of the three.
 */

import { serviceTenant } from '../events/events.js'
import { keyOf, type ScopeKey } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import type { EngineTransaction, Transaction } from '../server/database.js'
import type { RuntimeState } from './runtime-state.js'

export type { RuntimeState }
export type RuntimeOperation = 'start' | 'pause' | 'resume' | 'stop' | 'restart'

/** The scope number of a whole tenant. */
export const wholeTenant = 0

/** A scope under a lease. */
export interface LeasedRef extends ScopeKey {
  /** The worker that holds it. A fence number alone may come back after a failover that lost commits; this does not. */
  owner: string
  fence: number
}

export interface RuntimeRow {
  state: RuntimeState
  run: number
}

/**
 * Watches the scopes a process holds: `hold` when a lease is taken, `release` when it is given back. Whoever works on
 * documents asks `mayBegin` before each and stops at once when `signal` fires.
 */
export interface RuntimeWatch {
  hold(lease: LeasedRef): RuntimeHold
}

export interface RuntimeHold {
  /**
   * False once the scope is paused or stopped or its lease is lost. When the database has not confirmed the state for
   * most of a second, it waits for the next confirmation instead of guessing.
   */
  mayBegin(): Promise<boolean>
  /** Fires when the scope is stopped or its lease was taken away: the work cannot be committed any more. */
  readonly signal: AbortSignal
  release(): void
}

/**
 * The condition of a `where` that keeps scopes whose effective state is running. Three separate tests against the
 * partial index of halted rows, which is nearly empty; the arguments are column expressions of ours, never input.
 */
export function runnableSql(tenant: string, scope: string): string {
  const halted = (condition: string) => `not exists (select from runtime_states where state <> 'running' and ${condition})`
  return `(${[
    halted(`tenant_id = '${serviceTenant}' and scope_no = ${wholeTenant}`),
    halted(`tenant_id = ${tenant} and scope_no = ${wholeTenant}`),
    halted(`tenant_id = ${tenant} and scope_no = ${scope}`),
  ].join(' and ')})`
}

export async function effectiveState(tx: Transaction, ref: ScopeKey): Promise<RuntimeState> {
  return tx.value<RuntimeState>('select concord_effective_state($1, $2)', keyOf(ref))
}

/** Reads the row of one level and locks it until the transaction ends, so that two operations come one after the other. */
export async function lockRuntime(tx: Transaction, ref: ScopeKey): Promise<RuntimeRow> {
  await tx.run("insert into runtime_states (tenant_id, scope_no, state) values ($1, $2, 'running') on conflict do nothing", keyOf(ref))
  return tx.one<RuntimeRow>('select state, run from runtime_states where tenant_id = $1 and scope_no = $2 for update', keyOf(ref))
}

export async function saveRuntime(tx: Transaction, ref: ScopeKey, row: RuntimeRow): Promise<void> {
  await tx.run('update runtime_states set state = $3, run = $4, changed_at = clock_timestamp() where tenant_id = $1 and scope_no = $2', [
    ...keyOf(ref),
    row.state,
    row.run,
  ])
}

export async function scopeNumber(tx: Transaction, tenantId: string, scopeId: string): Promise<number | null> {
  return tx.value<number | null>('select scope_no from scopes where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
}

/** Scopes of one tenant, or of all when the service is asked about. */
export async function countScopes(tx: Transaction, tenantId: string): Promise<number> {
  return tenantId === serviceTenant
    ? tx.value<number>('select count(*) from scopes')
    : tx.value<number>('select count(*) from scopes where tenant_id = $1', [tenantId])
}

export interface RuntimeCounts {
  state: RuntimeState
  run: number
  changed_at: string
  tenants_paused: number
  tenants_stopped: number
  scopes_paused: number
  scopes_stopped: number
}

/** The service's own state, and how many tenants and scopes are halted by themselves. */
export async function readRuntimeCounts(tx: EngineTransaction): Promise<RuntimeCounts> {
  return tx.one<RuntimeCounts>(
    `select s.state, s.run, s.changed_at, h.tenants_paused, h.tenants_stopped, h.scopes_paused, h.scopes_stopped
     from runtime_states s cross join (
       select
         count(*) filter (where scope_no = 0 and state = 'paused') as tenants_paused,
         count(*) filter (where scope_no = 0 and state = 'stopped') as tenants_stopped,
         count(*) filter (where scope_no <> 0 and state = 'paused') as scopes_paused,
         count(*) filter (where scope_no <> 0 and state = 'stopped') as scopes_stopped
       from runtime_states where state <> 'running' and tenant_id <> '-'
     ) h
     where s.tenant_id = '-' and s.scope_no = 0`,
  )
}

export interface HeldScope extends ScopeKey {
  state: RuntimeState
  fence: number | null
  owner: string | null
}

/** Effective state, present fence and present owner of scopes this process holds. */
export async function readHeldScopes(tx: EngineTransaction, held: readonly ScopeKey[]): Promise<HeldScope[]> {
  return tx.rows<HeldScope>(
    `select h.tenant_id as "tenantId", h.scope_no as "scopeNo", concord_effective_state(h.tenant_id, h.scope_no) as state, l.fence, l.owner
     from unnest($1::text[], $2::bigint[]) as h (tenant_id, scope_no)
     left join scope_leases l on l.tenant_id = h.tenant_id and l.scope_no = h.scope_no`,
    columnsOf(held, 'tenantId', 'scopeNo'),
  )
}
