/** How many items a list shows. */

import { InvalidArgumentError } from 'commander'

export function mostItems(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value
  throw new InvalidArgumentError('a whole number from 1 to 1,000,000')
}
