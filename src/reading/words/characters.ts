/** What a character is, without an expression: a table for Latin letters, what Unicode says for all others. */
import { memo } from '../memo.js'

export const LETTER = 1
export const UPPER = 2
export const LOWER = 4
export const MARK = 8
export const DIGIT = 16
export const SPACE = 32

const KINDS: readonly (readonly [kind: number, form: RegExp])[] = [
  [LETTER, /\p{L}/u],
  [UPPER, /\p{Lu}/u],
  [LOWER, /\p{Ll}/u],
  [MARK, /\p{M}/u],
  [DIGIT, /\d/],
  [SPACE, /\s/],
]
const kindOf = memo(5_000, (char: string): number => KINDS.reduce((kinds, [kind, form]) => (form.test(char) ? kinds | kind : kinds), 0))
const LATIN = Uint8Array.from({ length: 0x250 }, (_, code) => kindOf(String.fromCharCode(code)))

/** Both halves of a surrogate pair are what the pair is; 0 before and behind the text. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < LATIN.length ? LATIN[code]! : otherKindAt(text, at, code)
}

function otherKindAt(text: string, at: number, code: number): number {
  if (Number.isNaN(code)) return 0
  const isLow = code >= 0xdc00 && code <= 0xdfff && (text.codePointAt(at - 1) ?? 0) > 0xffff
  return kindOf(String.fromCodePoint(text.codePointAt(isLow ? at - 1 : at)!))
}

/** Where letters that begin here end, with what else may stand among them. */
export function lettersEnd(text: string, start: number, among: string): number {
  let at = start
  while ((kindAt(text, at) & LETTER) !== 0 || (at < text.length && among.includes(text[at]!))) at++
  return at
}
