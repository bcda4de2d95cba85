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
  kind: string
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
  // What happens at a date is part of its name.
  if (value.type === 'date') for (const mark of view.marks) if (mark.startsWith('event:')) weights.set(mark, 1)
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

/** Weighs every word by how rare it is. */
function measured(words: Words, lexicon: Lexicon): Words {
  let sum = 0
  for (const [term, weight] of words.weights) {
    const w = weight * lexicon.rarity(term)
    words.weights.set(term, w)
    sum += w * w
  }
  words.norm = Math.sqrt(sum) || 1
  return words
}

function read(views: readonly View[], lexicon: Lexicon): Words[] {
  const all: Words[] = []
  for (const view of views) {
    const kind = kindOf(view.claim)
    if (kind === null) continue
    const weights = weightsOf(view)
    lexicon.add(weights)
    all.push({ view, kind, weights, norm: 1 })
  }
  return all
}

/** The nearest pairs of a new document's figures and those of each document before it. */
export function nearestPairs(others: readonly View[], fresh: readonly View[]): Nearest[] {
  const lexicon = new Lexicon()
  const [old, said] = [read(others, lexicon), read(fresh, lexicon)]
  const byKind = postings(old, lexicon)
  const toOld: Map<string, Nearest>[] = []
  const toFresh = new Map<View, Nearest>()
  for (const words of said) {
    const mine = measured(words, lexicon)
    const best = new Map<string, Nearest>()
    for (const [theirs, dot] of dots(mine, byKind.get(mine.kind))) {
      const found: Nearest = { old: theirs.view, fresh: mine.view, likeness: dot / (mine.norm * theirs.norm) }
      const { documentId } = theirs.view.claim
      if (found.likeness > (best.get(documentId)?.likeness ?? 0)) best.set(documentId, found)
      if (found.likeness > (toFresh.get(theirs.view)?.likeness ?? 0)) toFresh.set(theirs.view, found)
    }
    toOld.push(best)
  }
  return toOld.flatMap(best => [...best.values()].filter(found => isEnough(found) && toFresh.get(found.old) === found))
}

function isEnough({ fresh: { claim }, likeness }: Nearest): boolean {
  return likeness >= (LOOSE.has(kindOf(claim) ?? '') ? ALIKE_COUNTS : ALIKE)
}

type Postings = Map<string, Words[]>

/** Who uses a word, by kind of figure; words that very many use lead nowhere. */
function postings(words: readonly Words[], lexicon: Lexicon): Map<string, Postings> {
  const byKind = new Map<string, Postings>()
  for (const each of words) {
    measured(each, lexicon)
    let byTerm = byKind.get(each.kind)
    if (!byTerm) {
      byTerm = new Map()
      byKind.set(each.kind, byTerm)
    }
    for (const term of each.weights.keys()) {
      if (lexicon.isCommon(term)) continue
      const bucket = byTerm.get(term)
      if (bucket) bucket.push(each)
      else byTerm.set(term, [each])
    }
  }
  return byKind
}

function dots(mine: Words, byTerm: Postings | undefined): Map<Words, number> {
  const sums = new Map<Words, number>()
  for (const [term, weight] of byTerm ? mine.weights : [])
    for (const theirs of byTerm?.get(term) ?? []) sums.set(theirs, (sums.get(theirs) ?? 0) + weight * theirs.weights.get(term)!)
  return sums
}
