import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const kinds = (a: string, b: string) => why(a, b).flatMap(({ kind }) => kind ?? [])

describe('two notes that differ in nothing but what is told', () => {
  it.each([
    ['The flat is furnished.', 'The flat is unlet.'],
    ['The shipment was complete.', 'The shipment was short.'],
    ['The trustee is Maria Holt.', 'The trustee is Jonas Wirth.'],
    ['Deposit: £900', 'Deposit: €900'],
    ['The reserve was CHF 3 million.', 'The reserve was EUR 3 million.'],
    ['The syringe held 5 mg.', 'The syringe held 5 ml.'],
  ])('are a possible conflict, though one word is all that they share: %s / %s', (a, b) => {
    expect(kinds(a, b)).toEqual(['possible'])
  })

  it('are none where more differs, or where one gives both', () => {
    expect(kinds('The flat is furnished and faces south.', 'The flat has two balconies and a cellar.')).toEqual([])
    expect(kinds('Deposit: £900', 'Deposit: 900')).toEqual([])
    expect(kinds('Oven: 20 °C', 'Oven: 68 °F')).toEqual([])
    expect(kinds('Deposit: £900', 'Deposit: €1,050')).toEqual([])
    expect(kinds('The reserve was EUR 3 million (USD 3.3 million).', 'The reserve was USD 3.3 million.')).toEqual([])
  })
})

describe('what stands behind a greeting', () => {
  it('is said, whoever is greeted', () => {
    expect(kinds('Hi Sam, the survey fee is £500.', 'Hello Mr Okafor, the survey fee is £700.')).toEqual(['contradicts'])
    expect(kinds('Dear Ms Roth, the roof was damaged by hail.', 'Dear Ms Roth, the roof was not damaged by hail.')).toEqual(['contradicts'])
  })

  it('is nothing where only somebody is greeted or thanked', () => {
    expect(kinds('Kind regards, Maria Holt, head of claims', 'Kind regards, Jonas Wirth, head of claims')).toEqual([])
    expect(kinds('Dear Ms Roth,\nThank you, and all the best.', 'Dear Mr Wirth,\nThank you, and all the best.')).toEqual([])
  })
})

describe('a label that may ask for the day of a paper', () => {
  it.each([
    ['Delivered', 'yes', 'no'],
    ['Signed', 'yes', 'not yet'],
    ['Submitted', 'ja', 'nein'],
  ])('asks whether, where it is answered so: %s', (label, a, b) => {
    expect(kinds(`Order of 40 chairs\n\n${label}: ${a}`, `Order of 40 chairs\n\n${label}: ${b}`)).toHaveLength(1)
  })

  it.each([
    ['Ref', 'No. 4711', 'No. 4712'],
    ['Our ref', 'No. 4711/24', 'No. 4712/24'],
    ['Author', 'Sim Tan', 'Sim Wong'],
    ['Attachments', 'no', 'yes'],
    ['Signed', 'Noah Berg', 'Ida Berg'],
  ])('is of the paper alone where it is answered otherwise, as others are: %s', (label, a, b) => {
    const letter = (answer: string): string => `Letter\n${label}: ${answer}\n\nThe roof has 12 windows.`
    expect(kinds(letter(a), letter(b))).toEqual([])
  })
})
