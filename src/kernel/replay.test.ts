import { describe, expect, it } from 'vitest'
import { compiled, documentProposal, resolutionProposal, scopeState } from '../../test/kernel/builders.js'
import { appendRecord, genesis } from './decision-record.js'
import { noSeverities } from './dimensions.js'
import { DEFAULT_POLICIES } from './policies/default.js'
import { decide } from './policy.js'
import type { ChainHead, RecordedDecision } from './proposals.js'
import { replayDecisions } from './replay.js'

const OLD = compiled()
const NEW = compiled(`${DEFAULT_POLICIES}\n@id("no") forbid (principal, action, resource);`)
const sets = new Map([OLD, NEW].map(set => [set.hash, set]))

function recorded(): RecordedDecision[] {
  let head: ChainHead = genesis()
  const proposals = [documentProposal(), documentProposal({ contradictions: { ...noSeverities(), high: 1 } }), resolutionProposal()]
  return proposals.map((proposal, index) => {
    const set = index === 2 ? NEW : OLD
    const state = scopeState({ mode: 'review' })
    const record = appendRecord(head, { proposal, state, policyHash: set.hash, decision: decide(proposal, state, set), salt: 'salt' })
    head = { seq: record.seq, hash: record.hash }
    return { proposal, state, record }
  })
}

describe('replaying decisions', () => {
  it('agrees with what was recorded, each under the policies of its time', () => {
    expect(recorded().map(({ record }) => record.outcome)).toEqual(['admit', 'hold', 'reject'])
    expect(replayDecisions(recorded(), hash => sets.get(hash))).toEqual({ ok: true, checked: 3, erased: 0 })
  })

  it('names the first difference: a changed input, outcome or policy', () => {
    const [a, b, c] = recorded() as [RecordedDecision, RecordedDecision, RecordedDecision]
    const state = { ...b.state, mode: 'auto' as const }
    expect(replayDecisions([a, { ...b, state }, c], hash => sets.get(hash))).toMatchObject({ ok: false, index: 1, member: 'state_digest' })
    const record = { ...b.record, outcome: 'admit' as const }
    expect(replayDecisions([a, { ...b, record }, c], hash => sets.get(hash))).toMatchObject({
      ok: false,
      index: 1,
      member: 'outcome',
      recorded: '"admit"',
      computed: '"hold"',
    })
    expect(replayDecisions([a, b, c], hash => (hash === OLD.hash ? OLD : undefined))).toMatchObject({
      ok: false,
      index: 2,
      member: 'policy_hash',
    })
    expect(replayDecisions([a, b, c], () => NEW)).toMatchObject({ ok: false, index: 0, member: 'policy_hash' })
  })
})
