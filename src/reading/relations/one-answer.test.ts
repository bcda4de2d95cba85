import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const kinds = (a: string, b: string) => why(a, b).flatMap(({ kind }) => kind ?? [])

describe('an address behind a label', () => {
  it.each([
    ['Registered office', '7 Mill Street, London EC1A 1BB', '9 High Street, London SW1A 2AA'],
    ['Registered office', '7 Rue Basse, L-1536 Luxembourg', '12 Rue Haute, L-2449 Luxembourg'],
    ['Anschrift', 'Hauptstrasse 12, 10115 Berlin', 'Lindenweg 4, 80331 Munich'],
    ['Delivery address', '44 Quay Road, Leith', '44 Harbour Lane, Leith'],
  ])('is one answer, of which numbers and names are parts: %s: %s / %s', (label, a, b) => {
    expect(kinds(`${label}: ${a}`, `${label}: ${b}`)).toEqual(['contradicts'])
  })

  it.each([
    ['7 Mill Street, London EC1A 1BB', '7 Mill Street, London, EC1A 1BB'],
    ['7 Mill Street, London EC1A 1BB', '7 Mill Street'],
  ])('is the same where one says more of it: %s / %s', (a, b) => {
    expect(kinds(`Registered office: ${a}`, `Registered office: ${b}`)).toEqual([])
  })
})

describe('an address that differs from another', () => {
  const office = (text: string): string => `Registered office: ${text}`

  it('is told whole', () => {
    const [found] = why(office('44 Quay Road, Leith'), office('44 Harbour Lane, Leith'))
    expect(found?.relation?.evidence.differs).toEqual([{ a: '44 Quay Road Leith', b: '44 Harbour Lane Leith' }])
  })

  it('stands on no side with one that begins alike', () => {
    const [found] = why(office('44 Quay Road, Leith'), office('44 Harbour Lane, Leith'))
    const [other] = why(office('44 Quay Road, Leith'), office('44 Castle Street, Leith'))
    const groups = new Set([found, other].flatMap(each => [each?.relation?.groupA, each?.relation?.groupB]))
    expect(groups.size).toBe(3)
  })

  it.each([
    ['Contact: Anna Brandt, ext 214', 'Contact: Lukas Roth, ext 377'],
    ['Delivery note\nItem: 3 Oak Chairs', 'Delivery note\nItem: 2 Pine Tables'],
  ])('is no other answer of names and numbers: %j / %j', (a, b) => {
    expect(kinds(a, b)).toEqual([])
  })
})

describe('answers below two headings with a number', () => {
  it('are of two things', () => {
    expect(kinds('Survey\n\n## Unit 4\n\nRoof: tiled', 'Survey\n\n## Unit 5\n\nRoof: slate')).toEqual([])
    expect(kinds('Survey\n\n## Unit 4\n\nRoof: tiled', 'Survey\n\n## Unit 4\n\nRoof: slate')).toEqual(['contradicts'])
  })
})

describe('what three papers say differently', () => {
  it.each([
    ["The tenants' meeting takes place on ", ['5 May 2026', '9 June 2026', '14 July 2026'], ' at 18:00 in the hall.'],
    [
      'Place where the goods of the second consignment are kept until the carrier of the buyer comes for them, as both agreed in writing: the old ',
      ['kiln', 'mill', 'barn'],
      '',
    ],
  ])('stands on three sides: %s%j%s', (before, told, after) => {
    const [one, two, three] = told.map(each => `${before}${each}${after}`) as [string, string, string]
    const groups = [
      [one, two],
      [one, three],
      [two, three],
    ].flatMap(([a, b]) => why(a!, b!).flatMap(({ relation }) => (relation ? [[relation.groupA, relation.groupB]] : [])))
    expect(groups).toHaveLength(3)
    expect(new Set(groups.flat()).size).toBe(3)
    expect(groups.every(([a, b]) => a !== b)).toBe(true)
  })
})

describe('words with a capital that name nobody', () => {
  it.each([
    ['The Annual Base Rent payable is EUR 50,000.', 'The Annual Base Rent due is EUR 60,000.'],
    ['The Purchase Price payable is EUR 500,000.', 'The Purchase Price agreed is EUR 600,000.'],
    ['Die Miete der Wohnung beträgt 500 Euro.', 'Die Miete der Wohnung liegt bei 700 Euro.'],
    ['Die Kaution für die Wohnung beträgt 1500 Euro.', 'Die Kaution für die Wohnung wurde mit 2000 Euro vereinbart.'],
    ['The Effective Date of the Lease was moved to 5 May 2026.', 'The Effective Date of the Lease remains fixed at 9 May 2026.'],
  ])('are what is asked about: %s / %s', (a, b) => {
    expect(kinds(a, b)).toEqual(['contradicts'])
  })
})

describe('two sentences of one subject', () => {
  it.each([
    ['Marlow Shipping Ltd was incorporated on 14 May 2018.', 'Marlow Shipping Ltd had an annual turnover of EUR 3.1 million in 2025.'],
    ['Marlow Shipping Ltd was incorporated on 14 May 2018.', 'Marlow Shipping Ltd opened an account on 2 June 2018.'],
    ['Marlow Shipping Ltd opened an account on 2 June 2018.', 'Marlow Shipping Ltd employs 46 people.'],
    ['Dr Ida Voss examined the patient.', 'Dr Ida Voss signed the report.'],
  ])('tell two things where they share its name alone: %s / %s', (a, b) => {
    expect(kinds(a, b)).toEqual([])
  })
})

describe('a figure whose thousands are parted by blanks', () => {
  it('is one figure beside a currency, and from a million on', () => {
    expect(kinds('Share capital: EUR 500,000', 'Share capital: 500 000 EUR')).toEqual([])
    expect(kinds('Share capital: EUR 500,000', 'Share capital: 500 000,50 EUR')).toEqual(
      kinds('Share capital: EUR 500,000', 'Share capital: EUR 500,000.50'),
    )
    expect(kinds('The plant cost 1 250 000 euros.', 'The plant cost EUR 1.25 million.')).toEqual([])
    expect(kinds('Amount: EUR 8 600', 'Amount: EUR 6 800')).toEqual(['contradicts'])
    expect(kinds('Paid in 2024 500 000 EUR.', 'Paid in 2024 EUR 500,000.')).toEqual([])
  })

  it.each([
    ['Cost of the building 500 000 EUR', 'Cost of the building 500,000 EUR'],
    ['The price of the van 12 500 EUR', 'The price of the van EUR 12,500'],
    ['The area is 1 234 567 m².', 'The area is 1,234,567 m².'],
  ])('is whole where it says which of several of nothing: %s / %s', (a, b) => {
    expect(kinds(a, b)).toEqual([])
    expect(kinds(a, b.replace(/\d/, '9'))).toEqual(['contradicts'])
  })

  it('is no number of a thing with the figure behind it, and no list', () => {
    expect(kinds('Rent for flat 4 850 EUR per month.', 'Rent for flat 4 900 EUR per month.')).toEqual(['contradicts'])
    expect(kinds('Miete Wohnung 4 850 EUR', 'Miete Wohnung 4 900 EUR')).toEqual(['contradicts'])
    expect(kinds('Readings: 410 420 400', 'Readings: 410 420 440')).toEqual(['possible'])
  })

  it.each([' ', ',', '\u00a0'])('is finite, and compared whichever came first, where a list is long: %j', parted => {
    const [list, one] = [`Sensor readings: ${Array(110).fill('120').join(parted)}`, 'Sensor readings: -450']
    expect(kinds(list, one)).toEqual(['possible'])
    expect(kinds(one, list)).toEqual(['possible'])
  })
})
