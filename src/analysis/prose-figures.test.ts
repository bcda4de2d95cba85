/** What figures of running text are of: the thing, what is said of it, and the day it is said for. */
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import { emptyMemory, placeClaims } from './place.js'
import { nameStrength } from './similar.js'
import type { ExtractedClaim } from './types.js'
import { type View, viewOf } from './view.js'

const extraction = (sentence: string) =>
  extract({
    documentId: 'd',
    revision: 1,
    name: 'd.txt',
    type: 'txt',
    source: null,
    text: `REPORT\n\nPrepared by: Tester\nDate: 2025-03-01\n\nFINDINGS\n\n${sentence}\n`,
  })
const figures = (sentence: string): ExtractedClaim[] => extraction(sentence).claims.filter(claim => 'low' in claim.value)
const figure = (sentence: string, value: string): ExtractedClaim | undefined => figures(sentence).find(claim => claim.valueText === value)
const hint = (claim: ExtractedClaim | undefined, key: string): string => String(claim?.hints?.[key] ?? '')

function view(sentence: string): View {
  const read = extraction(sentence)
  const glossary = { terms: {}, entities: {} }
  const { claims } = placeClaims({
    extraction: { ...read, claims: read.claims.filter(claim => 'low' in claim.value) },
    documentId: 'd',
    revision: 1,
    name: 'd.txt',
    memory: emptyMemory(),
    glossary,
    claimId: k => `d#${k}`,
  })
  return viewOf(claims[0]!)
}

describe('the name of a figure', () => {
  it.each([
    ['The share of crates not sealed by the packing line is 38%.', '38%', 'shar crat nonseal', 'crat'],
    ['Pension surpluses carried forward of EUR 22M were recognised.', 'EUR 22M', 'pens surplus car', 'surplus'],
    ['An estimate of DKK 18 million given in March was withdrawn.', 'DKK 18 million', 'estim', 'estim'],
    ['The bureau understands that 0.31 TB of scans were copied to a shelf.', '0.31 TB', 'scan copi shelf', 'scan'],
    ['96% of parcels were weighed at the gate.', '96%', 'parcel weigh gat', 'parcel'],
    ['Ownership is known for 88% of the parcels.', '88%', 'parcel ownership known', 'parcel'],
    ['Weights were checked in 81% of cases.', '81%', 'weight check', 'weight'],
    ['For the orchard 38 ha of land were acquired.', '38 ha', 'land acquir', 'land'],
    ['Of the 1,231 kites 1,007 were presented to the panel.', '1,007', 'kit present panel', 'kit'],
    ['The varnishing is most likely to cost NOK 9.4M.', 'NOK 9.4M', 'varnish cost', 'varnish'],
    ['The price of the mast works out at EUR 4.4 million.', 'EUR 4.4 million', 'pric mast', 'pric'],
    ['The rope logs reach back 45 days.', '45 days', 'rop log', 'log'],
    ['A departure is reported to the warden within five days.', 'five days', 'depart warden', 'depart'],
    ['The appraisal of the kiln rests on a yield of 4.4 %.', '4.4 %', 'yield', 'yield'],
    ['In the first half of the contract year 2025/26 cancellations were 2.6 %.', '2.6 %', 'cancell', 'cancell'],
    ['Varnish notes outstanding amount to EUR 200 million.', 'EUR 200 million', 'varnish not outstand', 'not'],
    ['There are three findings rated high.', 'three', 'find rat high', 'find'],
    ['The number of pupils who receive rusks is 214.', '214', 'numb pupil rece rusk', 'pupil'],
    ['The carver seeks damages of USD 2.2 million.', 'USD 2.2 million', 'damag', 'damag'],
    ['The ledger gives the age of the kiln as 22 years.', '22 years', 'age kiln', 'age'],
    ['The guild has reserved GBP 260,000 for the quilt.', 'GBP 260,000', 'guild reserv quilt', 'guild'],
    ['Turnover of the guild came in at CHF 88 million.', 'CHF 88 million', 'turnov guild', 'turnov'],
    ['The guild granted a facility of up to EUR 750,000.', 'EUR 750,000', 'facil', 'facil'],
    ["The carver must give six weeks' notice.", 'six weeks', 'notic', 'notic'],
    ['The barge was held up for 52 hours at the lock.', '52 hours', 'barg hold lock', 'barg'],
    ['We counted 17 cracks wider than a thumb.', '17', 'crack', 'crack'],
    ['Samples were taken by 11 trained divers.', '11', 'train diver', 'diver'],
  ])('%j: %j is of %j', (sentence, value, terms, head) => {
    const claim = figure(sentence, value)
    expect(hint(claim, 'terms')).toBe(terms)
    expect(hint(claim, 'head')).toBe(head)
  })

  it('takes the whole for no figure of its own where a part of it is counted', () => {
    expect(figures('The panel saw 1,007 of 1,231 kites.').map(claim => claim.valueText)).toEqual(['1,007'])
    expect(figures('Twelve of the 38 kites were torn.').map(claim => claim.valueText)).toEqual(['Twelve'])
  })

  it('takes a number behind its noun for one that tells which', () => {
    expect(figures('Waste water goes to outfall 2 and to the weir.')).toEqual([])
  })

  it('reads a bound behind its value', () => {
    expect(figure('The carver accepted a loss of DKK 29 million as a minimum.', 'DKK 29 million')?.role).toBe('minimum')
  })
})

describe('the day of a figure', () => {
  it.each([
    ['412 kites were in service on 1 March 2025.', '412', '2025-03-01'],
    ['By 31 December 2023, 142 quilts had been mended.', '142', '2023-12-31'],
    ['142 quilts had been mended up to 31 January 2025.', '142', '2025-01-31'],
  ])('%j has its day as period', (sentence, value, day) => {
    const claim = figure(sentence, value)
    expect(claim?.period?.from).toBe(day)
    expect(claim?.hints?.['explicit']).toBe(true)
  })

  it('keeps what happened on one day from what happened on another', () => {
    expect(hint(figure('A sum of EUR 4,000 was paid on 3 May 2025.', 'EUR 4,000'), 'marks')).toContain('at:2025-05-03')
    expect(hint(figure('Six kites were lost in April.', 'Six'), 'marks')).toContain('at month:april')
  })

  it('leaves the day of a decision to the decision', () => {
    expect(hint(figure('The target approved by the council on 12 May 2024 is 135%.', '135%'), 'marks')).toBe('')
  })
})

describe('names that meet', () => {
  it.each([
    ['The volume of varnish spilled was 120 litres.', '340 litres of varnish were spilled.', 'same'],
    ['The size of the loan is EUR 6 million.', 'The loan is EUR 4.5 million.', 'same'],
    ['The quilt repair cost is EUR 6,000.', 'The quilt repair is EUR 4,000.', 'same'],
    ['Crates sealed by the packers were 40%.', 'Crates not sealed by the packers were 60%.', 'none'],
    ['The loan is EUR 4.5 million.', 'EUR 1.5 million of the loan has been repaid.', 'weak'],
    ['64% of the crates were weighed.', '12% of the crates were sold.', 'weak'],
  ])('%j and %j: %s', (a, b, strength) => {
    expect(nameStrength(view(a), view(b))).toBe(strength)
  })
})
