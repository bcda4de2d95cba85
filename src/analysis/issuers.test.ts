import { describe, expect, it } from 'vitest'
import { replacesDocument, sameIssuer } from './issuers.js'
import type { DocumentFacts } from './types.js'

const facts = (told: Partial<DocumentFacts>): DocumentFacts => ({
  title: null,
  name: 'd',
  issuer: null,
  issuedOn: null,
  reference: null,
  version: null,
  revision: 1,
  kind: null,
  ...told,
})

describe('one issuer', () => {
  const same: [string, string][] = [
    ['Kestle Brown', 'Kestle Brown Consulting Engineers Ltd'],
    ['P. Novak, Mill Service Ltd', 'Jan Holt, Mill Service Ltd'],
    ['Finance Department, Orrin Foods BV', 'Orrin Foods BV'],
    ['P. Novak', 'Petra Novak, Coordinator'],
    ['EGSA', 'European Gate Safety Authority'],
    ['claims, aldermutual', 'Alder Mutual Insurance'],
    ['Internal Audit', 'Internal Audit (M. Krug)'],
    ['Tribunal', 'Arbitral Tribunal'],
  ]
  it.each(same)('%s and %s', (a, b) => {
    expect(sameIssuer(facts({ issuer: a }), facts({ issuer: b }))).toBe(true)
  })

  const other: [string, string][] = [
    ['Merrow Bank plc', 'Tarn Bank plc'],
    ['Thorn LLP', 'Pike LLP'],
    ['Dr R. Nolan, Site Investigator', 'Dr C. Marsh, Site Investigator'],
    ['Thorn LLP on behalf of Holt Ports Ltd', 'Holt Ports Ltd'],
    ['Pinto Brokers, for Orrin Foods BV', 'Orrin Foods BV'],
    ['Varde Transport Authority', 'Varde Network Company'],
    ['Audit Committee', 'Risk Committee'],
    ['District Court of Varde', 'District Court of Hull'],
  ]
  it.each(other)('not %s and %s', (a, b) => {
    expect(sameIssuer(facts({ issuer: a }), facts({ issuer: b }))).toBe(false)
  })
})

describe('a document that is replaced', () => {
  const fresh = (text: string): DocumentFacts => facts({ issuedOn: '2031-06-04', supersedes: [text] })

  it('is told by its day, also without a year', () => {
    expect(replacesDocument(fresh('initial report of 20 March'), facts({ issuedOn: '2031-03-20' }))).toBe(true)
    expect(replacesDocument(fresh('initial report of 20 November'), facts({ issuedOn: '2030-11-20' }))).toBe(true)
    expect(replacesDocument(fresh('initial report of 20 March'), facts({ issuedOn: '2030-04-20' }))).toBe(false)
  })

  it('is no other kind of document of the same file', () => {
    const notice = fresh('contract notice G-31-014')
    expect(replacesDocument(notice, facts({ reference: 'G-31-014', title: 'Contract notice' }))).toBe(true)
    expect(replacesDocument(notice, facts({ reference: 'G-31-014', title: 'Tender of Holt Ltd' }))).toBe(false)
  })
})
