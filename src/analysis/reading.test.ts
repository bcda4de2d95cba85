/** How values get their names: tables, forms, sentences, dates of events, names, and who is meant. */
import { describe, expect, it } from 'vitest'
import { coreOf } from './cores.js'
import { eventIn } from './events.js'
import { extract } from './extract.js'
import type { ExtractedClaim } from './types.js'
import { tokenize } from './words.js'

const read = (text: string, type = 'txt'): ExtractedClaim[] =>
  extract({ documentId: 'd', revision: 1, name: `d.${type}`, type, source: null, text }).claims
const header = 'REPORT\n\nPrepared by: Tester\nDate: 2025-03-01\n\nFINDINGS\n\n'
const terms = (claim: ExtractedClaim | undefined): string[] => String(claim?.hints?.['terms'] ?? '').split(' ')
const valued = (claims: ExtractedClaim[], text: string): ExtractedClaim | undefined => claims.find(claim => claim.valueText === text)

describe('figures', () => {
  it.each([
    ['There are 412 parking spaces.', '412', ['park', 'spac']],
    ['The panel found a kitchen capacity of 3,000 meals a day.', '3,000', ['kitchen', 'capacity']],
    ['Seepage through the core averaged 11.2 litres per second.', '11.2 litres per second', ['seep']],
    ['The signal is delayed by up to 45 seconds.', '45 seconds', ['sign', 'dela']],
    ['The number of valves concerned is 18,400 worldwide.', '18,400', ['valv']],
    ['Under version 4.2.1 the flow is 25 mL/h.', '25 mL/h', ['flow']],
    ['Twenty-four valves were tested.', 'Twenty-four', ['valv', 'test']],
    ['The target approved by the Board on 12 May 2024 is 135%.', '135%', ['target']],
    ['The scheme is applied to 78% of its holdings.', '78%', ['hold']],
    ['Expenditure required over the next five years is estimated at EUR 1.2 million.', 'EUR 1.2 million', ['expendit']],
  ])('%j measures what its words say', (sentence, value, wanted) => {
    const claim = valued(read(header + sentence), value)
    expect(claim).toBeDefined()
    expect(terms(claim)).toEqual(expect.arrayContaining(wanted))
  })

  it('takes the noun of a list of counts from its last member', () => {
    const claims = read(`${header}The visit gave two critical, five major and nine other deficiencies.`)
    expect(terms(valued(claims, 'two'))).toContain('deficienc')
    expect(terms(valued(claims, 'five'))).toContain('deficienc')
  })

  it('follows a pronoun to the sentence before', () => {
    const claims = read(`${header}The supply contract covers 18 schools. It will run for 36 months.`)
    expect(terms(valued(claims, '36 months'))).toEqual(expect.arrayContaining(['suppl', 'contract']))
  })
})

describe('layouts', () => {
  it('reads a table of things by its columns, with the units of their headers', () => {
    const table =
      '| Tenant | Area (m2) | Annual rent (EUR) | Lease expiry |\n|---|---|---|---|\n| Brandt | 6,200 | 640,000 | 31 December 2029 |\n'
    const claims = read(table, 'md')
    expect(claims.find(claim => claim.value.type === 'money')?.value).toMatchObject({ currency: 'EUR', low: 640_000 })
    expect(claims.find(claim => claim.unit === 'm2')?.hints?.['head']).toBe('area')
    expect(claims.find(claim => claim.value.type === 'date')?.value).toMatchObject({ from: '2029-12-31' })
  })

  it.each([
    ['Sum insured ........ GBP 1,150 million', 'GBP 1,150 million', 'insur'],
    ['4. Number of data subjects                14,500 (approximately)', '14,500', 'subject'],
  ])('reads %j as label and value', (line, value, term) => {
    expect(terms(valued(read(header + line), value))).toContain(term)
  })

  it('reads a two-column table without header names as pairs', () => {
    const claims = read('| | |\n|---|---|\n| Deductible | USD 50,000 |\n| Closing date | 6 October 2025 |\n', 'md')
    expect(terms(valued(claims, 'USD 50,000'))).toContain('deductibl')
    expect(claims.some(claim => claim.value.type === 'date' && claim.value.from === '2025-10-06')).toBe(true)
  })
})

describe('dates', () => {
  it.each([
    ['expired on', 'expire'],
    ['valid until', 'expire'],
    ['Lease expiry', 'expire'],
    ['Deadline for tenders', 'due'],
    ['Release date', 'release'],
    ['colour of the roof', null],
  ])('%j speaks of %j', (text, wanted) => {
    expect(eventIn(text)).toBe(wanted)
  })

  it.each([
    ['The filters were last changed in June 2023.', '2023-06', 'event:change'],
    ['The start has been postponed from 1 June 2025 to 15 September 2025.', '2025-09-15', 'event:start'],
    ['The vessel arrived at Leixoes on 20 August 2025.', '2025-08-20', 'event:arrive'],
  ])('%j is dated %s', (sentence, value, mark) => {
    const claim = read(header + sentence).find(item => item.value.type === 'date')
    expect(claim?.valueText).toBe(value)
    expect(String(claim?.hints?.['marks']).split(';')).toContain(mark)
  })
})

describe('names and statements', () => {
  it.each([
    ['The head of production is Marek Wilk.', 'Marek Wilk'],
    ['The dam is classified in consequence class 3.', '3'],
    ['Heating: gas boilers, installed 2006', 'gas boilers'],
  ])('%j names %j', (sentence, wanted) => {
    const claim = read(header + sentence).find(item => item.value.type === 'name')
    expect(claim?.valueText).toBe(wanted)
  })

  it.each([
    ['The seals were intact on arrival.', 'intact', false],
    ['Seals of two containers were broken on arrival.', 'intact', true],
    ['The permit has not been granted.', 'approve', true],
    ['Fire protection was found to be inadequate.', 'adequate', true],
    ['No passwords were stolen.', 'stolen', true],
  ])('%j says %j, denied: %s', (text, predicate, negated) => {
    expect(coreOf(text, tokenize(text))).toMatchObject({ predicate, negated })
  })

  it('takes the heading above for the owner of what it heads', () => {
    const claims = read(`${header}3. Smaklig Mat AB\n\nPrice per meal: EUR 3.78\n`)
    expect(String(valued(claims, 'EUR 3.78')?.hints?.['section'])).toContain('Smaklig Mat AB')
  })

  it('takes no word of the header for a claim', () => {
    expect(
      read('# Letter\n\nIssuer: Oliveira Partners\nDate: 3 March 2026\n\n- Revenue for FY2025: EUR 33.9 million', 'md').map(
        c => c.valueText,
      ),
    ).not.toContain('Oliveira Partners')
  })
})
