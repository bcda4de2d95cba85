/** Whether a later statement settles what an earlier one left open: a risk, something under way, missing or not done so far. */
import { BROUGHT, SO_FAR } from './denial-relation.js'
import { endedBy, HAPPENED } from './ended.js'
import { pattern } from './pattern.js'
import type { Make, Relation, Situation } from './relation.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'

type Valence = 'open' | 'done' | 'mild' | 'plain'

export const valence = (claim: PlacedClaim): Valence => (claim.hints?.['valence'] as Valence | undefined) ?? 'plain'

/** How much two statements share. */
export interface Overlap {
  /** Telling words both say. */
  strict: number
  /** Share of the shorter statement's telling words that are shared. */
  score: number
  predicate: boolean
  /** Sums both cite. */
  sums: number
}

const ENOUGH = 0.5

/** "Filed" and "agreed" settle only what was said to be under way, or the very thing that had not been done. */
function mildlySettles(old: PlacedClaim, o: Overlap): boolean {
  if (o.predicate && old.polarity === 'negated') return true
  return old.value.type === 'category' && old.value.set === 'progress' && o.strict >= 2 && o.score >= ENOUGH
}

const ABSENT = pattern(/\b(?:no|without|lacks?|lack of|missing|absence of|absent|none)\b/i)

/** A matter that can be settled: a risk, something under way, not done so far, or missing and now brought in. */
function isOpen(old: PlacedClaim, fresh: PlacedClaim): boolean {
  if (old.role !== 'actual') return false
  if (isRisk(old)) return true
  if (old.polarity === 'affirmed') return valence(old) === 'open'
  return (
    SO_FAR.test(old.quote) ||
    (ABSENT.test(old.quote) && BROUGHT.test(fresh.quote)) ||
    (old.value.type === 'category' && old.value.set === 'progress')
  )
}

const isRisk = (claim: PlacedClaim): boolean =>
  claim.value.type === 'category' && (claim.value.set === 'level' || claim.value.set === 'finding')

/** What was open and is resolved later; null when nothing is settled. */
export function settledBy(
  old: View,
  fresh: View,
  s: Situation,
  o: Overlap,
  { named, topical }: { named: boolean; topical: boolean },
  make: Make,
): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const settles = (valence(b) === 'done' || (valence(b) === 'mild' && mildlySettles(a, o))) && !HAPPENED.test(a.quote)
  if (!settles || valence(a) === 'done' || valence(a) === 'mild' || !s.later || b.role === 'hypothetical' || b.role === 'obligation')
    return null
  const was = isOpen(a, b)
  const ended = endedBy(old, fresh, was, o.sums > 0)
  const found = make('superseding', ended?.why ?? 'what was open is resolved later')
  // Who names what it ends is surer than who only uses the same words.
  if (ended) return { ...found, weight: found.weight + 2 + ended.said * 0.3 }
  const ends = b.stance.supersedes && o.strict >= 1 && o.predicate && o.score >= 0.5
  return (topical && was && (named || o.score >= ENOUGH)) || ends || (o.strict >= 3 && o.score >= 0.6 && b.stance.supersedes) ? found : null
}
