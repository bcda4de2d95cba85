/**
 * Words as numbers, so that words of many claims are counted and looked up in arrays. A table grows with the words it has
 * seen; when it has become too large, the next reconciling begins a new one, and what was numbered by the old is numbered anew.
 */
export class Numbers {
  private readonly known = new Map<string, number>()

  of(word: string): number {
    const found = this.known.get(word)
    if (found !== undefined) return found
    const made = this.known.size
    this.known.set(word, made)
    return made
  }

  get size(): number {
    return this.known.size
  }
}

const MOST = 30_000
const kept = { table: new Numbers() }

/** The table to use from here on: to be asked for once where words are compared with each other. */
export function currentNumbers(): Numbers {
  if (kept.table.size > MOST) kept.table = new Numbers()
  return kept.table
}

/** How many of two ordered lists of numbers are the same. */
export function sharedIn(left: readonly number[], right: readonly number[]): number {
  let shared = 0
  for (let i = 0, k = 0; i < left.length && k < right.length; ) {
    const away = left[i]! - right[k]!
    if (away === 0) shared++
    if (away <= 0) i++
    if (away >= 0) k++
  }
  return shared
}
