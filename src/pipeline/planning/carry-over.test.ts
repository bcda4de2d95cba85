import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PlacedClaim } from '../../reading/types.js'
import type { AttachedContradiction, AttachedSupersession, FormerClaim } from '../../store/findings/attached-findings.js'
import { type CarryInput, carryOver } from './carry-over.js'

const body = {
  slotKey: 'slot',
  subjectKey: 'pier',
  attributeKey: 'length',
  polarity: 'affirmed',
  valueText: '205 m',
  value: { low: 205, high: 205 },
}

const former = (no: number): FormerClaim =>
  ({
    claim_no: no,
    claim_id: `old ${no}`,
    document_id: 'again',
    start_at: no,
    end_at: 20,
    body: JSON.stringify(body),
    ended: null,
  }) as FormerClaim

const replacedBy = (no: number): AttachedSupersession => ({
  no,
  id: `pair ${no}`,
  status: 'standing',
  foundBy: null,
  reason: 'Corrected.',
  claim: { claimNo: 1, claimId: 'minutes', documentId: 'minutes', said: true },
  by: { claimNo: no, claimId: `old ${no}`, documentId: 'again', said: true },
})

const claim = { ...body, claimId: 'new', documentId: 'again', start: 5, end: 20 } as unknown as PlacedClaim

const carried = (found: boolean, more: Partial<CarryInput> = {}) =>
  carryOver({
    attached: {
      former: [former(5), former(6)],
      contradictions: [],
      possible: [],
      supersessions: [replacedBy(5), replacedBy(6)],
      model: null,
    },
    documentId: 'again',
    claims: [claim],
    firstClaimNo: 9,
    concluded: {
      supersessions: found ? [{ claimId: 'minutes', byClaimId: 'new', reason: 'Corrected.' }] : [],
      contradictions: [],
      supporters: [],
      unsure: [],
      relations: [],
    },
    isCompared: () => true,
    asked: false,
    ...more,
  })

it('lets one of several supersessions of the same two go on, and none that is not found again', () => {
  expect(carried(true)).toMatchObject({ supersessions: [5], withdrawn: [6] })
  expect(carried(false)).toMatchObject({ supersessions: [], withdrawn: [5, 6] })
})

const member = (claimNo: number, claimId: string, documentId: string) => ({ claimNo, claimId, documentId, said: true })

/** Between the document that is read again, with one that agrees, and one that opposes them. */
const between = {
  ...{ no: 7, id: 'open', status: 'open', personal: false, foundBy: null, word: null },
  a: [member(5, 'old 5', 'again'), member(2, 'agreeing', 'agreeing')],
  b: [member(3, 'opposing', 'opposing')],
} as unknown as AttachedContradiction

it('takes back a contradiction only where its other side was compared', () => {
  const attached = { former: [former(5)], contradictions: [between], possible: [], supersessions: [], model: null }
  const comparedWith = (id: string) => carried(false, { attached, isCompared: claimId => claimId === id }).contradictions
  expect([comparedWith('agreeing'), comparedWith('opposing')]).toEqual([[7], []])
})

/** Versions that read the papers, which rivals were met, and whether the rules find it again where they compare. */
const readings = fc.array(
  fc.record({
    version: fc.constantFrom('1', '2'),
    others: fc.record({ agreeing: fc.constantFrom('1', '2'), opposing: fc.constantFrom('1', '2') }),
    met: fc.uniqueArray(fc.constantFrom('agreeing', 'opposing')),
    finds: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

it('leaves in force what a record of each comparison by pairs of documents would, however the papers were read', () => {
  fc.assert(
    fc.property(readings, story => {
      const covered: { other: string; finds: boolean }[] = []
      let isInForce = true
      for (const { version, others, met, finds } of story) {
        const compared = met.filter(other => others[other] === version)
        covered.push(...compared.map(other => ({ other, finds })))
        const contradictions = isInForce ? [between] : []
        const again = finds && compared.includes('opposing') ? [{ a: 'new', b: 'opposing', supportersA: [], supportersB: [] }] : []
        const concluded = { supersessions: [], contradictions: again as never, supporters: [], unsure: [], relations: [] }
        const attached = { former: [former(5)], contradictions, possible: [], supersessions: [], model: null }
        const found = carried(false, { attached, concluded, isCompared: claimId => compared.includes(claimId as never) })
        // What is found once more is the finding that is there, or opens it again.
        isInForce = found.contradictions.length > 0 || found.reconciliation.contradictions.length > 0
        const last = covered.findLast(({ other }) => other === 'opposing')
        expect(isInForce).toBe(last === undefined || last.finds)
      }
    }),
    { numRuns: 1000 },
  )
})
