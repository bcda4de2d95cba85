/**
 * The relation of a new claim to one already known: repeated, refined, evolving, superseding, contradicting, unsure or
 * unrelated, with the reason in words.
 */
import { compareValues, distance } from './compare.js'
import { entityKey, isOrganisationWord } from './entities.js'
import { BASIS, GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isEntityMark } from './marks.js'
import { pattern } from './pattern.js'
import { overlaps, samePeriod } from './periods.js'
import { relateNames } from './relate-names.js'
import { relateStates } from './relate-states.js'
import {
  type IsOrganisation,
  marksConflict,
  mayAlign,
  nameStrength,
  ofOneSize,
  related,
  type Strength,
  scopesDiffer,
  subjectsConflict,
} from './similar.js'
import { isTopic } from './topics.js'
import type { DocumentFacts, PlacedClaim } from './types.js'
import type { View } from './view.js'

export type RelationKind = 'repeated' | 'refined' | 'evolving' | 'superseding' | 'contradicting' | 'unsure'

export interface Relation {
  kind: RelationKind
  /** Which of the two is superseded; only for superseding. */
  loser: 'old' | 'new'
  /** Larger is surer; ranks rivals for one winner. */
  weight: number
  reason: string
  /** The new claim cites the other's value, or the text sets the two against each other. */
  cites?: boolean
}

export interface Situation {
  sameDocument: boolean
  sameIssuer: boolean
  /** The new claim's document is the later one, or both have no date. */
  later: boolean
  oldDocument: DocumentFacts | null
  newDocument: DocumentFacts
  /** The new document says it replaces the old one. */
  replaces: boolean
}

/**
 * The subject carries a word only organisations carry, or one of the two documents names it as one. Documents of one issuer are
 * about the same organisation, whatever their titles say.
 */
export const organisationIn =
  (s: Situation): IsOrganisation =>
  ({ subject, subjectKey }) =>
    !s.sameIssuer &&
    ((entityKey(subject) === subjectKey && isOrganisationWord(subject.slice(subject.lastIndexOf(' ') + 1))) ||
      [s.oldDocument, s.newDocument].some(facts => facts?.organisations?.some(known => related(known, subjectKey))))

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

function rolesMeet(a: PlacedClaim, b: PlacedClaim): boolean {
  if (a.role === b.role || exceeds(a, b)) return true
  const x = COMPARABLE[a.role]
  return x !== undefined && x === COMPARABLE[b.role]
}

type PeriodRelation = 'same' | 'overlap' | 'disjoint' | 'unknown'

function periodsOf(a: PlacedClaim, b: PlacedClaim): PeriodRelation {
  if (!a.period || !b.period) return 'unknown'
  if (samePeriod(a.period, b.period)) return 'same'
  return overlaps(a.period, b.period) ? 'overlap' : 'disjoint'
}

function echoMatches(citing: PlacedClaim, cited: PlacedClaim): boolean {
  const low = citing.hints?.['priorLow']
  const high = citing.hints?.['priorHigh']
  if (typeof low !== 'number' || typeof high !== 'number' || !('low' in cited.value)) return false
  const slack = Math.max(cited.value.precision / 2, Math.abs(low) * 1e-6)
  return Math.abs(cited.value.low - low) <= slack && Math.abs(cited.value.high - high) <= slack
}

const WITHDRAWS = pattern(
  /\b(?:no longer (?:supported|valid|applies|applicable|appropriate|holds)|is withdrawn|has been withdrawn|was withdrawn|is rescinded|has been rescinded|superseded)\b/i,
)
const fromSentence = (claim: PlacedClaim): boolean => claim.hints?.['subjectFrom'] === 'near'
const flag = (claim: PlacedClaim, key: string): boolean => claim.hints?.[key] === true
const version = (claim: PlacedClaim): unknown => claim.hints?.['version'] ?? null

/** Quoted figures may carry another name; then the words around both must speak of one matter. */
function aroundTheSame(a: View, b: View, enough = 3): boolean {
  let shared = 0
  for (const term of a.context) if (isTopic(term) && b.context.has(term)) shared++
  return shared >= enough
}

/** "No leaks were found" denies every count of leaks, however they are described. */
function noneOf(none: View, some: View): boolean {
  const a = none.claim
  const b = some.claim
  if (a.polarity !== 'negated' || b.polarity === 'negated' || a.value.type !== 'quantity' || b.value.type !== 'quantity') return false
  return b.value.low > 0 && b.value.unit === null && none.head === some.head && none.terms.every(term => some.termSet.has(term))
}

/** A cited figure without a common name: the words around speak of one matter, or the figure and its period are precise enough. */
function citesSurely(old: View, fresh: View, s: Situation): boolean {
  if (aroundTheSame(old, fresh, s.sameIssuer ? 2 : 3)) return true
  const a = old.claim
  const b = fresh.claim
  const dated = a.period !== null && b.period !== null && samePeriod(a.period, b.period) && flag(a, 'explicit') && flag(b, 'explicit')
  return dated && a.role === b.role && 'low' in a.value && String(a.value.low).replace(/^0+|\D|0+$/g, '').length >= 3
}

/** All that names one is said by the other too: "hazard ratio" and "impact on the hazard ratio". */
function namedWithin(a: View, b: View): boolean {
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
function saidAlike(a: View, b: View): boolean {
  const left = saidOf(a)
  const right = saidOf(b)
  const shared = left.filter(term => right.includes(term)).length
  return shared > 0 && shared * 2 >= Math.min(left.length, right.length)
}

/** Figures of quite another size are mostly of something else, unless the same words name both. */
function isImplausible(a: View, b: View): boolean {
  const away = distance(a.claim.value, b.claim.value)
  const { value } = b.claim
  const most = value.type === 'quantity' && value.unit === null ? 4 : 10
  if (away === null || away === 1 || away <= 1 - 1 / most || noneOf(a, b) || noneOf(b, a)) return false
  return !(a.terms.length >= 2 && a.terms.length === b.terms.length && a.terms.every(term => b.termSet.has(term)))
}

/** The very same words name both: "nine containers were affected", "the claim was notified on". */
function namedAlike(a: View, b: View): boolean {
  const same = a.terms.length === b.terms.length && a.terms.every(term => b.termSet.has(term))
  return same && (a.terms.length >= 2 || a.marks.some(mark => mark.startsWith('event') && b.marks.includes(mark)))
}

/** `likeness` is how near two figures are by all their words, when each is the other's nearest; 0 otherwise. */
export function relate(old: View, fresh: View, situation: Situation, likeness = 0): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const numeric = 'low' in a.value && 'low' in b.value
  if (numeric) return relateNumbers(old, fresh, situation, likeness)
  if (a.value.type === 'date' && b.value.type === 'date') return relateNumbers(old, fresh, situation, likeness)
  if (a.value.type === 'name' && b.value.type === 'name') return relateNames(old, fresh, situation)
  const stateLike = (claim: PlacedClaim): boolean => claim.value.type === 'category' || claim.value.type === 'boolean'
  if (stateLike(a) && stateLike(b)) return relateStates(old, fresh, situation)
  return null
}

export function words(kind: string, a: PlacedClaim, b: PlacedClaim, detail: string): string {
  return `${kind}: "${a.valueText}" against "${b.valueText}" for ${b.attribute || 'the same thing'}; ${detail}`
}

/** Neither the role nor the part nor the denominator keeps the two apart. */
function slotsMeet(a: PlacedClaim, b: PlacedClaim): boolean {
  if (!rolesMeet(a, b) || (a.part ?? '') !== (b.part ?? '')) return false
  const [of, to] = [a.hints?.['denominator'], b.hints?.['denominator']]
  return typeof of !== 'number' || typeof to !== 'number' || of === to
}

function relateNumbers(old: View, fresh: View, s: Situation, likeness = 0): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const cites = echoMatches(b, a)
  // Cheap to see and true of most pairs: they could never be held against each other.
  if (!cites && !slotsMeet(a, b)) return null
  const compared = compareValues(a.value, b.value)
  // A value that is cited as the previous one differs, however close it is.
  const rivals = flag(b, 'rival') && a.quote === b.quote
  const comparison = (cites || rivals) && compared === 'compatible' ? 'different' : compared
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
  if (!corroborates && !quoted && subjectsConflict(old, fresh, organisationIn(s))) return null
  if (!echo && !slotsMeet(a, b)) return null
  const periods = a.value.type === 'date' ? 'same' : periodsOf(a, b)
  const explicit = version(b) === 'new' || b.stance.corrects
  const weight =
    (explicit ? 0.5 : 0) +
    (b.hints?.['frame'] === 'pair' ? 0.6 : b.hints?.['frame'] === 'cell' ? 0.4 : 0) +
    (aligned ? likeness : strength === 'same' ? 3 : strength === 'close' ? 2 : 1) +
    (periods === 'same' ? 1 : 0) +
    (echo ? 1 : 0)
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
  if (
    found.kind === 'contradicting' &&
    !echo &&
    (scopesDiffer(old, fresh) ||
      (a.role !== b.role && !b.stance.disputes && !exceeds(a, b)) ||
      (a.hints?.['denominator'] === null) !== (b.hints?.['denominator'] === null))
  )
    return { ...found, kind: 'unsure' }
  const prose = a.hints?.['frame'] === 'prose' && b.hints?.['frame'] === 'prose'
  const bareCount =
    b.value.type === 'quantity' && b.value.unit === null && prose && old.terms.filter(term => fresh.termSet.has(term)).length < 2
  // "Below 18 months of service" and "less than 30 months of service" set the scene of two findings.
  const scene = prose && (b.role === 'maximum' || b.role === 'minimum') && old.topics.filter(term => fresh.termSet.has(term)).length < 2
  const loose = flag(a, 'weak') || flag(b, 'weak') || bareCount || scene
  const far = !echo && isImplausible(old, fresh)
  if (far && found.kind === 'contradicting') return { ...found, kind: 'unsure' }
  const none = a.polarity !== b.polarity && (noneOf(old, fresh) || noneOf(fresh, old))
  const alike = saidAlike(old, fresh) || namedAlike(old, fresh)
  if (loose && !echo && !none && found.kind === 'contradicting' && !(strength === 'same' && !s.sameDocument && alike))
    return { ...found, kind: 'unsure' }
  return (flag(a, 'weak') || flag(b, 'weak')) && !echo && found.kind === 'superseding' && !alike ? null : found
}

interface Evidence {
  strength: Strength
  echo: boolean
  periods: PeriodRelation
  weight: number
  /** How near they are, when of all figures of both documents each is the other's nearest. */
  likeness: number
}

function verdict(old: View, fresh: View, s: Situation, e: Evidence): Relation {
  const a = old.claim
  const b = fresh.claim
  const away = distance(a.value, b.value)
  const slot = `same subject and attribute${a.period && e.periods === 'same' ? ` for ${b.period?.label ?? a.period.label}` : ''}${away === null ? '' : `, ${Math.round(away * 100)} % apart`}`
  const superseding = (why: string, loser: 'old' | 'new' = 'old'): Relation => ({
    kind: 'superseding',
    loser,
    weight: e.weight,
    reason: words('replaced', a, b, `${slot}; ${why}`),
  })
  const contradicting = (why: string): Relation => ({
    kind: 'contradicting',
    loser: 'old',
    weight: e.weight,
    reason: words('contradiction', a, b, `${slot}; ${why}`),
  })
  const unsure = (why: string): Relation => ({
    kind: 'unsure',
    loser: 'old',
    weight: e.weight,
    reason: words('may disagree', a, b, `${slot}; ${why}`),
  })
  if (version(a) === 'old' && version(b) === 'new')
    return superseding('the text marks one as the earlier and the other as the revised value')
  if (s.sameDocument) return withinDocument(old, fresh, e, { superseding, contradicting, unsure })
  if (e.echo) {
    if (b.stance.disputes && !s.sameIssuer) return contradicting('the later document cites the earlier value and disputes it')
    return superseding('the later document cites the earlier value as the previous one')
  }
  if (e.strength === 'same' && s.later && stage(s.newDocument) === 2 && stage(s.oldDocument) === 0)
    return superseding('final figures replace interim ones')
  if (
    s.later &&
    REVISED_NAME.test(b.attribute) &&
    (e.strength !== 'weak' || a.role !== 'actual') &&
    !(flag(a, 'explicit') && flag(b, 'explicit') && e.periods === 'disjoint')
  )
    return superseding('the later document calls it the revised value')
  if (e.periods === 'disjoint') {
    if (e.strength === 'same' && moves(a, b, s))
      return superseding('a later position of the same thing', a.period!.from < b.period!.from ? 'old' : 'new')
    return { kind: 'evolving', loser: 'old', weight: e.weight, reason: 'another period' }
  }
  const restated = b.stance.corrects || version(b) === 'new' || s.replaces || (s.later && amends(s.newDocument))
  if (s.sameIssuer || s.replaces) {
    if (!s.later) return superseding('the same issuer said so later', 'new')
    return superseding(restated ? 'the same issuer restates it' : 'the same issuer says so later')
  }
  if (e.strength !== 'same') return unsure('the names are close but not the same')
  if (version(b) === 'old' || version(a) === 'old') return unsure('one is cited as an old value')
  if (b.stance.disputes) return contradicting('the text disputes the other value')
  if (restated) return superseding('the later document revises it')
  if (e.periods !== 'same' && s.later && (flag(b, 'update') || LEFT_OF_IT.test(b.quote)))
    return superseding('the later document gives it as the current value')
  // Without a written period on both sides they are compared when they speak of one numbered thing or carry no date at all.
  const alike = e.likeness > 0 && ofOneSize(a.value, b.value) && (e.likeness >= 0.6 || measuredAlike(old, fresh))
  const timeless =
    e.periods === 'unknown' &&
    (alike || (together(s) && ((!a.period && !b.period) || sharesMark(old, fresh) || noneOf(old, fresh) || noneOf(fresh, old))))
  if (e.periods === 'same' || timeless) return contradicting('different issuers, and nobody corrects themselves')
  return unsure(e.periods === 'unknown' ? 'the period of one is not known' : 'the periods only overlap')
}

/** What is measured, and named by the same two words or more, is one even where only one side says when. */
function measuredAlike(a: View, b: View): boolean {
  const { value } = b.claim
  const isCount = value.type === 'quantity' && value.unit === null
  const shared = a.terms.filter(term => b.termSet.has(term) && !NEUTRAL.has(term) && !BASIS.has(term))
  // A phrase the lexicon knows is one term of several words.
  return !isCount && shared.join('+').split('+').length >= 2
}

function sharesMark(a: View, b: View): boolean {
  return (
    a.marks.some(mark => (mark.startsWith('code') || isEntityMark(mark)) && b.allMarks.has(mark)) ||
    b.marks.some(mark => (mark.startsWith('code') || isEntityMark(mark)) && a.allMarks.has(mark))
  )
}

/** "Two are still missing": what is left of it by now. */
const LEFT_OF_IT = pattern(/\bstill\b/i)

const NEAR_DAYS = 100

/** Without a period, statements that lie months apart may both have been true. */
function together(s: Situation): boolean {
  const from = s.oldDocument?.issuedOn
  const to = s.newDocument.issuedOn
  return !from || !to || Math.abs(Date.parse(to) - Date.parse(from)) <= NEAR_DAYS * 86_400_000
}

const AMENDS = pattern(
  /\b(?:addend(?:um|a)|amendment|errat(?:um|a)|corrigend(?:um|a)|corrections?|restate(?:ment|d)|supplement(?:ary)?|revision|revised|updated?)\b/i,
)

/** A document that by its title corrects or completes others. */
const amends = ({ title, name }: DocumentFacts): boolean => AMENDS.test(`${title ?? ''} ${name}`)

/** How far along a document says it is: a draft gives way to a final one. */
function stage(document: DocumentFacts | null): number {
  const title = `${document?.title ?? ''} ${document?.name ?? ''}`
  if (/\bfinal\b/i.test(title)) return 2
  return /\b(?:interim|preliminary|draft|provisional|initial|flash)\b/i.test(title) ? 0 : 1
}

const REVISED_NAME = pattern(/\b(?:revised|restated|corrected|updated|amended|recalibrated)\b/i)

/** A figure over a period (revenue of a quarter) rather than a position at a day. */
const isFlow = (claim: PlacedClaim): boolean => claim.period !== null && claim.period.grain !== 'day'

/** Whether the later figure takes the place of the earlier one although the periods differ: positions do, flows do not. */
function moves(a: PlacedClaim, b: PlacedClaim, s: Situation): boolean {
  const explicit = flag(a, 'explicit') && flag(b, 'explicit')
  if (isFlow(a) && isFlow(b) && explicit) return false
  return flag(b, 'update') || (s.sameIssuer && !isFlow(a) && !isFlow(b) && !explicit)
}

interface Makers {
  superseding: (why: string) => Relation
  contradicting: (why: string) => Relation
  unsure: (why: string) => Relation
}

function withinDocument(old: View, fresh: View, e: Evidence, make: Makers): Relation {
  const a = old.claim
  const b = fresh.claim
  if (a.quote === b.quote && flag(b, 'rival') && !flag(a, 'rival'))
    return make.contradicting('the sentence sets two sources against each other')
  if (a.quote === b.quote || e.periods === 'disjoint') return { kind: 'evolving', loser: 'old', weight: 0, reason: 'said together' }
  if (e.echo) return make.superseding('the text cites the earlier value as the previous one')
  if (version(a) === 'old' || version(b) === 'old') return make.unsure('one is cited as an old value')
  // The same label twice in one document is a list of records, or its headings tell them apart; it is no disagreement.
  const listed = a.hints?.['frame'] !== 'prose' && b.hints?.['frame'] !== 'prose'
  const relative = ['sequential', 'yoy', 'mom'].some(term => old.termSet.has(term) && fresh.termSet.has(term))
  if (listed || (old.head === 'change' && !relative)) return make.unsure('one document lists both')
  const sure =
    e.strength === 'same' && (e.periods === 'same' || (!a.period && !b.period)) && old.terms.length >= 2 && fresh.terms.length >= 2
  const prose = a.hints?.['frame'] === 'prose' || b.hints?.['frame'] === 'prose'
  const sameTerms =
    (old.terms.length === fresh.terms.length && old.terms.every(term => fresh.termSet.has(term))) ||
    (prose && a.hints?.['frame'] !== b.hints?.['frame'] && old.head === 'change')
  if (sure && sameTerms && a.role === 'actual' && b.role === 'actual') return make.contradicting('one document says both')
  return make.unsure('one document says both')
}
