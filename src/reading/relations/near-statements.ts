/** Which statements are near enough to be compared: nobody looks at every pair. */

import type { Said } from './said.js'

/** Of the words of the shorter side. */
const FEW = 0.25

/** Statements by those of their stems that tell them from the others of their document; only stems that are asked for. */
export class NearStatements {
  private readonly all: readonly Said[]
  private readonly byStem = new Map<string, number[]>()
  /** How many stems each shares with the one that is looked at; nothing between two looks. */
  private readonly shared: Uint16Array

  constructor(documents: readonly (readonly Said[])[], asked: ReadonlySet<string>) {
    this.all = documents.flat()
    this.shared = new Uint16Array(this.all.length)
    let first = 0
    for (const statements of documents) {
      for (const [stem, places] of placesOf(statements, first, asked)) {
        const known = this.byStem.get(stem)
        if (known) known.push(...places)
        else this.byStem.set(stem, places)
      }
      first += statements.length
    }
  }

  /** Those that share two stems, or all of a short label; behind `after`, so that each pair is met once. */
  near(side: Said, after = -1): Said[] {
    const met: number[] = []
    for (const stem of side.stems)
      for (const at of this.byStem.get(stem) ?? []) {
        if (at <= after) continue
        if (this.shared[at] === 0) met.push(at)
        this.shared[at]!++
      }
    const found: Said[] = []
    for (const at of met) {
      const rival = this.all[at]!
      const count = this.shared[at]!
      this.shared[at] = 0
      // What shares so few of the words of either side is neither the same nor nearly the same.
      if (count < FEW * Math.min(side.stems.size, rival.stems.size)) continue
      if (sharesTwo(side, rival) || (isShort(side, rival, count) && side.isFoundBy(rival))) found.push(rival)
    }
    return found
  }
}

/** A word in so many statements of a document finds none of them. */
const CROWD = 40

/** Where the statements of one document have each stem, counted from `first`. */
function placesOf(statements: readonly Said[], first: number, asked: ReadonlySet<string> | null): Map<string, number[]> {
  const places = new Map<string, number[]>()
  const add = (stem: string, at: number): void => {
    if (asked !== null && !asked.has(stem)) return
    const known = places.get(stem)
    if (known === undefined) places.set(stem, [at])
    else if (known[known.length - 1] !== at) known.push(at)
  }
  for (const [at, { says }] of statements.entries()) {
    for (const [stem] of says.words) add(stem, first + at)
    for (const id of says.ids) add(id, first + at)
  }
  for (const [stem, found] of places) if (found.length > CROWD) places.delete(stem)
  return places
}

/** The stems by which statements of a document are found. */
export const stemsAsked = (statements: readonly Said[]): ReadonlySet<string> => new Set(placesOf(statements, 0, null).keys())

/** Two words that each is found by. */
function sharesTwo({ stems }: Said, rival: Said): boolean {
  let shared = 0
  for (const stem of stems) if (stem.length > 1 && rival.stems.has(stem) && ++shared >= 2) return true
  return false
}

const isShort = (side: Said, rival: Said, count: number): boolean => count >= 2 || side.wholeKey === rival.wholeKey || isInside(side, rival)

/** A sentence with all of a short label. */
function isInside(a: Said, b: Said): boolean {
  if (a.isLabel === b.isLabel) return false
  const [label, sentence] = a.isLabel ? [a, b] : [b, a]
  return label.labelWords.every(([stem]) => sentence.stems.has(stem))
}
