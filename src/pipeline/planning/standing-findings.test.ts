import { describe, expect, it } from 'vitest'
import type { ContradictionFound, Reconciliation } from '../../reading/types.js'
import { boundedEvidence, describePossible, standingFindings, supersededPairs } from './standing-findings.js'

const found: ContradictionFound = {
  slotKey: 'slot',
  kind: 'numeric',
  severity: 'high',
  subject: 'Aurelia',
  attribute: 'revenue',
  a: 'old',
  b: 'new',
  supportersA: ['other'],
  supportersB: [],
  groupA: 'x',
  groupB: 'y',
  reason: 'The values differ.',
}

const concluded = (parts: Partial<Reconciliation>): Reconciliation => ({
  supersessions: [],
  contradictions: [],
  supporters: [],
  unsure: [],
  relations: [],
  ...parts,
})

describe('findings that stand', () => {
  it('are between claims that count: a side goes on with what supports it, and ends without', () => {
    const counts = (id: string) => id !== 'old'
    expect(standingFindings(concluded({ contradictions: [found] }), counts).contradictions).toEqual([
      { ...found, a: 'other', supportersA: [] },
    ])
    const alone = { ...found, supportersA: [] }
    expect(standingFindings(concluded({ contradictions: [alone] }), counts).contradictions).toEqual([])
  })

  it('are not between claims of which this round replaces one', () => {
    const unsure = [{ a: 'one', b: 'new', kind: 'numeric' as const, reason: 'Perhaps.' }]
    expect(standingFindings(concluded({ unsure }), () => true).unsure).toEqual(unsure)
    const supersessions = [{ claimId: 'one', byClaimId: 'new', kind: 'words' as const, reason: 'Later.' }]
    expect(standingFindings(concluded({ unsure, supersessions }), () => true).unsure).toEqual([])
  })
})

it('pairs are listed once, and only where one claim replaces another', () => {
  const pair = { claimId: 'old', byClaimId: 'new', kind: 'words' as const, reason: 'Later.' }
  const dropped = { claimId: 'gone', byClaimId: null, kind: 'revision' as const, reason: 'No longer said.' }
  expect(supersededPairs([pair, dropped, pair, { ...pair, byClaimId: 'newer' }])).toEqual([pair, { ...pair, byClaimId: 'newer' }])
})

it('what a reader leaves open is filled in, and its score kept within bounds', () => {
  const pair = { a: 'a', b: 'b', kind: 'date' as const, reason: 'Perhaps.' }
  expect(describePossible(pair)).toEqual({ kind: 'date', severity: 'medium', scoreMicros: 500_000 })
  expect(describePossible({ ...pair, score: 7 })).toMatchObject({ scoreMicros: 1_000_000 })
})

it('evidence stays within its bounds, counted in code points', () => {
  const long = '🜁'.repeat(500)
  const bounded = boundedEvidence({
    subject: long,
    shared: Array.from({ length: 40 }, () => long),
    differs: Array.from({ length: 40 }, () => ({ a: long, b: 'b' })),
    times: { a: long, b: null },
    issuers: { a: null, b: long },
  })
  expect(bounded?.shared).toHaveLength(12)
  expect(bounded?.differs).toHaveLength(4)
  for (const text of [bounded?.subject, bounded?.shared[0], bounded?.differs[0]?.a, bounded?.times.a, bounded?.issuers.b]) {
    expect([...(text ?? '')]).toHaveLength(120)
  }
  expect(boundedEvidence(undefined)).toBeNull()
})
