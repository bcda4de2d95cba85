/** In which respects two figures are alike: their names, their sizes, what their sentences say and around them. */
import { distance } from './compare.js'
import { BASIS, GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isEntityMark } from './marks.js'
import { pattern } from './pattern.js'
import { samePeriod } from './periods.js'
import type { Situation } from './relation.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'

export const flag = (claim: PlacedClaim, key: string): boolean => claim.hints?.[key] === true
export const version = (claim: PlacedClaim): unknown => claim.hints?.['version'] ?? null

/** Quoted figures may carry another name; then the words around both must speak of one matter. */
export function aroundTheSame(a: View, b: View, enough = 3): boolean {
  let shared = 0
  for (const term of a.context) if (isTopic(term) && b.context.has(term)) shared++
  return shared >= enough
}

/** "No leaks were found" denies every count of leaks, however they are described. */
export function noneOf(none: View, some: View): boolean {
  const a = none.claim
  const b = some.claim
  if (a.polarity !== 'negated' || b.polarity === 'negated' || a.value.type !== 'quantity' || b.value.type !== 'quantity') return false
  return b.value.low > 0 && b.value.unit === null && none.head === some.head && none.terms.every(term => some.termSet.has(term))
}

/** A cited figure without a common name: the words around speak of one matter, or the figure and its period are precise enough. */
export function citesSurely(old: View, fresh: View, s: Situation): boolean {
  if (aroundTheSame(old, fresh, s.sameIssuer ? 2 : 3)) return true
  const a = old.claim
  const b = fresh.claim
  const dated = a.period !== null && b.period !== null && samePeriod(a.period, b.period) && flag(a, 'explicit') && flag(b, 'explicit')
  return dated && a.role === b.role && 'low' in a.value && String(a.value.low).replace(/^0+|\D|0+$/g, '').length >= 3
}

/** All that names one is said by the other too: "hazard ratio" and "impact on the hazard ratio". */
export function namedWithin(a: View, b: View): boolean {
  const all = (x: View, y: View): boolean => {
    const telling = x.terms.filter(term => !NEUTRAL.has(term) && !GENERIC_HEADS.has(term))
    return telling.length > 0 && telling.every(term => y.termSet.has(term))
  }
  return all(a, b) || all(b, a)
}

const saidOf = (view: View): string[] =>
  String(view.claim.hints?.['said'] ?? '')
    .split(' ')
    .filter(term => term && !view.owner.has(term))

/** A bare count says of what only by the rest of its sentence: "let to 23 tenants", "three tenants are in arrears". */
export function saidAlike(a: View, b: View): boolean {
  const left = saidOf(a)
  const right = saidOf(b)
  const shared = left.filter(term => right.includes(term)).length
  return shared > 0 && shared * 2 >= Math.min(left.length, right.length)
}

/** Figures of quite another size are mostly of something else, unless the same words name both. */
export function isImplausible(a: View, b: View): boolean {
  const away = distance(a.claim.value, b.claim.value)
  const { value } = b.claim
  const most = value.type === 'quantity' && value.unit === null ? 4 : 10
  if (away === null || away === 1 || away <= 1 - 1 / most || noneOf(a, b) || noneOf(b, a)) return false
  return !(a.terms.length >= 2 && a.terms.length === b.terms.length && a.terms.every(term => b.termSet.has(term)))
}

/** The very same words name both: "nine containers were affected", "the claim was notified on". */
export function namedAlike(a: View, b: View): boolean {
  const same = a.terms.length === b.terms.length && a.terms.every(term => b.termSet.has(term))
  return same && (a.terms.length >= 2 || a.marks.some(mark => mark.startsWith('event') && b.allMarks.has(mark)))
}

/** What is measured, and named by the same two words or more, is one even where only one side says when. */
export function measuredAlike(a: View, b: View): boolean {
  const { value } = b.claim
  const isCount = value.type === 'quantity' && value.unit === null
  const shared = a.terms.filter(term => b.termSet.has(term) && !NEUTRAL.has(term) && !BASIS.has(term))
  // A phrase the lexicon knows is one term of several words.
  return !isCount && shared.join('+').split('+').length >= 2
}

export function sharesMark(a: View, b: View): boolean {
  return (
    a.marks.some(mark => (mark.startsWith('code') || isEntityMark(mark)) && b.allMarks.has(mark)) ||
    b.marks.some(mark => (mark.startsWith('code') || isEntityMark(mark)) && a.allMarks.has(mark))
  )
}

const WITH = pattern(/\b(?:including|inclusive of|incl\.?|after)\s(?:the |all |any )?(\p{L}{3,}(?:\s\p{L}{3,})?)/giu)
const WITHOUT = pattern(/\b(?:excluding|exclusive of|excl\.?|before|without|net of)\s(?:the |all |any )?(\p{L}{3,}(?:\s\p{L}{3,})?)/giu)

/** One counts in what the other leaves out: "excluding transport costs", "including transport costs". */
export function countOtherwise(a: string, b: string): boolean {
  const taken = (text: string, form: typeof WITH): string[] => form.all(text).map(match => match[1]!.toLowerCase())
  const oneWay = (x: string, y: string): boolean => {
    const left = taken(x, WITHOUT)
    return left.length > 0 && taken(y, WITH).some(thing => left.includes(thing))
  }
  return oneWay(a, b) || oneWay(b, a)
}
