import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import type { ExtractedClaim } from './types.js'

const read = (text: string, type = 'txt') => extract({ documentId: 'd', revision: 1, name: 'd.txt', type, source: null, text })
const claim = (text: string, value: string): ExtractedClaim => {
  const found = read(
    `Acme Ltd\nReport\nPrepared by: Finance\nDate: 2025-04-01\nReporting period: Q1 2025\n\nFIGURES\n\n${text}`,
  ).claims.find(item => item.valueText === value)
  if (!found) throw new Error(`no claim ${value}`)
  return found
}

describe('extract', () => {
  it('reads the document about itself and claims none of it', () => {
    const { profile, claims } = read(
      'ACME HOLDINGS -- Q1 2025 RESULTS\n\nPrepared by: Group Finance\nDate: 2025-04-18\nReference: AH-17\nClassification: INTERNAL\n\nREVENUE\n\nRevenue: EUR 5.0M',
    )
    expect(profile).toMatchObject({
      issuer: 'Group Finance',
      issuedOn: '2025-04-18',
      reference: 'AH-17',
      principalSubject: 'ACME HOLDINGS',
    })
    expect(claims.map(item => item.valueText)).toEqual(['EUR 5.0M'])
  })

  it('names values of prose by what they are said of', () => {
    expect(claim('Revenue stood at EUR 5.0M.', 'EUR 5.0M').attributeKey).toBe('revenu')
    expect(claim('Acme reports adjusted revenue of EUR 5.0M.', 'EUR 5.0M')).toMatchObject({
      attributeKey: 'adjust revenu',
      basis: ['adjust'],
    })
    expect(claim('The company serves 47 enterprise clients.', '47').attributeKey).toBe('enterpris client')
  })

  it('tells roles and conditions from facts', () => {
    expect(claim('Target ratio: 135%', '135%').role).toBe('target')
    expect(claim('A delay would reduce revenue to EUR 4.0M.', 'EUR 4.0M').role).toBe('hypothetical')
  })

  it('ties a cited old value to the new one', () => {
    expect(claim('Restated margin: 36.5% (previously 38.4%)', '36.5%').hints).toMatchObject({ priorLow: 38.4, version: 'new' })
  })

  it('gives table cells the period of their column', () => {
    const text =
      'Acme Ltd\n\nTABLE\n\n              Q1 2025    Q2 2025\nRevenue       EUR 5.0M   EUR 6.0M\nGross profit  EUR 2.0M   EUR 2.4M\n'
    expect(read(text).claims.map(item => [item.valueText, item.period?.label])).toEqual([
      ['EUR 5.0M', 'Q1 2025'],
      ['EUR 6.0M', 'Q2 2025'],
      ['EUR 2.0M', 'Q1 2025'],
      ['EUR 2.4M', 'Q2 2025'],
    ])
  })

  it('completes a label that occurs under several headings', () => {
    const keys = read('Acme\n\nEQUITY RISK\n\nCapital charge: EUR 94M\n\nSPREAD RISK\n\nCapital charge: EUR 83M\n').claims.map(
      item => item.attributeKey,
    )
    expect(new Set(keys).size).toBe(2)
  })

  it('finds goals and risks', () => {
    const { goals, risks } = read('Plan\n\nNEXT STEPS\n\n- Submit the filing by 30 June 2025\n\nRISKS\n\n- Supply risk: HIGH\n')
    expect(goals).toMatchObject([{ due: '2025-06-30', done: false }])
    expect(risks).toMatchObject([{ level: 'high' }])
  })
})

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        'Revenue: EUR ',
        '5.0M',
        '(',
        ')',
        '\n',
        '  ',
        '| ',
        '12%',
        ' was ',
        'not ',
        '😀',
        'e\u0301',
        '\ud800',
        'Q1 2025',
        '--',
        '# ',
        '- ',
        'Site 07',
        '<p>',
        '</td>',
        '&amp;',
        '"',
        ',',
        '{"a":',
      ),
      { maxLength: 120 },
    )
    .map(parts => parts.join('')),
)

describe('extract, for any text', () => {
  it.each(['constructor', 'toString', 'valueOf', '__proto__'])('takes %s for a word like any other', word => {
    const { claims } = read(`Report\n\nThe plant has 5 ${word} on site.\n\n| Item | Output (${word}) |\n|---|---|\n| Line | 7 ${word} |\n`)
    const figures = claims.filter(({ value }) => 'low' in value)
    expect(figures.map(({ value }) => [value.type, 'unit' in value ? value.unit : null])).toEqual(figures.map(() => ['quantity', null]))
    expect(structuredClone(claims)).toEqual(claims)
  })

  it('quotes exact slices and is deterministic', () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom('txt', 'md', 'html', 'csv', 'json', 'application/x-unknown'), (text, type) => {
        const first = read(text, type)
        const points = [...text]
        for (const item of [...first.claims, ...first.goals, ...first.risks])
          expect(points.slice(item.start, item.end).join('')).toBe(item.quote)
        expect(read(text, type)).toEqual(first)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['digits', '7'.repeat(50_000)],
    ['brackets', '('.repeat(50_000)],
    ['spaces', `${' '.repeat(50_000)}x`],
    ['one line', 'the revenue of 5 is '.repeat(2_500)],
    ['empty lines', '\n'.repeat(10_000)],
    ['right to left', 'الإيرادات 5 مليون '.repeat(500)],
    ['binary', '\u0000\u0001\ufffd'.repeat(3_000)],
  ])('stays small on %s', (_name, text) => {
    expect(read(text).claims.length).toBeLessThanOrEqual(2_000)
  })
})
