import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../../test/support/score-corpus.js'
import { why } from '../../../test/support/why.js'
import { extract } from '../document/extract.js'

const shown = (...texts: string[]): string[] =>
  analyseFolder(texts.map((text, at) => ({ name: `d${at + 1}`, text, type: 'txt' }))).findings.map(({ verdict }) => verdict)

describe('what nobody forgives to miss', () => {
  it.each([
    ['Material: stainless steel', 'Material: carbon steel'],
    ['Number of cartons: 420', 'Number of cartons: 402'],
    ['Treatment lasted eight weeks.', 'Treatment lasted twelve weeks in both groups.'],
    ['Accounts are locked after 5 failed attempts.', 'Accounts are locked after 10 failed attempts.'],
    ['Next inspection due: March 2025', 'Next inspection due: September 2025'],
    ['The date for completion is 30 June 2024.', 'The date for completion is 31 May 2024.'],
    ['Net debt at 31 March 2025: EUR 12.0M', 'Vela Ltd: net debt at 31 March 2025 was EUR 17.5M, not EUR 12.0M.'],
    ['Quality class: A', 'Quality class: B'],
    ['Allergies: none', 'Allergies: penicillin'],
    ['The pool holds 300 litres\nIt is cleaned weekly.', 'The pool holds 450 litres\nIt is cleaned weekly.'],
    ['Hi Jo,\n\nthe pool holds 300 litres.\n\nBest, Kim1', 'Hi Jo,\n\nthe pool holds 450 litres.\n\nBest, Kim2'],
    ['Statement of Ms Amis\nThe car that met the tram was red.', 'Statement of Mr Orr\nThe car that met the tram was white.'],
    ['Chlorine | mg/l | 0.4\nIron | mg/l | 0.1', 'Chlorine | mg/l | 0.9\nIron | mg/l | 0.1'],
    ['| Pump | Open grave faults |\n| P-03 | 0 |\n| P-04 | 1 |', 'Pump P-03 still had four open grave faults.'],
    ['Colour of the hull | blue\nSails | two', 'Colour of the hull | grey\nSails | two'],
    ['Parking is included in the rent.', 'Parking is not included in the rent.'],
    ['The trip to the island takes 40 min.', 'The trip to the island takes 55 minutes.'],
    ['La piscina del hotel abre los domingos.', 'La piscina del hotel nunca abre los domingos.'],
    ['Invoice total: EUR 310\nTerms: net', 'Invoice total: EUR 130\nTerms: net'],
    ['0800 sailing Tue\nadults 131\ncars 40\ndogs 3', '0800 sailing Tue\nadults 131\ncars 46\nwind W 4'],
    ['survey of the pit\nalt 80 m\npilot Arno', 'survey of the pit\nalt 80 m\npilot Arne'],
    ['soles: leather\nheels: rubber', 'soles: leather\nheels: leather'],
  ])('%s / %s', (a, b) => {
    expect(shown(a, b)).toEqual(['contradiction'])
    expect(shown(b, a)).toEqual(['contradiction'])
  })

  it.each([
    ['Lease file', 'Letter of the landlord'],
    ['Note of d1', 'Note of d2'],
  ])('is seen under two letterheads: %s / %s', (one, two) => {
    expect(shown(`${one}\n\nThe rent is EUR 1,200 a month.`, `${two}\n\nThe rent is EUR 1,450 a month.`)).toEqual(['contradiction'])
  })

  it('is seen in the papers of two houses that say who issued them', () => {
    const paper = (issuer: string, revenue: string): string =>
      `${issuer}\nNote on Aurelia Holding\nIssued by: ${issuer}\n\n## Key figures FY2025 of Aurelia Holding\n\nRevenue: EUR ${revenue}M\n`
    expect(shown(paper('Bank Nord', '41.2'), paper('Brandt Audit', '33.9'))).toEqual(['contradiction'])
  })

  it.each([
    ['The shear strength of the clay at the toe is 38 kPa.', 'The shear strength of the clay at the toe is 55 kPa.', ['contradiction']],
    ['The insurance policy expires on 30 September 2025.', 'The insurance policy expires on 31 March 2025.', ['contradiction']],
    [
      'On 31 March 2024 there were 236 vans on hire in the west.',
      'On 31 March 2024 there were 229 vans on hire in the west.',
      ['contradiction'],
    ],
    ['On 31 March 2024 there were 236 vans on hire in the west.', 'On 30 June 2024 there were 229 vans on hire in the west.', []],
    ['Spare staff are not offered to them.', 'Eight spare staff are offered to them.', []],
  ])('is seen word for word in documents of many things, and not of two times: %s / %s', (a, b, expected) => {
    const long = (own: string, what: string): string =>
      `${what}\n\n${Array.from({ length: 70 }, (_, at) => `Item ${what[0]}${at} of the ${what} was noted by hand.`).join('\n\n')}\n\n${own}\n`
    expect(shown(long(a, 'survey'), long(b, 'memo'))).toEqual(expected)
    expect(shown(long(b, 'memo'), long(a, 'survey'))).toEqual(expected)
  })

  it('is not seen where one house tells in each of its papers when somebody came', () => {
    const report = (no: number, month: string, day: string): string =>
      `Harbour Works Ltd\nSite report ${no}\nIssued by: Harbour Works Ltd\nDate: 28 ${month} 2023\n\n${Array.from({ length: 70 }, (_, at) => `Bay ${no}${at} was swept by hand.`).join('\n\n')}\n\nThe piling foreman visited the quay on ${day} ${month} 2023.\n`
    expect(shown(report(1, 'January', '12'), report(2, 'February', '20'))).toEqual([])
  })

  it.each([
    ['The fee is CHF 640.', 'The fee is CHF 460.'],
    ['The operation was on 12 July 2023.', 'The operation was on 21 July 2023.'],
    ['The stopcock is in the garage.', 'The stopcock is in the cellar.'],
    ['The total is EUR 640. Please tell us if this is wrong.', 'The total is EUR 460.'],
  ])('is seen in sentences of few words, all of them the same but the value: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual(['contradiction'])
    expect(shown(b, a)).toEqual(['contradiction'])
  })

  it.each([
    ['The keeper thanked the visitors.', 'The keeper thanked the guides.'],
    ['0936 stop', '0941 stop'],
    ['The house was old.', 'The house was white.'],
    ['The child had a fever.', 'The child had a rash.'],
    ['Watered on 3 May 2024.', 'Watered on 5 May 2024.'],
    ['Paid EUR 40.', 'Paid EUR 60.'],
    ['The boiler is in the kitchen. The boiler is in the hall.', 'Nothing else.'],
    ['Guests 12', '14 guests'],
  ])('is not seen where both may be so, or two things are asked, done or counted: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual([])
    expect(shown(b, a)).toEqual([])
  })

  it('is found by a word that stands in every line, whichever document came first', () => {
    const lines = Array.from({ length: 43 }, (_, at) => `Patient ate meal ${String.fromCharCode(97 + (at % 26))}${at} well.`)
    const diary = [...lines, 'Patient weight, evening: 61 kg'].join('\n')
    const unsure = (...texts: string[]): number =>
      analyseFolder(texts.map((text, at) => ({ name: `d${at}`, text, type: 'txt' }))).unsure.length
    expect([unsure(diary, 'Patient weight 68 kg.'), unsure('Patient weight 68 kg.', diary)]).toEqual([1, 1])
  })

  it('is not told of the day that a label above gives', () => {
    const card = (leave: number, day: number): string =>
      `Employee: Devon Lacey\nStart date: ${day} August 2020\nAnnual leave: ${leave} days\n`
    expect(shown(card(26, 1), `Payroll card\n${card(28, 17)}`)).toEqual(['contradiction', 'contradiction'])
    const sampled = (month: string, nitrate: number): string => `Sampling date: 3 ${month} 2024\nNitrate: ${nitrate} mg/l\n`
    expect(shown(sampled('May', 41), sampled('June', 48)).length).toBeLessThan(2)
  })

  it.each([
    'Bed 3 - hip replacement, day 2',
    'Boiler replacement quote',
    'Physics revision list',
    'Soil amendment log',
    'Dr Hale replaces Dr Osei',
  ])('is not taken for a correction because something is replaced or revised in it: %s', head => {
    expect(shown('Chart\nWeight on arrival: 61 kg\n', `${head}\nWeight on arrival: 68 kg\n`)).toEqual(['contradiction'])
  })

  it('is not seen between figures of two measures under one label', () => {
    expect(shown('Velomab trial: 3.5 months median', 'Velomab trial: 3.2% grade three harm')).toEqual([])
  })

  it('is seen within one document', () => {
    expect(shown('Project Falcon: revenue EUR 5M in 2024.\nProject Falcon: revenue EUR 9M in 2024.')).toEqual(['contradiction'])
  })

  it('is seen where a line below the first answers gives a year', () => {
    const head = (title: string): string => `${title}\nApplicant: Kestrel Joinery Ltd\n`
    expect(
      shown(
        `${head('LOAN APPLICATION')}Loan amount requested: £125,000\nCompany established in 2009\n`,
        `${head('Committee paper')}Loan amount requested: £152,000\nCompany was established in 2014\n`,
      ),
    ).toEqual(['contradiction', 'contradiction'])
  })

  it.each([
    ['Performance over 1 year: +11.2%', 'Performance over 3 years: +24.9%'],
    ['06:10 UTC  pump started by hand', '06:40 UTC  valve closed by hand'],
    ['Zinc | mg/l | 0.002\nIron | mg/l | 1', 'Zinc | µg/l | 2\nIron | mg/l | 1'],
  ])('is not seen between two times: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual([])
  })

  it.each([['Stock list 3 May 2024\nDark rye | 10 sacks\nMalt | 3 pails', 'Stock list 10 May 2024\nDark rye | 12 sacks\nMalt | 4 pails']])(
    'is not seen between lists of two days: %s / %s',
    (a, b) => {
      expect(shown(a, b)).toEqual([])
      expect(shown(b, a)).toEqual([])
    },
  )

  it('is seen in the labels of two letters, whoever wrote them', () => {
    const rent = (who: string, sum: string): string => `Letter of the ${who}\nMonthly rent: EUR ${sum}\nDeposit: EUR 1,800`
    expect(shown(rent('landlord', '900'), rent('tenant', '950'))).toEqual(['contradiction'])
  })

  it.each([
    ['Dose: 2 x 500 mg', 'Dose: 1.5 g'],
    ['One in 20 of the Orel lamps failed.', 'One in 10 of the Orel lamps failed.'],
    ['Deductible of the policy: USD 25,000, see endorsement 2', 'Deductible of the policy: USD 50,000'],
  ])('is seen beside a count: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual(['contradiction'])
  })

  it('is not seen in what somebody says in the course of an interview', () => {
    const interview =
      'Q: and before this?\nAUNE: a shed. tin.\nQ: in charge at that time?\nAUNE: yes.\nQ: the roof?\nAUNE: larch. everyone asks'
    expect(shown(interview)).toEqual([])
    expect(shown(interview, 'Q: the walls?\nAUNE: brick\n')).toEqual([])
    expect(shown('Q: I keep mistyping my password, what happens?', 'Q: And the technical service accounts?')).toEqual([])
    expect(shown('TOM: blue.\nANN: why?\nTOM: a red one.')).toEqual([])
  })

  it.each([
    ['Fuel remaining on board at noon: 412 t', 'Fuel left on board at noon: 368 t'],
    ['Keys handed to the tenant: 3', 'Keys given to the tenant: 2'],
    ['Ms Iqbal and Mr Low will drive the bus.', 'The bus will be driven by Ms Iqbal and Mr Hahn.'],
    ['Steel grade of the frame was S235/1.', 'The steel used for the frame was of grade S355/2.'],
    ['Roof beams: larch, span 4 m', 'The roof beams are of young oak, span 4 m.'],
  ])('is possible in nearly the same words: %s / %s', (a, b) => {
    const folder = [a, b].map((text, at) => ({ name: `d${at + 1}`, text, type: 'txt' }))
    expect(analyseFolder(folder)).toMatchObject({ findings: [], unsure: [{}] })
  })

  it.each([
    ['The contract sum of Harbour Tower is EUR 4.2M.', 'The site manager of Harbour Tower is Anna Weber.'],
    ['Consumption of meter M-1000: 40.0 kWh', 'Consumption of meter M-1001: 41.1 kWh'],
    ['Certificate no.: 88-4410', 'Certificate: 3.1 for every heat'],
    ['Given name: Jürgen José', 'Given name: JUERGEN JOSE'],
    ['Oil in the tank before: 1,900 l', 'Oil in the tank after: 1,805 l'],
  ])('is not even possible between two things told of what both name: %s / %s', (...folder) => {
    expect(analyseFolder(folder.map((text, at) => ({ name: `d${at + 1}`, text, type: 'txt' })))).toMatchObject({ findings: [], unsure: [] })
  })

  it.each([
    ['Turbine inspection\n\nBlade A has a crack of 12 mm at the root.', 'Turbine inspection\n\nBlade B has a crack of 30 mm at the root.'],
    ['Defect in blade A: crack of 12 mm', 'Defect in blade B: crack of 30 mm'],
  ])('is not seen between parts that a letter names: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual([])
  })

  it('is seen between rows of a table only where all their key cells are equal', () => {
    const rows = (...amounts: string[]): string =>
      ['branch,day,amount', ...amounts.map((amount, at) => `North branch,2025-03-0${at + 4},${amount}`)].join('\n')
    expect(shown(rows('4275.00', '3180.00', '92.50'))).toEqual([])
    expect(shown(rows('4275.00', '3180.00', '92.50'), rows('4275.00', '3180.00', '92.50'))).toEqual([])
    expect(shown(rows('4275.00', '3180.00', '92.50'), rows('4275.00', '3810.00', '92.50'))).toEqual(['contradiction'])
    const log = (level: string): string => `time,tank,level\n08:00,main,0.6\n14:00,main,${level}\nVisitors on 2 August: 412\n`
    expect(shown(log('0.4'))).toEqual([])
    expect(shown(log('0.4'), log('0.5'))).toEqual(['contradiction'])
    expect(shown(log('0.4'), 'Visitors on 2 August: 512')).toEqual(['contradiction'])
  })

  it.each([
    ['W-18 plate count: 19 CFU/ml', 'pH: 7.2'],
    ['Item 10: hex bolt, stainless, 2,400 pcs', 'Item 10 is invoiced at EUR 84.00.'],
    ['Cost of the Bridge Street scheme: £310,000', 'The county pays £120,000 towards the cost of the Bridge Street scheme.'],
    ['Rent per month: EUR 1,200, heating not included', 'With heating the rent per month is EUR 1,385.'],
    ['Body mass index: not above 35', 'Body mass index: 31.2'],
    ['Load on the beam: not below 12 kN', 'Load on the beam: 14 kN'],
    ['File server, nightly backup: starts at 01:30', 'Backups of the file server: daily'],
  ])('is not seen between two measures, a share and a whole, with and without, a bound and what keeps it: %s / %s', (a, b) => {
    expect(shown(a, b)).toEqual([])
    expect(shown(b, a)).toEqual([])
  })

  it('is looked for without meeting every line of a monotonous log with every other', () => {
    const log = Array.from({ length: 1_900 }, (_, at) => `Nothing of note befell watch ${at % 7} aboard the vessel that day.`)
    expect(shown(log.join('\n\n'), `${log.join('\n\n')}\n\nThe vessel sailed.`)).toEqual([])
  })
})

describe('what is shown of a finding', () => {
  it.each([
    ['An electrician will see to the lamp in stair B this week.', 'stair B'],
    ['Seller: 7', ''],
    ['Mash in at 67 C.', ''],
    ['Notes on Lumora Analytics\n\nIncidents are told within 24 hours.', 'Lumora Analytics'],
    ['The value of the works is EUR 7.4 million excluding VAT.', ''],
    ['The control is rated NEEDS IMPROVEMENT.', ''],
    ['The inspection of Turbine 12 has been completed.', 'Turbine 12'],
    ['STAFF\n\nTwo posts have been filled.\n\nOne is vacant now.', 'Staff'],
    ['INTER-COMPANY SALES\n\nThe sum has been paid.\n\nIt was 5 euros.', 'Inter-company sales'],
    ['KEY OUTCOMES\n\nThe waiver fee has been paid.\n\nIt was 5 euros.', 'Key outcomes'],
  ])('names a subject as a person would: %s', (text, subject) => {
    const { claims } = extract({ documentId: 'd', revision: 1, name: 'd', type: 'txt', source: null, text })
    expect(claims[0]?.subject ?? '').toBe(subject)
  })

  it.each([
    ['The estimated value of the contract is EUR 7.4 million.', 'estimated value of the contract'],
    ['Our coach leaves from the school gate at 7:45 am.', 'coach leaves from the school gate'],
    ['Enoxaparin 40 mg once daily, for 35 days.', 'Enoxaparin'],
  ])('names what is asked as a person would: %s', (text, attribute) => {
    const { claims } = extract({ documentId: 'd', revision: 1, name: 'd', type: 'txt', source: null, text })
    expect(claims[0]?.attribute).toBe(attribute)
  })

  it('reads a figure whole behind a day', () => {
    const { claims } = extract({
      documentId: 'd',
      revision: 1,
      name: 'd',
      type: 'txt',
      source: null,
      text: 'North branch,2025-03-04,4275.00 paid',
    })
    expect(claims[0]?.valueText).toBe('4275.00')
  })

  it('says what differs on both sides', () => {
    const pairs = [
      ['The alarm was not tested.', 'The alarm was tested.'],
      ['Alarm tested: no', 'Alarm tested: yes'],
      ['Allergies: none', 'Allergies: penicillin'],
    ]
    for (const texts of pairs) {
      const { findings, unsure } = analyseFolder(texts.map((text, at) => ({ name: `d${at}`, text, type: 'txt' })))
      for (const { reason } of [...findings, ...unsure]) expect(reason).toMatch(/: \S[^/]* \/ \S.*\. Both speak of \S/)
      expect(findings.length + unsure.length).toBeGreaterThan(0)
    }
  })
})

describe('two documents in either order', () => {
  const words = [
    'harbour',
    'crane',
    'north',
    'lease',
    'rent',
    'monthly',
    'Corran',
    'pier',
    'office',
    'staff',
    'fuel',
    'steel',
    'paint',
    'survey',
    'tide',
  ]
  const word = fc.constantFrom(...words)
  const value = fc.constantFrom('12', '15', 'EUR 400', 'EUR 450', '3 May 2024', '9 May 2024', 'green', 'red', 'not used')
  const label = fc.tuple(word, value).map(([asked, said]) => `${asked}: ${said}`)
  const more = fc.array(label, { maxLength: 2 })
  // One statement of many words and one of a few of them, as a sentence or a label, each beside others.
  const pair = fc
    .uniqueArray(word, { minLength: 8, maxLength: 15 })
    .chain(many =>
      fc.tuple(fc.constant(many), fc.shuffledSubarray(many, { minLength: 1, maxLength: 4 }), value, value, more, more, fc.boolean()),
    )
    .map(([many, few, one, two, before, behind, isLabel]) => [
      [...before, `The ${many.join(' ')} was ${one}.`].join('\n'),
      [isLabel ? `${few.join(' ')}: ${two}` : `The ${few.join(' ')} was ${two}.`, ...behind].join('\n'),
    ])

  it('leave the same contradictions and the same possible conflicts', () => {
    const said = (folder: { name: string; text: string }[]) => {
      const { findings, unsure } = analyseFolder(folder)
      const place = (sides: { doc: string; start: number }[]) => sides.map(({ doc, start }) => `${doc} ${start}`).sort()
      return [...findings, ...unsure]
        .map(({ verdict, label, a, b, reason }) => [verdict, label, place(a), place(b), reason].join('|'))
        .sort()
    }
    fc.assert(
      fc.property(pair, texts => {
        const folder = texts.map((text, at) => ({ name: `${at}.txt`, text }))
        expect(said([...folder].reverse())).toEqual(said(folder))
      }),
      { numRuns: 60, seed: 33 },
    )
  })
})

describe('what decided on two statements', () => {
  it.each([
    ['Number of cartons: 420', 'Number of cartons: 402', 'contradicts', 'the same words, another value'],
    ['Rent of Unit 4: EUR 900', 'Rent of Unit 5: EUR 950', null, 'another number'],
    ['The gross weight of the crate is 40 kg.', 'The net weight of the crate is 38 kg.', null, 'one word against its opposite'],
    ['Attendance on 3 May 2024: 120', 'Attendance on 4 May 2024: 140', null, 'another time'],
    ['The planned price of the hall roof is EUR 9,000.', 'The price of the hall roof is EUR 9,500.', 'possible', 'meant otherwise'],
    ['Rent per month: EUR 900', 'Rent per month: EUR 900', null, 'nothing surely differs'],
  ])('is named: %s / %s', (a, b, kind, because) => {
    expect(why(a, b)).toMatchObject([{ kind, because }])
  })
})
