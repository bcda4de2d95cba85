/** The policy set in force for a scope, and its compiled form. Sets are named by their content, so a kept one is never out of date. */

import { DEFAULT_POLICIES } from '../kernel/policies/default.js'
import { checkedPolicySet } from '../kernel/policy-text.js'
import type { PolicySet } from '../kernel/proposals.js'
import type { Transaction } from '../store/server/database.js'
import { effectivePolicy, type PolicyPlace } from '../store/tenants/policies.js'

const keptSets = 64

/** As assigned; null for the shipped set. */
export interface PoliciesInForce {
  hash: string | null
  text: string | null
}

export async function readPolicies(tx: Transaction, place: PolicyPlace): Promise<PoliciesInForce> {
  const assigned = await effectivePolicy(tx, place)
  return assigned === null ? { hash: null, text: null } : { hash: assigned.hash, text: assigned.text }
}

/** Null stands for the shipped set. */
export function createPolicyCompiler(): (text: string | null) => PolicySet {
  const kept = new Map<string, PolicySet>()
  return given => {
    const text = given ?? DEFAULT_POLICIES
    const known = kept.get(text)
    if (known !== undefined) return known
    const set = checkedPolicySet(text)
    const oldest = kept.size >= keptSets ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(text, set)
    return set
  }
}
