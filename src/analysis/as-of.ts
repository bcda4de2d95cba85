/**
 * The day a figure is said for: "412 pumps were in service on 1 March 2025", "by 31 December, 142 claims had been settled". A
 * position or a running total as of a day has it as its period; whatever else happened on a day is not held against another day.
 */
import type { Clause } from './clause.js'
import { pattern } from './pattern.js'
import type { FoundPeriod } from './periods.js'
import type { Period } from './types.js'
import type { FoundValue } from './values.js'
import { MONTH_NAMES } from './words.js'

export interface AsOf {
  /** For a position: its period. */
  period: Period | null
  /** Marks that keep figures of different days and months apart. */
  marks: string[]
}

const DATED = pattern(/\b(on|by|until|till|up to|as of|as at|at)\s(?:the evening of\s|the end of\s|close of business on\s)?$/i)
const CUMULATES = /^(?:by|until|till|up to)$/i
/** What is said between a count and its day when it is a position. */
const STATIVE = pattern(/\b(?:is|are|was|were|had|has|have|remained|stood|status|position|headcount|balance|stock|inventory)\b/i)
const HAPPENED =
  /\b(?:is|are|was|were|be|been)\s(?:\p{L}+ly\s)?(?:\p{L}+(?:ed|en|wn)|paid|sent|held|made|sold|found|lost|built|bought|brought|set|cut|put|laid|read)\b/u
const MONTH_NAME = new RegExp(`\\b(?:in|for|during|of|month of)\\s(?:the month of\\s)?(${MONTH_NAMES})(?!\\s\\d|\\p{L})`, 'u')

const ACT_NOUN =
  /\b(?:decision|resolution|letter|report|notice|order|agreement|contract|instruction|statement|judgment|circular|memo|e-?mail|offer|request|invoice|meeting|hearing|interview)s?\s+(?:\p{L}+\s)?$/iu
const PARTICIPLE = /\p{L}{3}(?:ed|wn)\b|\b(?:given|taken|made|held|set|sent|written|issued)\b/iu

/** "the target approved by the board on", "by decision on": the day of an act beside the figure. */
const isOfAct = (before: string, behind: boolean): boolean => ACT_NOUN.test(before) || (!behind && PARTICIPLE.test(before))

/** The day at a value: behind it in the same clause, in its subject, or at the head of the sentence. */
function dayAt({ text, values, periods }: Clause, value: FoundValue): { found: FoundPeriod; by: string } | null {
  for (const found of periods) {
    if (found.period.grain !== 'day') continue
    const by = DATED.exec(text.slice(Math.max(0, found.start - 32), found.start))?.[1]
    if (!by) continue
    const [from, to] = found.start >= value.end ? [value.end, found.start] : [found.end, value.start]
    const between = text.slice(from, to)
    const leads = from === found.end && found.start - by.length < 24
    // "The inspection on 12 May found", "412 pumps were in service on 1 March".
    const apart = leads ? /[;]|\.\s/ : /[;:,()]|\.\s|\b(?:which|who|but|and|after|when|while|that)\b/
    if (isOfAct(text.slice(Math.max(0, found.start - 80), found.start - by.length), from === value.end)) continue
    if (between.length > 90 || apart.test(between) || values.some(other => other !== value && other.start >= from && other.end <= to))
      continue
    return { found, by: by.toLowerCase() }
  }
  return null
}

export function asOfFor(clause: Clause, value: FoundValue): AsOf | null {
  const day = clause.periods.length ? dayAt(clause, value) : null
  if (day) {
    const { found, by } = day
    const said = found.start >= value.end ? clause.text.slice(value.end, found.start) : clause.text.slice(0, value.start)
    const whole = found.start >= value.end ? said : clause.text.slice(found.end)
    const position = CUMULATES.test(by) || by.startsWith('as ') || (STATIVE.test(clause.text) && !HAPPENED.test(whole))
    return { period: position ? found.period : null, marks: [`at:${found.period.from}`] }
  }
  const near = clause.text.slice(Math.max(0, value.start - 60), value.end + 60)
  const month = MONTH_NAME.exec(near)?.[1]
  return month && !clause.periods.length ? { period: null, marks: [`at month:${month.toLowerCase()}`] } : null
}
