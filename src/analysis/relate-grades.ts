/**
 * Relates values of one scale given to one thing: the same value, a later one that cites the older, a value refused, or two
 * parties that rate it differently. What is graded is told by the name without the words of its scale.
 */
import { compareValues } from './compare.js'
import { NEUTRAL } from './lexicon.js'
import { atOtherTimes, type Make, type Relation, type Situation } from './relation.js'
import { COMMON_SCALES, isScaleWord } from './scales.js'
import { termsOf } from './slots.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { View } from './view.js'
import { stem } from './words.js'

/** Scales that measure something else of the same thing. */
const MEASURES = new Set(
  'likelihood probability priority impact consequence confidence exposure hazard residual inherent'.split(' ').map(word => stem(word)),
)

const named = (view: View): string[] => view.terms.filter(term => !isScaleWord(term) && !NEUTRAL.has(term) && !MEASURES.has(term))
const measured = (view: View): string =>
  view.terms
    .filter(term => MEASURES.has(term))
    .sort()
    .join()

/** Both grade the same: a bare "the rating" is of whatever its headings or the other's document speak of. */
function sameThing(a: View, b: View, cites: boolean): boolean {
  if (COMMON_SCALES.has(setOf(a.claim)) && measured(a) !== measured(b)) return false
  const [left, right] = [named(a), named(b)]
  if (!left.length || !right.length) {
    const [bare, full] = left.length ? [b, left] : [a, right]
    return full.every(term => bare.context.has(term)) || (cites && !COMMON_SCALES.has(setOf(a.claim)))
  }
  const within = (terms: string[], other: View): boolean => terms.every(term => other.context.has(term))
  if (!left.some(term => isTopic(term) && b.termSet.has(term))) return left.some(isTopic) && within(left, b) && within(right, a)
  return cites || within(left, b) || within(right, a)
}

/** Classes that do not move from month to month. */
const LASTING = new Set(['consequence', 'grade'])

/** A bare value whose heading names what the other grades. */
function headed(bare: View, full: View): boolean {
  const terms = named(full)
  if (named(bare).length || !terms.some(isTopic)) return false
  const above = new Set(termsOf(String(bare.claim.hints?.['path'] ?? '')))
  return terms.every(term => above.has(term) || full.subject.includes(term))
}

/** Each agency rates and looks ahead for itself. */
const OF_AGENCIES = new Set(['credit rating', 'numbered rating', 'outlook'])

function otherRater(a: PlacedClaim, b: PlacedClaim): boolean {
  const [left, right] = [a.hints?.['rater'], b.hints?.['rater']]
  if (typeof left !== 'string' || typeof right !== 'string' || !OF_AGENCIES.has(setOf(a))) return false
  const known = new Set(left.split(' '))
  return !right.split(' ').some(word => known.has(word))
}

const prior = (claim: PlacedClaim): unknown => claim.hints?.['priorGrade']
const setOf = (claim: PlacedClaim): string => (claim.value.type === 'category' ? claim.value.set : '')
const gradeOf = (claim: PlacedClaim): string => (claim.value.type === 'category' ? claim.value.value : '')

/** "Overall status" of both: a light of one whole matter. */
const oneLight = (a: PlacedClaim, b: PlacedClaim): boolean =>
  setOf(a) === 'light' &&
  a.attributeKey.includes(' ') &&
  a.attributeKey === b.attributeKey &&
  a.subjectKey !== '' &&
  a.subjectKey === b.subjectKey

/** Undefined when the words do not say surely enough that both grade the same thing. */
export function relateGrades(old: View, fresh: View, s: Situation, make: Make): Relation | null | undefined {
  const a = old.claim
  const b = fresh.claim
  const cites = prior(b) === gradeOf(a)
  const alike = prior(b) != null && prior(b) === prior(a)
  if (!cites && a.hints?.['graded'] !== true && b.hints?.['graded'] !== true) return undefined
  if (a.role === 'scenario' || b.role === 'scenario' || a.role === 'hypothetical' || b.role === 'hypothetical') return undefined
  const same = compareValues(a.value, b.value) === 'equal'
  const refused = a.polarity !== b.polarity
  if (otherRater(a, b) || (!cites && atOtherTimes(a, b, s))) return null
  if (!sameThing(old, fresh, cites || alike || (refused && same))) return undefined
  if (refused ? !same : a.polarity === 'negated') return null
  if (!refused && same) return { kind: 'repeated', loser: 'old', weight: 3, reason: 'the ratings agree' }
  const surely = (found: Relation): Relation => ({ ...found, weight: found.weight + (cites ? 3 : 1) })
  const why = refused ? `one refuses the value ${a.valueText}` : `rated ${a.valueText} by one and ${b.valueText} by the other`
  if (s.sameDocument) return null
  if (s.sameIssuer || s.replaces) return surely(make('superseding', 'the same issuer rates it anew', s.later ? 'old' : 'new'))
  if (b.stance.disputes) return surely(make('contradicting', why))
  // "raised from LOW to MEDIUM" revises who said LOW, not who said HIGH.
  const revises = b.stance.corrects && (prior(b) === undefined || cites)
  if (s.later && (cites || revises || b.stance.supersedes || a.hints?.['version'] === 'old'))
    return surely(
      make(
        'superseding',
        cites ? `the later document cites the value ${a.valueText} as the previous one` : 'the later document revises the rating',
      ),
    )
  if (!s.later && prior(a) === gradeOf(b)) return surely(make('superseding', 'the other document cites it as the previous value', 'new'))
  const sure =
    (named(old).some(isTopic) && named(fresh).some(isTopic)) ||
    headed(old, fresh) ||
    headed(fresh, old) ||
    LASTING.has(setOf(a)) ||
    oneLight(a, b)
  return sure || refused || alike ? make('contradicting', why) : make('unsure', why)
}
