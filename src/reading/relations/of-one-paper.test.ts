import { describe, expect, it } from 'vitest'
import { why } from '../../../test/support/why.js'

const kinds = (a: string, b: string) => why(a, b).flatMap(({ kind }) => kind ?? [])
const report = (head: string, sum: string): string => `${head}\n\nTotal cost of the works: EUR ${sum} million`

describe('a later version', () => {
  it.each([
    ['Project report\nVersion 1.0', 'Project report\nVersion 2.0'],
    ['Project report\nVersion 1.0\nIssued by: Harbour Ltd', 'Project report\nVersion 1.1\nIssued by: Harbour Ltd'],
    ['Cost report, Riverside School\nRevision 3', 'Cost report, Riverside School\nRevision 4'],
  ])('takes the place of an earlier one of the same paper: %j / %j', (one, two) => {
    expect(kinds(report(one, '4.2'), report(two, '5.1'))).toEqual(['replaces'])
  })

  it.each([
    ['Project report\nVersion 1.0', 'Cost report\nVersion 2.0'],
    ['Project report\nVersion 1.0\nIssued by: Harbour Ltd', 'Cost report\nVersion 2.0'],
    ['Project report\nVersion 1.0\nIssued by: Harbour Ltd', 'Project report\nVersion 2.0'],
    ['Project report\nVersion 1.0\nIssued by: Harbour Ltd', 'Project report\nVersion 2.0\nIssued by: Lund Audit AG'],
    ['Project report\nVersion 1.0\nIssued by: Harbour Ltd', 'Cost report\nVersion 2.0\nIssued by: Harbour Ltd'],
  ])('of another paper, or of nobody knows whose, contradicts it: %j / %j', (one, two) => {
    expect(kinds(report(one, '4.2'), report(two, '5.1'))).toEqual(['contradicts'])
  })
})

describe('a paper that says of itself that it amends or corrects', () => {
  const consent = (head: string, days: number): string => `${head}\n\nThe follow-up period of the trial is ${days} days.`

  it.each([
    ['Trial protocol', 'Corrected trial protocol'],
    ['Trial protocol\nIssued by: Aster Pharma Ltd', 'Amendment to the protocol\nIssued by: Aster Pharma Ltd'],
    ['Lease of the mill', 'Correction to the lease of the mill'],
  ])('takes the place of the paper that is entitled alike, or of its own house: %j / %j', (one, two) => {
    expect(kinds(consent(one, 30), consent(two, 60))).toEqual(['replaces'])
  })

  it.each([
    ['Opinion of the ethics committee', 'Amended trial plan of the sponsor'],
    ['Opinion of the ethics committee\nIssued by: Northern Ethics Board', 'Corrected trial plan'],
    ['Site visit report', 'Corrected budget'],
  ])('takes nothing from another: %j / %j', (one, two) => {
    expect(kinds(consent(one, 30), consent(two, 60))).toEqual(['contradicts'])
  })
})
