import { expect, test } from 'vitest'
import type { Reconciliation, Supersession } from '../../reading/types.js'
import type { StoredClaim } from '../../store/claims/claims.js'
import { windowClaims } from '../../store/claims/claims.js'
import { type AdmittedRound, WorkingScope } from './working-scope.js'

const wanted = [['revenue', 3]] as const

function claim(claimNo: number, documentId: string, more: Partial<StoredClaim> = {}): StoredClaim {
  return {
    claimNo,
    claimId: `c${claimNo}`,
    documentId,
    revision: 1,
    slotKey: 'revenue',
    confidence: 0.5,
    quote: '',
    ...more,
  } as StoredClaim
}

/** A document of these claims, found by the word they share. */
function round(claims: readonly StoredClaim[], concluded: Partial<Reconciliation> = {}, more: Partial<AdmittedRound> = {}): AdmittedRound {
  const [first] = claims as [StoredClaim]
  return {
    documentId: first.documentId,
    claims,
    reconciliation: { contradictions: [], unsure: [], supersessions: [], supporters: [], relations: [], ...concluded } as Reconciliation,
    contradictions: [],
    possible: [],
    closes: [],
    possibleCloses: [],
    slots: [],
    lent: [],
    terms: [{ term: 'revenue', firstClaimNo: first.claimNo, claimNos: claims.map(each => each.claimNo) }],
    replacesTerms: null,
    revision: { revision: first.revision, claims: [...claims], firstClaimNo: first.claimNo, claimCount: claims.length } as never,
    ...more,
  }
}

const replaces = (claimId: string, byClaimId: string) => ({ claimId, byClaimId, reason: 'later' }) as Supersession

function emptyScope(): WorkingScope {
  return new WorkingScope({ live: [], terms: [], superseded: [], crowds: [], findings: [], possible: [], earlier: new Map(), facts: {} })
}

const numbers = (claims: readonly StoredClaim[]) => claims.map(each => each.claimNo)

test('a claim replaced by one that is itself replaced stays a rival', () => {
  const scope = emptyScope()
  scope.admit(round([claim(1, 'march')]))
  scope.admit(round([claim(2, 'may')], { supersessions: [replaces('c1', 'c2')] }))
  // Came late: the march document replaced it before the one of may replaced that.
  scope.admit(round([claim(3, 'february')], { supersessions: [replaces('c3', 'c1')] }))
  const { live, superseded } = scope.rivalsOf([], wanted)
  expect(numbers(live)).toEqual([2])
  expect(numbers(superseded)).toEqual([3, 1])
})

test('a new revision replaces what the earlier one said, and that is no rival', () => {
  const scope = emptyScope()
  scope.admit(round([claim(1, 'march'), claim(2, 'march')]))
  scope.admit(round([claim(3, 'march', { revision: 2 })], { supersessions: [replaces('c1', 'c3')] }, { replacesTerms: 1 }))
  expect(numbers(scope.earlierRevision('march')?.claims ?? [])).toEqual([3])
  expect(scope.rivalsOf([], wanted).superseded).toEqual([])
})

test('a claim that a person ends is on no side of a contradiction until it is revived', () => {
  const scope = emptyScope()
  scope.admit(round([claim(1, 'march')]))
  const found = { a: 'c1', b: 'c2', supportersA: [], supportersB: ['c3'], slotKey: 'revenue', severity: 'high', groupA: 'x', groupB: 'y' }
  const ids = { contradictionNo: 0, contradictionId: 'x0' }
  scope.admit(round([claim(2, 'audit'), claim(3, 'audit')], { contradictions: [found as never] }, { contradictions: [ids] }))
  scope.move({ ended: ['c3'], revived: [] })
  expect(scope.findings.standings()[0]?.b.live).toEqual(['c2'])
  expect(numbers(scope.earlierRevision('audit')?.claims ?? [])).toEqual([2])
  scope.move({ ended: [], revived: ['c3'] })
  expect(scope.findings.standings()[0]?.b.live).toEqual(['c3', 'c2'])
  expect(scope.findings.existing()[0]?.claimIdsB).toEqual(['c3', 'c2'])
  expect(numbers(scope.earlierRevision('audit')?.claims ?? [])).toEqual([2, 3])
  expect(numbers(scope.liveIn(['revenue']))).toEqual([3, 2, 1])
})

test('a slot shows its newest claims alone; its figures follow what people end', () => {
  const scope = emptyScope()
  const claims = Array.from({ length: windowClaims + 6 }, (_, n) => claim(n, `doc-${n}`))
  const figures = (live: number) => [{ slotKey: 'revenue', live, bestMicros: 500_000 }]
  for (const [index, each] of claims.entries()) scope.admit(round([each], {}, { slots: figures(index + 1) }))
  expect(numbers(scope.liveIn(['revenue']))).toEqual(numbers(claims).reverse().slice(0, windowClaims))
  expect(scope.standings(['revenue'])).toMatchObject([{ live: windowClaims + 6 }])
  scope.move({ ended: ['c69'], revived: [] })
  expect(scope.standings(['revenue'])).toMatchObject([{ live: windowClaims + 5 }])
  expect(numbers(scope.liveIn(['revenue'])).at(-1)).toBe(5)
})
