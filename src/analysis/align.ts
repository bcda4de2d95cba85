/**
 * Finds figures that two documents call by different words: of all comparable figures of both, each is the other's nearest
 * by the words of its name, its sentence and its headings, rare words counting most.
 */
import { GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { currentNumbers, type Numbers } from './numbers.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import { scaleOf } from './units.js'
import type { Unpacked } from './unpacked.js'
import type { View } from './view.js'

export interface Nearest {
  old: View
  fresh: View
  /** 0 to 1: the cosine of their words. */
  likeness: number
}

/** How alike two figures must be; bare counts, which may be of any part, more. */
const ALIKE = 0.3
const ALIKE_COUNTS = 0.5
const LOOSE = new Set(['count', 'date'])
/** A word in very many figures tells none of them from the others. */
const COMMON = 48
const OF_SENTENCE = 0.4

/** The words of a figure as numbers, and how much each counts. */
interface Weighed {
  words: readonly number[]
  counts: readonly number[]
}

interface Words {
  view: View
  kind: string
  words: readonly number[]
  /** How much each word counts by where it stands, and after measuring by how rare it is. */
  weights: readonly number[]
  norm: number
  /** Its place among the old ones. */
  at: number
}

/** Figures that could be held against each other at all. */
function kindOf({ value }: PlacedClaim): string | null {
  if (value.type === 'money' || value.type === 'percent') return value.type === 'percent' && value.points ? 'points' : value.type
  if (value.type === 'date') return 'date'
  if (value.type !== 'quantity') return null
  return value.unit === null || value.unit === 'FTE' ? 'count' : (scaleOf(value.unit)?.dimension ?? value.unit)
}

function weigh(unpacked: Unpacked, numbers: Numbers): Weighed {
  const weights = new Map<string, number>()
  for (const term of unpacked.context) if (isTopic(term) && !term.startsWith('=')) weights.set(term, OF_SENTENCE)
  for (const term of unpacked.words.list) if (!NEUTRAL.has(term) && !GENERIC_HEADS.has(term)) weights.set(term, 1)
  // Where a unit is rare it tells what is measured.
  if (unpacked.unit !== null) weights.set(`[${unpacked.unit}]`, 1)
  // What happens at a date is part of its name.
  if (unpacked.isDate) for (const mark of unpacked.marks) if (mark.startsWith('event:')) weights.set(mark, 1)
  return { words: Array.from(weights.keys(), term => numbers.of(term)), counts: [...weights.values()] }
}

/** In how many figures each word stands. */
class Lexicon {
  private readonly counts: Int32Array
  private readonly rarities: Float64Array
  private readonly total: number

  constructor(all: readonly Words[], size: number) {
    this.total = all.length
    this.counts = new Int32Array(size)
    this.rarities = new Float64Array(size)
    for (const { words } of all) for (const word of words) this.counts[word]!++
  }

  rarity(word: number): number {
    const known = this.rarities[word]!
    if (known !== 0) return known
    const made = Math.log(1 + this.total / this.counts[word]!)
    this.rarities[word] = made
    return made
  }

  isCommon(word: number): boolean {
    return this.counts[word]! > COMMON
  }
}

/** Weighs every word by how rare it is. */
function measured(figure: Words, lexicon: Lexicon): Words {
  const weights: number[] = []
  let sum = 0
  for (let i = 0; i < figure.words.length; i++) {
    const w = figure.weights[i]! * lexicon.rarity(figure.words[i]!)
    weights.push(w)
    sum += w * w
  }
  figure.weights = weights
  figure.norm = Math.sqrt(sum) || 1
  return figure
}

function read(views: readonly View[], numbers: Numbers): Words[] {
  const all: Words[] = []
  for (const view of views) {
    const kind = kindOf(view.claim)
    if (kind === null) continue
    const { words, counts } = view.unpacked.numbered(numbers, weigh)
    all.push({ view, kind, words, weights: counts, norm: 1, at: all.length })
  }
  return all
}

/** The nearest pairs of a new document's figures and those of each document before it. */
export function nearestPairs(others: readonly View[], fresh: readonly View[]): Nearest[] {
  const numbers = currentNumbers()
  const [old, said] = [read(others, numbers), read(fresh, numbers)]
  const lexicon = new Lexicon([...old, ...said], numbers.size)
  const byKind = postings(old, lexicon)
  const dots = new Dots(old)
  const toOld: Map<string, Nearest>[] = []
  const toFresh = new Map<View, Nearest>()
  for (const words of said) {
    const mine = measured(words, lexicon)
    const best = new Map<string, Nearest>()
    for (const [theirs, dot] of dots.of(mine, byKind.get(mine.kind))) {
      const likeness = dot / (mine.norm * theirs.norm)
      const { documentId } = theirs.view.claim
      const nearestThere = likeness > (best.get(documentId)?.likeness ?? 0)
      const nearestHere = likeness > (toFresh.get(theirs.view)?.likeness ?? 0)
      if (!nearestThere && !nearestHere) continue
      const found: Nearest = { old: theirs.view, fresh: mine.view, likeness }
      if (nearestThere) best.set(documentId, found)
      if (nearestHere) toFresh.set(theirs.view, found)
    }
    toOld.push(best)
  }
  const nearest: Nearest[] = []
  for (const best of toOld) for (const found of best.values()) if (isEnough(found) && toFresh.get(found.old) === found) nearest.push(found)
  return nearest
}

function isEnough({ fresh: { claim }, likeness }: Nearest): boolean {
  return likeness >= (LOOSE.has(kindOf(claim) ?? '') ? ALIKE_COUNTS : ALIKE)
}

/** Who uses a word, and how much it counts there. */
interface Uses {
  by: Words[]
  weights: number[]
}
type Postings = Map<number, Uses>

/** Who uses a word, by kind of figure; words that very many use lead nowhere. */
function postings(figures: readonly Words[], lexicon: Lexicon): Map<string, Postings> {
  const byKind = new Map<string, Postings>()
  for (const each of figures) {
    const { words, weights, kind } = measured(each, lexicon)
    let byWord = byKind.get(kind)
    if (!byWord) {
      byWord = new Map()
      byKind.set(kind, byWord)
    }
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!
      if (lexicon.isCommon(word)) continue
      const uses = byWord.get(word)
      if (uses) {
        uses.by.push(each)
        uses.weights.push(weights[i]!)
      } else byWord.set(word, { by: [each], weights: [weights[i]!] })
    }
  }
  return byKind
}

/** Sums the products of the words two figures share. The sums stand in one array for all figures: it is empty between them. */
class Dots {
  private readonly sums: Float64Array
  private readonly old: readonly Words[]

  constructor(old: readonly Words[]) {
    this.old = old
    this.sums = new Float64Array(old.length)
  }

  of(mine: Words, byWord: Postings | undefined): [Words, number][] {
    const found: [Words, number][] = []
    if (!byWord) return found
    const { sums } = this
    const touched: number[] = []
    for (let i = 0; i < mine.words.length; i++) {
      const uses = byWord.get(mine.words[i]!)
      if (uses === undefined) continue
      const weight = mine.weights[i]!
      for (let k = 0; k < uses.by.length; k++) {
        const { at } = uses.by[k]!
        if (sums[at] === 0) touched.push(at)
        sums[at]! += weight * uses.weights[k]!
      }
    }
    for (const at of touched) {
      found.push([this.old[at]!, sums[at]!])
      sums[at] = 0
    }
    return found
  }
}
