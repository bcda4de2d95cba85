import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import type { Extraction } from './types.js'

const read = (text: string, type = 'txt'): Extraction => extract({ documentId: 'd', revision: 1, name: 'd', type, source: null, text })
const said = (found: Extraction): string[] => found.claims.map(claim => `${claim.attribute} = ${claim.valueText}`)

describe('forms without colons', () => {
  it('reads labels with answers of several kinds at their right', () => {
    const found = read(`FEN HOSPITAL\n\nDISCHARGE SUMMARY\n
Hospital number       882-114
Admitted              3 March 2031
Discharged            11 March 2031
Blood group           A positive
Weight                71 kg

The stay was uneventful and the patient went home.
`)
    expect(said(found)).toEqual(
      expect.arrayContaining(['Admitted = 2031-03-03', 'Discharged = 2031-03-11', 'Blood group = A positive', 'Weight = 71 kg']),
    )
    expect(said(found).some(text => text.includes('882'))).toBe(false)
  })

  it('reads a table of html without header cells as a form where its answers differ in kind', () => {
    const found = read(
      '<h1>Lift certificate</h1><table><tr><td>Governor</td><td>satisfactory</td></tr><tr><td>Rope diameter</td><td>9.6 mm</td></tr><tr><td>Next test due</td><td>2 June 2032</td></tr></table>',
      'html',
    )
    expect(said(found)).toEqual(expect.arrayContaining(['Governor = adequate', 'Rope diameter = 9.6 mm', 'Next test due = 2032-06-02']))
  })

  it('takes fields of json inside others for header and claims alike', () => {
    const found = read('{"report":{"issuer":"Harbour Office","date":"2031-05-01"},"vessel":{"crew":14}}', 'json')
    expect(found.profile).toMatchObject({ issuer: 'Harbour Office', issuedOn: '2031-05-01' })
    expect(said(found)).toEqual(['vessel · crew = 14'])
  })
})

describe('units beside the value', () => {
  it('takes the unit of a row from its column of units', () => {
    const found = read(`LAB REPORT\nDate: 4 May 2031\n\nTest              Result    Unit      Range
Potassium         5.6       mmol/L    3.5 - 5.1
Iron              14        mg/L      10 - 30
`)
    expect(found.claims.find(claim => claim.valueText === '14')?.unit).toBe('mg/litre')
  })

  it('takes the unit of a labelled value from its label, and no qualifier for its measure', () => {
    const found = read('SHEET\nDate: 4 May 2031\n\nFigures\n\nCost to date (EUR m): 44.7\nAnnual rent: GBP 84,000 plus VAT\n')
    expect(found.claims.find(claim => claim.valueText === '44.7')).toMatchObject({ unit: 'EUR', value: { low: 44_700_000 } })
    expect(found.claims.find(claim => claim.valueText === 'GBP 84,000')?.hints?.['head']).toBe('rent')
  })
})

describe('minutes in columns', () => {
  const found = read(`Minutes of Meeting

Project:   Reservoir                         Meeting no.: 14
Date:      9 July 2031                       Venue: Site office
Present:   A. Moor (AM), B. Tarn (BT)

No.   Item                                                        Action   Due
14.1  AM reported that the spillway is 80 % complete. Concrete    AM       30 July 2031
      tests showed 38 MPa against 35 MPa required.
14.2  BT said that the crane permit has expired since May 2031.   BT       15 July 2031
`)
  it('reads what a row says and what goes on below it', () => {
    expect(said(found)).toEqual(expect.arrayContaining(['spillway complete = 80 %', 'tests = 38 MPa']))
    expect(said(found).some(text => text.includes('Meeting no'))).toBe(false)
    expect(found.profile.issuedOn).toBe('2031-07-09')
  })
})

describe('labels inside other text', () => {
  const head = 'BRIDGE REPORT\nDate: 3 May 2031\nPrepared by: Works Office\n\n1. Findings\n\n'

  it('reads a labelled figure at the end of a paragraph', () => {
    const found = read(`${head}The gate was tested twice in April. Longest closing time found by our own crew: 27 s.\n`)
    expect(said(found)).toContain('Longest closing time found by our own crew = 27 s')
  })

  it('takes a dash before a figure in a list for a colon', () => {
    const found = read(`${head}* Items without label – 118\n* Shrinkage – 2.3 % of book stock\n* North wing – closed since May\n`)
    expect(said(found)).toEqual(expect.arrayContaining(['Items without label = 118', 'Shrinkage = 2.3 %']))
  })

  it('reads a list of works with the day each is due', () => {
    const found = read(
      `${head}    Replace six bearings                      by 30 November 2031\n    Waterproof the deck                       by 30 June 2032\n`,
    )
    const dates = found.claims.filter(claim => claim.value.type === 'date')
    expect(dates.map(claim => [claim.valueText, claim.hints?.['marks']])).toEqual([
      ['2031-11-30', 'event:due'],
      ['2032-06-30', 'event:due'],
    ])
    expect(found.claims.some(claim => claim.value.type === 'name')).toBe(false)
  })

  it('takes title, author and date of a front matter', () => {
    const found = read(
      '---\ntitle: Stock audit\nauthor: Internal Audit\ndate: 2031-02-14\n---\n\n## Result\n\nThe stock was 14,210 boxes.\n',
      'md',
    )
    expect(found.profile).toMatchObject({ title: 'Stock audit', issuer: 'Internal Audit', issuedOn: '2031-02-14' })
  })
})

describe('page headers and merged headers', () => {
  const found = read(
    '<div>Eastgate Water Ltd | Monthly compliance report | May 2031</div><table><thead><tr><th rowspan="2">Site</th><th colspan="2">BOD (mg/l)</th></tr><tr><th>Limit</th><th>Measured</th></tr></thead><tbody><tr><td>Northworks</td><td>25</td><td>31</td></tr></tbody></table>',
    'html',
  )
  it('parts a line of bars that stands alone', () => {
    expect(found.profile).toMatchObject({ title: 'Monthly compliance report', issuer: 'Eastgate Water Ltd' })
    expect(found.profile.period?.label).toBe('2031-05')
  })

  it('takes the unit from the upper row of a header', () => {
    expect(found.claims.map(claim => claim.unit)).toEqual(['mg/litre', 'mg/litre'])
  })
})
