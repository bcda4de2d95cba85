/**
 * Kinds of characters by table instead of by expression: letters, marks, capitals, small letters, space. Reading goes over
 * every character of a text several times, and asking an expression about one character costs more than the reading.
 */

const KNOWN = 1
const LETTER = 2
const MARK = 4
const SPACE = 8
const CAPITAL = 16
const SMALL = 32

const kinds = new Uint8Array(0x10000)

function kindOf(char: string): number {
  return (
    KNOWN |
    (/\s/.test(char) ? SPACE : 0) |
    (/\p{L}/u.test(char) ? LETTER : 0) |
    (/\p{M}/u.test(char) ? MARK : 0) |
    (/\p{Lu}/u.test(char) ? CAPITAL : 0) |
    (/\p{Ll}/u.test(char) ? SMALL : 0)
  )
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Kind of the code point at the offset; half of a pair is no letter. */
function kindAt(text: string, at: number): number {
  if (at >= text.length) return KNOWN
  const code = text.charCodeAt(at)
  if (isHigh(code)) return kindOf(String.fromCodePoint(text.codePointAt(at) ?? code))
  const known = kinds[code] ?? KNOWN
  if (known !== 0) return known
  const made = kindOf(String.fromCharCode(code))
  kinds[code] = made
  return made
}

/** Units of the code point at the offset. */
const widthAt = (text: string, at: number): number => (isHigh(text.charCodeAt(at)) && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** Units of the letter or the mark at the offset, 0 where none stands there. */
export const letterAt = (text: string, at: number): number => ((kindAt(text, at) & LETTER) !== 0 ? widthAt(text, at) : 0)
export const markAt = (text: string, at: number): number => ((kindAt(text, at) & MARK) !== 0 ? widthAt(text, at) : 0)

export const isSpaceAt = (text: string, at: number): boolean => (kindAt(text, at) & SPACE) !== 0

/** How many capital and small letters a text has. */
export function countCase(text: string): { capitals: number; smalls: number } {
  let capitals = 0
  let smalls = 0
  for (let at = 0; at < text.length; at += widthAt(text, at)) {
    const kind = kindAt(text, at)
    if ((kind & CAPITAL) !== 0) capitals++
    else if ((kind & SMALL) !== 0) smalls++
  }
  return { capitals, smalls }
}

/** Every run of space as one blank. */
export const squeeze = (text: string): string => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text)
