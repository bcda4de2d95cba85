/**
 * Code point offsets of the UTF-16 offsets of one text, in constant time after one linear pass. A lone surrogate counts as
 * one code point, as string iteration has it. Offsets out of range are clamped; one inside a pair counts the pair as ahead.
 */
export function codePointOffsets(source: string): (utf16: number) => number {
  const clamped = (offset: number): number => Math.min(Math.max(Math.floor(offset) || 0, 0), source.length)
  if (!/[\ud800-\udbff]/.test(source)) return clamped
  const counts = new Uint32Array(source.length + 1)
  for (let unit = 1; unit <= source.length; unit++) counts[unit] = counts[unit - 1]! + (insidePair(source, unit) ? 0 : 1)
  return offset => counts[clamped(offset)]!
}

/** True when the offset would split a surrogate pair. */
export function insidePair(source: string, offset: number): boolean {
  const isBetween = (at: number, first: number, last: number): boolean => source.charCodeAt(at) >= first && source.charCodeAt(at) <= last
  return offset > 0 && isBetween(offset, 0xdc00, 0xdfff) && isBetween(offset - 1, 0xd800, 0xdbff)
}
