/** The unit of bare numbers in a table: written in the column, the row, the heading above it or once for the whole document. */
import type { Block } from './blocks.js'
import type { ReadContext } from './draft.js'
import { pattern } from './pattern.js'
import { remembered } from './remember.js'
import { CODES, CURRENCY_WORDS, JOINT_UNIT, LETTER_UNITS, MAGNITUDES, RATE_UNIT, scaleOf, spelledUnit, unitOf } from './units.js'
import type { FoundValue } from './values.js'

const WRITTEN =
  /(?:^|[\s(,/])(?:in\s)?([A-Z]{3}|[€$£¥]|%|percent|[\p{L}°µ][\p{L}\d²³/]{0,8})(?:\s?('?000s?|k|m|mn|bn|thousand|million|billion))?\)?\s*$/iu

const PER = new RegExp(`\\b${RATE_UNIT}`, 'iu')
const JOINT = new RegExp(`\\((${JOINT_UNIT})\\)\\s*$`, 'iu')
const LEADING =
  /^(?:number of )?(days|weeks|months|years|hours|minutes|seconds|tonnes|kilomet(?:re|er)s|hectares|litres) (?:of|lost|worked|without|in|at|on|spent|taken|required|between|to)\b/i

/** "Tonnes, fresh weight", "Hours": nothing but the unit. */
const ALONE =
  /^\s*(tonnes|kilograms|kg|litres|hours|minutes|days|weeks|months|years|metres|kilomet(?:re|er)s|km|hectares|kWh|MWh|GWh|GJ|MW)\s*(?:,|\(|$)/i

/** "Events per 100 patient-years", "Time at risk (patient-years)", "Days of delay": the unit is part of what is said. */
function saidIn(text: string): string | null {
  const bounded = text.slice(0, 120)
  const per = PER.exec(bounded)?.[0] ?? JOINT.exec(bounded)?.[1]
  if (per) return spelledUnit(per)
  const leading = LEADING.exec(bounded)?.[1] ?? ALONE.exec(bounded)?.[1]
  return leading ? unitOf(leading) : null
}

/** The unit a header or label ends with: "Annual rent (EUR)", "Area (m2)", "Reserve USD", "Revenue in EUR million". Asked of a column for each of its cells. */
export const unitIn = remembered(1_000, (text): string | null => {
  if (/(?:^|\()(?:%|per ?cent) (?:of|to)\b/i.test(text)) return 'percent'
  const said = saidIn(text)
  if (said) return `unit ${said}`
  const plain = /\bin (minutes|hours|days|weeks|months|years|tonnes|metres|kilometres|km|kg|litres|hectares)\s*$/i.exec(
    text.slice(-30),
  )?.[1]
  const spelt = plain ? unitOf(plain.toLowerCase()) : null
  if (spelt) return `unit ${spelt}`
  const yearly = /(?:^|[\s(])([\p{L}]{1,4}) (?:per|\/|a) (?:year|annum|month|week|day|shift)\)?\s*$/iu.exec(text.slice(-40))?.[1]
  const flow = yearly ? unitOf(yearly) : null
  if (flow && scaleOf(flow)?.dimension !== 'time') return `unit ${flow}`
  const match = WRITTEN.exec(text.slice(-40))
  if (!match) return null
  const inside = /\([^()]*$/.test(text.slice(0, text.length - (match[0].length - 1))) || match[0].includes('(')
  const raw = match[1]!
  const size = match[2] ? (/000/.test(match[2]) ? 1_000 : (MAGNITUDES[match[2].toLowerCase()] ?? 1)) : 1
  const currency = CURRENCY_WORDS[raw.toLowerCase()] ?? (CODES.has(raw) ? raw : undefined)
  if (currency) return `money ${currency} ${size}`
  if (raw === '%' || /^percent$/i.test(raw)) return 'percent'
  if (inside && /^bps?$/i.test(raw)) return 'unit bps'
  const unit = inside ? (unitOf(raw) ?? LETTER_UNITS[raw]) : over(text)
  return unit ? `unit ${unit}` : null
})

/** "sulphate_mg_L": a column name has no room for a stroke. */
function over(text: string): string | null {
  const pair = /[\s_](\p{L}{1,3})[\s_](\p{L}{1,2}\d?)$/u.exec(text)
  return pair ? unitOf(`${pair[1]}/${pair[2]}`) : null
}

/** "BOD (mg/l) Measured": the unit stands in the upper row of a header. */
export function unitInside(header: string): string | null {
  const inside = /\(([^()]{1,16})\)\s\S/.exec(header)
  return inside ? unitIn(` (${inside[1]})`) : null
}

/** A column of units says in what each row is given. */
export function unitColumn(block: Block): string | null {
  const named = block.cells.filter(({ header }) => /^(?:units?(?: of measure(?:ment)?)?|uom|currency|measure)$/i.test(header.trim()))
  const written = named.map(({ text }) => (text ? unitIn(` (${text.slice(0, 20)})`) : null)).find(unit => unit !== null)
  if (written || named.some(({ text }) => text)) return written ?? null
  // "Crude protein  %  15.2": the unit stands beside the label, below no header.
  const first = block.cells[0]
  return first && !first.header && first.text.length <= 12 && !/\d/.test(first.text) ? unitIn(` (${first.text})`) : null
}

/** What is counted or measured otherwise, whatever currency the table is in. */
const COUNTED = pattern(
  /\b(?:numbers?|no\.|counts?|employees|staff|headcount|persons?|people|units?|shares|ratio|days?|weeks?|months?|years?|hours?|quantity|volume|area|weight|score|rank|age|rate per|multiple|index|%|percent(?:age)?)\b|%|#/i,
)
const SUMS = pattern(
  /\b(?:amounts?|prices?|costs?|values?|sums?|totals?|fees?|rents?|revenues?|income|expens\w+|profits?|loss(?:es)?|budgets?|claims?|claimed|balances?|charges?|payments?|paid|premiums?|reserves?|capital|turnover|sales|ebitda|debts?|assets?|liabilit\w+|equity|cash|rates?|wages?|salar\w+)\b/i,
)

/** "DEBT-LIKE ITEMS (EUR million, 31 December 2031)" */
const AMONG = /\(((?:[A-Z]{3}|[€$£])(?: ?(?:million|thousand|billion|mn|bn|m|k|'000))?),/

/** "SUBSTRATES 2031 (tonnes, fresh weight)" */
const MEASURED_IN = /\((?:all )?(?:in )?([\p{L}\d²³]{2,12}),\s\p{L}[^()]{2,30}\)\s*$/u

/** The unit that a heading above the table or the document gives for its amounts: "All amounts in EUR". */
export function declaredUnit(context: ReadContext, block: Block, header: string): string | null {
  const label = block.label?.text ?? ''
  if (COUNTED.test(header) || COUNTED.test(label)) return null
  const heading = block.path.at(-1)?.slice(0, 160) ?? ''
  const above = unitIn(heading) ?? unitIn(` (${AMONG.exec(heading)?.[1] ?? ''})`)
  if (above?.startsWith('money')) return above
  const measured = MEASURED_IN.exec(heading)?.[1]
  const unit = measured ? unitOf(measured) : null
  if (unit) return `unit ${unit}`
  if (context.profile.allInCurrency) return context.profile.currency
  return SUMS.test(header) || (SUMS.test(label) && !/\p{L}{3}/u.test(header)) ? context.profile.currency : null
}

const DECLARED =
  /\b(?:amounts?|figures|values|sums|prices|costs|money)\b(?: (?:are|is|stated|given|expressed|shown|quoted|throughout|below|above|in this \w+)){0,4} in ((?:[A-Z]{3}|[€$£]|euros?|pounds|dollars)(?: ?(?:million|thousand|billion|mn|bn|m|k|'000))?)(?![\p{L}\d])/iu

/** "All amounts in EUR million, net of tax": how a document gives its amounts. */
export function currencyOf(text: string): string | null {
  const found = DECLARED.exec(text.slice(0, 20_000))
  const unit = found ? unitIn(` in ${found[1]}`) : null
  return unit?.startsWith('money') ? unit : null
}

/** A bare number takes the unit its column or row is given in. */
export function inUnit(found: FoundValue, unit: string | null): FoundValue {
  const { value } = found
  if (!unit || value.type !== 'quantity' || value.unit !== null) return found
  const { low, high, precision, approximate } = value
  if (unit === 'percent') return { ...found, value: { type: 'percent', points: false, low, high, precision, approximate } }
  if (unit.startsWith('unit ')) return { ...found, value: { ...value, unit: unit.slice(5) } }
  const [, name, size] = unit.split(' ')
  const by = Number(size)
  return {
    ...found,
    value: { type: 'money', currency: name!, low: low * by, high: high * by, precision: precision * by, approximate },
  }
}
