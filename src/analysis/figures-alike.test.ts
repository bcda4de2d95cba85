import { describe, expect, it } from 'vitest'
import { countOtherwise } from './figures-alike.js'

describe('what a figure counts in', () => {
  it('differs where one leaves out what the other includes', () => {
    expect(countOtherwise('Charges, excluding transport costs, were 0.31 %.', 'Including transport costs, charges came to 0.38 %.')).toBe(
      true,
    )
    expect(countOtherwise('Profit before tax was EUR 4 million.', 'Profit after tax was EUR 3 million.')).toBe(true)
    expect(countOtherwise('Charges, excluding transport costs, were 0.31 %.', 'Charges, excluding transport costs, were 0.38 %.')).toBe(
      false,
    )
    expect(countOtherwise('Charges, excluding transport costs, were 0.31 %.', 'Including interest, charges came to 0.38 %.')).toBe(false)
  })
})
