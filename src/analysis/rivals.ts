/** Finds, among the claims fetched for a document, those a new claim may have to be compared with. */
import { type View, viewOf } from './similar.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'

export const MAX_RIVALS = 64

const telling = new WeakMap<View, string[]>()

function topicsIn(view: View): string[] {
  const known = telling.get(view)
  if (known) return known
  const found = view.terms.filter(isTopic)
  telling.set(view, found)
  return found
}

/** What a statement is found by: its telling words, its marks, the codes above it. */
function wordsOf(view: View): Set<string> {
  return new Set([...topicsIn(view), ...view.marks, ...view.above.filter(mark => mark.startsWith('code'))])
}

/** Values of one scale can be rivals although their sentences share but one word. */
const sameScale = (a: PlacedClaim, b: PlacedClaim): boolean =>
  a.value.type === 'category' && b.value.type === 'category' && a.value.set === b.value.set && a.value.set !== 'progress'

const topicsOf = (claim: PlacedClaim): number => topicsIn(viewOf(claim)).length

/** Statements by the telling words they use: rivals share at least two, or a code. */
export class Statements {
  private readonly byTerm = new Map<string, PlacedClaim[]>()
  private readonly overall: PlacedClaim[] = []

  constructor(claims: readonly PlacedClaim[]) {
    for (const claim of claims) this.add(claim)
  }

  add(claim: PlacedClaim): void {
    if (!isStatement(claim)) return
    if (claim.slotKey === 's|@level' && this.overall.length < MAX_RIVALS) this.overall.push(claim)
    for (const term of wordsOf(viewOf(claim))) {
      const bucket = this.byTerm.get(term)
      if (!bucket) this.byTerm.set(term, [claim])
      // A word in very many statements tells nothing.
      else if (bucket.length < MAX_RIVALS) bucket.push(claim)
    }
  }

  rivalsOf(claim: PlacedClaim, limit = MAX_RIVALS): PlacedClaim[] {
    const view = viewOf(claim)
    const shared = new Map<PlacedClaim, number>()
    for (const term of wordsOf(view)) {
      const bucket = this.byTerm.get(term)
      if (bucket) for (const other of bucket) shared.set(other, (shared.get(other) ?? 0) + (term.includes(':') ? 2 : 1))
    }
    // What is settled may be named by a single word.
    const few = topicsOf(claim) <= 2
    const settles = claim.hints?.['valence'] === 'done'
    const found = [...shared]
      .filter(([other, count]) => count >= 1.2 || (count >= 0.6 && (few || settles || topicsOf(other) <= 2 || sameScale(claim, other))))
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([other]) => other)
    return claim.value.type === 'category' && claim.value.set === 'level' ? [...new Set([...found, ...this.overall])] : found
  }
}

const figureKey = (kind: string, low: number, high: number): string => `${kind}:${low}:${high}`

/** Live figures by their value: a document that cites an old value finds it whatever it was called. */
export function figures(claims: readonly PlacedClaim[]): Map<string, PlacedClaim[]> {
  const map = new Map<string, PlacedClaim[]>()
  for (const claim of claims) {
    if (!('low' in claim.value)) continue
    const key = figureKey(claim.value.type, claim.value.low, claim.value.high)
    const bucket = map.get(key)
    if (bucket) bucket.push(claim)
    else map.set(key, [claim])
  }
  return map
}

export function cited(claim: PlacedClaim, byFigure: ReadonlyMap<string, PlacedClaim[]>): PlacedClaim[] {
  const low = claim.hints?.['priorLow']
  const high = claim.hints?.['priorHigh']
  if (typeof low !== 'number' || typeof high !== 'number') return []
  return (byFigure.get(figureKey(claim.value.type, low, high)) ?? []).slice(0, 16)
}

export const isStatement = (claim: PlacedClaim): boolean => claim.value.type === 'category' || claim.value.type === 'boolean'
