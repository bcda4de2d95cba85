import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import type { ExtractedClaim } from './types.js'

const claimsOf = (text: string, type = 'txt'): ExtractedClaim[] =>
  extract({ documentId: 'd', revision: 1, name: 'd', type, source: null, text }).claims

const said = (claims: readonly ExtractedClaim[]): string[] => claims.map(claim => `${claim.attribute} = ${claim.valueText}`)

const REGISTER = `MOOR CANAL TRUST
Works register

Prepared by: Works Office
Date: 3 May 2031

No.    Subject                     Status        Evidence
-----  --------------------------  ------------  ----------------------------------
WK-01  Lock gate repair            closed        Handover note, 2 April 2031
WK-02  Towpath lighting            in progress   40 lamps fitted, 6 sent back by
                                                 the contractor
WK-03  Weed clearance              overdue       Boat not available
`

describe('tables in aligned text', () => {
  it('takes the row above the rule for the header and the code with the title for the name of a row', () => {
    const states = claimsOf(REGISTER).filter(claim => claim.value.type === 'category')
    expect(said(states)).toEqual(
      expect.arrayContaining([
        'WK-01 Lock gate repair Status = done',
        'WK-02 Towpath lighting Status = open',
        'WK-03 Weed clearance Status = open',
      ]),
    )
    expect(states.find(claim => claim.attribute.startsWith('WK-01'))?.hints?.['marks']).toContain('wk-01')
  })

  it('reads remarks as prose of their row, also where they go on in the next line', () => {
    const claims = claimsOf(REGISTER)
    const lamps = claims.find(claim => claim.valueText === '40')
    expect(lamps?.attribute).toBe('lamps fitted')
    expect(lamps?.hints?.['path']).toContain('Towpath lighting')
    expect(claims.find(claim => claim.attribute === 'Boat not available')?.polarity).toBe('negated')
  })

  it('reads a remark with a label as a labelled value', () => {
    const claims = claimsOf(
      'no;action;status;remark\nP-1;Paint the hull;open;Waiting for spring. Drying time: 18 days\nP-2;Mend the sail;closed;Cost rose from EUR 200 to EUR 260\n',
      'csv',
    )
    expect(said(claims)).toContain('Drying time = 18 days')
    expect(claims.find(claim => claim.valueText === 'EUR 260')?.hints?.['priorLow']).toBe(200)
  })
})

describe('what a table measures', () => {
  it('takes the rows for what is measured where columns mix kinds and rows do not', () => {
    const claims = claimsOf(
      '# Bench report\n\n## Results\n\n| Measurement | Kiln 4.2.x (n=18) | Kiln 4.1.8 (n=6) |\n|---|---|---|\n| Longest firing time | 92 min | 74 min |\n| Cracked tiles | 15 | 2 |\n| Share of waste | 4.6 % | 3.9 % |\n',
      'md',
    )
    expect(claims.find(claim => claim.valueText === '15')?.hints?.['head']).toBe('til')
    expect(claims.find(claim => claim.valueText === '4.6 %')?.hints?.['head']).toBe('shar')
  })

  it('takes the second cell for the label where rows share the first', () => {
    const claims = claimsOf(
      'Group;Item;Amount;Remark\nA Site cost per day;Guards and fences;EUR 1,400;-\nA Site cost per day;Cranes;EUR 7,210;-\n',
      'csv',
    )
    expect(said(claims)).toEqual(['Guards and fences · Amount = EUR 1,400', 'Cranes · Amount = EUR 7,210'])
  })
})
