import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compiled, documentProposal, resolutionProposal, scopeState } from '../../test/kernel/builders.js'
import { canonicalJson, sha256 } from './canonical.js'
import { appendRecord, GENESIS_HASH, genesis, verifyChain } from './decision-record.js'
import { decide } from './policy.js'
import type { ChainHead, DecisionRecord, Proposal } from './proposals.js'

const SET = compiled()

function chainOf(proposals: readonly Proposal[], start: ChainHead = genesis()): DecisionRecord[] {
  let head = start
  return proposals.map(proposal => {
    const state = scopeState()
    const record = appendRecord(head, {
      proposal,
      state,
      policyHash: SET.hash,
      decision: decide(proposal, state, SET),
      salt: `salt-${head.seq + 1}`,
    })
    head = { seq: record.seq, hash: record.hash }
    return record
  })
}

const CHAIN = chainOf([documentProposal(), resolutionProposal(), documentProposal({ round: 9 }), resolutionProposal({ verdict: 'both' })])

describe('a chain of decision records', () => {
  it('starts at the genesis hash and links each record to the one before', () => {
    expect(CHAIN.map(record => record.seq)).toEqual([0, 1, 2, 3])
    expect(CHAIN[0]!.prev_hash).toBe(GENESIS_HASH)
    expect(CHAIN[2]!.prev_hash).toBe(CHAIN[1]!.hash)
    expect(CHAIN[0]!.proposal_digest).toBe(sha256(`salt-0\n${canonicalJson(documentProposal())}`))
    expect(verifyChain(CHAIN)).toEqual({ ok: true, head: { seq: 3, hash: CHAIN[3]!.hash } })
  })

  it('starts from the old head after a reset, and can be verified from any record on', () => {
    const next = chainOf([documentProposal()], genesis(CHAIN[3]!.hash))
    expect(next[0]).toMatchObject({ seq: 0, prev_hash: CHAIN[3]!.hash })
    expect(verifyChain(next, genesis(CHAIN[3]!.hash)).ok).toBe(true)
    expect(verifyChain(next).ok).toBe(false)
    expect(verifyChain(CHAIN.slice(2), { seq: 1, hash: CHAIN[1]!.hash }).ok).toBe(true)
  })

  it('still verifies when words and salts are erased, and cannot have other words put in their place', () => {
    const erased = CHAIN.map((record, index) => (index === 1 ? { ...record, reasons: [], salt: null } : record))
    expect(verifyChain(erased)).toEqual(verifyChain(CHAIN))
    expect(JSON.stringify(erased[1])).not.toContain(sha256(canonicalJson(CHAIN[1]!.reasons)))
    const other = CHAIN.map((record, index) => (index === 1 ? { ...record, reasons: ['Something else.'] } : record))
    expect(verifyChain(other)).toMatchObject({ ok: false, index: 1, fault: 'reasons_digest does not match the reasons' })
  })

  it('is the same bytes when made again', () => {
    expect(canonicalJson(chainOf([documentProposal(), resolutionProposal()]))).toBe(canonicalJson(CHAIN.slice(0, 2)))
  })

  it('shows one flipped bit anywhere', () => {
    const bytes = Buffer.from(canonicalJson(CHAIN))
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), bit => {
        const tampered = Buffer.from(bytes)
        tampered[bit >> 3]! ^= 1 << (bit & 7)
        expect(readAndVerify(tampered)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('shows a record that is missing, repeated or out of order', () => {
    const [a, b, c, d] = CHAIN as [DecisionRecord, DecisionRecord, DecisionRecord, DecisionRecord]
    expect(verifyChain([a, c, d])).toMatchObject({ ok: false, index: 1, seq: 2 })
    expect(verifyChain([a, a, b])).toMatchObject({ ok: false, index: 1 })
    expect(verifyChain([b, a])).toMatchObject({ ok: false, index: 0 })
  })
})

/** A bit that makes it no JSON at all, or another set of members, is found as well. */
function readAndVerify(bytes: Buffer): boolean {
  try {
    return verifyChain(JSON.parse(bytes.toString('utf8')) as DecisionRecord[]).ok
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
