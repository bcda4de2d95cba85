/**
 * Policy sets, named by their hash and never deleted, and where each is in force: a scope's own assignment, else its
 * tenant's, else the service's (tenant '-'), else the set that is shipped.
 */

import { serviceTenant } from '../events/events.js'
import { keyOf, type ScopeKey } from '../scopes/scopes.js'
import type { TenantTransaction, Transaction } from '../server/database.js'

export interface AssignedPolicies {
  level: 'service' | 'tenant' | 'scope'
  hash: string
  text: string
  changedAt: string
}

/** Of assignments `a`, the nearest to the scope $2 of the tenant $1. */
const inForce = `where (a.tenant_id = $1 and a.scope_no in ($2, 0)) or (a.tenant_id = '${serviceTenant}' and a.scope_no = 0)
  order by a.tenant_id = '${serviceTenant}', a.scope_no desc limit 1`

/** The policy set effective in a scope, or with `scopeNo` 0 in a whole tenant or the service; null means the built-in default applies. */
export async function effectivePolicy(tx: Transaction, place: ScopeKey): Promise<AssignedPolicies | null> {
  return tx.row<AssignedPolicies>(
    `select case when a.tenant_id = '${serviceTenant}' then 'service' when a.scope_no = 0 then 'tenant' else 'scope' end as level,
       a.hash, p.policies as text, a.changed_at as "changedAt"
     from policy_assignments a join policy_sets p on p.tenant_id = a.tenant_id and p.hash = a.hash
     ${inForce}`,
    keyOf(place),
  )
}

/** The hash in force, or null for the shipped set: what a commit compares with the set it was computed under. */
export async function effectivePolicyHash(tx: Transaction, place: ScopeKey): Promise<string | null> {
  return tx.value<string | null>(`select a.hash from policy_assignments a ${inForce}`, keyOf(place))
}

/** A recorded set by its hash, of the tenant or of the service; for replays. */
export async function findPolicySet(tx: Transaction, tenantId: string, hash: string): Promise<string | null> {
  return tx.value<string | null>(`select policies from policy_sets where tenant_id in ($1, '${serviceTenant}') and hash = $2 limit 1`, [
    tenantId,
    hash,
  ])
}

export async function keepPolicySet(tx: TenantTransaction, set: { hash: string; text: string }): Promise<void> {
  await tx.run('insert into policy_sets (tenant_id, hash, policies) values ($1, $2, $3) on conflict (tenant_id, hash) do nothing', [
    tx.tenantId,
    set.hash,
    set.text,
  ])
}

export async function assignPolicySet(tx: TenantTransaction, scopeNo: number, hash: string): Promise<void> {
  await tx.run(
    `insert into policy_assignments (tenant_id, scope_no, hash) values ($1, $2, $3)
     on conflict (tenant_id, scope_no) do update set hash = excluded.hash, changed_at = clock_timestamp()`,
    [tx.tenantId, scopeNo, hash],
  )
}

export interface DecidedRow {
  scope_id: string
  decision_id: string
  seq: number
  kind: string
  document_id: string | null
  outcome: 'admit' | 'hold' | 'reject'
  proposal: unknown
  state: unknown
}

const decidedColumns = 's.scope_id, d.decision_id, d.seq, d.kind, d.document_id, d.outcome, d.proposal, d.state'

/** The last decisions of one scope, newest first; without those whose words were erased, which cannot be decided again. */
export async function listDecidedInScope(tx: Transaction, place: ScopeKey, limit: number): Promise<DecidedRow[]> {
  return tx.rows<DecidedRow>(
    `select ${decidedColumns} from scopes s
     join decisions d on d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
     where s.tenant_id = $1 and s.scope_no = $2 and d.erased_at is null order by d.seq desc limit $3`,
    [...keyOf(place), limit],
  )
}

/** Scopes looked at for a whole tenant or service: the ones that moved last. */
const scopesLookedAt = 200

/**
 * The last decisions of the scopes a set of this level would govern: those without an assignment of their own, in the
 * scopes that moved last. For the service, run it in an engine transaction with a null tenant.
 */
export async function listDecidedBelow(tx: Transaction, tenantId: string | null, limit: number): Promise<DecidedRow[]> {
  return tx.rows<DecidedRow>(
    `with moved as materialized (
       select t.tenant_id, t.scope_no, t.generation from scope_states t
       where ($1::text is null or t.tenant_id = $1)
         and not exists (
           select from policy_assignments a
           where a.tenant_id = t.tenant_id and (a.scope_no = t.scope_no or ($1::text is null and a.scope_no = 0)))
       order by t.updated_at desc limit ${scopesLookedAt})
     select ${decidedColumns} from moved m
     join scopes s on s.tenant_id = m.tenant_id and s.scope_no = m.scope_no and s.generation = m.generation
     cross join lateral (
       select d.scope_no, d.decision_id, d.seq, d.kind, d.document_id, d.outcome, d.proposal, d.state, d.recorded_at from decisions d
       where d.tenant_id = m.tenant_id and d.scope_no = m.scope_no and d.generation = m.generation and d.erased_at is null
       order by d.seq desc limit $2) d
     order by d.recorded_at desc, d.scope_no, d.seq desc limit $2`,
    [tenantId, limit],
  )
}
