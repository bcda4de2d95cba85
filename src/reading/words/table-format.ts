/**
 * The word table as bytes: written by `scripts/word-tables.ts`, read by every thread from the same memory. Wider
 * numbers come first, then bytes, then the words themselves, sorted and one a line.
 */

export interface WordTable {
  count: number
  documents: number
  /** The words, one a line, and where each line starts. */
  letters: Uint8Array
  starts: Uint32Array
  senses: Lists
  derived: Lists
  opposed: Lists
  parents: Int32Array
  parts: Uint8Array
  uses: Uint16Array
}

export interface Lists {
  ends: Uint32Array
  items: Uint32Array
}

export const WORD_TABLE = 0x434e4457
const NEWLINE = 10

function endsOf(counts: Uint8Array): Uint32Array {
  const ends = new Uint32Array(counts.length)
  for (let i = 0, end = 0; i < counts.length; i++) ends[i] = end += counts[i]!
  return ends
}

/** Views on the given memory; only where each word and list starts is made anew. */
export function readWordTable(buffer: ArrayBufferLike): WordTable {
  const header = new Uint32Array(buffer, 0, 8)
  const [magic, count = 0, documents = 0, senseItems = 0, derivedItems = 0, opposedItems = 0, synsets = 0, textBytes = 0] = header
  if (magic !== WORD_TABLE) throw new Error('The word table is damaged.')
  let at = header.byteLength
  const section = <T extends { byteLength: number }>(view: T): T => {
    at += view.byteLength
    return view
  }
  const items = [senseItems, derivedItems, opposedItems].map(length => section(new Uint32Array(buffer, at, length)))
  const parents = section(new Int32Array(buffer, at, synsets))
  const uses = section(new Uint16Array(buffer, at, count))
  const parts = section(new Uint8Array(buffer, at, count))
  const [senses, derived, opposed] = items.map(each => ({ items: each, ends: endsOf(section(new Uint8Array(buffer, at, count))) }))
  const letters = new Uint8Array(buffer, at, textBytes)
  const starts = new Uint32Array(count + 1)
  for (let i = 0, word = 1; i < letters.length; i++) if (letters[i] === NEWLINE) starts[word++] = i + 1
  starts[count] = letters.length + 1
  return { count, documents, letters, starts, senses: senses!, derived: derived!, opposed: opposed!, parents, parts, uses }
}

/** Place of a word, -1 for none. */
export function findWord({ count, letters, starts }: WordTable, word: string): number {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const start = starts[middle]!
    const length = starts[middle + 1]! - 1 - start
    let same = 0
    while (same < length && same < word.length && letters[start + same] === word.charCodeAt(same)) same++
    if (same === length && same === word.length) return middle
    // The end of a word comes before any letter.
    if (same === length || (same < word.length && letters[start + same]! < word.charCodeAt(same))) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export function wordAt({ letters, starts }: WordTable, at: number): string {
  return String.fromCharCode(...letters.subarray(starts[at], starts[at + 1]! - 1))
}
