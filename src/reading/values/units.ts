/** Units a figure has although a word stands in between, and figures that a word joins to a range. */
import { scaleOf } from './unit-table.js'
import type { FoundValue } from './values.js'

const STRETCHED =
  /^[\s-](?:full|whole|complete|entire|straight|consecutive|successive|clear|solid|more|further|additional|calendar)\s(minute|hour|day|week|month|year)s?\b/i
const HALVED = /^ and a half (minute|hour|day|week|month|year|metre|kilometre|mile|tonne)s?\b/i
const CURRENCY = /^\s(US|Australian|Canadian)\s(dollar)s?\b/
const CURRENCIES: Readonly<Record<string, string>> = { US: 'USD', Australian: 'AUD', Canadian: 'CAD' }
const PENCE = /^p\b(?!\.)/

export function completed(text: string, found: FoundValue): FoundValue {
  const { value, end } = found
  if (value.type !== 'quantity' || value.unit !== null) return found
  const behind = text.slice(end, end + 32)
  const half = HALVED.exec(behind)
  if (half && value.low === value.high && scaleOf(half[1]!.toLowerCase())) {
    const more = { low: value.low + 0.5, high: value.high + 0.5, precision: 0.5, unit: half[1]!.toLowerCase() }
    return withEnd(text, { ...found, value: { ...value, ...more } }, end + half[0].length)
  }
  const stretch = STRETCHED.exec(behind)
  if (stretch && scaleOf(stretch[1]!.toLowerCase()))
    return withEnd(text, { ...found, value: { ...value, unit: stretch[1]!.toLowerCase() } }, end + stretch[0].length)
  const currency = CURRENCY.exec(behind)
  const { low, high, precision, approximate } = value
  if (currency)
    return withEnd(
      text,
      { ...found, value: { type: 'money', currency: CURRENCIES[currency[1]!]!, low, high, precision, approximate } },
      end + currency[0].length,
    )
  if (PENCE.test(behind))
    return withEnd(
      text,
      {
        ...found,
        value: { type: 'money', currency: 'GBP', low: low / 100, high: high / 100, precision: precision / 100, approximate },
      },
      end + 1,
    )
  return found
}

const withEnd = (text: string, found: FoundValue, end: number): FoundValue => ({ ...found, end, text: text.slice(found.start, end) })
