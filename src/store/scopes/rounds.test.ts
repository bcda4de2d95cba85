import { expect, it } from 'vitest'
import type { RoundResult } from '../../kernel/round-types.js'
import { foldRounds } from './rounds.js'

const round = (number: number, changesWhatCounts: boolean, ...policies: string[]) =>
  ({ round: number, changesWhatCounts, decisions: policies.map(hash => ({ record: { policy_hash: hash } })) }) as unknown as RoundResult

it('what several rounds leave is of all of them, not of the last', () => {
  const before = { changedRound: 3, policyHashes: ['old'] } as unknown as Parameters<typeof foldRounds>[0]
  expect(foldRounds(before, [round(4, true, 'new', 'old'), round(5, false)])).toEqual({ changedRound: 4, policyHashes: ['old', 'new'] })
  expect(foldRounds(before, [round(4, false, 'old'), round(5, false)])).toEqual({ changedRound: 3, policyHashes: ['old'] })
  expect(foldRounds(before, [])).toEqual({ changedRound: 3, policyHashes: ['old'] })
})
