/**
 * Text that PostgreSQL can hold. NUL and halves of surrogate pairs cannot be stored; a column of type json takes their
 * escapes, and then every reading of a member fails. Escapes that are decoded bring them, and texts cut inside a pair.
 */

/** The first `most` UTF-16 units, or one less where that would leave half a pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, isHigh(text.charCodeAt(most - 1)) && isLow(text.charCodeAt(most)) ? most - 1 : most)
}

/** With U+FFFD in place of what cannot be stored: each stands for one unit, so offsets stay as they are. */
export function storable(text: string): string {
  return suspicious.test(text) ? text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD') : text
}

/** As JSON that can be stored and read, names of members included. */
export function storableJson(value: object): string {
  const json = JSON.stringify(value)
  return json.includes('\\u') ? json.replace(/\\(?:(u0000|ud[89a-f]..)|.)/g, (found, unstorable) => (unstorable ? '\\ufffd' : found)) : json
}

const suspicious = /[\0\ud800-\udfff]/
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
