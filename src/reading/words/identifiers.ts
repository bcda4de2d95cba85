/** What names one of many: codes, and numbers and letters behind the noun they number. */
import { matchesOf } from '../matches.js'
import type { ClaimValue } from '../types.js'
import { CODES } from '../values/unit-table.js'
import type { FoundForm } from './forms.js'
import { NUMBERED_THING } from './numbered-things.js'
import { FUNCTION_WORDS, isContrasting, isNeutral, stemOf } from './stems.js'

export interface Identifier {
  key: string
  start: number
  end: number
}

const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}./_-]*\d)(?=[\p{L}\p{N}./_-]*\p{L})[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)*(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.,/-])\d+(?:[-/]\d+)+(?![\p{L}\p{N}%]|[.,]\d)|(?<!\S)#\d{1,9}(?![\p{L}\p{N}])/gu
/** "K-501A" is a code, "12.5m" and "3rd" are not. */
const MEASURED =
  /^[€$£]?\d[\d.,]*(?:k|m|mn|bn|b|kg|t|g|mg|km|cm|mm|ms|s|min|h|hr|hrs|l|ml|kw|mw|gw|kwh|mwh|x|st|nd|rd|th|am|pm|v|w|gb|tb|mb|ft|in|px|pt|c|f|p|pp|bps|bp|%)$/i
export function codesIn(text: string): Identifier[] {
  const found: Identifier[] = []
  for (const { 0: code, index } of matchesOf(CODE, text)) {
    if (MEASURED.test(code) || /^\p{L}+\/\p{L}/u.test(code) || code.length > 40) continue
    // "378-384" is a range.
    if (/^\d+-\d+$/.test(code) && !/^0|-0|-\d{4,}$|^\d{4,}-\d{2}$/.test(code)) continue
    found.push({ key: code.toLowerCase(), start: index, end: index + code.length })
  }
  return found
}

/** "Registration number", "account no.", "tax reference": asks which one, and no size answers it. "Total number" asks how many. */
const WHICH =
  /(?:^|\s)(?:(\p{L}[\p{L}.-]*) (?:number|no|nr|id|code|reference|ref)\.?|iban|bic|isin|vin|passport|licen[cs]e)(?: of [^.;,:]{1,40})?(?::\s*|\s(?:is|was)\s)$/iu
const ANSWER = /^[\p{Lu}\d]+(?:[ /-][\p{Lu}\d]+)*(?=\s*$|[.,;]?(?:\s|$))/u
/** "C 48213", "PT50 0007 1123": letters with digits behind them, too many for a thing of a kind. */
const LETTERED = /^(?:[A-QS-Z]{1,2} \d{5,}|\p{Lu}{2}\d{2}(?: \d{4})+\d*)$/u

/** The answer to what asks which one of many, in groups or not: a code, however many digits it has. */
export function answeredCode(text: string, labelEnd: number): Identifier | null {
  const lead = labelEnd > 0 ? `${text.slice(0, labelEnd)} ` : (/^.{0,160}?\s(?:is|was)\s(?=[\p{Lu}\d])/su.exec(text)?.[0] ?? '')
  if (lead === '') return null
  const start = labelEnd > 0 ? labelEnd + (text.length - labelEnd - text.slice(labelEnd).trimStart().length) : lead.length
  const [code = ''] = ANSWER.exec(text.slice(start, start + 60)) ?? []
  if (!/\d/.test(code) || CODES.has(code.slice(0, 3)) || (labelEnd > 0 && start + code.length < text.trimEnd().length)) return null
  const asked = WHICH.exec(lead)
  const isWhich =
    asked !== null &&
    !(asked[1] && (isNeutral(stemOf(asked[1])) || isContrasting(stemOf(asked[1])) || FUNCTION_WORDS.has(asked[1].toLowerCase())))
  if (!isWhich && !(labelEnd > 0 && LETTERED.test(code))) return null
  return { key: code.replace(/ /g, '').toLowerCase(), start, end: start + code.length }
}

/** "ticket 90412", "Flat 9", "Fendt 211": a bare whole number behind what is numbered, or behind a name, counts nothing. */
export function numberedName(text: string, found: { start: number; end: number; value: ClaimValue; text: string }): Identifier | null {
  const { value } = found
  if (value.type !== 'quantity' || value.unit !== null || value.low !== value.high) return null
  const spelled = /^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/i.test(found.text)
  if (!spelled && !/^\d{1,9}$/.test(found.text)) return null
  const before = /(?:^|(\p{L}+|[.,;:(–-])\s)?(\p{L}[\p{L}-]*)\.?\s+(?:(no|nr|number|#)\.?\s*)?$/iu.exec(
    text.slice(Math.max(0, found.start - 48), found.start),
  )
  if (!before) return null
  const [, , noun = '', explicit] = before
  const lower = noun.toLowerCase()
  if (FUNCTION_WORDS.has(lower) && lower !== 'no') return null
  const opens = before[1] === undefined || /^[.:;(–-]$/.test(before[1])
  const isNamed = /^\p{Lu}/u.test(noun) && !opens && !spelled && !/^\s(?:\p{Ll}{3,}|%|[€$£])/u.test(text.slice(found.end, found.end + 6))
  const isShort = /^\p{Lu}{2,4}(?:-\p{Lu}{1,4})?$/u.test(noun) && !spelled
  if (!NUMBERED_THING.has(lower) && !isNamed && !isShort && explicit === undefined) return null
  // "group 12 adults", "visit two sites": behind a numbered thing no noun follows.
  if (spelled && /^\s\p{Ll}+s\b/u.test(text.slice(found.end, found.end + 20))) return null
  return { key: `${lower} ${found.text.toLowerCase()}`, start: found.start, end: found.end }
}

/** "Hall B", "blade C": a capital alone behind a noun says which of several is meant. */
export function lettersIn(text: string, forms: readonly FoundForm[]): Identifier[] {
  const found: Identifier[] = []
  for (const [at, { form: letter, start, end }] of forms.entries()) {
    const noun = forms[at - 1]
    if (end - start > 1 || !/^[A-HJ-Z]$/.test(letter.form) || noun?.end !== start - 1 || noun.form.idle || noun.end - noun.start < 3)
      continue
    if (/^(?:[\s,;:)]|\.?$)(?!\p{Lu}|&)/u.test(text.slice(end, end + 2)) && !/[\p{L}.]/u.test(text[noun.start - 1] ?? ''))
      found.push({ key: text.slice(noun.start, end).toLowerCase(), start, end })
  }
  return found
}
