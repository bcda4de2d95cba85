/** Finds, among the claims fetched for a document, those a new claim may have to be compared with. */

import { APPLIANCES } from './opposition.js'
import { inDays } from './relate-dates.js'
import { GRADED, isScaleWord } from './scales.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { Core, View } from './view.js'

export const MAX_RIVALS = 64

/** What a statement is found by: its telling words, its marks, the codes above it. */
function wordsOf(view: View): ReadonlySet<string> {
  const { core } = view.stated
  const item = view.claim.hints?.['item']
  if (!view.allMarks.size && !core && !item) return view.topicSet
  const words = new Set([...view.topics, ...view.marks, ...view.above.filter(mark => mark.startsWith('code'))])
  if (typeof item === 'string') words.add(item)
  // Whoever says the same of the same noun, or denies it, is a rival whatever else the sentences say.
  if (!core) return words
  if (APPLIANCES.has(core.head) && core.about.length) words.add(`${core.about.at(-1)}:${core.predicate}`)
  return words.add(`${core.head}:${core.predicate}`)
}

/** What is said of all meets whoever denies it of one of them. */
const excepted = ({ whole, negated, predicate }: Core, mine: boolean): string[] =>
  isTopic(predicate) && whole !== negated ? [`${whole === mine ? 'all' : 'not'}:${predicate}`] : []

/** Under what a statement is kept besides: what it says is absent, is there, or is so of all. */
const keptUnder = ({ stated: { absent, present, core } }: View): string[] => [
  ...absent.map(words => `no:${words.at(-1)}`),
  ...[...present].map(word => `is:${word}`),
  ...(core ? excepted(core, true) : []),
]
/** Under what those are kept that say the opposite. */
const deniedUnder = ({ stated: { absent, present, core } }: View): string[] => [
  ...absent.map(words => `is:${words.at(-1)}`),
  ...[...present].map(word => `no:${word}`),
  ...(core ? excepted(core, false) : []),
]

/** Values of one scale can be rivals although their sentences share but one word. */
const sameScale = (a: PlacedClaim, b: PlacedClaim): boolean =>
  a.value.type === 'category' && b.value.type === 'category' && a.value.set === b.value.set && a.value.set !== 'progress'

/** The key of the scale of a graded value; null for other statements. */
const scaleOf = ({ value }: PlacedClaim): string | null => (value.type === 'category' && GRADED.has(value.set) ? `@${value.set}` : null)
const isBare = (view: View): boolean => view.topics.every(isScaleWord)
const bareOf = (scale: string): string => `${scale}!`

/** Statements by the telling words they use: rivals share at least two, or a code. */
export class Statements {
  private readonly byTerm = new Map<string, View[]>()

  constructor(views: readonly View[]) {
    for (const view of views) this.add(view)
  }

  add(view: View): void {
    const { claim } = view
    if (!isStatement(claim)) return
    const scale = scaleOf(claim)
    if (scale) this.put(isBare(view) ? bareOf(scale) : scale, view)
    for (const term of [...wordsOf(view), ...keptUnder(view)]) this.put(term, view)
  }

  private put(term: string, view: View): void {
    const bucket = this.byTerm.get(term)
    if (!bucket) this.byTerm.set(term, [view])
    // A word in very many statements tells nothing.
    else if (bucket.length < MAX_RIVALS) bucket.push(view)
  }

  /** Values of the same scale that do not say of what they are; for one of those, all values of the scale. */
  private onScale(view: View): readonly View[] {
    const scale = scaleOf(view.claim)
    if (!scale) return []
    const bare = this.byTerm.get(bareOf(scale)) ?? []
    return isBare(view) ? [...bare, ...(this.byTerm.get(scale) ?? [])] : bare
  }

  rivalsOf(view: View, limit = MAX_RIVALS): View[] {
    const { claim } = view
    const shared = new Map<View, number>()
    for (const term of [...wordsOf(view), ...deniedUnder(view)]) {
      const bucket = this.byTerm.get(term)
      if (bucket === undefined) continue
      const weight = term.includes(':') ? 2 : 1
      for (const other of bucket) shared.set(other, (shared.get(other) ?? 0) + weight)
    }
    // What is settled may be named by a single word.
    const few = view.topics.length <= 2
    const settles = claim.hints?.['valence'] === 'done'
    const found = [...shared]
      .filter(
        ([other, count]) => count >= 1.2 || (count >= 0.6 && (few || settles || other.topics.length <= 2 || sameScale(claim, other.claim))),
      )
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([other]) => other)
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
