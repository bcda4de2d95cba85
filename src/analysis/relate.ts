/**
 * The relation of a new claim to one already known: repeated, refined, evolving, superseding, contradicting, unsure or
 * unrelated, with the reason in words.
 */
import { compareValues } from './compare.js'
import {
  aroundTheSame,
  citesSurely,
  countOtherwise,
  flag,
  isImplausible,
  namedAlike,
  namedWithin,
  noneOf,
  saidAlike,
  version,
} from './figures-alike.js'
import { narrowedApart } from './narrowings.js'
import { pattern } from './pattern.js'
import { overlaps, samePeriod } from './periods.js'
import { citesDate, datesMeet } from './relate-dates.js'
import { relateNames } from './relate-names.js'
import { relateStates } from './relate-states.js'
import { type Relation, type Situation, words } from './relation.js'
import { isStatement } from './rivals.js'
import { marksConflict, mayAlign, nameStrength, scopesDiffer, subjectsConflict, timesDiffer } from './similar.js'
import type { PlacedClaim } from './types.js'
import { type PeriodRelation, REVISED_NAME, verdict } from './verdict.js'
import type { View } from './view.js'

const COMPARABLE: Record<string, string> = {
  actual: 'fact',
  estimate: 'fact',
  prior: 'fact',
  limit: 'limit',
  maximum: 'limit',
  minimum: 'limit',
}

/** "No more than 96 were there" against 142: a bound that somebody states as a fact. */
function exceeds(a: PlacedClaim, b: PlacedClaim): boolean {
  const [bound, fact] = a.hints?.['bounded'] === true ? [a, b] : [b, a]
  if (bound.hints?.['bounded'] !== true || fact.role !== 'actual' || !('low' in bound.value) || !('low' in fact.value)) return false
  return bound.role === 'maximum' ? fact.value.low > bound.value.high : fact.value.high < bound.value.low
}

function rolesMeet(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  if (a.value.type === 'date') return datesMeet(a, b, s)
  if (a.role === b.role || exceeds(a, b)) return true
  // What was proposed gives way to what is decided.
  if (a.role === 'proposed' && b.role === 'actual' && s.later) return true
  const x = COMPARABLE[a.role]
  return x !== undefined && x === COMPARABLE[b.role]
}

const STANDING = new Set(['target', 'limit', 'minimum', 'maximum'])

function periodsOf(a: PlacedClaim, b: PlacedClaim, s: Situation): PeriodRelation {
  // A target or limit holds until it is changed, whatever period the document reports on.
  if (STANDING.has(a.role) && a.role === b.role && !flag(a, 'explicit') && !flag(b, 'explicit')) return 'unknown'
  if (!a.period || !b.period) return isBeyond(a, b, s) ? 'disjoint' : 'unknown'
  if (samePeriod(a.period, b.period)) return 'same'
  return overlaps(a.period, b.period) ? 'overlap' : 'disjoint'
}

const SOON = 100 * 86_400_000

/** Only one says when: an earlier value given to compare with, or of a time after the other was written. */
function isBeyond(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  const [old, fresh] = [s.oldDocument?.issuedOn, s.newDocument.issuedOn]
  const [dated, own, other] = a.period ? [a, old, fresh] : [b, fresh, old]
  if (dated.period === null || a.role !== 'actual' || b.role !== 'actual') return false
  if (flag(dated, 'comparative')) return true
  // A document about years to come says what holds now all the same.
  const reports = flag(dated, 'explicit') || !own || dated.period.from <= own
  // Figures as of a day soon after are still of one time.
  const soon = !flag(dated, 'explicit') && dated.period.grain === 'day' ? SOON : 0
  return reports && typeof other === 'string' && Date.parse(dated.period.from) - Date.parse(other) > soon
}

function echoMatches(citing: PlacedClaim, cited: PlacedClaim): boolean {
  const low = citing.hints?.['priorLow']
  const high = citing.hints?.['priorHigh']
  if (typeof low !== 'number' || typeof high !== 'number') return false
  if (cited.value.type === 'date') return citesDate(cited.value, low, high)
  if (!('low' in cited.value)) return false
  const slack = Math.max(cited.value.precision / 2, Math.abs(low) * 1e-6)
  return Math.abs(cited.value.low - low) <= slack && Math.abs(cited.value.high - high) <= slack
}

const WITHDRAWS = pattern(
  /\b(?:no longer (?:supported|valid|applies|applicable|appropriate|holds)|is withdrawn|has been withdrawn|was withdrawn|is rescinded|has been rescinded|superseded)\b/i,
)
const fromSentence = (claim: PlacedClaim): boolean => claim.hints?.['subjectFrom'] === 'near'

/** `likeness` is how near two figures are by all their words, when each is the other's nearest; 0 otherwise. */
export function relate(old: View, fresh: View, situation: Situation, likeness = 0): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const numeric = 'low' in a.value && 'low' in b.value
  if (numeric) return relateNumbers(old, fresh, situation, likeness)
  if (a.value.type === 'date' && b.value.type === 'date') return relateNumbers(old, fresh, situation, likeness)
  if (a.value.type === 'name' && b.value.type === 'name') return relateNames(old, fresh, situation)
  if (isStatement(a) && isStatement(b)) return relateStates(old, fresh, situation)
  return null
}

/** Neither the role nor the part nor the denominator keeps the two apart. */
function slotsMeet(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  if (!rolesMeet(a, b, s) || (a.part ?? '') !== (b.part ?? '')) return false
  const [of, to] = [a.hints?.['denominator'], b.hints?.['denominator']]
  return typeof of !== 'number' || typeof to !== 'number' || of === to
}

/** "Site 1: sum 42 mm", "Site 7: sum 48 mm" of one case, where the document is about where they disagree. */
function ofTwoParties(old: View, fresh: View): boolean {
  const a = old.claim
  const b = fresh.claim
  if (!flag(a, 'disputed') || !flag(b, 'disputed') || a.quote === b.quote) return false
  const item = ({ attribute }: PlacedClaim): string =>
    attribute
      .slice(attribute.lastIndexOf('·') + 1)
      .trim()
      .toLowerCase()
  const rest = ({ above }: View): string =>
    above
      .filter(mark => !PARTY.test(mark))
      .sort()
      .join(';')
  if (item(a) !== item(b) || rest(old) === '' || rest(old) !== rest(fresh)) return false
  const [left, right] = [old, fresh].map(view => view.marks.filter(mark => PARTY.test(mark)))
  return left!.length > 0 && right!.length > 0 && !left!.some(mark => right!.includes(mark))
}
/** Who measured, and when. */
const PARTY = /^(?:site|reader|laboratory|assessor|auditor|cycle|visit|round)\b/

function relateNumbers(old: View, fresh: View, s: Situation, likeness = 0): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const cites = echoMatches(b, a)
  // Cheap to see and true of most pairs: they could never be held against each other.
  if (!cites && !slotsMeet(a, b, s)) return null
  // None here denies nothing there.
  if (a.polarity !== b.polarity && a.value.type === 'quantity' && narrowedApart(old, fresh)) return null
  const compared = compareValues(a.value, b.value)
  // A value that is cited as the previous one differs, however close it is.
  const rivals = flag(b, 'rival') && a.quote === b.quote
  const comparison = (cites || rivals) && compared === 'compatible' ? 'different' : compared
  if (s.sameDocument && comparison === 'different' && ofTwoParties(old, fresh))
    return {
      kind: 'contradicting',
      loser: 'old',
      weight: 2,
      reason: words('contradiction', a, b, 'the document reports two parties that disagree'),
      cites: true,
    }
  if (comparison === 'incomparable' || marksConflict(old, fresh, a.value.type === 'date' && likeness > 0)) return null
  const named = noneOf(old, fresh) || noneOf(fresh, old) ? 'same' : nameStrength(old, fresh)
  const aligned = likeness > 0 && named !== 'same' && mayAlign(old, fresh, likeness)
  const strength = aligned ? 'same' : named
  const echo =
    comparison === 'different' &&
    cites &&
    (nameStrength(old, fresh, true) !== 'none' || (!s.sameDocument && (namedWithin(old, fresh) || citesSurely(old, fresh, s))))
  const renamed = strength === 'weak' && REVISED_NAME.test(b.attribute) && a.role === b.role && a.role !== 'actual'
  if (!echo && !renamed && (strength === 'none' || strength === 'weak')) return null
  // The same number under the same name is the same statement, whoever else the sentence names.
  const corroborates = comparison === 'equal' && strength === 'same' && (fromSentence(a) || fromSentence(b))
  const quoted = echo && b.stance.disputes && aroundTheSame(old, fresh)
  if (!corroborates && !quoted && subjectsConflict(old, fresh, s)) return null
  if (!echo && !slotsMeet(a, b, s)) return null
  const periods = a.value.type === 'date' ? 'same' : timesDiffer(old, fresh) ? 'disjoint' : periodsOf(a, b, s)
  const explicit = version(b) === 'new' || b.stance.corrects
  const weight =
    (explicit ? 0.5 : 0) +
    (b.hints?.['frame'] === 'pair' ? 0.6 : b.hints?.['frame'] === 'cell' ? 0.4 : 0) +
    (aligned ? likeness : strength === 'same' ? 3 : strength === 'close' ? 2 : 1) +
    (periods === 'same' ? 1 : 0) +
    (echo ? 2 : 0)
  if (comparison !== 'different') {
    if (periods === 'disjoint') return null
    if (comparison === 'equal' && !s.sameDocument && s.later && WITHDRAWS.test(b.quote))
      return {
        kind: 'superseding',
        loser: 'old',
        weight: weight + 1,
        reason: words('withdrawn', a, b, 'the later document says it no longer holds'),
      }
    return { kind: comparison === 'equal' ? 'repeated' : 'refined', loser: 'old', weight, reason: 'the values agree' }
  }
  const found = verdict(old, fresh, s, { strength, echo, periods, weight, likeness })
  found.cites = echo || rivals
  return echo ? found : doubted(found, old, fresh, strength === 'same' && !s.sameDocument)
}

/** "(PFS 0.62, Document 07)": who only cites another document does not stand for its figure. */
const SECOND_HAND = pattern(/\(\p{L}[^()]{2,60},\s(?:see\s)?(?:document|report|memo|letter|annex|appendix)\s(?:no\.?\s)?\p{L}?\d+\)/iu)

/** An accusation that may rest on another scope, another role or any part of the whole is unsure. */
function doubted(found: Relation, old: View, fresh: View, isNamed: boolean): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const weak = flag(a, 'weak') || flag(b, 'weak')
  const alike = (): boolean => saidAlike(old, fresh) || namedAlike(old, fresh)
  if (found.kind !== 'contradicting') return weak && found.kind === 'superseding' && !alike() ? null : found
  const apart =
    scopesDiffer(old, fresh) ||
    countOtherwise(a.quote, b.quote) ||
    (a.value.type !== 'date' && a.role !== b.role && !b.stance.disputes && !exceeds(a, b)) ||
    (a.hints?.['denominator'] === null) !== (b.hints?.['denominator'] === null)
  if (apart || isImplausible(old, fresh) || (SECOND_HAND.test(a.quote) && !b.stance.disputes)) return { ...found, kind: 'unsure' }
  const none = a.polarity !== b.polarity && (noneOf(old, fresh) || noneOf(fresh, old))
  if (!(weak || isLoose(old, fresh)) || none || (isNamed && alike() && !(weak && isCountOfSome(old, fresh)))) return found
  return { ...found, kind: 'unsure' }
}

/** "38 local areas" and "9 local areas": two words name both, and each may be of any part of them. */
const isCountOfSome = (old: View, fresh: View): boolean =>
  fresh.claim.value.type !== 'date' && fresh.terms.length < 3 && !saidAlike(old, fresh)

/** Figures of running text that share too little of a name to be surely of one thing. */
function isLoose(old: View, fresh: View): boolean {
  const { value, role, hints } = fresh.claim
  if (old.claim.hints?.['frame'] !== 'prose' || hints?.['frame'] !== 'prose') return false
  const bareCount = value.type === 'quantity' && value.unit === null && old.terms.filter(term => fresh.termSet.has(term)).length < 2
  // "Below 18 months of service" and "less than 30 months of service" set the scene of two findings.
  const scene = (role === 'maximum' || role === 'minimum') && old.topics.filter(term => fresh.termSet.has(term)).length < 2
  return bareCount || scene
}
