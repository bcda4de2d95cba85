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
  })
})
