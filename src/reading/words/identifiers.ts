/** What names one of many: codes, numbers and letters behind the noun they number, grades. */
import { matchesOf } from '../matches.js'
import type { ClaimValue } from '../types.js'
import { isProper, lemmaOf, NOUN, partOf, partsOf, VERB } from './dictionary.js'
import { FUNCTION_WORDS, PREPOSITION, TIME_WORDS } from './lists.js'

export interface Identifier {
  key: string
  start: number
  end: number
}

const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}./_-]*\d)(?=[\p{L}\p{N}./_-]*\p{L})[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)*(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.,/-])\d+(?:[-/]\d+)+(?![\p{L}\p{N}%]|[.,]\d)/gu
/** "K-501A" is a code, "12.5m" and "3rd" are not. */
const MEASURED =
  /^[€$£]?\d[\d.,]*(?:k|m|mn|bn|b|kg|t|g|mg|km|cm|mm|ms|s|min|h|hr|hrs|l|ml|kw|mw|gw|kwh|mwh|x|st|nd|rd|th|am|pm|v|w|gb|tb|mb|ft|in|px|pt|c|f|p|pp|bps|bp|%)$/i
/** "m2" and "m3/h" are units. */
const AREA = /^[kcdm]?m[23](?:\/\p{L}+)?$/iu
/** "line 6B", "Flat 2C": behind the noun it numbers. */
const NUMBERED =
  /\b(?!(?:of|in|on|at|to|for|from|by|with|and|or|the|about|some|nearly|over|under|than|is|was|are|were|eur|usd|gbp|chf|sek|nok|dkk|jpy|cad|aud|pln|czk|huf|inr|cny)\s)\p{L}{3,}\s$/iu
/** "Design B", "cohort C": a letter behind the noun it numbers. */
export function lettersIn(text: string): Identifier[] {
  return matchesOf(/(?<![\p{L}.])(\p{L}{3,})\s([A-HJ-Z])(?=[\s,;:)]|\.?$)(?!\s(?:\p{Lu}|&))/gu, text)
    .filter(
      ([, noun]) => !FUNCTION_WORDS.has(noun!.toLowerCase()) && (partsOf(lemmaOf(noun!)) & NOUN) !== 0 && !isProper(noun!.toLowerCase()),
    )
    .map(match => {
      const end = match.index + match[0].length
      return { key: `${lemmaOf(match[1]!)} ${match[2]!.toLowerCase()}`, start: end - 1, end }
    })
}

const GRADE =
  /\b(?:ratings?|rated|graded?|grades|bands?|class|category|tier|level|stage|severity|priority)(?:\s*:|\s(?:of|is|was|as|at|to|in|into|by))*\s*(?:an?\s)?["“]?([A-D]{1,3}[+-]?|[E-G][+-]?|[IVX]{1,4}|[A-Z]?\d{1,2}[a-z]?)(?![\p{L}\d]|[.,]\d|\s?(?:%|of|out|per|\p{Ll}+s\b))/gu

/** "rating of BBB+", "Class II": a grade is a value of its own, and no name. */
export function gradesIn(text: string): Identifier[] {
  const grades = matchesOf(GRADE, text).map(match => {
    const end = match.index + match[0].length
    return { key: `grade ${match[1]!.toLowerCase()}`, start: end - match[1]!.length, end }
  })
  if (grades.length > 0 || !GRADED.test(text)) return grades
  const letters = matchesOf(LETTER_GRADE, text)
  return letters.length === 1
    ? letters.map(({ 0: letter, index }) => ({ key: `grade ${letter.toLowerCase()}`, start: index, end: index + letter.length }))
    : []
}

/** "the final mark in chemistry was a B", "rated the bonds BBB": a lone letter where a grade is spoken of. */
const GRADED = /\b(?:marks?|grades?|graded|ratings?|rated|scores?|scored|classed|classification|assessed|category|band)\b/i
const LETTER_GRADE =
  /(?<=[\p{Ll}:] (?:an? )?)(?:[A-D]{1,3}|[EF])[+-]?(?![\p{L}\d+-]|\.\p{L}|\s\p{L})(?=[\s.,;)]|$)|(?<=\p{Ll} )(?:[A-D]{1,3})[+-]?(?=\s(?:on|in|at|by|for|from)\b)/gu

/** What stands between blanks and has a digit, unless it is digits with points and commas alone: no code is written otherwise. */
function withDigits(text: string): { start: number; text: string }[] {
  const found: { start: number; text: string }[] = []
  for (let at = 0; at < text.length; at++) {
    if (!isDigitAt(text, at)) continue
    const start = text.lastIndexOf(' ', at) + 1
    const end = text.indexOf(' ', at)
    const word = text.slice(start, end < 0 ? text.length : end)
    if (!/^[\d.,()%]*$/.test(word)) found.push({ start, text: word })
    at = start + word.length
  }
  return found
}

const isDigitAt = (text: string, at: number): boolean => text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39

export function codesIn(text: string): Identifier[] {
  const found: Identifier[] = []
  for (const match of withDigits(text).flatMap(word =>
    matchesOf(CODE, word.text).map(({ 0: code, index }) => ({ code, index: word.start + index })),
  )) {
    const { code } = match
    const isPart = /^\d{1,4}[A-Z]$/.test(code) && NUMBERED.test(text.slice(Math.max(0, match.index - 24), match.index))
    if ((MEASURED.test(code) && !isPart) || AREA.test(code) || /^\p{L}+\/\p{L}/u.test(code) || code.length > 40) continue
    // "18-month" and "80-patient" count, "39/116" is a share, "378-384" a range.
    if (/^\d[\d.]*-\p{Ll}{3,}$/u.test(code) || /^\d[\d.]*[-–]\d[\d.]*\p{Ll}{1,3}$/u.test(code)) continue
    if (
      /^\d+\/\d+$/.test(code) &&
      (!/\p{L}\.?\s$/u.test(text.slice(Math.max(0, match.index - 3), match.index)) ||
        /^\s*[=(%]/.test(text.slice(match.index + code.length)))
    )
      continue
    if (/^\d+-\d+$/.test(code) && !/^0|-0|^\d{3,}-\d{4,}$|^\d{1,3}-\d{4,}$|^\d{4,}-\d{2}$/.test(code) && !isFalling(code)) continue
    found.push({ key: code.toLowerCase(), start: match.index, end: match.index + code.length })
  }
  return found
}

/** "7702-118": no range goes down. */
function isFalling(code: string): boolean {
  const [first, last] = code.split('-').map(Number)
  return first! > last! && last! >= 100
}

/** "ticket 90412", "Flat 9", "week 18": a bare whole number behind a noun names something, unless a noun follows that it counts. */
export function numberedName(text: string, found: { start: number; end: number; value: ClaimValue; text: string }): Identifier | null {
  const { value } = found
  if (value.type !== 'quantity' || value.unit !== null || value.low !== value.high) return null
  if (!/^\d{1,9}$/.test(found.text)) return spelledName(text, found)
  const before = /(\p{L}[\p{L}-]*)\.?\s+(?:(?:no|nr|number|#)\.?\s*)?$/iu.exec(text.slice(Math.max(0, found.start - 40), found.start))
  const noun = before ? lemmaOf(before[1]!) : ''
  const explicit = /\b(?:no|nos|nr|number|ref)\.?\s*$/i.test(text.slice(Math.max(0, found.start - 8), found.start))
  // "22 Calder Wharf" is an address, "DN 48812" a number of something.
  const address = /^\s(\p{Lu}\p{Ll}+)/u.exec(text.slice(found.end, found.end + 24))?.[1]
  if (address && !explicit && found.start > 0 && !TIME_WORDS.has(address.toLowerCase()))
    return { key: `${found.text} ${address.toLowerCase()}`, start: found.start, end: found.end }
  if (before && /^\p{Lu}{2,4}$/u.test(before[1]!) && !explicit)
    return { key: `${before[1]!.toLowerCase()} ${found.text}`, start: found.start, end: found.end }
  if (!before && !explicit) return null
  const word = before![1]!.toLowerCase()
  const isNoun =
    partOf(noun) === NOUN ||
    /^(?:[,:;)]|$)/.test(text.slice(found.end, found.end + 1)) ||
    /(?:^|[.,:;(]\s?|\b(?:the|of|in|on|at|for|from|to|with|and|our|its|this|that|placed)\s)$/i.test(
      text.slice(0, found.start - before![0].length),
    )
  if (!explicit && (FUNCTION_WORDS.has(word) || (partsOf(noun) & NOUN) === 0 || word !== noun || !isNoun)) return null
  const behind = /^[\s-]*(\p{L}[\p{L}-]*)/u.exec(text.slice(found.end, found.end + 30))
  if (
    !explicit &&
    !/^(?:type|class|grade|stage|phase|category|level|tier|version)$/.test(noun) &&
    behind &&
    !/^\s*[-,;:.()]/.test(text.slice(found.end, found.end + 2))
  ) {
    const next = behind[1]!.toLowerCase()
    const nextLemma = lemmaOf(next)
    if (!FUNCTION_WORDS.has(next) && partOf(nextLemma) !== VERB && (partsOf(nextLemma) & NOUN) !== 0) return null
  }
  return { key: `${noun} ${found.text}`, start: found.start, end: found.end }
}

/** "round two of the survey": a small number in words behind a noun that it cannot count. */
function spelledName(text: string, found: { start: number; end: number; text: string }): Identifier | null {
  if (!/^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/i.test(found.text)) return null
  const before = /(?:^|(\p{L}+)\s)(\p{L}{3,})\s$/u.exec(text.slice(Math.max(0, found.start - 40), found.start))
  const noun = before?.[2]?.toLowerCase()
  if (!noun || FUNCTION_WORDS.has(noun) || (partsOf(noun) & NOUN) === 0 || lemmaOf(noun) !== noun || noun.endsWith('s')) return null
  if (partOf(noun) !== NOUN && before![1] !== undefined && !PREPOSITION.test(before![1])) return null
  const next = /^\s(\p{L}+)/u.exec(text.slice(found.end, found.end + 20))?.[1]?.toLowerCase()
  if (next && !FUNCTION_WORDS.has(next) && (partsOf(lemmaOf(next)) & NOUN) !== 0) return null
  return { key: `${noun} ${found.text.toLowerCase()}`, start: found.start, end: found.end }
}
