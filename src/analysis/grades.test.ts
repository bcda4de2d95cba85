/** Values of a scale in sentences, labels and tables, and what two documents that grade one thing are to each other. */
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../test/support/score-corpus.js'
import { extract } from './extract.js'
import { gradesIn } from './grades.js'

const said = (text: string): string[] =>
  gradesIn(text).map(
    ({ name, found, prior, denied, disputes }) =>
      `${name}: ${found.value}${prior ? `, was ${prior}` : ''}${denied ? ', denied' : ''}${disputes ? ', disputed' : ''}`,
  )

describe('graded values in sentences', () => {
  it.each([
    ['The agency rates the slide risk of the quarry as HIGH.', ['the slide risk of the quarry: high']],
    ['The slide risk of the quarry is assessed as low.', ['The slide risk of the quarry: low']],
    ['The level of harm is severe.', ['The level of harm: critical']],
    ['The second leak has high priority.', ['The second leak priority: high']],
    ['The rating is raised from LOW to MEDIUM.', ['The rating: medium, was low']],
    ['Orvane lowered the flood rating from HIGH to MEDIUM in May.', ['the flood rating: medium, was high']],
    ['The trustee has moved the loan from WATCHLIST back to PERFORMING.', ['the loan: performing, was watchlist']],
    ['The works status should have been reported as RED.', ['The works status: red, disputed']],
    ['The status should be RED, not GREEN.', ['The status: red, was green, disputed']],
    ['The hazard category of the tip has been changed by us to *Very High*.', ['The hazard category of the tip: very high']],
    ['The records do not support a Grade A classification.', ['classification: grade a, denied, disputed']],
    ['The LOW rating cannot be maintained.', ['rating: low, denied, disputed']],
    [
      'Corda affirmed the rating at BBB- and revised the outlook from NEGATIVE to STABLE.',
      ['the rating: BBB-', 'the outlook: stable, was negative'],
    ],
    ['Corda downgraded Pellwyn to A2 (from Aa3), stable outlook.', ['Pellwyn: A2, was Aa3', 'Pellwyn outlook: stable']],
    ['The pump is classified as Class III.', ['The pump: class iii']],
    ['We consider the deviation to be minor.', ['the deviation: minor']],
    ['We rate the berth controls as unsatisfactory.', ['the berth controls: inadequate']],
    ['The alert level was raised to RED.', ['The alert level: red']],
    ['We treat the delay as a minor breach.', ['the delay breach: minor']],
  ])('%j', (text, wanted) => {
    expect(said(text)).toEqual(wanted)
  })

  it.each([
    'The water level is low in summer.',
    'Pressure was high on 3 May.',
    'A positive test was found in the critical area.',
    'The results had a high impact on cost.',
    'The rating would be lowered to MEDIUM if the seal fails.',
  ])('none in %j', text => {
    expect(said(text)).toEqual([])
  })

  it('stay linear on long runs', () => {
    const started = process.cpuUsage().user
    for (const run of ['rated high risk '.repeat(4_000), 'from LOW to '.repeat(6_000), `the rating is ${'a '.repeat(30_000)}high`])
      gradesIn(run)
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000)
  })
})

const head = (issuer: string, date: string): string =>
  `Report on Brackwater Terminal\n\nPrepared by: ${issuer}\nDate: ${date}\n\n1. Findings\n\n`

function verdicts(first: string, second: string, issuers: [string, string] = ['Halden Survey', 'Corvin Partners']): string[] {
  const result = analyseFolder([
    { name: '1.txt', text: head(issuers[0], '2025-03-01') + first },
    { name: '2.txt', text: head(issuers[1], '2025-04-10') + second },
  ])
  return [...new Set(result.findings.map(finding => finding.verdict))]
}

describe('one thing graded twice', () => {
  it.each([
    ['The slide risk of the quay is assessed as LOW.', 'Our inspectors rate the slide risk of the quay as HIGH.'],
    ['Pump classification: Class IIa', 'The pump is classified as Class III.'],
    ['We consider the mooring deviation to be minor.', 'The mooring deviation is classified as critical.'],
    ['Overall status: GREEN', 'In our view the programme status should have been reported as RED.'],
    ['Silt record classification: Grade A', 'The samples do not support a Grade A classification.'],
  ])('%j contradicts %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['contradiction'])
  })

  it.each([
    ['The slide risk of the quay is assessed as LOW.', 'Corvin raised the slide risk rating from LOW to MEDIUM.'],
    ['Outlook: STABLE', 'Outlook: NEGATIVE (previously STABLE)'],
    ['Credit rating: BBB, outlook stable', 'Long-term issuer rating: BBB- (downgraded from BBB)'],
    ['Standing of the facility: WATCHLIST', 'The agent has moved the facility from WATCHLIST back to PERFORMING.'],
  ])('%j is replaced by %j', (first, second) => {
    expect(verdicts(first, second)).toEqual(['supersession'])
  })

  it('takes a bare rating for that of its heading', () => {
    const first = 'Our inspectors rate the slide risk of the quay as HIGH.'
    expect(verdicts(first, '2. Slide risk of the quay\n\nThe rating is raised from LOW to MEDIUM.\n')).toEqual(['contradiction'])
  })

  it.each([
    ['The slide risk of the quay is assessed as LOW.', 'Our inspectors rate the fire risk of the store as HIGH.'],
    ['The berth control was assessed as effective.', 'The berth control was assessed as ineffective in 2019.'],
    ['Fire risk, hall 1: HIGH', 'Fire risk, hall 2: LOW'],
    ['The berth risk was assessed as high in 2019.', 'The berth risk is assessed as low.'],
    ['The likelihood of a slide is rated as LOW.', 'The impact of a slide is rated as HIGH.'],
    ['Corda revised the outlook of Pellwyn from NEGATIVE to STABLE.', 'Ashby revised the outlook of Pellwyn from STABLE to NEGATIVE.'],
  ])('%j and %j go together', (first, second) => {
    expect(verdicts(first, second)).toEqual([])
  })
})

describe('graded values in tables', () => {
  const text = `REPORT\n\nDate: 2025-03-01\n\n1. FIGURES\n\n                                    Restated      Previously
Dredged volume, all basins:         61.0 kt       58.4 kt
E. coli counts at berth:            1             0
Dredging at berth 4 by 31 March 25: 12            14
Survey data classification:         Grade B       Grade A\n`
  const claims = extract({ documentId: 'a', revision: 1, name: 'a.txt', type: 'txt', source: null, text }).claims

  it('keep the columns of a row with a long label or one that begins like a numbered item', () => {
    const versions = claims
      .filter(({ value }) => 'low' in value)
      .map(({ valueText, hints }) => `${valueText} ${String(hints?.['version'])}`)
    expect(versions).toEqual(['61.0 kt new', '58.4 kt old', '1 new', '0 old', '12 new', '14 old'])
  })

  it('cite the value of the old column', () => {
    const grade = claims.find(({ valueText }) => valueText === 'grade b')
    expect(grade?.hints).toMatchObject({ version: 'new', priorGrade: 'grade a' })
  })
})
