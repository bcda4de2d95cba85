/** The policy set in force for a scope, compiled. Sets are named by their content, so a kept one is never out of date. */

import { DEFAULT_POLICIES } from '../kernel/policies/default.js'
import { compilePolicySet } from '../kernel/policy-text.js'
import type { PolicySet } from '../kernel/types.js'
import { invariant } from '../platform/errors.js'
import type { Transaction } from '../store/database.js'
import { effectivePolicy, type PolicyPlace } from '../store/policies.js'
import type { PolicyInForce } from './batch-plan.js'

const keptSets = 64

export type PolicySource = (tx: Transaction, place: PolicyPlace) => Promise<PolicyInForce>

export function createPolicySource(): PolicySource {
  const kept = new Map<string, PolicySet>()
  const compiled = (text: string): PolicySet => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const compilation = compilePolicySet(text)
    invariant(compilation.ok, 'a policy set that was checked before no longer compiles')
    const oldest = kept.size >= keptSets ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(text, compilation.set)
    return compilation.set
  }
  return async (tx, place) => {
    const assigned = await effectivePolicy(tx, place)
    if (assigned === null) return { set: compiled(DEFAULT_POLICIES), assignedHash: null }
    return { set: compiled(assigned.text), assignedHash: assigned.hash }
  }
}
