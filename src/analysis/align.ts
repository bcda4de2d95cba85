/**
 * Finds figures that two documents call by different words: of all comparable figures of both, each is the other's nearest
 * by the words of its name, its sentence and its headings, rare words counting most.
 */
import { GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import { scaleOf } from './units.js'
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

interface Words {
  view: View
  weights: Map<string, number>
  norm: number
}

/** Figures that could be held against each other at all. */
function kindOf({ value }: PlacedClaim): string | null {
  if (value.type === 'money' || value.type === 'percent') return value.type === 'percent' && value.points ? 'points' : value.type
  if (value.type === 'date') return 'date'
  if (value.type !== 'quantity') return null
  return value.unit === null || value.unit === 'FTE' ? 'count' : (scaleOf(value.unit)?.dimension ?? value.unit)
}

function weightsOf(view: View): Map<string, number> {
  const weights = new Map<string, number>()
  for (const term of view.context) if (isTopic(term) && !term.startsWith('=')) weights.set(term, OF_SENTENCE)
  for (const term of view.terms) if (!NEUTRAL.has(term) && !GENERIC_HEADS.has(term)) weights.set(term, 1)
  // Where a unit is rare it tells what is measured.
  const { value } = view.claim
  if (value.type === 'quantity' && value.unit !== null) weights.set(`[${value.unit}]`, 1)
  return weights
}

class Lexicon {
  private readonly counts = new Map<string, number>()
  private total = 0

  add(weights: Map<string, number>): void {
    this.total++
    for (const term of weights.keys()) this.counts.set(term, (this.counts.get(term) ?? 0) + 1)
  }

  rarity(term: string): number {
    return Math.log(1 + this.total / (this.counts.get(term) ?? 1))
  }

  isCommon(term: string): boolean {
    return (this.counts.get(term) ?? 0) > COMMON
  }
}

function measured(view: View, weights: Map<string, number>, lexicon: Lexicon): Words {
  let sum = 0
  for (const [term, weight] of weights) {
    const w = weight * lexicon.rarity(term)
    weights.set(term, w)
    sum += w * w
  }
  return { view, weights, norm: Math.sqrt(sum) || 1 }
}

/** The nearest pairs of a new document's figures and those of each document before it. */
export function nearestPairs(others: readonly View[], fresh: readonly View[]): Nearest[] {
  const lexicon = new Lexicon()
  const read = (views: readonly View[]): Words[] => {
    const bags = views.filter(view => kindOf(view.claim) !== null).map(view => ({ view, weights: weightsOf(view) }))
    for (const { weights } of bags) lexicon.add(weights)
    return bags.map(({ view, weights }) => ({ view, weights, norm: 1 }))
  }
  const [oldRead, freshRead] = [read(others), read(fresh)]
  const old = oldRead.map(({ view, weights }) => measured(view, weights, lexicon))
  const byTerm = postings(old, lexicon)
  const toOld = new Map<View, Map<string, Nearest>>()
  const toFresh = new Map<View, Nearest>()
  for (const { view, weights } of freshRead) {
    const mine = measured(view, weights, lexicon)
    const kind = kindOf(view.claim)
    const best = new Map<string, Nearest>()
    for (const [theirs, dot] of dots(mine, byTerm, lexicon)) {
      if (kindOf(theirs.view.claim) !== kind) continue
      const found: Nearest = { old: theirs.view, fresh: view, likeness: dot / (mine.norm * theirs.norm) }
      const { documentId } = theirs.view.claim
      if (found.likeness > (best.get(documentId)?.likeness ?? 0)) best.set(documentId, found)
      if (found.likeness > (toFresh.get(theirs.view)?.likeness ?? 0)) toFresh.set(theirs.view, found)
    }
    toOld.set(view, best)
  }
  const enough = ({ fresh: { claim }, likeness }: Nearest): boolean => likeness >= (LOOSE.has(kindOf(claim) ?? '') ? ALIKE_COUNTS : ALIKE)
  return [...toOld.values()].flatMap(best => [...best.values()].filter(found => enough(found) && toFresh.get(found.old) === found))
}

function postings(words: readonly Words[], lexicon: Lexicon): Map<string, Words[]> {
  const byTerm = new Map<string, Words[]>()
  for (const each of words)
    for (const term of each.weights.keys()) {
      if (lexicon.isCommon(term)) continue
      const bucket = byTerm.get(term)
      if (bucket) bucket.push(each)
      else byTerm.set(term, [each])
    }
  return byTerm
}

function dots(mine: Words, byTerm: ReadonlyMap<string, Words[]>, lexicon: Lexicon): Map<Words, number> {
  const sums = new Map<Words, number>()
  for (const [term, weight] of mine.weights) {
    if (lexicon.isCommon(term)) continue
    for (const theirs of byTerm.get(term) ?? []) sums.set(theirs, (sums.get(theirs) ?? 0) + weight * theirs.weights.get(term)!)
  }
  return sums
}
