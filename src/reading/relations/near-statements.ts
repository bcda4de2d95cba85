/** Which statements are near enough to be compared: nobody looks at every pair. */

import type { SaidWord } from '../document/says.js'
import { askedIn } from './place.js'
import type { Said } from './said.js'

/** Of the words of the shorter side. */
const FEW = 0.25
/** A word in so many statements of a document finds none of them. */
const CROWD = 40

/** A stem of the document in hand. */
interface Entry {
  /** Which statements have it. */
  places: number[]
  /** The last statement that was looked at and had it, and how many of its document have. */
  seenBy: Said | null
  count: number
}

/** The statements of one document by their stems; those of others are held against them one after another. */
export class NearStatements {
  private readonly own: readonly Said[]
  private readonly byStem = new Map<string, Entry>()
  /** How many stems each shares with the one that is looked at; nothing between two looks. */
  private readonly shared: Uint16Array

  constructor(own: readonly Said[]) {
    this.own = own
    this.shared = new Uint16Array(own.length)
    for (const [at, { stems }] of own.entries())
      for (const stem of stems) {
        const known = this.byStem.get(stem)
        if (known) known.places.push(at)
        else this.byStem.set(stem, { places: [at], seenBy: null, count: 0 })
      }
  }

  /** Meets pairs that share two stems, or all of a short label. Within the document itself each pair is met once. */
  near(statements: readonly Said[], meet: (own: Said, other: Said) => void): void {
    const found = statements.map(statement => this.entriesOf(statement))
    const isWithin = statements === this.own
    for (let at = 0; at < found.length; at++) this.nearTo(statements[at]!, found[at]!, isWithin ? at : this.own.length, meet)
    for (const entries of found) for (const entry of entries) entry.count = 0
  }

  /** Those of its stems that the document has, each once. */
  private entriesOf(statement: Said): Entry[] {
    const entries: Entry[] = []
    for (const word of statement.says.words) this.add(entries, word[0], statement)
    for (const id of statement.says.ids) this.add(entries, id, statement)
    return entries
  }

  private add(entries: Entry[], stem: string, statement: Said): void {
    const entry = this.byStem.get(stem)
    if (entry === undefined || entry.seenBy === statement) return
    entry.seenBy = statement
    entry.count++
    entries.push(entry)
  }

  private nearTo(other: Said, entries: readonly Entry[], before: number, meet: (own: Said, other: Said) => void): void {
    const met: number[] = []
    let isCrowded = false
    for (const { places, count } of entries) {
      if (count > CROWD || places.length > CROWD) {
        isCrowded = true
        continue
      }
      for (const at of places) {
        if (at >= before) break
        if (this.shared[at] === 0) met.push(at)
        this.shared[at]!++
      }
    }
    const size = other.says.words.length + other.says.ids.length
    for (const at of met) {
      const own = this.own[at]!
      const count = this.shared[at]!
      this.shared[at] = 0
      // What shares so few of the words of either side is neither the same nor nearly the same.
      if (count < FEW * Math.min(own.stems.size, size)) continue
      // A word that was left out may be the second: whether it is does not depend on which of the two came first.
      if (count >= 2 || ((isCrowded || isShort(own, other)) && own.isFoundBy(other))) meet(own, other)
    }
  }
}

/** The same label, the same short sentence, or a sentence with all of a short label. */
function isShort(a: Said, b: Said): boolean {
  const [x, y] = [a.isLabel ? a.labelWords : askedIn(a.says.words), b.isLabel ? b.labelWords : askedIn(b.says.words)]
  if (a.isLabel === b.isLabel) return x.length === y.length && areIn(x, y)
  return a.isLabel ? areIn(x, y) : areIn(y, x)
}

const areIn = (words: readonly SaidWord[], others: readonly SaidWord[]): boolean =>
  words.every(word => others.some(other => other[0] === word[0]))
