import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { analyseFolder } from '../../../test/support/score-corpus.js'

import { extract } from '../document/extract.js'

const shown = (a: string, b: string) =>
  analyseFolder([
    { name: 'a.txt', text: a },
    { name: 'b.txt', text: b },
  ]).findings.map(finding => finding.verdict)

describe('a document that takes the place of another', () => {
  const first = '# Corran Harbour\n\n**Dredging, first findings**\nHarbour office, 12 May 2021\n\nWe found 18 buoys in the Corran channel.'
  const second = (replaced: string) =>
    `# Closing report on the Corran dredging\n\nPilots' board\n3 July 2021\n\n${replaced}\n\nWe found 11 buoys in the Corran channel.`

  it('may name it by the day on which it was issued', () => {
    expect(shown(first, second('This report supersedes the first findings of 12 May 2021.'))).toEqual(['supersession'])
    expect(shown(first, second('Replaces the return sent in on 12 May 2021.'))).toEqual(['supersession'])
  })

  it('is named in the reason, with what it says it replaces', () => {
    const texts = [first, second('This report supersedes the first findings of 12 May 2021.')]
    const [finding] = analyseFolder(texts.map((text, at) => ({ name: `${at}.txt`, text }))).findings
    expect(finding?.reason).toMatch(/^“Closing report on the Corran dredging” says that it replaces “.*first findings of 12 May 2021”\.$/)
  })

  it('leaves another paper of that day alone', () => {
    const minutes = first.replace('Dredging, first findings', 'Minutes of the harbour board')
    expect(shown(minutes, second('This report supersedes the first findings of 12 May 2021.'))).toEqual(['contradiction'])
  })

  it('leaves one of another day alone', () => {
    expect(shown(first, second('This report supersedes the first findings of 9 April 2021.'))).toEqual(['contradiction'])
  })
})

describe('an early figure', () => {
  const paper = (title: string, day: string, text: string) =>
    `# ${title}\n\nHarbour office, ${day}\n\n${text}\n\nWe found %n buoys in the Corran channel.`
  const early = paper('Preliminary report on the Corran dredging', '12 May 2021', '').replace('%n', '18')

  it('is replaced by that of the report which takes its place', () => {
    const final = paper('Report on the Corran dredging', '3 July 2021', 'This report supersedes the preliminary report of 12 May 2021.')
    expect(shown(early, final.replace('%n', '11'))).toEqual(['supersession'])
  })
})

describe('a figure that the other document gives too', () => {
  // Documents of more than ten claims, in which figures compete.
  const paper = (issuer: string, day: string, text: string) => {
    const rest = Array.from({ length: 12 }, (_, at) => `Pier ${issuer}-${at} has ${at + 20} lamps and was painted by crew ${issuer}${at}.`)
    return `# Harbour notes\n\nIssuer: ${issuer}\nDate: ${day}\n\n${text}\n\n${rest.join('\n\n')}`
  }
  const papers = (before: string, after: string) =>
    [paper('Orel Board', '4 May 2021', before), paper('Tarn Audit', '9 July 2021', after)] as const

  it('is replaced where it is given as what was before, and the reason says so', () => {
    const texts = papers('The dredging budget is EUR 48,000.', 'The dredging budget was raised from EUR 48,000 to EUR 61,500.')
    expect(shown(...texts)).toEqual(['supersession'])
    const [finding] = analyseFolder(texts.map((text, at) => ({ name: `${at}.txt`, text }))).findings
    expect(finding?.reason).toBe('“Harbour notes” gives EUR 48,000 as what was before.')
  })

  it('is contradicted where it is denied', () => {
    const texts = papers(
      'The power failure at the sluice lasted 31 hours.',
      'The power failure at the sluice lasted 6 hours, not 31 hours.',
    )
    expect(shown(...texts)).toEqual(['contradiction'])
  })

  it('stands where it is said to be of another time', () => {
    const texts = papers(
      'The ferry Orla carried 5,210 cars in 2019.',
      'Cars carried by the ferry Orla rose from 5,210 in 2019 to 6,140 in 2020.',
    )
    expect(shown(...texts)).toEqual([])
  })
})

describe('documents about two of a kind', () => {
  const order = (number: string, deposit: string) => `# Order ${number}\n\nHarbour office, 12 May 2021\n\nSecurity deposit: EUR ${deposit}`

  it('say nothing of each other', () => {
    expect(shown(order('K-118', '4,500'), order('K-119', '6,200'))).toEqual([])
  })

  it('are held against each other where a statement of the one names the other', () => {
    const both = `${order('K-119', '6,200')}\n\nThe crane of order K-118 was delivered on 3 May 2021.`
    const late = `${order('K-118', '4,500')}\n\nThe crane of order K-118 was delivered on 9 June 2021.`
    expect(shown(late, both)).toEqual(['contradiction'])
    expect(shown(both, late)).toEqual(['contradiction'])
  })
})

describe('two short documents', () => {
  it.each([
    ['a figure', 'The ferry Orla carried 5,210 cars in 2021.', 'The ferry Orla carried 4,870 cars in 2021.'],
    ['a sum behind a label', 'Order K-118\nSecurity deposit: EUR 4,500', 'Order K-118\nSecurity deposit: EUR 6,200'],
    ['none against some', 'No leaks were found in boiler B-4 on 3 May 2021.', 'Three leaks were found in boiler B-4 on 3 May 2021.'],
    ['a day', 'The Hartnell licence was granted on 4 June 2020.', 'The Hartnell licence was granted on 14 July 2020.'],
    ['who did it', 'The Corran survey was approved by Ida Voss.', 'The Corran survey was approved by Per Lund.'],
    ['a share in words', 'Half of the Larkin orders were late in 2020.', 'A quarter of the Larkin orders were late in 2020.'],
    [
      'a limit that was kept and was not',
      'The oven in hall 6 never rose above 240 °C on 4 May 2021.',
      'On 4 May 2021 the oven in hall 6 reached 310 °C.',
    ],
    [
      'a time as it is said',
      'The Corran ferry left at a quarter past six in the evening of 3 May 2021.',
      'On 3 May 2021 the Corran ferry left at 19:40.',
    ],
    [
      'a label and a sentence',
      'Board meeting, 7 June 2021\nVenue: Ahlen Hall\nOpened: 10:15',
      'The board meeting of 7 June 2021 opened at 9.00 am in Ahlen Hall.',
    ],
    [
      'a thing that is and is not there',
      'Cabin 4 at Elm Point has no stove.',
      'In cabin 4 at Elm Point guests cook on a stove of cast iron.',
    ],
    [
      'a grade',
      'Risk survey of the Tarn depot, 2 May 2022\nRisk category: high',
      'On 2 May 2022 the Tarn depot was placed in the low-risk category.',
    ],
    [
      'a rule',
      'Guests of the Corran tower are let in by groups of no more than ten.',
      'Guests of the Corran tower are let in by groups of no more than thirty.',
    ],
    ['where it was', 'The Orel dinner of 3 May 2021 was held in the boathouse.', 'On 3 May 2021 the Orel dinner was held in the chapel.'],
    ['a figure of what the case is about', 'Turnover for FY2024 was EUR 8.1 million.', 'Turnover for FY2024 was EUR 9.4 million.'],
    ['who holds a post', 'Ida Voss was treasurer of the Corran club in 2020.', 'Hanna Lund was treasurer of the Corran club in 2020.'],
    ['the answer to a label', 'Crane K-7, 3 May 2021\nBrake state: worn', 'Crane K-7, 3 May 2021\nBrake state: renewed'],
    ['what it is', 'The Corran parcel K-118 is registered as farm land.', 'The Corran parcel K-118 is registered as forest.'],
    ['a span of time', 'The Ahlen lease K-118 runs for two years.', 'The Ahlen lease K-118 runs for eighteen months.'],
    [
      'a day of what has a number in its title',
      'The "Nine Lanterns" premiere was on 3 May 2021.',
      'The "Nine Lanterns" premiere was on 7 June 2021.',
    ],
    ['the next whole number', 'The Corran jury has six members.', 'The Corran jury has seven members.'],
    ['an opposite word', 'On 8 May 2022 the Mere Lane gate was open.', 'On 8 May 2022 the Mere Lane gate was closed.'],
    [
      'what one verb says',
      'All the drain pipes in the west cellar are clay and were laid in 1971.',
      'All the drain pipes in the west cellar are cast iron and were laid in 1971.',
    ],
    [
      'how often',
      'The boat shed behind the mill is painted twice a year by the rowing club.',
      'The boat shed behind the mill is painted once a year by the rowing club.',
    ],
    [
      'the colour of the same thing',
      'Crates released for sale carry a red seal on the lid.',
      'Crates released for sale carry a blue seal on the lid.',
    ],
    [
      'a code',
      'The cabinet with the spare fuses is marked C-04 and stands in the hall.',
      'The cabinet with the spare fuses is marked C-09 and stands in the hall.',
    ],
    [
      'what one alone can be',
      'Ms Halloran is duty officer of 9C for the whole of this term.',
      'Mr Petersen is duty officer of 9C for the whole of this term.',
    ],
  ])('contradict each other in %s', (_, a, b) => {
    expect(shown(a, b)).toEqual(['contradiction'])
    expect(shown(b, a)).toEqual(['contradiction'])
  })

  it.each([
    ['another site', 'The Paris office has 40 employees.', 'The London office has 25 employees.'],
    ['another measure', 'At noon the water temperature was 14 °C.', 'At noon the air temperature was 22 °C.'],
    ['another year', 'The ferry Orla carried 5,210 cars in 2020.', 'The ferry Orla carried 4,870 cars in 2021.'],
    ['a target', 'The target for new members of Club Tarn is 90.', 'Club Tarn has 73 new members.'],
    ['a part', 'The Orla carried 640 containers in May 2021.', 'The Orla carried 45 refrigerated containers in May 2021.'],
    ['a rate', 'A licence for Quill costs EUR 12 per user.', 'A licence for Quill costs EUR 600 in all.'],
    ['another unit of the same', 'The Bergen crate weighs 1.5 t.', 'The Bergen crate weighs 1,500 kg.'],
    ['a rounded figure', 'The town of Amsel has 30,962 residents.', 'The town of Amsel has about 31,000 residents.'],
    ['another in a row', 'The first hearing of the Pell case lasted 20 minutes.', 'The second hearing of the Pell case lasted 3 hours.'],
    ['another number of its kind', 'Van XK-19 ran 48,300 miles.', 'Van XK-20 ran 61,750 miles.'],
    ['what would have been', 'Had the alarm been on, Orel would have paid $60,000.', 'The alarm was off; Orel paid $20,000.'],
    ['a denial of something else', 'The Orla left Corran on 3 May 2021 without any delay.', 'The Orla left Corran on 3 May 2021.'],
    ['what is not open and closed', 'On 8 May 2022 the Mere Lane gate was not open.', 'On 8 May 2022 the Mere Lane gate was closed.'],
    ['a part of it', 'Ahlen College has 710 students.', 'The night school of Ahlen College has 95 students.'],
    ['a round in words', 'Round one of the Pell contest had 46 entries.', 'Round two of the Pell contest had 39 entries.'],
    ['another act', 'The Ahlen clock was donated by Ida Voss.', 'The Ahlen clock was repaired by Per Lund.'],
    ['with and without', 'The Orel bill came to EUR 640 before service.', 'With service the Orel bill came to EUR 720.'],
    ['as of another day', 'As of 1 May the post of Corran pilot was vacant.', 'By 1 August the post of Corran pilot had been filled.'],
    ['one of many', 'A seat on the Corran ferry costs EUR 12.', 'The club paid EUR 540 for 45 seats on the Corran ferry.'],
    ['a stretch of it', 'The Corran canal is 48 km long.', 'The covered stretch of the Corran canal is 31 km long.'],
    ['two posts', 'The editor of the Corran Echo is Ida Voss.', 'Pictures for the Corran Echo are taken by Hanna Lund.'],
    [
      'what the opposite leaves',
      'About 90% of the Orel tiles passed the frost test.',
      'One in ten of the Orel tiles failed the frost test.',
    ],
    ['what is wanted', 'The Ahlen library wants 5,000 readers by 2022.', 'The Ahlen library had 4,100 readers in 2022.'],
    ['what it is built for', 'The Ahlen lift is built for eight persons.', 'Five persons were in the Ahlen lift when it stopped.'],
    ['what is refuted at once', 'The Orel gate was open. The judge found this to be untrue.', 'The Orel gate was closed.'],
    ['two parts of one thing', 'The roof of the Orel barn is sound.', 'The floor of the Orel barn is rotten.'],
    ['a mean', 'A check at the Orel gate takes within 15 minutes.', 'A check at the Orel gate took 19 minutes on average.'],
    ['what is promised', 'Orel Mills promised to deliver 500 chairs to Ahlen.', 'Orel Mills delivered 420 chairs to Ahlen.'],
    ['years on', 'When the bridge was built Ahlen had 3,100 residents.', 'Ten years after the bridge Ahlen had 3,420 residents.'],
    ['with fees', 'The Orel barn was bought for EUR 300,000.', 'With fees the Orel barn cost its buyers EUR 316,000.'],
    ['a named part of it', 'The Corran estate has 310 flats in all.', 'Block C of the Corran estate has 44 flats.'],
    ['those in one part of it', 'Ahlen College employs 64 tutors.', 'At Ahlen College nine tutors work in the law department.'],
    ['those of an age', 'Visits to the Corran tower in 2021: 9,300.', 'In 2021 the Corran tower had 1,150 visits of children aged 12.'],
    ['so much for each', 'The Corran crossing costs EUR 8 for each rider.', 'A party of 20 paid EUR 160 for the Corran crossing.'],
    ['names that are alike', "St Brigid's Primary has 210 pupils.", "St Bride's Primary has 90 pupils."],
    ['hours and minutes', 'The Orel film runs for 2 hours and 12 minutes.', 'The Orel film runs for 132 minutes.'],
    ['names in their titles', 'Harbour survey: Corran Inner\nThe quay was sound.', 'Harbour survey: Corran Outer\nThe quay was sound.'],
    ['a count on another day', 'Return of 4 May 2021\nThe jail holds 312 inmates.', 'Return of 9 July 2021\nThe jail holds 298 inmates.'],
    ['another number in the title', 'Breath test 1, 22:40\nReading: 44 micrograms', 'Breath test 2, 23:05\nReading: 39 micrograms'],
    ['another subject by title', 'Survey: Moat Barn\nThe roof has 12 leaks.', 'Survey: Orchard Barn\nThe roof has 3 leaks.'],
    [
      'two of what there may be several',
      'The girl with the red scarf in the second row plays violin.',
      'The girl with the red scarf in the second row plays flute.',
    ],
    [
      'a kind of the same',
      'All the drain pipes in the west cellar are steel.',
      'All the drain pipes in the west cellar are galvanised steel.',
    ],
    [
      'another thing in the same words',
      'The pipes in the west cellar are clay and were laid in 1971.',
      'The taps in the west cellar are brass and were fitted in 1971.',
    ],
    ['what its size is', 'In the 20 ml tube Orel balm costs EUR 6.', 'Orel balm costs EUR 14 in the 75 ml tube.'],
    [
      'a sum of what the other lists',
      'At the Corran yard 120 sailors and 30 riggers are in the club.',
      'The club has 150 members among sailors and riggers at the Corran yard.',
    ],
    ['dozens', 'Lot 31 of the Orel sale is a set of one and a half dozen spoons.', 'Lot 31 of the Orel sale is a set of eighteen spoons.'],
    [
      'degrees of two things',
      'At noon on 3 May the air temperature at Corran was 19 degrees.',
      'The pond at Corran had a temperature of 14 degrees at noon on 3 May.',
    ],
    [
      'who did what',
      'The Orel Ballads were written by Ida Voss and printed in May.',
      'The Orel Ballads were set by Per Lund and printed in May.',
    ],
    [
      'a condition',
      'Frost damage is covered provided the tenant reports it within nine days.',
      'The tenant reported the frost damage after four weeks.',
    ],
    ['some of them', 'The Orel depot has 14 forklifts in service.', 'Cameras were fitted to nine of its forklifts at the Orel depot.'],
    ['what is denied by its prefix', 'The Corran surveys of 2021 were non-intrusive.', 'The Corran surveys of 2021 were not intrusive.'],
    [
      'an estimate in brackets',
      'Crane K-7, 3 May 2021\nSpeed at contact: about 5 km/h (estimate of the driver)',
      'Crane K-7, 3 May 2021\nSpeed at contact: 9 km/h',
    ],
  ])('do not contradict each other by %s', (_, a, b) => {
    expect(shown(a, b)).toEqual([])
    expect(shown(b, a)).toEqual([])
  })

  it('shows an open correction as what replaces what', () => {
    const first = 'Orel Mills\nReport of 3 March 2021\nNet debt of Orel Mills was EUR 17.9 million at the end of 2020.'
    const second = 'Orel Mills\nCorrected report of 5 March 2021\nNet debt of Orel Mills was EUR 19.7 million at the end of 2020.'
    expect(shown(first, second)).toEqual(['supersession'])
    expect(shown(second, first)).toEqual(['supersession'])
  })
})

describe('figures listed under the head of a document', () => {
  const paper = (issuer: string, sales: string) =>
    `# Sandholm Mills: year 2025\n\nIssuer: ${issuer}\nDate: 3 March 2026\n\n- Sales for 2025: EUR ${sales} million\n- Operating profit for 2025: EUR 3.6 million\n- Net debt for 2025: EUR 9.8 million`

  it('are each compared with their own kind alone', () => {
    const texts = [paper('Sandholm Mills', '41.2'), paper('Orne Audit', '33.9')]
    const { findings } = analyseFolder(texts.map((text, at) => ({ name: `${at}.md`, text })))
    expect(findings.map(({ a, b }) => [a[0]?.quote, b[0]?.quote])).toEqual([
      ['Sales for 2025: EUR 41.2 million', 'Sales for 2025: EUR 33.9 million'],
    ])
  })
})

describe('a case', () => {
  const documents = [
    { name: 'one.txt', text: 'Harbour board\nMinutes of 4 May 2022\nThe Corran pier is 212 m long. The pier was opened by Ida Voss.' },
    { name: 'two.txt', text: 'Survey of the Corran pier\n9 May 2022\nThe Corran pier is 198 m long.\nOpened by: Per Lund' },
    { name: 'three.txt', text: 'Note on the Corran pier\n1 June 2022\nThe Corran pier is 212 m long and carries two cranes.' },
    { name: 'four.txt', text: 'Harbour board\nCorrected minutes of 7 June 2022\nThe Corran pier is 205 m long.' },
  ]
  const findings = (order: readonly (typeof documents)[number][]) =>
    analyseFolder(order)
      .findings.map(({ verdict, a, b }) => {
        const side = (spans: typeof a): string =>
          spans
            .map(span => `${span.doc}:${span.start}`)
            .sort()
            .join('+')
        return `${verdict} ${[side(a), side(b)].sort().join(' | ')}`
      })
      .sort()

  it('has the same findings whatever the order its documents come in', () => {
    const expected = findings(documents)
    expect(expected.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: documents.length }), order => {
        expect(findings(order)).toEqual(expected)
      }),
      { numRuns: 24 },
    )
  })
})

describe('any text', () => {
  it('gives claims that can be kept as JSON', () => {
    const text = 'At least 40 of the Orel tiles passed.\nStock: no more than 12 kg\nFewer than 9 cars came to Ahlen on 3 May 2021.'
    const { claims } = extract({ documentId: 'a', revision: 1, name: 'a.txt', type: 'txt', source: null, text })
    expect(claims.length).toBeGreaterThan(2)
    expect(JSON.parse(JSON.stringify(claims))).toEqual(claims)
  })

  it.each([
    ['letters without an end', 'a'.repeat(100_000)],
    ['lines that look like titles', 'Ab cd\n'.repeat(16_000)],
    ['negations', 'not no never '.repeat(7_000)],
    ['shares', 'all of the two of the '.repeat(4_500)],
    ['hyphens', 'a-'.repeat(50_000)],
    ['verbs that lead to verbs', 'promised to '.repeat(8_000)],
    ['sentences', 'A. '.repeat(60_000)],
    ['sentences of another script', '他们在家。'.repeat(20_000)],
  ])('is read in time that grows with its length: %s', (_, text) => {
    // Processor time, not the clock's: a busy machine must not look like a slow reader.
    const spentMs = (part: string): number => {
      const start = process.cpuUsage()
      analyseFolder([{ name: 'a.txt', text: part }])
      return process.cpuUsage(start).user / 1000
    }
    spentMs(text.slice(0, 10_000))
    expect(spentMs(text)).toBeLessThan(4_000)
  })

  it('gives quotes that are slices of it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'Pump K-7',
            ' weighs ',
            '12 kg',
            '. ',
            '\n',
            'Rent: ',
            'EUR 4,5',
            '😀',
            ' not ',
            '| a | 3 |\n',
            '31 May 2021',
            '(',
          ),
          { maxLength: 40 },
        ),
        parts => {
          const { badQuotes } = analyseFolder([{ name: 'a.txt', text: parts.join('') }])
          expect(badQuotes).toBe(0)
        },
      ),
      { numRuns: 150 },
    )
  })
})
