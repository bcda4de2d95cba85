/**
 * Conversion of UTF-16 offsets to code point offsets of one text, in constant time after one linear pass.
 * Lone surrogates count as one code point each, as string iteration has it. Offsets out of range are clamped;
 * an offset inside a surrogate pair counts the pair as not yet passed.
 */

/** UTF-16 offset → code point offset. */
export function codePointOffsets(source: string): (utf16: number) => number {
  const clamp = (offset: number): number => Math.min(Math.max(Math.floor(offset) || 0, 0), source.length)
  if (!/[\ud800-\udbff]/.test(source)) return clamp
  const counts = new Uint32Array(source.length + 1)
  // A code point is counted at the unit that completes it.
  for (let unit = 0; unit < source.length; unit++) counts[unit + 1] = counts[unit]! + (insidePair(source, unit + 1) ? 0 : 1)
  return utf16 => counts[clamp(utf16)]!
}

/** True when the offset would split a surrogate pair. */
export function insidePair(source: string, offset: number): boolean {
  if (offset <= 0 || offset >= source.length) return false
  const after = source.charCodeAt(offset)
  if (after < 0xdc00 || after > 0xdfff) return false
  const before = source.charCodeAt(offset - 1)
  return before >= 0xd800 && before <= 0xdbff
}
