import fc from 'fast-check'
import { expect, it } from 'vitest'
import { extract } from '../../reading/document/extract.js'
import { lookupKeysOf, placeClaims } from '../../reading/relations/place.js'
import { claimBodies, claimBody, parseBody } from './claim-body.js'

const placed = (text: string) => {
  const extraction = extract({ documentId: 'd', revision: 1, name: 'd', type: 'md', source: null, text })
  const glossary = { terms: {}, entities: {} }
  return placeClaims({ extraction, documentId: 'd', revision: 1, name: 'd', glossary, claimId: index => `clm_${index}` })
}
const claimColumns = ({
  claimId,
  documentId,
  revision,
  quote,
  start,
  end,
  subject,
  attribute,
  confidence,
}: ReturnType<typeof placed>['claims'][number]) => ({
  ...{ claimId, documentId, revision, quote, start, end, subject, attribute, confidence },
})
const sentence = fc.constantFrom(
  'Rent: EUR 900',
  '# Annex for 2024',
  'The pump P-7 was not replaced on 3 May 2024, not on 5 May.',
  'We correct the figure: 12 to 14 units a day.',
  'Inspected: yes',
  '| Site | Load |\n|---|---|\n| North | 5 kN |',
)

it('gives back what it was given, whatever was left out', () => {
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), lines => {
      const { claims, facts } = placed(lines.join('\n\n'))
      expect(claimBodies(claims), 'written together or one by one').toEqual(claims.map(claimBody))
      for (const claim of claims) {
        const { claimId, documentId, revision, quote, start, end, subject, attribute, confidence, ...body } = claim
        const read = parseBody(claimBody(claim))
        expect(read).toEqual({ ...body, lookupKeys: [] })
        expect(lookupKeysOf({ ...claim, ...read }, facts), 'found by the same words').toEqual(claim.lookupKeys)
        expect(claimBody({ ...read, ...claimColumns(claim) }), 'its digest is the same again').toBe(claimBody(claim))
      }
    }),
    { numRuns: 40 },
  )
})

it('leaves out what says nothing', () => {
  const [claim] = placed('The pump was inspected by the owner.').claims
  if (claim === undefined) throw new Error('no claim')
  const stored = claimBody(claim)
  expect(stored.length).toBeLessThan(JSON.stringify(claim).length * 0.7)
  for (const name of ['unit', 'lookupKeys', 'negates', 'corrects', 'rates', 'polarity']) expect(stored).not.toContain(name)
})

it('keeps what readers before kept, for the digests of what they read', () => {
  const [claim] = placed('The pump was inspected by the owner in May.').claims
  if (claim === undefined) throw new Error('no claim')
  const old = claimBody({ ...claim, says: { ...claim.says, whens: ['month may'] } } as typeof claim)
  expect(old).toContain('whens')
  expect(claimBody({ ...parseBody(old), ...claimColumns(claim) })).toBe(old)
})
