/**
 * The record of a decision and the chain it stands in. A record binds what was proposed, what the scope looked like,
 * which policies were asked and what they said; its hash covers all of that and the hash before it, so one flipped bit
 * anywhere is found. Words of documents and people are covered by salted digests: once words and salt are erased, nothing
 * of them can be guessed from the digest, and the chain still verifies.
 */
import { canonicalJson, digest, sha256 } from './canonical.js'
import type { ChainHead, ChainVerdict, Decision, DecisionRecord, Proposal, ScopeState } from './proposals.js'

/** What the first record of a scope attaches to. After a reset it is the head of the old chain instead. */
export const GENESIS_HASH = '0'.repeat(64)

export function genesis(hash: string = GENESIS_HASH): ChainHead {
  return { seq: -1, hash }
}

/** The salt of each record of a round, from one secret that is kept nowhere: a salt says nothing about its neighbours. */
export function saltsFrom(secret: string): (seq: number) => string {
  return seq => sha256(`${secret} ${seq}`).slice(0, 32)
}

export interface Decided {
  proposal: Proposal
  state: ScopeState
  policyHash: string
  decision: Decision
  salt: string
}

export function appendRecord(head: ChainHead, { proposal, state, policyHash, decision, salt }: Decided): DecisionRecord {
  const { outcome, policies, reasons, obligations } = decision
  const record = {
    seq: head.seq + 1,
    proposal_digest: saltedDigest(salt, proposal),
    state_digest: digest(state),
    policy_hash: policyHash,
    outcome,
    policies,
    reasons,
    reasons_digest: saltedDigest(salt, reasons),
    salt,
    obligations,
    prev_hash: head.hash,
  }
  return { ...record, hash: hashOf(record) }
}

/** Walks the chain from its genesis; with a head given as `start`, a later stretch of it. */
export function verifyChain(records: readonly DecisionRecord[], start: ChainHead = genesis()): ChainVerdict {
  let head = start
  for (const [index, record] of records.entries()) {
    const fault = linkFault(record, head) ?? contentFault(record)
    if (fault !== null) return { ok: false, index, seq: record.seq, fault }
    head = { seq: record.seq, hash: record.hash }
  }
  return { ok: true, head }
}

/** Whether a record stands where it should. All that can be asked of one whose words are gone. */
export function linkFault(record: DecisionRecord, head: ChainHead): string | null {
  if (record.seq !== head.seq + 1) return `seq is ${record.seq}, expected ${head.seq + 1}`
  if (record.prev_hash !== head.hash) return 'prev_hash is not the hash of the record before'
  return hashOf(record) === record.hash ? null : 'hash does not match the content'
}

function contentFault({ salt, reasons, reasons_digest }: DecisionRecord): string | null {
  return salt === null || saltedDigest(salt, reasons) === reasons_digest ? null : 'reasons_digest does not match the reasons'
}

function hashOf(record: Omit<DecisionRecord, 'hash'> & { hash?: string }): string {
  const { hash, salt, reasons, ...body } = record
  return digest(body)
}

function saltedDigest(salt: string, value: unknown): string {
  return sha256(`${salt}\n${canonicalJson(value)}`)
}
