/**
 * Runs recorded inputs again and compares with what was recorded then: decisions to the byte through their hashes,
 * rounds through the digest of their point and the status. Stops at the first difference and names it. A decision whose words
 * were erased is only looked at for its place in the chain, and counted.
 */
import { canonicalJson } from './canonical.js'
import { converge, opensSegment } from './convergence.js'
import { appendRecord, genesis, linkFault } from './decision-record.js'
import { evaluateFinality } from './finality.js'
import { decide } from './policy.js'
import { compilePolicySet } from './policy-text.js'
import { score } from './scores.js'
import type { ChainHead, ConvergencePoint, PolicySet, RecordedDecision, RecordedRound, ReplayResult } from './types.js'

/** `policyText` gives the text of a set by the recorded hash: today's policies have no say in what was decided then. */
export function replayDecisions(
  recorded: readonly RecordedDecision[],
  policyText: (hash: string) => string | undefined,
  start: ChainHead = genesis(),
): ReplayResult {
  const sets = new Map<string, PolicySet>()
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
    const set = sets.get(record.policy_hash) ?? compiled(policyText(record.policy_hash))
    if (set === null) return differs(index, 'policy_hash', record.policy_hash, 'no such policy set')
    sets.set(record.policy_hash, set)
    const computed = appendRecord(head, {
      proposal,
      state,
      policyHash: set.hash,
      decision: decide(proposal, state, set),
      salt: record.salt,
    })
    const difference = firstDifference(index, { ...record }, { ...computed })
    if (difference !== null) return difference
    head = { seq: record.seq, hash: record.hash }
  }
  return { ok: true, checked: recorded.length - erasedCount, erased: erasedCount }
}

/** Rounds of one generation from its first; each needs only the recorded points before it. */
export function replayRounds(recorded: readonly RecordedRound[]): ReplayResult {
  const tail: ConvergencePoint[] = []
  for (const [index, { aggregates, change, workload, settings, status, point }] of recorded.entries()) {
    const input = { round: point.round, scores: score(aggregates), opensSegment: opensSegment(change) }
    const computed = converge(tail, input, settings)
    const verdict = evaluateFinality({ aggregates, point: computed, workload, settings })
    const difference = firstDifference(index, { ...point, status }, { ...computed, status: verdict.status })
    if (difference !== null) return difference
    tail.push(computed)
  }
  return { ok: true, checked: recorded.length, erased: 0 }
}

function compiled(text: string | undefined): PolicySet | null {
  const compilation = text === undefined ? null : compilePolicySet(text)
  return compilation?.ok ? compilation.set : null
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
