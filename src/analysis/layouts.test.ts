/** Layouts and wordings in which figures stand, and which of them may be held against each other. */
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import { emptyMemory, placeClaims } from './place.js'
import { reconcile } from './reconcile.js'
import type { DocumentProfile, ExtractedClaim, PlacedClaim, Reconciliation } from './types.js'

const document = (text: string) => extract({ documentId: 'd', revision: 1, name: 'd.txt', type: 'txt', source: null, text })
const read = (text: string): ExtractedClaim[] => document(text).claims
const profile = (text: string): DocumentProfile => document(text).profile
const terms = (claim: ExtractedClaim | undefined): string[] => String(claim?.hints?.['terms'] ?? '').split(' ')
const valued = (claims: ExtractedClaim[], text: string): ExtractedClaim | undefined => claims.find(claim => claim.valueText === text)
const head = (by: string, on: string): string => `NOTE ON THE MILL\n\nPrepared by: ${by}\nDate: ${on}\n\nRESULTS\n\n`

/** Reads documents one after the other and gives what the last one brought. */
function last(...texts: string[]): Reconciliation {
  let memory = emptyMemory()
  const live: PlacedClaim[] = []
  let result: Reconciliation | null = null
  texts.forEach((text, at) => {
    const documentId = `d${at}`
    const extraction = extract({ documentId, revision: 1, name: documentId, type: 'txt', source: null, text })
    const placed = placeClaims({
      extraction,
      documentId,
      revision: 1,
      name: documentId,
      memory,
      glossary: { terms: {}, entities: {} },
      claimId: index => `${documentId}#${index}`,
    })
    memory = placed.memory
    const { claims } = placed
    result = reconcile({
      document: { ...memory.documents[documentId]!, documentId },
      claims,
      live: [...live],
      previousRevision: [],
      findings: [],
      memory,
    })
    live.push(...claims)
  })
  return result!
}

const TERMS = `  Insurer                        Tarn Mutual (100%)
  Period                         1 October 2031 - 30 September 2032
  Sub-limit, flooding            EUR 15,000,000
  Waiting period, stoppage       8 hours
`

describe('forms and tables', () => {
  it('reads two columns of labels and answers as a form, whatever stands in its first line', () => {
    const claims = read(`${head('Broker', '2031-05-01')}${TERMS}`)
    expect(valued(claims, 'EUR 15,000,000')?.attribute).toBe('Sub-limit, flooding')
  })

  it('names one column of values by its rows alone', () => {
    const table = `  Term                           Schedule
  ----------------------------   --------------
  Sub-limit, flooding            EUR 10,000,000
  Waiting period, stoppage       12 hours
`
    expect(terms(valued(read(`${head('Insurer', '2031-06-01')}${table}`), 'EUR 10,000,000'))).not.toContain('schedul')
    expect(last(`${head('Broker', '2031-05-01')}${TERMS}`, `${head('Insurer', '2031-06-01')}${table}`).contradictions).toHaveLength(2)
  })

  it.each([
    ['Preliminary', 'Final'],
    ['As presented', 'Restated'],
    ['Until 31 Dec 2031', 'From 1 Jan 2032'],
  ])('takes %s and %s as what was and what is', (older, newer) => {
    const table = `  Item                   ${older.padEnd(20)}${newer}
  --------------------   -----------------   -----------------
  Idle time              19 days             32 days
`
    const found = last(`${head('Surveyor', '2031-05-01')}Idle time before start: 19 days`, `${head('Surveyor', '2031-08-01')}${table}`)
    expect(found.supersessions.map(item => item.claimId.slice(0, 2))).toContain('d0')
  })

  it('reads the unit in the corner of a table or in its heading', () => {
    const corner = read(
      `${head('Seller', '2032-01-30')}  EUR million        FY2030     FY2031\n  -----------------  --------   --------\n  Grain sales        198.3      207.1\n`,
    )
    expect(valued(corner, '207.1')?.value).toMatchObject({ type: 'money', currency: 'EUR', low: 207_100_000 })
    const heading = read(
      `${head('Adviser', '2032-01-30')}7. DEBT-LIKE ITEMS (EUR million, 31 December 2031)\n\n   Pension gap              12.6\n   Unpaid tax                3.4\n`,
    )
    expect(valued(heading, '12.6')?.value).toMatchObject({ type: 'money', currency: 'EUR' })
  })

  it('cuts a cell that reaches the next one where the header says', () => {
    const table = (status: string) =>
      `  No.   Subject                          Status\n  1     Pump calibration                 CLOSED\n  2     Weld coverage                    ${status}\n  3     Records of all the four welders  OPEN\n  4     Records of the fifteen carpenter OPEN\n`
    const statuses = read(`${head('Inspector', '2032-01-30')}${table('OPEN')}`).filter(claim => claim.value.type === 'category')
    expect(statuses.map(claim => claim.attribute)).toContain('Weld coverage Status')
  })

  it('takes the higher of two numbered revisions for what is', () => {
    const table = `  Item                  Revision 3       Revision 4\n  -------------------   --------------   --------------\n  Approved budget       EUR 62.4M        EUR 68.9M\n`
    const found = last(`${head('Mill', '2032-01-30')}Total approved budget: EUR 62.4M`, `${head('Mill', '2032-04-30')}${table}`)
    expect(found.supersessions.map(item => item.claimId.slice(0, 2))).toContain('d0')
  })

  it('reads in what a document gives its figures', () => {
    const text = `MILL BANK PLC\nRISK PACK\nPrepared by: Risk\nDate: 2032-01-30\nFigures: EUR million unless stated, as at 31 December 2031\n\n1. LOANS\n\n  Loans to growers        2,310\n  Staff                   45\n`
    const claims = read(text)
    expect(valued(claims, '2,310')).toMatchObject({
      value: { type: 'money', currency: 'EUR', low: 2_310_000_000 },
      period: { from: '2031-12-31' },
    })
    expect(valued(claims, '45')?.value.type).toBe('quantity')
  })
})

describe('which figures meet', () => {
  const series = `  Metric             31 Dec 2031   30 Sep 2031
  ----------------   -----------   -----------
  Grain cover        168%          161%
`
  it('an earlier column is given to compare with', () => {
    const found = last(`${head('Risk', '2032-01-30')}${series}`, `${head('Treasury', '2032-02-07')}Grain cover: 154%`)
    const [one] = found.contradictions
    expect(found.contradictions).toHaveLength(1)
    expect(one?.reason).toContain('168%')
  })

  it('no figure of a later time meets an undated one', () => {
    const found = last(
      `${head('Risk', '2032-01-30')}Grain cover: 168%`,
      `${head('Treasury', '2032-07-07')}Grain cover at 30 June 2032: 149%`,
    )
    expect(found.contradictions).toHaveLength(0)
  })

  it('who only cites another document does not stand for its figure', () => {
    const found = (first: string) =>
      last(`${head('Risk', '2032-01-30')}${first}`, `${head('Treasury', '2032-03-07')}Grain cover ratio: 0.58`).contradictions
    expect(found('Supply remains strong with a grain cover ratio of 0.62.')).toHaveLength(1)
    expect(found('Supply remains strong (grain cover ratio 0.62, Document 07).')).toHaveLength(0)
  })

  it('a target holds until it is changed', () => {
    const at = (on: string, period: string, body: string) =>
      `NOTE\n\nPrepared by: Risk\nDate: ${on}\nReporting period: ${period}\n\nTARGETS\n\n${body}\n`
    const found = last(
      at('2032-01-30', 'Q4 2031', 'The target for grain cover is 130%.'),
      at('2032-07-30', 'Q2 2032', 'The target for grain cover is 135%.'),
    )
    expect(found.supersessions).toHaveLength(1)
  })
})

describe('what sentences name', () => {
  it.each([
    ['The authority calculates grain cover for 2031 at 99.87%.', '99.87%', ['grain', 'cover'], ['author']],
    ['The fund holds an inventory of 340 brass valves.', '340', ['brass', 'valv', 'inventor'], []],
    ['The ten largest millers account for 38% of the rent.', '38%', ['largest', 'mill'], ['rent']],
    ['According to our analysis 54 % of all idle minutes were caused by frost.', '54 %', ['idl', 'minut'], ['analysis']],
    ['The deduction will be in the order of EUR 900,000.', 'EUR 900,000', ['deduc'], ['ord']],
    ['The strength of the main beam (B-B) under steady load is 1.52.', '1.52', ['strength', 'beam', 'load'], []],
    ['The least depth in condition 9 is 2.0 m.', '2.0 m', ['depth'], []],
    ['Grain cover is expected to reach 14.6%.', '14.6%', ['grain', 'cover'], []],
    ['The fee held by the buyer is EUR 1.2M.', 'EUR 1.2M', ['fee'], ['buy']],
    ['The reported cover of 14.2% compares with a threshold of 9.77%.', '14.2%', ['cover'], ['compar']],
    ['The 30-day failure rate after welding in 2031 was 3.1%.', '3.1%', ['fail', 'weld'], []],
    ['Our estimate stands at EUR 7.8M of running standby costs a year.', 'EUR 7.8M', ['run', 'standb', 'cost'], ['estim']],
    ['In all 214 valves were replaced.', '214', ['valv', 'replac'], []],
  ])('%j', (sentence, value, wanted, unwanted) => {
    const named = terms(valued(read(head('Tester', '2032-03-01') + sentence), value))
    expect(named).toEqual(expect.arrayContaining(wanted))
    for (const term of unwanted) expect(named).not.toContain(term)
  })

  it('numbers nothing by a year', () => {
    const claims = read(`${head('Tester', '2032-03-01')}Claims 2031: 44\nClaim 7: EUR 90`)
    expect(String(valued(claims, '44')?.hints?.['marks'])).toBe('')
    expect(String(valued(claims, 'EUR 90')?.hints?.['marks'])).toBe('claim:7')
  })

  it('counts no days of a month', () => {
    const claims = read(`${head('Tester', '2032-03-01')}The provider raised 14 alerts between 12 and 28 February.`)
    expect(claims.filter(claim => 'low' in claim.value).map(claim => claim.valueText)).toEqual(['14'])
  })

  it.each([
    ['Leakage was 61.0 Ml/d.', 'megalitre/day'],
    ['We deposited 3.8 Mt of tailings.', 'megatonne'],
    ['The scar was 32mm wide.', 'mm'],
    ['The vial was kept at 9.4 degrees C.', '°C'],
  ])('%j has its unit', (sentence, unit) => {
    expect(read(head('Tester', '2032-03-01') + sentence).find(claim => 'low' in claim.value)?.unit).toBe(unit)
  })
})

describe('who writes about whom', () => {
  const report = (label: string) =>
    `TARN VALUERS LLP\nValuation report\n${label}\nPrepared by: A. Reader\nDate: 2032-02-01\n\nRESULTS\n\nOccupancy: 91.8%\n`

  it('the client, not the letterhead, is what a report is about', () => {
    expect(profile(report('Client: Quay Mills Ltd')).principalSubject).toBe('Quay Mills Ltd')
    expect(profile(report('Currency: EUR')).principalSubject).toBe('TARN VALUERS LLP')
  })

  it('a letter is from its first line, not from whom it is copied to', () => {
    const letter =
      'OFFICE OF MILL SAFETY (OMS)\nNorth branch\n\nQuay Mills Ltd\nHarbour Road\n\n21 July 2032\n\nDear Mr. Thorn,\n\nThe stack is 12 m high.\n\nYours sincerely\n\nF. Oyel\nDirector\n\ncc: Tarn Valuers LLP\n'
    expect(profile(letter).issuer).toBe('OFFICE OF MILL SAFETY')
  })

  it('a first word stands for a name only where it is no word of the text', () => {
    const text =
      'LEAD REPLACEMENT PROGRAMME\nStatus report\nPrepared by: Programme Office\nDate: 2032-02-01\n\nRESULTS\n\nAll pipes of lead were counted.\n\nLead pipes in stock: 23,400\n'
    const extraction = document(text)
    const { claims } = placeClaims({
      extraction,
      documentId: 'd',
      revision: 1,
      name: 'd',
      memory: emptyMemory(),
      glossary: { terms: {}, entities: {} },
      claimId: String,
    })
    expect(terms(valued(claims, '23,400'))).toContain('lead')
  })
})
