/**
 * Conversion between UTF-16 offsets and code point offsets of one text, in constant time after one linear pass.
 * Lone surrogates count as one code point each, as string iteration has it. Offsets out of range are clamped;
 * an offset inside a surrogate pair counts the pair as not yet passed.
 */

/** Checkpoint distance: at most this many units are walked per conversion; 100,000 units need 400 numbers. */
const strideUnits = 256

export interface CodePointOffsets {
  /** Length of the text in code points. */
  readonly length: number
  /** UTF-16 offset → code point offset. */
  toCodePoint(utf16: number): number
  /** Code point offset → UTF-16 offset. */
  toUtf16(codePoint: number): number
}

export function codePointOffsets(source: string): CodePointOffsets {
  if (!/[\ud800-\udbff]/.test(source)) {
    const identity = (offset: number): number => clamp(offset, source.length)
    return { length: source.length, toCodePoint: identity, toUtf16: identity }
  }
  const checkpoints = new Uint32Array(Math.floor(source.length / strideUnits) + 1)
  let count = 0
  for (let unit = 0; unit < source.length; unit++) {
    if (unit % strideUnits === 0) checkpoints[unit / strideUnits] = count
    if (!insidePair(source, unit + 1)) count++
  }
  if (source.length % strideUnits === 0) checkpoints[source.length / strideUnits] = count
  const length = count
  return {
    length,
    toCodePoint: utf16 => countTo(source, checkpoints, clamp(utf16, source.length)),
    toUtf16: codePoint => unitOf(source, checkpoints, clamp(codePoint, length)),
  }
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

function unitOf(source: string, checkpoints: Uint32Array, codePoint: number): number {
  let low = 0
  let high = checkpoints.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((checkpoints[middle] ?? 0) <= codePoint) low = middle
    else high = middle - 1
  }
  let unit = low * strideUnits
  let count = checkpoints[low] ?? 0
  while (count < codePoint) {
    if (!insidePair(source, unit + 1)) count++
    unit++
  }
  return insidePair(source, unit) ? unit - 1 : unit
}

function clamp(offset: number, length: number): number {
  if (!(offset > 0)) return 0
  return offset >= length ? length : Math.floor(offset)
}
