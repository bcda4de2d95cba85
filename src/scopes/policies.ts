/**
 * Policy sets of the service, of a tenant and of a scope: what is in force and where it comes from, and what another
 * set would have made of the last decisions. A set is compiled and checked before anything changes.
 */

import { decide } from '../kernel/policy.js'
import type { Proposal, ScopeState } from '../kernel/proposals.js'
import { serviceTenant } from '../store/events/events.js'
import { type Database, readTenant, type TenantTransaction } from '../store/server/database.js'
import {
  type AssignedPolicies,
  assignPolicySet,
  type DecidedRow,
  effectivePolicy,
  keepPolicySet,
  listDecidedBelow,
  listDecidedInScope,
} from '../store/tenants/policies.js'
import type { ScopeName, ScopesDeps } from './deps.js'
import { resolveScope } from './lifecycle.js'
import { compileOrRefuse, shipped } from './policy-sets.js'
import { changeScope } from './settings.js'
import type { DryRunInput, DryRunResult, PolicyPutResult, PolicyView } from './types.js'

/** Null is the service; a tenant without a scope is the tenant's own default. */
export type PolicyTarget = ScopeName | { tenantId: string | null; scopeId?: undefined }

export async function getPolicies(deps: ScopesDeps, target: PolicyTarget): Promise<PolicyView> {
  return readTenant(deps.db, target.tenantId ?? serviceTenant, tx => viewPolicies(tx, target))
}

/** For the service and for tenants; a scope's own set changes by a round, see `putScopePolicies`. */
export async function putPolicies(deps: ScopesDeps, target: { tenantId: string | null }, policies: string): Promise<PolicyPutResult> {
  const set = compileOrRefuse(policies)
  const place = { tenantId: target.tenantId ?? serviceTenant, scopeNo: 0 }
  const result = await deps.db.inTenant(place.tenantId, async tx => {
    const before = await effectivePolicy(tx, place)
    const own = before?.level === levelOf(target) ? before.hash : null
    if (own !== set.hash) {
      await keepPolicySet(tx, set)
      await assignPolicySet(tx, 0, set.hash)
    }
    return { ...(await viewPolicies(tx, target)), changed: own !== set.hash }
  })
  deps.hints.notify('policies')
  return result
}

/** A change of the scope's own set is a round: the set in force until then may have it wait for a person, and refuse it no more than that. */
export async function putScopePolicies(deps: ScopesDeps, name: ScopeName, policies: string): Promise<PolicyPutResult> {
  const policySet = compileOrRefuse(policies)
  const changed = await changeScope(deps, name, { policySet })
  deps.hints.notify('policies')
  return { ...(await getPolicies(deps, name)), changed }
}

const usualLast = 200

/** Counts the latest decisions that would have come out otherwise. Nothing is changed. */
export async function dryRunPolicies(deps: ScopesDeps, target: PolicyTarget, input: DryRunInput): Promise<DryRunResult> {
  const set = compileOrRefuse(input.policies)
  const rows = await listDecided(deps.db, target, input.last ?? usualLast)
  const changes = rows.flatMap(row => {
    const decision = decide(row.proposal as Proposal, row.state as ScopeState, set)
    if (decision.outcome === row.outcome) return []
    const { decision_id, scope_id, seq, kind, document_id, outcome: recorded } = row
    const { outcome: would_be, policies, reasons } = decision
    return [{ decision_id, scope_id, seq, kind, document_id, recorded, would_be, policies, reasons }]
  })
  const message = `would have changed ${changes.length} of ${rows.length}`
  return { hash: set.hash, examined: rows.length, changed: changes.length, changes, message }
}

export async function viewPolicies(tx: TenantTransaction, target: PolicyTarget): Promise<PolicyView> {
  const scopeNo = target.scopeId === undefined ? 0 : (await resolveScope(tx, target.scopeId)).scopeNo
  const assigned = await effectivePolicy(tx, { tenantId: tx.tenantId, scopeNo })
  return {
    level: levelOf(target),
    tenant_id: target.tenantId,
    scope_id: target.scopeId ?? null,
    inherited_from: inheritedFrom(target, assigned),
    hash: assigned?.hash ?? shipped.hash,
    policies: assigned?.text ?? shipped.text,
    changed_at: assigned?.changedAt ?? null,
  }
}

function levelOf(target: PolicyTarget): PolicyView['level'] {
  if (target.scopeId !== undefined) return 'scope'
  return target.tenantId === null ? 'service' : 'tenant'
}

function inheritedFrom(target: PolicyTarget, assigned: AssignedPolicies | null): PolicyView['inherited_from'] {
  if (assigned === null) return 'shipped'
  return assigned.level === levelOf(target) || assigned.level === 'scope' ? null : assigned.level
}

async function listDecided(db: Database, target: PolicyTarget, last: number): Promise<DecidedRow[]> {
  const { tenantId, scopeId } = target
  if (tenantId === null) return db.engine(tx => listDecidedBelow(tx, null, last), { readOnly: true })
  const read = async (tx: TenantTransaction) => {
    if (scopeId === undefined) return listDecidedBelow(tx, tenantId, last)
    return listDecidedInScope(tx, await resolveScope(tx, scopeId), last)
  }
  return readTenant(db, tenantId, read)
}
