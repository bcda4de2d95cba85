/**
 * Conversion between UTF-16 offsets and code point offsets of one text, in constant time after one linear pass.
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

/** The text between two code point offsets. */
export type CodePointSlice = (start: number, end: number) => string

/** An array of code points would take eight bytes for each, and a join for every slice. */
export function codePointSlices(source: string): CodePointSlice {
  if (!/[\ud800-\udbff]/.test(source)) return (start, end) => source.slice(Math.max(0, start), Math.max(0, end))
  const units = new Uint32Array(source.length + 1)
  let points = 0
  for (let unit = 0; unit < source.length; unit++) if (!insidePair(source, unit)) units[points++] = unit
  const clamp = (offset: number): number => (offset >= points ? source.length : units[Math.max(0, offset)]!)
  return (start, end) => source.slice(clamp(start), clamp(end))
}

/** True when the offset would split a surrogate pair. */
export function insidePair(source: string, offset: number): boolean {
  if (offset <= 0 || offset >= source.length) return false
  const after = source.charCodeAt(offset)
  if (after < 0xdc00 || after > 0xdfff) return false
  const before = source.charCodeAt(offset - 1)
  return before >= 0xd800 && before <= 0xdbff
}
