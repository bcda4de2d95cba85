/** Finds, among the claims fetched for a document, those a new claim may have to be compared with. */

import { APPLIANCES } from './opposition.js'
import { inDays } from './relate-dates.js'
import { GRADED, isScaleWord } from './scales.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { Core, Unpacked } from './unpacked.js'
import type { View } from './view.js'

export const MAX_RIVALS = 64

/** What a statement is found by: its telling words, its marks, the codes above it. */
function wordsOf(unpacked: Unpacked): ReadonlySet<string> {
  const { core } = unpacked.stated
  const { item, words: named } = unpacked
  if (!unpacked.allMarks.size && !core && !item) return named.topicSet
  const words = new Set([...named.topics, ...unpacked.marks, ...unpacked.above.filter(mark => mark.startsWith('code'))])
  if (item !== null) words.add(item)
  // Whoever says the same of the same noun, or denies it, is a rival whatever else the sentences say.
  if (!core) return words
  if (APPLIANCES.has(core.head) && core.about.length) words.add(`${core.about.at(-1)}:${core.predicate}`)
  return words.add(`${core.head}:${core.predicate}`)
}

/** What is said of all meets whoever denies it of one of them. */
function addExcepted(to: string[], { whole, negated, predicate }: Core, mine: boolean): void {
  if (isTopic(predicate) && whole !== negated) to.push(`${whole === mine ? 'all' : 'not'}:${predicate}`)
}

/** Adds under what a statement is kept besides, or its denials are: what it says is absent, is there, or is so of all. */
function addStated(to: string[], { stated: { absent, present, core } }: Unpacked, mine: boolean): void {
  for (const words of absent) to.push(`${mine ? 'no' : 'is'}:${words.at(-1)}`)
  for (const word of present) to.push(`${mine ? 'is' : 'no'}:${word}`)
  if (core) addExcepted(to, core, mine)
}

/** Values of one scale can be rivals although their sentences share but one word. */
const sameScale = (a: PlacedClaim, b: PlacedClaim): boolean =>
  a.value.type === 'category' && b.value.type === 'category' && a.value.set === b.value.set && a.value.set !== 'progress'

/** The key of the scale of a graded value; null for other statements. */
const scaleOf = ({ value }: PlacedClaim): string | null => (value.type === 'category' && GRADED.has(value.set) ? `@${value.set}` : null)
const isBare = (view: View): boolean => view.topics.every(isScaleWord)
const bareOf = (scale: string): string => `${scale}!`

/** All under which a statement is kept. */
function keptIn(unpacked: Unpacked): readonly string[] {
  const terms = Array.from(wordsOf(unpacked))
  addStated(terms, unpacked, true)
  return terms
}

interface Asked {
  terms: readonly string[]
  /** How much it counts to be kept under it. */
  weights: readonly number[]
}

/** All under which the rivals of a statement are kept. */
function askedIn(unpacked: Unpacked): Asked {
  const terms = Array.from(wordsOf(unpacked))
  addStated(terms, unpacked, false)
  return { terms, weights: terms.map(term => (term.includes(':') ? 2 : 1)) }
}

/** Statements by the telling words they use: rivals share at least two, or a code. */
export class Statements {
  /** In the order they came; elsewhere a statement goes by its place here. */
  private readonly views: View[] = []
  private readonly byTerm = new Map<string, number[]>()
  /** How much each shares with the one whose rivals are sought; nothing in between. */
  private readonly shared: number[] = []

  constructor(views: readonly View[]) {
    for (const view of views) this.add(view)
  }

  add(view: View): void {
    const { claim } = view
    if (!isStatement(claim)) return
    const at = this.views.push(view) - 1
    this.shared.push(0)
    const scale = scaleOf(claim)
    if (scale) this.put(isBare(view) ? bareOf(scale) : scale, at)
    for (const term of view.unpacked.once(keptIn)) this.put(term, at)
  }

  private put(term: string, at: number): void {
    const bucket = this.byTerm.get(term)
    if (!bucket) this.byTerm.set(term, [at])
    // A word in very many statements tells nothing.
    else if (bucket.length < MAX_RIVALS) bucket.push(at)
  }

  private under(term: string): readonly View[] {
    return this.byTerm.get(term)?.map(at => this.views[at]!) ?? []
  }

  /** Values of the same scale that do not say of what they are; for one of those, all values of the scale. */
  private onScale(view: View): readonly View[] {
    const scale = scaleOf(view.claim)
    if (!scale) return []
    const bare = this.under(bareOf(scale))
    return isBare(view) ? [...bare, ...this.under(scale)] : bare
  }

  rivalsOf(view: View, limit = MAX_RIVALS): View[] {
    const { claim } = view
    const { views, shared } = this
    const touched: number[] = []
    const asked = view.unpacked.once(askedIn)
    for (let i = 0; i < asked.terms.length; i++) {
      const bucket = this.byTerm.get(asked.terms[i]!)
      if (bucket === undefined) continue
      const weight = asked.weights[i]!
      for (const at of bucket) {
        if (shared[at] === 0) touched.push(at)
        shared[at]! += weight
      }
    }
    // What is settled may be named by a single word.
    const few = view.topics.length <= 2 || claim.hints?.['valence'] === 'done'
    const found = touched
      .filter(at => shared[at]! > 1 || few || views[at]!.topics.length <= 2 || sameScale(claim, views[at]!.claim))
      .sort((a, b) => shared[b]! - shared[a]!)
      .slice(0, limit)
      .map(at => views[at]!)
    for (const at of touched) shared[at] = 0
    const graded = this.onScale(view)
    return graded.length ? [...new Set([...found, ...graded])] : found
  }
}

const figureKey = (kind: string, low: number, high: number): string => `${kind}:${low}:${high}`

/** Live figures by their value: a document that cites an old value finds it whatever it was called. */
export function figures(views: readonly View[]): Map<string, View[]> {
  const map = new Map<string, View[]>()
  for (const view of views) {
    const { value } = view.claim
    const size = value.type === 'date' ? inDays(value) : 'low' in value ? value : null
    if (!size) continue
    const key = figureKey(value.type, size.low, size.high)
    const bucket = map.get(key)
    if (bucket) bucket.push(view)
    else map.set(key, [view])
  }
  return map
}

export function cited(claim: PlacedClaim, byFigure: ReadonlyMap<string, View[]>): View[] {
  const low = claim.hints?.['priorLow']
  const high = claim.hints?.['priorHigh']
  if (typeof low !== 'number' || typeof high !== 'number') return []
  return (byFigure.get(figureKey(claim.value.type, low, high)) ?? []).slice(0, 16)
}

export const isStatement = (claim: PlacedClaim): boolean => claim.value.type === 'category' || claim.value.type === 'boolean'
