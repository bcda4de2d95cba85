/** Relates names given for one label: the same name in other words, a revised wording, or two that exclude each other. */
import { NEUTRAL } from './lexicon.js'
import { organisationIn, type Relation, type Situation } from './relate.js'
import { marksConflict, subjectsConflict } from './similar.js'
import { termsOf } from './slots.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'

const nameOf = (claim: PlacedClaim): string => (claim.value.type === 'name' ? claim.value.value : '')

const CLASS = /^(?:\p{Lu}[+-]?|\d{1,2}|[IVX]{1,4})$/u

/** One name is short for the other, or they share a word that names. */
function alike(a: string, b: string): boolean {
  // Letters of a class are themselves: "B" and "D".
  if (CLASS.test(a) && CLASS.test(b)) return a === b
  const left = termsOf(a).filter(term => !NEUTRAL.has(term))
  const right = termsOf(b).filter(term => !NEUTRAL.has(term))
  if (!left.length || !right.length || left.some(term => right.includes(term))) return true
  return shortFor(a, b) || shortFor(b, a)
}

function shortFor(short: string, long: string): boolean {
  const letters = short.replace(/[^\p{L}]/gu, '').toLowerCase()
  const initials = long
    .split(/[\s-]+/)
    .map(word => word[0] ?? '')
    .join('')
    .toLowerCase()
  return letters.length >= 2 && letters.length <= 6 && (initials.startsWith(letters) || new RegExp(`\\(${letters}\\)`, 'i').test(long))
}

/** Both labels name the same; a word one has more stands around the other. */
function sameLabel(a: View, b: View): boolean {
  const left = a.terms.filter(term => !NEUTRAL.has(term))
  const right = b.terms.filter(term => !NEUTRAL.has(term))
  const shared = left.filter(term => b.termSet.has(term)).length
  if (!shared) return false
  const extra = (terms: string[], other: View): string[] => terms.filter(term => !other.termSet.has(term))
  const more = [...extra(left, b), ...extra(right, a)]
  return (
    !more.length ||
    (shared >= 2 &&
      more.length <= 2 &&
      extra(left, b).every(term => b.context.has(term)) &&
      extra(right, a).every(term => a.context.has(term)))
  )
}

export function relateNames(old: View, fresh: View, s: Situation): Relation | null {
  const a = old.claim
  const b = fresh.claim
  if (!sameLabel(old, fresh) || marksConflict(old, fresh)) return null
  const make = (kind: Relation['kind'], why: string): Relation => ({
    kind,
    loser: 'old',
    weight: 2,
    reason: `${b.attribute}: "${nameOf(a)}" against "${nameOf(b)}"; ${why}`,
  })
  const revised = a.hints?.['version'] === 'old' && b.hints?.['version'] === 'new'
  if (s.sameDocument)
    return revised && nameOf(a) !== nameOf(b)
      ? make('superseding', 'the text marks one as the earlier and the other as the revised one')
      : null
  if (a.hints?.['version'] || subjectsConflict(old, fresh, organisationIn(s))) return null
  if (alike(nameOf(a), nameOf(b))) return { kind: 'repeated', loser: 'old', weight: 2, reason: 'the names agree' }
  if (s.later && (s.sameIssuer || s.replaces || b.stance.corrects || b.hints?.['version'] === 'new'))
    return make('superseding', 'the later document names another')
  return s.sameIssuer ? null : make(a.hints?.['frame'] === 'state' ? 'contradicting' : 'unsure', 'different issuers name different ones')
}
