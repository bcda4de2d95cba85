/**
 * Decides recorded proposals again and compares with what was recorded then, to the byte through the hashes. Stops at the
 * first difference and names it. A decision whose words were erased is only checked for its place in the chain, and counted.
 */
import { canonicalJson } from './canonical.js'
import { appendRecord, genesis, linkFault } from './decision-record.js'
import { decide } from './policy.js'
import type { ChainHead, PolicySet, RecordedDecision, ReplayResult } from './proposals.js'

/** `policySet` gives a set by the recorded hash: today's policies have no say in what was decided then. */
export function replayDecisions(
  recorded: readonly RecordedDecision[],
  policySet: (hash: string) => PolicySet | undefined,
  start: ChainHead = genesis(),
): ReplayResult {
  let head = start
  let erasedCount = 0
  for (const [index, { proposal, state, record, erased }] of recorded.entries()) {
    if (erased) {
      const fault = linkFault(record, head)
      if (fault !== null) return differs(index, 'hash', record.hash, fault)
      erasedCount++
      head = { seq: record.seq, hash: record.hash }
      continue
    }
    const set = policySet(record.policy_hash)
    if (set === undefined) return differs(index, 'policy_hash', record.policy_hash, 'no such policy set')
    const decision = decide(proposal, state, set)
    const computed = appendRecord(head, { proposal, state, policyHash: set.hash, decision, salt: record.salt ?? '' })
    const difference = firstDifference(index, { ...record }, { ...computed })
    if (difference !== null) return difference
    head = { seq: record.seq, hash: record.hash }
  }
  return { ok: true, checked: recorded.length - erasedCount, erased: erasedCount }
}

function firstDifference(index: number, recorded: Record<string, unknown>, computed: Record<string, unknown>): ReplayResult | null {
  for (const member of Object.keys(computed)) {
    const [then, now] = [text(recorded[member]), text(computed[member])]
    if (then !== now) return differs(index, member, then, now)
  }
  return null
}

function differs(index: number, member: string, recorded: string, computed: string): ReplayResult {
  return { ok: false, checked: index, index, member, recorded, computed }
}

function text(value: unknown): string {
  return value === undefined ? 'missing' : canonicalJson(value)
}
