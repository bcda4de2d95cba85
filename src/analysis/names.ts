/**
 * Names of measured values: the terms of a label, their head, and what a heading adds to a label that names nothing by
 * itself; and the period a label carries.
 */
import { squeeze } from './characters.js'
import { GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isMarkKind, marksOf } from './marks.js'
import { findPeriods, mergeRanges } from './periods.js'
import { termsOf } from './slots.js'
import type { Period } from './types.js'

export interface Named {
  /** The name is a thin one under a value of its own: a part of it. */
  part?: boolean
  terms: string[]
  head: string
  attribute: string
  marks: string[]
  nameText: string
  /** Terms that say what happened to the thing: "data copied". Another name of it may do without, unless it happened to a part. */
  did?: string[]
  ofPart?: boolean
}

/** "(164 days at EUR 18,049)" says how a value was reached and marks nothing. */
const CALCULATION = /\([^()]{0,60}\d[^()]{0,20}(?:\sat\s|[×*€$£]|\sx\s|[A-Z]{3}\s?\d)[^()]{0,60}\)/g

/** A label that ends in what was done to the thing: "Retention held", "Injuries known". */
const PARTICIPLE =
  /(?:\p{L}ed|\s(?:held|paid|made|given|taken|found|known|sold|lost|built|spent|left|kept|sent|laid|due|owing|outstanding))\s*$/iu

/** Heads that only say that a figure follows; what it is of stands behind "of". */
export const OF_WHAT =
  /^(?:(?:total|overall) )?(?:number|volume|amount|quantity|level|extent|size|count|total|sum|share|proportion|percentage|value|rate|depth|area|length)s?$/i

/** "Volume of wastewater treated": the wastewater is what is measured. */
function headOf(label: string): string | undefined {
  const rest = /^([^(),;:]{3,24}) of (?:the |all |our |its )?([^(),;:]{3,80})/i.exec(label.trim())
  if (!rest || !OF_WHAT.test(rest[1]!)) return undefined
  const noun = rest[2]!.split(/\s(?:of|for|in|from|to|by|at|with|under|per|as|on|who|which|that|not)\s/, 1)[0]!
  const terms = termsOf(noun)
  return terms.length > 1 && PARTICIPLE.test(noun) ? terms.at(-2) : terms.at(-1)
}

export function named(text: string): Named | null {
  const bare = text.replace(/\([^()]{0,160}\)/g, ' ')
  let terms = termsOf(bare)
  let head = terms.at(-1)
  // "Equity value, range": what stands before the comma is measured.
  const comma = bare.indexOf(', ')
  const main = comma > 2 && termsOf(bare.slice(0, comma)).length ? bare.slice(0, comma) : bare
  if (main !== bare) head = termsOf(main).at(-1)
  // "Revenue for the period", "Change in SCR": the head stands before the first preposition.
  const cut =
    /\s(?:of|for|in|from|to|by|at|with|under|per|due|as|on|across|within|after|before|against|among|during|since|excluding|including)\s/i.exec(
      main,
    )
  if (cut && cut.index > 2) {
    const first = termsOf(main.slice(0, cut.index))
    // "Deviations opened in April" counts deviations.
    if (first.length) head = first.length > 1 && PARTICIPLE.test(main.slice(0, cut.index)) ? first.at(-2) : first.at(-1)
  } else if (PARTICIPLE.test(main) && termsOf(main).length > 1) head = termsOf(main).at(-2)
  if (!terms.length) {
    terms = termsOf(text)
    head = terms.at(-1)
  }
  head = headOf(main) ?? head
  if (!head) return null
  const telling = (of: readonly string[]): string | undefined => of.filter(term => !NEUTRAL.has(term)).at(-1)
  if (NEUTRAL.has(head)) head = (main === bare ? undefined : telling(termsOf(main))) ?? telling(terms) ?? head
  if (terms.includes('change')) head = 'change'
  return {
    terms: terms.slice(0, 14),
    head,
    attribute: squeeze(text).trim().slice(0, 120),
    marks: marksOf(text.includes('(') ? text.replace(CALCULATION, ' ') : text),
    nameText: text,
  }
}

/** Labels that say which value, not of what: "Previous", "Change", "Amount", "Q4 2025". The heading says of what. */
export function thin(name: Named | null): boolean {
  // "Cost of risk" is made of words that say little alone.
  if (name && /\p{L}\sof\s\p{L}/u.test(name.nameText) && name.terms.filter(term => !NEUTRAL.has(term)).length > 1) return false
  return (
    !name ||
    name.terms.every(
      term =>
        NEUTRAL.has(term) || term === 'change' || GENERIC_HEADS.has(term) || THIN.has(term) || (name.marks.length > 0 && isMarkKind(term)),
    )
  )
}

const THIN = new Set('arm impact increas result scenario case target minimum maximum board rate year total baseline'.split(' '))

/** A label that is only a number or a bound tells rows apart: "1", ">= 3". */
function numbered(label: string, name: Named | null): Named | null {
  if (!/^[\W_]*\d+\s*$/.test(label)) return name
  return {
    terms: name?.terms ?? [],
    head: name?.head ?? '',
    attribute: label,
    marks: [`row:${label.replace(/\s+/g, '')}`],
    nameText: label,
  }
}

/** "The yard claims the following amounts, net of tax:" introduces amounts it claims; the rest only qualifies them. */
function leadIn(text: string): string {
  return /\bfollowing\b|:$/.test(text) ? text.replace(/[,(:].*$/, '') : text
}

/** The name of a label, completed by the nearest heading that names something when the label does not. */
/** "Approved budget", "Board target": the role is the name. */
const ROLE_NAMED = /\b(?:approved|agreed|original|revised|total|board|internal) (?:budget|target|limit|forecast)\b/i

/** "ENTRY 2": which of them, not of what. */
const ENUMERATES = /^(?:entry|record|item|sheet|page|form|line|block|box|section|part|no\.?)\s*(?:no\.?\s*)?[\dA-Z]{1,3}\s*$/i

export function namedUnder(label: string, path: readonly string[]): Named | null {
  const own = numbered(label, named(label))
  const bare = label.replace(/\([^()]{0,160}\)/g, ' ')
  const pure = own !== null && termsOf(bare).length > 0 ? own : null
  if (!thin(pure) || (own !== null && ROLE_NAMED.test(label))) return own
  for (let i = path.length - 1; i >= 0; i--) {
    const above = named(leadIn(path[i]!))
    if (!above || thin(above) || ENUMERATES.test(path[i]!) || /^(?:note|summary|overview|comparison|executive summary)/i.test(path[i]!))
      continue
    const terms = [...above.terms, ...(pure?.terms ?? [])].slice(0, 14)
    return {
      terms,
      head: terms.includes('change') ? 'change' : above.head,
      attribute: `${path[i]} · ${label}`.slice(0, 120),
      marks: [...new Set([...above.marks, ...(own?.marks ?? marksOf(label))])],
      nameText: `${path[i]} ${label}`,
      part: /:\s+\S{0,4}\d/.test(path[i]!),
    }
  }
  return own?.head ? own : null
}

export function periodInLabel(text: string, year: number | null): Period | null {
  const found = mergeRanges(text, findPeriods(text, year)).filter(
    item => item.period.grain !== 'day' || /\b(?:as (?:of|at)|at|ended|ending|to|until|till)\s*$/i.test(text.slice(0, item.start)),
  )
  return found.length === 1 ? found[0]!.period : null
}

/** A day above a column says as of when its values are. */
export function periodInHeader(header: string, year: number | null): Period | null {
  const found = mergeRanges(header, findPeriods(header, year))
  return found.length === 1 && found[0]!.start === 0 ? found[0]!.period : periodInLabel(header, year)
}
