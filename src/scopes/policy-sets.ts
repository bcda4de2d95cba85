/** Policy sets in their compiled form: checked when handed in, found again for the place they govern. */

import { DEFAULT_POLICIES } from '../kernel/policies/default.js'
import { compileHandedIn, compilePolicySet, policySetDigest } from '../kernel/policy-text.js'
import type { PolicySet } from '../kernel/proposals.js'
import { AppError, invariant } from '../platform/errors.js'
import { serviceTenant } from '../store/events/events.js'
import type { Database, Transaction } from '../store/server/database.js'
import { effectivePolicy, keepPolicySet, type PolicyPlace } from '../store/tenants/policies.js'

/** Compiling takes milliseconds and always gives the same: the last few are kept by their text. */
const compiledSets = new Map<string, PolicySet>()
const keptSets = 32

/** Refuses with line and reason of every fault. */
export function compileOrRefuse(policies: string): PolicySet {
  const compiled = compileHandedIn(policies)
  if (compiled.ok) return compiled.set
  const errors = compiled.errors.map(fault => ({
    pointer: '/policies',
    detail: `line ${fault.line}, column ${fault.column}: ${fault.message}`,
  }))
  throw new AppError('POLICY_INVALID', { detail: errors[0]?.detail ?? 'The policy set is not valid.', errors })
}

/** The set that governs a place. */
export async function governingSet(tx: Transaction, place: PolicyPlace): Promise<PolicySet> {
  const assigned = await effectivePolicy(tx, place)
  return assigned === null ? shippedSet() : compiledSet(assigned.text)
}

function shippedSet(): PolicySet {
  return compiledSet(DEFAULT_POLICIES)
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

function compiledSet(text: string): PolicySet {
  const known = compiledSets.get(text)
  if (known !== undefined) return known
  const compiled = compilePolicySet(text)
  invariant(compiled.ok, 'a policy set that was checked before no longer compiles')
  const oldest = compiledSets.size >= keptSets ? compiledSets.keys().next().value : undefined
  if (oldest !== undefined) compiledSets.delete(oldest)
  compiledSets.set(text, compiled.set)
  return compiled.set
}
