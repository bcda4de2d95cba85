import { expect, it } from 'vitest'
import type { PlacedClaim } from '../reading/types.js'
import type { AttachedSupersession, FormerClaim } from '../store/findings/attached-findings.js'
import { carryOver } from './carry-over.js'

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

const carried = (found: boolean) =>
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
  })

it('lets one of several supersessions of the same two go on, and none that is not found again', () => {
  expect(carried(true)).toMatchObject({ supersessions: [5], withdrawn: [6] })
  expect(carried(false)).toMatchObject({ supersessions: [], withdrawn: [5, 6] })
})
