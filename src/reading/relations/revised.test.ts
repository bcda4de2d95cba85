import { describe, expect, it } from 'vitest'
import { extract } from '../document/extract.js'
import type { PlacedClaim } from '../types.js'
import { revisedClaims } from './revised.js'

function claimsOf(text: string, revision: number): PlacedClaim[] {
  return extract({ documentId: 'paper', revision, text, type: 'txt', name: 'Paper', source: null }).claims.map((claim, at) => ({
    ...claim,
    claimId: `${revision}.${at}`,
    documentId: 'paper',
    revision,
    slotKey: `${claim.subjectKey}|${claim.attributeKey}`,
    lookupKeys: [],
  }))
}

const revised = (before: string, after: string) =>
  revisedClaims(claimsOf(before, 1), claimsOf(after, 2)).map(({ old, by, same }) => [
    old.quote,
    by === null ? 'withdrawn' : same ? 'the same' : by.quote,
  ])

const lines = (...said: string[]) => `Harrow Maritime Ltd\nDeclaration of the owners\n\n${said.join('\n')}`

describe('what a new revision makes of the statements of the one before', () => {
  it('is the same, another value or nothing', () => {
    expect(
      revised(
        lines('Share of Anton Velker: 75%', 'Number of vessels: 6', 'Port of registry: Valletta'),
        lines('Number of vessels: 6', 'Share of Anton Velker: 20%'),
      ),
    ).toEqual([
      ['Share of Anton Velker: 75%', 'Share of Anton Velker: 20%'],
      ['Number of vessels: 6', 'the same'],
      ['Port of registry: Valletta', 'withdrawn'],
    ])
  })

  it('is another where a sentence is denied or says other words', () => {
    expect(revised(lines('The fund is secured by a mortgage.'), lines('The fund is not secured by a mortgage.'))).toEqual([
      ['The fund is secured by a mortgage.', 'The fund is not secured by a mortgage.'],
    ])
    expect(revised(lines('The fund is secured by a mortgage.'), lines('The fund is secured by a pledge.'))).toEqual([
      ['The fund is secured by a mortgage.', 'The fund is secured by a pledge.'],
    ])
  })

  it('is told under another title too', () => {
    const paper = (title: string, opened: string) =>
      `Banca Meridiana\n${title}\n\nThe account was opened on 3 June ${opened}.\nThe average balance was EUR 1,240,000.\nRegistration number: C 48213`
    const before = claimsOf(paper('Reference letter', '2019'), 1).map(claim => ({ ...claim, subjectKey: 'letter of 15 march' }))
    const after = claimsOf(paper('Reference letter', '2017'), 2).map(claim => ({ ...claim, subjectKey: 'letter of 28 march' }))
    expect(revisedClaims(before, after).map(({ old, by, same }) => [old.valueText, by?.valueText, same])).toEqual([
      ['3 June 2019', '3 June 2017', false],
      ['EUR 1,240,000', 'EUR 1,240,000', true],
      ['C 48213', 'C 48213', true],
    ])
  })

  it('gives each of several in one place one of its own', () => {
    const [berg, lund, moe] = ['Berg', 'Lund', 'Moe'].map(name => ({
      ...(claimsOf(lines('Number of vessels: 6'), 1)[0] as PlacedClaim),
      claimId: name,
      value: { type: 'name' as const, value: name },
      valueText: name,
    }))
    const told = (before: PlacedClaim[], after: PlacedClaim[]) =>
      revisedClaims(before, after).map(({ old, by, same }) => `${old.claimId} ${by?.claimId} ${same}`)
    expect(told([berg!, lund!], [lund!])).toEqual(['Berg undefined false', 'Lund Lund true'])
    expect(told([berg!, lund!], [lund!, moe!])).toEqual(['Berg Moe false', 'Lund Lund true'])
  })
})
