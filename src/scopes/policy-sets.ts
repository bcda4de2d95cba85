/** Policy sets in their compiled form: checked when handed in, found again for the place they govern. */

import { DEFAULT_POLICIES } from '../kernel/policies/default.js'
import { compileHandedIn, policySetDigest, readPolicySet } from '../kernel/policy-text.js'
import type { PolicySet } from '../kernel/proposals.js'
import { AppError } from '../platform/errors.js'
import { serviceTenant } from '../store/events/events.js'
import type { ScopeKey } from '../store/scopes/scopes.js'
import type { Database, Transaction } from '../store/server/database.js'
import { effectivePolicy, keepPolicySet } from '../store/tenants/policies.js'

/** Refuses with line and reason of every fault. */
export function compileOrRefuse(policies: string): PolicySet {
  const handedIn = compileHandedIn(policies)
  if (handedIn.ok) return handedIn.set
  const errors = handedIn.errors.map(fault => ({
    pointer: '/policies',
    detail: `line ${fault.line}, column ${fault.column}: ${fault.message}`,
  }))
  throw new AppError('POLICY_INVALID', { detail: errors[0]?.detail ?? 'The policy set is not valid.', errors })
}

/** The set that governs a place. */
export async function governingSet(tx: Transaction, place: ScopeKey): Promise<PolicySet> {
  const assigned = await effectivePolicy(tx, place)
  return readPolicySet(assigned?.text ?? DEFAULT_POLICIES)
}

/** By which a place without a set of its own is governed; known without compiling it. */
export const shipped = policySetDigest(DEFAULT_POLICIES)

/**
 * Once at the start: a replay needs the shipped set by its hash after a later version ships another. It is known to
 * compile, and a process that never decides is spared the 60 MiB that the first look at a policy takes.
 */
export async function keepShippedSet(db: Database): Promise<void> {
  await db.inTenant(serviceTenant, tx => keepPolicySet(tx, shipped))
}
