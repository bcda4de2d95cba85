/**
 * Capital and small letters by table instead of by expression: reading counts them on every line, and asking an expression
 * about one character costs more than the reading.
 */

const KNOWN = 1
const CAPITAL = 2
const SMALL = 4

const kinds = new Uint8Array(0x10000)

const kindOf = (char: string): number => KNOWN | (/\p{Lu}/u.test(char) ? CAPITAL : 0) | (/\p{Ll}/u.test(char) ? SMALL : 0)

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Kind of the code point at the offset; half of a pair is no letter. */
function kindAt(text: string, at: number): number {
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
