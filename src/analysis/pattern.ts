/**
 * Regular expressions that are tried only where they can match. A sentence is asked some hundred questions and answers most
 * of them with no: one pass over its characters tells which of the literals that the expressions need it contains, and
 * with that, which expressions are worth running. Others are ruled out by the first or last character of the text, or by
 * the kinds of characters it has. The answers are those of the expressions alone.
 */
import { type Characters, edgesOf, hasCharacter, placeOf } from './edges.js'
import { BREAK, requiredLiterals } from './required.js'

const SYMBOLS = 32
const DIGIT = 27
const UNDERSCORE = 28

/** Symbol of an ASCII character; whatever is no word character is 0. */
const SYMBOL_OF = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code).toLowerCase()
  if (/[a-z]/.test(char)) SYMBOL_OF[code] = char.charCodeAt(0) - 96
  else if (/\d/.test(char)) SYMBOL_OF[code] = DIGIT
  else if (char === '_') SYMBOL_OF[code] = UNDERSCORE
}

/** Letters beyond ASCII that count as "s" and "k" where case is ignored. */
const LONG_S = 0x17f
const KELVIN = 0x212a

/** What was found in a text: which kinds of characters it has, then one bit for each pattern whose literal stands in it. */
type Found = Int32Array
const KINDS = 4

/** Sentences are asked by many in turn, with their clauses in between; a text stays known until another takes its place. */
const PLACES = 64
interface Known {
  text: string
  found: Found
}

/** All literals of all patterns as one automaton (Aho and Corasick): its state after a character says which of them end there. */
class Literals {
  private readonly words: { literal: string; pattern: number }[] = []
  private count = 0
  private next = new Uint16Array(0)
  /** Row of `marks` for each state; 0 for none. */
  private ends = new Uint16Array(0)
  /** The words of `Found` in which a literal sets bits, each followed by the bits. */
  private marks: Int32Array[] = []
  private built = false
  private readonly recent: (Known | undefined)[] = new Array<Known | undefined>(PLACES).fill(undefined)

  add(literals: readonly string[]): number {
    const pattern = this.count++
    for (const literal of literals) this.words.push({ literal, pattern })
    this.built = false
    this.recent.fill(undefined)
    return pattern
  }

  private placeOf(text: string): number {
    const { length } = text
    return (length * 7 + text.charCodeAt(0) * 13 + text.charCodeAt(length >> 1) * 5 + text.charCodeAt(length - 1)) & (PLACES - 1)
  }

  /** What was found in a text that was looked at not long ago. */
  known(text: string): Found | null {
    const known = this.recent[this.placeOf(text)]
    return known !== undefined && known.text === text ? known.found : null
  }

  in(text: string): Found {
    const place = this.placeOf(text)
    const known = this.recent[place]
    if (known !== undefined && known.text === text) {
      // Equal is not the same: whoever asks again with this very string is answered without comparing characters.
      known.text = text
      return known.found
    }
    if (!this.built) this.build()
    // The room of whatever had the place is used again: nobody holds on to an answer.
    const found = known?.found.fill(0) ?? new Int32Array(KINDS + ((this.count + 31) >> 5))
    if (known === undefined) this.recent[place] = { text, found }
    else known.text = text
    this.scan(text, found)
    return found
  }

  private scan(text: string, found: Found): void {
    const { next, ends, marks } = this
    let state = next[0]!
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (code === LONG_S || code === KELVIN) {
        found.fill(-1)
        return
      }
      const kind = placeOf(code)
      found[kind >> 5]! |= 1 << (kind & 31)
      state = next[state * SYMBOLS + (code < 128 ? SYMBOL_OF[code]! : 0)]!
      const row = ends[state]!
      if (row === 0) continue
      const mark = marks[row]!
      for (let k = 0; k < mark.length; k += 2) found[mark[k]!]! |= mark[k + 1]!
    }
  }

  private build(): void {
    const size = 1 + this.words.reduce((sum, { literal }) => sum + literal.length, 0)
    const next = new Uint16Array(size * SYMBOLS)
    const width = KINDS + ((this.count + 31) >> 5)
    const own = new Map<number, Found>()
    let states = 1
    for (const { literal, pattern } of this.words) {
      let state = 0
      for (const char of literal) {
        const at = state * SYMBOLS + (char === BREAK ? 0 : SYMBOL_OF[char.charCodeAt(0)]!)
        if (next[at] === 0) next[at] = states++
        // Literals share their beginnings: what they are together says little.
        if (states > 0xffff) throw new RangeError('more literals than the automaton has states for')
        state = next[at]!
      }
      const mask = own.get(state) ?? new Int32Array(width)
      mask[wordOf(pattern)]! |= bitOf(pattern)
      own.set(state, mask)
    }
    this.link(next, own, states)
    this.built = true
  }

  /** Completes the transitions breadth first: where no literal goes on, the longest suffix that begins one does. */
  private link(next: Uint16Array, own: Map<number, Found>, states: number): void {
    const fallback = new Uint16Array(states)
    const ends = new Uint16Array(states)
    const masks: Found[] = [new Int32Array(0)]
    const queue = [0]
    for (let head = 0; head < queue.length; head++) {
      const state = queue[head]!
      const shorter = fallback[state]!
      const mask = own.get(state)
      const inherited = ends[shorter]!
      if (mask !== undefined && inherited !== 0) for (let k = 0; k < mask.length; k++) mask[k]! |= masks[inherited]![k]!
      ends[state] = mask === undefined ? inherited : masks.push(mask) - 1
      for (let symbol = 0; symbol < SYMBOLS; symbol++) {
        const at = state * SYMBOLS + symbol
        const child = next[at]!
        if (child === 0) next[at] = state === 0 ? 0 : next[shorter * SYMBOLS + symbol]!
        else {
          fallback[child] = state === 0 ? 0 : next[shorter * SYMBOLS + symbol]!
          queue.push(child)
        }
      }
    }
    this.next = next.slice(0, states * SYMBOLS)
    this.ends = ends
    this.marks = masks.map(sparse)
  }
}

const wordOf = (pattern: number): number => KINDS + (pattern >> 5)
const bitOf = (pattern: number): number => 1 << (pattern & 31)

/** Only the words that have bits: a literal belongs to few of the many patterns. */
function sparse(mask: Found): Int32Array {
  const pairs: number[] = []
  for (let word = 0; word < mask.length; word++) if (mask[word] !== 0) pairs.push(word, mask[word]!)
  return Int32Array.from(pairs)
}

const literals = new Literals()

/** `found` begins with the kinds of characters of the text. */
const meets = (found: Found, set: Characters): boolean =>
  (found[0]! & set[0]!) !== 0 || (found[1]! & set[1]!) !== 0 || (found[2]! & set[2]!) !== 0 || (found[3]! & set[3]!) !== 0

/** Below this length the expression itself is as quick. */
const SHORT = 6

export class Pattern {
  private readonly regex: RegExp
  /** The same without memory of a position, for asking once. */
  private readonly once: RegExp
  /** Null when the expression needs no literal. */
  private readonly bit: number | null
  private readonly first: Characters | null
  private readonly last: Characters | null
  private readonly within: Characters | null

  constructor(regex: RegExp) {
    this.regex = regex
    this.once = regex.global ? new RegExp(regex.source, regex.flags.replace('g', '')) : regex
    const needed = requiredLiterals(regex)
    this.bit = needed === null ? null : literals.add(needed)
    const { first, last, within } = edgesOf(regex)
    this.first = first
    this.last = last
    this.within = within
  }

  /** Whether the text may match; false is sure. */
  possible(text: string): boolean {
    const { bit, first, last, within } = this
    const { length } = text
    if (first !== null && (length === 0 || !hasCharacter(first, text.charCodeAt(0)))) return false
    if (last !== null && (length === 0 || !hasCharacter(last, text.charCodeAt(length - 1)))) return false
    if (length < SHORT || (bit === null && within === null)) return true
    // Kinds of characters alone are not worth looking through a text for.
    const found = bit === null ? literals.known(text) : literals.in(text)
    if (found === null) return true
    if (bit !== null && (found[wordOf(bit)]! & bitOf(bit)) === 0) return false
    return within === null || meets(found, within)
  }

  test(text: string): boolean {
    return this.possible(text) && this.once.test(text)
  }

  exec(text: string): RegExpExecArray | null {
    return this.possible(text) ? this.once.exec(text) : null
  }

  /** As `String.replace` does it. */
  replace(text: string, by: string): string {
    return this.possible(text) ? text.replace(this.regex, by) : text
  }

  /** As `String.matchAll` does it; for expressions that are global. */
  all(text: string): RegExpExecArray[] {
    return this.possible(text) ? matchesOf(this.regex, text) : []
  }
}

/** All matches of a global expression. `String.matchAll` gives the same and makes a copy of the expression each time. */
export function matchesOf(regex: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    found.push(match)
    if (match[0] === '') regex.lastIndex++
  }
  return found
}

export const pattern = (regex: RegExp): Pattern => new Pattern(regex)
