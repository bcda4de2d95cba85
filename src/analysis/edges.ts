/**
 * Which characters a match of a regular expression must begin with, end with or contain. Derived from the expression
 * itself, like its literals (`required.ts`): most questions put to a text are answered with no by one look at its first or
 * last character, or at the kinds of characters it has. What is not understood counts as anything.
 */

/** A set of characters: one bit for each of ASCII, the last bit for all that are beyond it. */
export type Characters = Int32Array

export interface Edges {
  /** For expressions that match only from the start or up to the end of a text; null for others. */
  first: Characters | null
  last: Characters | null
  /** Characters of which every match has one; null where they are too common to tell anything. */
  within: Characters | null
}

const BEYOND = 127

export const placeOf = (code: number): number => Math.min(code, BEYOND)
export const hasCharacter = (set: Characters, code: number): boolean => {
  const at = placeOf(code)
  return (set[at >> 5]! & (1 << (at & 31))) !== 0
}

const NONE: Characters = new Int32Array(4)
const ALL: Characters = new Int32Array(4).fill(-1)
const where = (test: RegExp, beyond: boolean): Characters => {
  const set = new Int32Array(4)
  for (let code = 0; code < BEYOND; code++) if (test.test(String.fromCharCode(code))) set[code >> 5]! |= 1 << (code & 31)
  return beyond ? union(set, one(BEYOND)) : set
}
const one = (code: number): Characters => {
  const set = new Int32Array(4)
  const at = placeOf(code)
  set[at >> 5] = 1 << (at & 31)
  return set
}
const union = (a: Characters, b: Characters): Characters => a.map((bits, k) => bits | b[k]!)
const without = (set: Characters): Characters =>
  union(
    set.map(bits => ~bits),
    one(BEYOND),
  )

const CLASSES: Record<string, Characters> = {
  d: where(/\d/, false),
  D: where(/\D/, true),
  w: where(/\w/, false),
  W: where(/\W/, true),
  s: where(/\s/, true),
  S: where(/\S/, true),
  n: one(10),
  r: one(13),
  t: one(9),
  f: one(12),
  v: one(11),
}
const PROPERTIES: Record<string, Characters> = {
  L: where(/[a-z]/i, true),
  Lu: where(/[A-Z]/, true),
  Ll: where(/[a-z]/, true),
  N: where(/\d/, true),
  Nd: where(/\d/, true),
  M: one(BEYOND),
}

type Node =
  | { is: 'set'; set: Characters }
  | { is: 'start' | 'end' | 'empty' }
  | { is: 'anything' }
  | { is: 'all'; of: Node[] }
  | { is: 'either'; of: Node[] }
  | { is: 'optional'; of: Node }
  | { is: 'some'; of: Node }

class Reader {
  private readonly source: string
  private readonly anyCase: boolean
  private at = 0

  constructor({ source, flags }: RegExp) {
    this.source = source
    this.anyCase = flags.includes('i')
  }

  either(): Node {
    const of = [this.sequence()]
    while (this.source[this.at] === '|') {
      this.at++
      of.push(this.sequence())
    }
    return of.length === 1 ? of[0]! : { is: 'either', of }
  }

  private sequence(): Node {
    const of: Node[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') of.push(this.repeated())
    return { is: 'all', of }
  }

  private repeated(): Node {
    const of = this.atom()
    const match = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.source.slice(this.at, this.at + 16))
    if (!match) return of
    this.at += match[0].length
    const char = match[0][0]
    return { is: char === '+' || (char === '{' && Number(match[1]) > 0) ? 'some' : 'optional', of }
  }

  private atom(): Node {
    const char = this.source[this.at]!
    if (char === '(') return this.group()
    if (char === '[') return { is: 'set', set: this.folded(this.set()) }
    if (char === '\\') return this.escape()
    const code = this.source.codePointAt(this.at)!
    this.at += code > 0xffff ? 2 : 1
    if (char === '^') return { is: 'start' }
    if (char === '$') return { is: 'end' }
    return { is: 'set', set: char === '.' ? ALL : this.folded(one(code)) }
  }

  private group(): Node {
    const opening = /^\((\?(?:[:=!]|<[=!]|<[^>]+>))?/.exec(this.source.slice(this.at, this.at + 40))!
    this.at += opening[0].length
    const inside = this.either()
    this.at++
    // What only looks ahead or behind takes no room.
    return opening[1] !== undefined && /^\?(?:[=!]|<[=!])/.test(opening[1]) ? { is: 'empty' } : inside
  }

  private escape(): Node {
    const kind = this.source[this.at + 1]!
    if (kind === 'b' || kind === 'B') {
      this.at += 2
      return { is: 'empty' }
    }
    if (/[1-9k]/.test(kind)) {
      this.at = kind === 'k' ? this.source.indexOf('>', this.at) + 1 : this.at + 2
      return { is: 'anything' }
    }
    return { is: 'set', set: this.folded(this.escaped()) }
  }

  /** The characters of an escape, inside of a set or not; moves behind it. */
  private escaped(): Characters {
    const kind = this.source[this.at + 1]!
    this.at += 2
    if (kind === 'p' || kind === 'P') {
      const end = this.source.indexOf('}', this.at)
      const name = this.source.slice(this.at + 1, end)
      this.at = end + 1
      return kind === 'P' ? ALL : (PROPERTIES[name] ?? ALL)
    }
    if (kind === 'u' || kind === 'x') {
      const match = /^(?:\{([\da-f]+)\}|([\da-f]{4}|[\da-f]{2}))/i.exec(this.source.slice(this.at, this.at + 10))
      if (!match || (kind === 'x') !== (match[2]?.length === 2)) return ALL
      this.at += match[0].length
      return one(Number.parseInt(match[1] ?? match[2]!, 16))
    }
    if (Object.hasOwn(CLASSES, kind)) return CLASSES[kind]!
    return /[a-z\d]/i.test(kind) ? ALL : one(kind.charCodeAt(0))
  }

  private set(): Characters {
    const negated = this.source[this.at + 1] === '^'
    this.at += negated ? 2 : 1
    let set = NONE
    while (this.source[this.at] !== ']') {
      const from = this.source.charCodeAt(this.at)
      if (this.source[this.at] === '\\') {
        set = union(set, this.escaped())
        // A range of escaped characters: rare, and anything will do.
        if (this.source[this.at] === '-' && this.source[this.at + 1] !== ']') set = ALL
        continue
      }
      this.at++
      set = union(set, this.source[this.at] === '-' && this.source[this.at + 1] !== ']' ? this.range(from) : one(from))
    }
    this.at++
    // Nothing is known of what is left when something unknown is taken away.
    return negated ? without(set.every(bits => bits === -1) ? NONE : set) : set
  }

  private range(from: number): Characters {
    this.at++
    if (this.source[this.at] === '\\') return ALL
    const to = this.source.charCodeAt(this.at++)
    let set = NONE
    for (let code = from; code <= to && code <= BEYOND; code++) set = union(set, one(code))
    return to > BEYOND ? union(set, one(BEYOND)) : set
  }

  /** Where case is ignored, both cases; the long s and the sign of kelvin count as "s" and "k". */
  private folded(set: Characters): Characters {
    if (!this.anyCase) return set
    let both = set
    for (let small = 97; small <= 122; small++) {
      if (!hasCharacter(set, small) && !hasCharacter(set, small - 32)) continue
      both = union(both, union(one(small), one(small - 32)))
      if (small === 107 || small === 115) both = union(both, one(BEYOND))
    }
    return both
  }
}

/** What a part of an expression begins with, or ends with; `empty` when it can take no room. */
function edge(node: Node, backwards: boolean): { set: Characters; empty: boolean } {
  if (node.is === 'set') return { set: node.set, empty: false }
  if (node.is === 'anything') return { set: ALL, empty: true }
  if (node.is === 'optional') return { set: edge(node.of, backwards).set, empty: true }
  if (node.is === 'some') return edge(node.of, backwards)
  if (node.is === 'either') {
    const edges = node.of.map(option => edge(option, backwards))
    return { set: edges.reduce((set, found) => union(set, found.set), NONE), empty: edges.some(found => found.empty) }
  }
  let set = NONE
  if (node.is !== 'all') return { set, empty: true }
  for (let i = 0; i < node.of.length; i++) {
    const found = edge(node.of[backwards ? node.of.length - 1 - i : i]!, backwards)
    set = union(set, found.set)
    if (!found.empty) return { set, empty: false }
  }
  return { set, empty: true }
}

/** Whether every match begins at the start of the text, or ends at its end. */
function isBound(node: Node, backwards: boolean): boolean {
  if (node.is === 'either') return node.of.every(option => isBound(option, backwards))
  if (node.is !== 'all') return node.is === (backwards ? 'end' : 'start')
  const next = (backwards ? node.of.toReversed() : node.of).find(part => part.is !== 'empty')
  return next !== undefined && isBound(next, backwards)
}

/** How many of a thousand characters are of the set, roughly. */
function share(set: Characters): number {
  let sum = 0
  for (let code = 0; code <= BEYOND; code++) if (hasCharacter(set, code)) sum += shareOf(code)
  return sum
}
function shareOf(code: number): number {
  const char = String.fromCharCode(code)
  if (/[a-z]/.test(char)) return 'etaoinsrhld'.includes(char) ? 50 : 'vkxjqz'.includes(char) ? 4 : 20
  if (char === ' ') return 150
  if (/\d/.test(char)) return 4
  return code === BEYOND || '.,'.includes(char) ? 10 : 1
}
const COMMON = 70

/** The rarest characters of which every match of the part has one; null when it can do without any. */
function needed(node: Node): Characters | null {
  if (node.is === 'set') return node.set
  if (node.is === 'some') return needed(node.of)
  if (node.is === 'either') {
    const sets = node.of.map(needed)
    return sets.every(set => set !== null) ? sets.reduce(union, NONE) : null
  }
  if (node.is !== 'all') return null
  let best: Characters | null = null
  for (const part of node.of) {
    const set = needed(part)
    if (set !== null && (best === null || share(set) < share(best))) best = set
  }
  return best
}

export function edgesOf(expression: RegExp): Edges {
  if (/[mvy]/.test(expression.flags)) return { first: null, last: null, within: null }
  const node = new Reader(expression).either()
  const at = (backwards: boolean): Characters | null => {
    const { set, empty } = edge(node, backwards)
    return isBound(node, backwards) && !empty ? set : null
  }
  const within = needed(node)
  return { first: at(false), last: at(true), within: within !== null && share(within) <= COMMON ? within : null }
}
