/** The first documents a new user sends are one or two sentences long: each plain statement must become a claim. */

import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'

const read = (text: string) =>
  extract({ documentId: 'd', revision: 1, name: 'Note', type: 'txt', source: null, text }).claims.map(claim => [
    claim.attribute.toLowerCase(),
    claim.valueText,
  ])

describe('a short document', () => {
  it.each([
    ['Revenue was EUR 41M.', [['revenue', 'EUR 41M']]],
    ['Revenue for FY2025 was EUR 41.2M.', [['revenue', 'EUR 41.2M']]],
    ['The revenue was $41.2M.', [['revenue', '$41.2M']]],
    [
      'Net debt was EUR 12M and revenue was EUR 41M.',
      [
        ['net debt', 'EUR 12M'],
        ['revenue', 'EUR 41M'],
      ],
    ],
    ['Aurelia Holding\nAnnual report 2025\n\nRevenue for FY2025 was EUR 41.2M.', [['revenue', 'EUR 41.2M']]],
    ['The site enrolled 48 patients.', [['patients', '48']]],
    ['The warehouse in Lyon holds 1,200 pallets.', [['pallets', '1,200']]],
  ])('%j gives its claims', (text, wanted) => {
    expect(read(text)).toEqual(expect.arrayContaining(wanted))
  })

  it('with a denied figure claims the new one', () => {
    const claims = read('Brandt Audit\nMemo on Aurelia Holding\n\nRevenue for FY2025 was EUR 33.9M, not EUR 41.2M.')
    expect(claims).toContainEqual(['revenue', 'EUR 33.9M'])
  })
})
