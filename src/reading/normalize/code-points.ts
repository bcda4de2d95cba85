/**
 * Conversion of UTF-16 offsets to code point offsets of one text, in constant time after one linear pass.
 * Lone surrogates count as one code point each, as string iteration has it. Offsets out of range are clamped;
 * an offset inside a surrogate pair counts the pair as not yet passed.
 */

/** Checkpoint distance: at most this many units are walked per conversion; 100,000 units need 400 numbers. */
const strideUnits = 256

/** UTF-16 offset → code point offset. */
export function codePointOffsets(source: string): (utf16: number) => number {
  if (!/[\ud800-\udbff]/.test(source)) return utf16 => clamp(utf16, source.length)
  const checkpoints = new Uint32Array(Math.floor(source.length / strideUnits) + 1)
  let count = 0
  for (let unit = 0; unit < source.length; unit++) {
    if (unit % strideUnits === 0) checkpoints[unit / strideUnits] = count
    if (!insidePair(source, unit + 1)) count++
  }
  if (source.length % strideUnits === 0) checkpoints[source.length / strideUnits] = count
  return utf16 => countTo(source, checkpoints, clamp(utf16, source.length))
}

/** True when the offset would split a surrogate pair. */
export function insidePair(source: string, offset: number): boolean {
  if (offset <= 0 || offset >= source.length) return false
  const after = source.charCodeAt(offset)
  if (after < 0xdc00 || after > 0xdfff) return false
  const before = source.charCodeAt(offset - 1)
  return before >= 0xd800 && before <= 0xdbff
}

/** A code point is counted at the unit that completes it. */
function countTo(source: string, checkpoints: Uint32Array, utf16: number): number {
  const index = Math.floor(utf16 / strideUnits)
  let count = checkpoints[index] ?? 0
  for (let unit = index * strideUnits; unit < utf16; unit++) {
    if (!insidePair(source, unit + 1)) count++
  }
  return count
}

function clamp(offset: number, length: number): number {
  if (!(offset > 0)) return 0
  return offset >= length ? length : Math.floor(offset)
}
