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
  // What any of these begins with.
  if (!/^(?:p|[\s-][acefmswu])/i.test(behind)) return found
  const { low, high, precision, approximate } = value
  const as = (complete: FoundValue['value'], { length }: string): FoundValue => ({
    ...found,
    value: complete,
    end: end + length,
    text: text.slice(found.start, end + length),
  })
  const [halved = '', half = ''] = HALVED.exec(behind) ?? []
  if (halved !== '' && low === high && scaleOf(half.toLowerCase()))
    return as({ ...value, low: low + 0.5, high: high + 0.5, precision: 0.5, unit: half.toLowerCase() }, halved)
  const [stretched = '', unit = ''] = STRETCHED.exec(behind) ?? []
  if (stretched !== '' && scaleOf(unit.toLowerCase())) return as({ ...value, unit: unit.toLowerCase() }, stretched)
  const [dollars = '', country = ''] = CURRENCY.exec(behind) ?? []
  if (dollars !== '') return as({ type: 'money', currency: CURRENCIES[country]!, low, high, precision, approximate }, dollars)
  if (!PENCE.test(behind)) return found
  return as({ type: 'money', currency: 'GBP', low: low / 100, high: high / 100, precision: precision / 100, approximate }, 'p')
}
