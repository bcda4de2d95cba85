/**
 * The record of a decision and the chain it stands in. A record binds what was proposed, what the scope looked like,
 * which policies were asked and what they said; its hash covers all of that and the hash before it, so one flipped bit
 * anywhere is found.
 */
import { digest } from './canonical.js'
import type { ChainHead, ChainVerdict, Decision, DecisionRecord, Proposal, ScopeState } from './types.js'

/** What the first record of a scope attaches to. After a reset it is the head of the old chain instead. */
export const GENESIS_HASH = '0'.repeat(64)

export function genesis(hash: string = GENESIS_HASH): ChainHead {
  return { seq: -1, hash }
}

export interface Decided {
  proposal: Proposal
  state: ScopeState
  policyHash: string
  decision: Decision
}

export function appendRecord(head: ChainHead, { proposal, state, policyHash, decision }: Decided): DecisionRecord {
  const body = {
    seq: head.seq + 1,
    proposal_digest: digest(proposal),
    state_digest: digest(state),
    policy_hash: policyHash,
    outcome: decision.outcome,
    policies: decision.policies,
    reasons: decision.reasons,
    obligations: decision.obligations,
    prev_hash: head.hash,
  }
  return { ...body, hash: digest(body) }
}

/** Walks the chain from its genesis; with a head given as `start`, a later stretch of it. */
export function verifyChain(records: readonly DecisionRecord[], start: ChainHead = genesis()): ChainVerdict {
  let head = start
  for (const [index, record] of records.entries()) {
    const fault = faultOf(record, head)
    if (fault !== null) return { ok: false, index, seq: record.seq, fault }
    head = { seq: record.seq, hash: record.hash }
  }
  return { ok: true, head }
}

function faultOf(record: DecisionRecord, head: ChainHead): string | null {
  if (record.seq !== head.seq + 1) return `seq is ${record.seq}, expected ${head.seq + 1}`
  if (record.prev_hash !== head.hash) return 'prev_hash is not the hash of the record before'
  const { hash, ...body } = record
  return digest(body) === hash ? null : 'hash does not match the content'
}
