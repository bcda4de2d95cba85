/**
 * Regular expressions that are tried only where they can match. A sentence is asked some hundred questions and answers most
 * of them with no: one pass over its characters tells which of the literals that the expressions need it contains, and
 * with that, which expressions are worth running. The answers are those of the expressions alone.
 */
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

/** One bit for each pattern. */
type Mask = Uint32Array<ArrayBuffer>

/** All literals of all patterns as one automaton (Aho and Corasick): its state after a character says which of them end there. */
class Literals {
  private readonly words: { literal: string; pattern: number }[] = []
  private count = 0
  private next = new Uint16Array(0)
  /** Row of `masks` for each state; 0 for none. */
  private ends = new Uint16Array(0)
  private masks: Mask[] = []
  private built = false
  private readonly recent: { text: string; found: Mask }[] = []
  private turn = 0

  add(literals: readonly string[]): number {
    const pattern = this.count++
    for (const literal of literals) this.words.push({ literal, pattern })
    this.built = false
    this.recent.length = 0
    return pattern
  }

  /** Which patterns have one of their literals in the text, as bits. */
  in(text: string): Mask {
    for (const known of this.recent) if (known.text === text) return known.found
    if (!this.built) this.build()
    const found = this.scan(text)
    const kept = { text, found }
    if (this.recent.length < 4) this.recent.push(kept)
    else this.recent[this.turn++ & 3] = kept
    return found
  }

  private scan(text: string): Mask {
    const { next, ends, masks } = this
    const found = new Uint32Array((this.count + 31) >> 5)
    let state = next[0]!
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0
      if (code === LONG_S || code === KELVIN) return found.fill(0xffffffff)
      state = next[state * SYMBOLS + (code < 128 ? SYMBOL_OF[code]! : 0)]!
      const row = ends[state]!
      if (row === 0) continue
      const mask = masks[row]!
      for (let k = 0; k < found.length; k++) found[k]! |= mask[k]!
    }
    return found
  }

  private build(): void {
    const size = 1 + this.words.reduce((sum, { literal }) => sum + literal.length, 0)
    if (size > 0xffff) throw new RangeError('more literals than the automaton has states for')
    const next = new Uint16Array(size * SYMBOLS)
    const width = (this.count + 31) >> 5
    const own = new Map<number, Mask>()
    let states = 1
    for (const { literal, pattern } of this.words) {
      let state = 0
      for (const char of literal) {
        const at = state * SYMBOLS + (char === BREAK ? 0 : SYMBOL_OF[char.charCodeAt(0)]!)
        if (next[at] === 0) next[at] = states++
        state = next[at]!
      }
      const mask = own.get(state) ?? new Uint32Array(width)
      mask[pattern >> 5]! |= 1 << (pattern & 31)
      own.set(state, mask)
    }
    this.link(next, own, states)
    this.built = true
  }

  /** Completes the transitions breadth first: where no literal goes on, the longest suffix that begins one does. */
  private link(next: Uint16Array, own: Map<number, Mask>, states: number): void {
    const fallback = new Uint16Array(states)
    const ends = new Uint16Array(states)
    const masks: Mask[] = [new Uint32Array(0)]
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
    this.masks = masks
  }
}

const literals = new Literals()

/** Below this length the expression itself is as quick. */
const SHORT = 6

export class Pattern {
  private readonly regex: RegExp
  /** The same without memory of a position, for asking once. */
  private readonly once: RegExp
  /** Null when the expression needs no literal: it is always tried. */
  private readonly bit: number | null

  constructor(regex: RegExp) {
    this.regex = regex
    this.once = regex.global ? new RegExp(regex.source, regex.flags.replace('g', '')) : regex
    const needed = requiredLiterals(regex)
    this.bit = needed === null ? null : literals.add(needed)
  }

  /** Whether the text may match; false is sure. */
  possible(text: string): boolean {
    const { bit } = this
    return bit === null || text.length < SHORT || (literals.in(text)[bit >> 5]! & (1 << (bit & 31))) !== 0
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
