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
        'WK-01 Lock gate repair Status = closed',
        'WK-02 Towpath lighting Status = in progress',
        'WK-03 Weed clearance Status = overdue',
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
    expect(claims.find(claim => claim.valueText === '4.6 %')?.hints?.['head']).toBe('wast')
  })

  it('takes the second cell for the label where rows share the first', () => {
    const claims = claimsOf(
      'Group;Item;Amount;Remark\nA Site cost per day;Guards and fences;EUR 1,400;-\nA Site cost per day;Cranes;EUR 7,210;-\n',
      'csv',
    )
    expect(said(claims)).toEqual(['Guards and fences · Amount = EUR 1,400', 'Cranes · Amount = EUR 7,210'])
  })
})

describe('what cells say beside their value', () => {
  it('cites the older value a cell, a column or a remark gives', () => {
    const claims = claimsOf(
      'Yard Ltd - Updated schedule - 27 June 2031\nAll amounts in EUR, net of tax.\nHead;Quantity;Amount;Remark\n1 Demurrage;151 days;2,725,000;previously 164 days\n2 Towage;138 (report: 151);1,590,000;previously 1,850,000\n',
      'csv',
    )
    const by = (text: string): ExtractedClaim | undefined => claims.find(claim => claim.valueText === text)
    expect(by('151 days')?.hints?.['priorLow']).toBe(164)
    expect(by('138')?.hints?.['priorLow']).toBe(151)
    expect(by('1,590,000')).toMatchObject({ unit: 'EUR', hints: { priorLow: 1_850_000 } })
  })

  it('ties published and restated values of one row', () => {
    const claims = claimsOf(
      '# Notice\n\n## Holdings\n\n| Holding | Published | Restated |\n|---|---|---|\n| Tarn Mills AB | EUR 31.2m | EUR 24.6m |\n| Rook KG | EUR 18.9m | EUR 14.8m |\n',
      'md',
    )
    expect(claims.find(claim => claim.valueText === 'EUR 24.6m')?.hints?.['priorLow']).toBe(31_200_000)
  })

  it('counts what the column names in the row of totals', () => {
    const claims = claimsOf(
      '# Summary\n\n## Reports by site\n\n| Site | Reports |\n|---|---|\n| Moor | 6 |\n| Fen | 8 |\n| All sites | 14 |\n',
      'md',
    )
    expect(claims.find(claim => claim.valueText === '14')?.hints).toMatchObject({ head: 'report', terms: 'report' })
  })

  it('takes a column of targets for deadlines of its rows', () => {
    const claims = claimsOf(
      'no;action;target;status\nP-1;Reply to the harbour;9 May 2031;closed\nP-2;Film on closed taps;1 June 2031;open\n',
      'csv',
    )
    const dates = claims.filter(claim => claim.value.type === 'date')
    expect(dates.map(claim => [claim.role, claim.hints?.['marks']])).toEqual([
      ['actual', 'event:due'],
      ['actual', 'event:due'],
    ])
  })

  it('reads a count in a label as the count it is', () => {
    const claims = claimsOf('# Test\n\n## Sample\n\n- 24 vans were tested: 18 with the new sign and six with the old.\n', 'md')
    expect(said(claims)).toContain('vans were tested = 24')
    expect(claims.some(claim => claim.valueText === '18')).toBe(false)
  })
})

describe('logs and certificates', () => {
  it('names the rows of a log by what happened, not by its day', () => {
    const claims = claimsOf(
      'Incident log - North depot,,,\nExported: 2031-07-02,,,\n,,,\nDate,Location,Description,Days lost\n2031-04-11,Bay 3,Forklift hit the racking,0\n2031-05-02,Yard,Driver slipped on ice,21\nTotal,,,21\n',
      'csv',
    )
    expect(said(claims)).toEqual(
      expect.arrayContaining([
        'Forklift hit the racking · Date = 2031-04-11',
        'Driver slipped on ice · Days lost = 21',
        'Total · Days lost = 21',
      ]),
    )
    expect(claims.find(claim => claim.attribute === 'Driver slipped on ice · Days lost')?.hints?.['head']).toBe('loss')
  })

  it('reads units beside the label, limits, the number of a batch and a verdict in the negative', () => {
    const claims = claimsOf(`MILL COOPERATIVE\nCERTIFICATE OF ANALYSIS\n
Batch            : 31-118
Quantity         : 24,500 kg

  Parameter            Found     Limit      Method
  -------------------  --------  ---------  ----------
  Crude protein  %       15.2    min 16.0   ISO 5983
  Moisture       %       12.8    max 14.0   ISO 6496

Conclusion: the batch does not conform.
`)
    expect(claims.find(claim => claim.valueText === '15.2')?.unit).toBe('%')
    expect(claims.find(claim => claim.valueText === '16.0')?.role).toBe('limit')
    expect(claims.some(claim => claim.attribute === 'Batch')).toBe(false)
    expect(said(claims)).toContain('Conclusion: the batch does not conform. = non-compliant')
  })

  it('leaves a colon inside parentheses alone', () => {
    const claims = claimsOf(
      'NOTE\nDate: 3 May 2031\n\nReserves\n\nFree reserves cover 4.1 months of expenditure (policy: at least 6 months).\n',
    )
    expect(claims.find(claim => claim.valueText === '4.1 months')).toBeDefined()
  })
})

describe('aligned words without figures', () => {
  it('are tried as a table once, not from every line', () => {
    const cost = (lines: number): number => {
      const before = process.cpuUsage()
      claimsOf('AB CD EF    GH IJ\n'.repeat(lines))
      return process.cpuUsage(before).user
    }
    cost(2_000)
    // Quadratic cost would be 16 times as much.
    expect(cost(16_000)).toBeLessThan(Math.max(cost(4_000), 30_000) * 9)
  })
})
