/**
 * Relates what is no number: an issue that was open and is resolved later, ratings of one scale, a statement and its
 * denial. Two statements meet by the telling words they share, not by their wording.
 */
import { compareValues } from './compare.js'
import { bothHold, denialRelation, SO_FAR } from './denial-relation.js'
import { relateItems } from './items.js'
import { GENERIC_HEADS, NEUTRAL } from './lexicon.js'
import { isTellingCode, markKind } from './marks.js'
import { allIn, anyRelated, wordsOf } from './names-alike.js'
import { narrowedApart } from './narrowings.js'
import { currentNumbers, sharedIn } from './numbers.js'
import { acquainted, apart, opposition, permission } from './opposition.js'
import { pattern } from './pattern.js'
import { relateGrades } from './relate-grades.js'
import { atOtherTimes, type Make, type Relation, type RelationKind, type Situation } from './relation.js'
import { type Overlap, settledBy, valence } from './settled.js'
import { termsOf } from './slots.js'
import { isSum } from './statement-words.js'
import { isTopic } from './topics.js'
import type { PlacedClaim } from './types.js'
import type { Unpacked } from './unpacked.js'
import type { View } from './view.js'
import { stem } from './words.js'

function overlapOf(a: View, b: View): Overlap {
  const numbers = currentNumbers()
  const left = a.unpacked.in(numbers)
  const right = b.unpacked.in(numbers)
  let sums = 0
  if (b.marks.length) for (const mark of a.marks) if (isSum(mark) && b.marks.includes(mark)) sums++
  const strict = sharedIn(left.topics, right.topics) + Math.min(1, sums)
  const score = strict / Math.max(1, Math.min(left.topics.length, right.topics.length))
  return { strict, score, predicate: sharedIn(left.predicates, right.predicates) > 0, sums }
}

/** Telling words one says and the other has at least around it. */
function looselyShared(a: View, b: View, o: Overlap): number {
  let loose = o.strict
  for (const term of a.topicSet) if (!b.topicSet.has(term) && b.context.has(term)) loose++
  for (const term of b.topicSet) if (!a.topicSet.has(term) && a.context.has(term)) loose++
  return loose
}

/** Codes and numbered things must not differ; spans and bounds in a sentence do not tell statements apart. */
function marksDiffer(a: View, b: View): boolean {
  if (!a.allMarks.size || !b.allMarks.size) return false
  const left = a.unpacked.once(tellingMarks)
  const right = b.unpacked.once(tellingMarks)
  for (const { kind } of left) {
    let rival = false
    let same = false
    for (const other of right) {
      if (other.kind !== kind) continue
      rival = true
      if (has(left, other.mark)) same = true
    }
    if (rival && !same) return true
  }
  return false
}

interface Mark {
  mark: string
  kind: string
}

const tellingMarks = ({ marks, above }: Unpacked): readonly Mark[] =>
  [...marks, ...above].filter(mark => !/^(?:span|cmp|n:|row|sum)/.test(mark)).map(mark => ({ mark, kind: markKind(mark) }))

function has(marks: readonly Mark[], mark: string): boolean {
  for (const each of marks) if (each.mark === mark) return true
  return false
}

function aboutOthers(a: View, b: View): boolean {
  // Names that are the same are related too.
  if (!a.principals.length || !b.principals.length || anyRelated(a.principals, b.principals)) return false
  return !knowsOne(b, a.principals) && !knowsOne(a, b.principals)
}

function knowsOne(view: View, keys: readonly string[]): boolean {
  for (const key of keys) if (allIn(wordsOf(key), view.context)) return true
  return false
}

/** A denial of the sentence; "unchanged" and "without" only qualify it. */
const DENIAL = pattern(/\b(?:not|no|none|never|neither|nor|nil|cannot)\b|n't\b/i)
const isDenial = (quote: string): boolean => DENIAL.test(quote.replace(/\([^()]*\)/g, ' '))
const DENIES = pattern(
  /\b(?:do(?:es)? not (?:believe|consider|agree|accept|share|support)|disagree|cannot (?:agree|accept|confirm)|contrary to|is not (?:correct|accurate|supported)|no longer supported|incorrect)\b/i,
)

const BY = pattern(/\bby\s(?:the|an?|its|our|their)\s((?:[\p{L}'’-]+\s?){1,5})/iu)

/** Who denies that one did it does not deny that another did. */
function byOthers(a: string, b: string): boolean {
  const [left, right] = [BY.exec(a)?.[1], BY.exec(b)?.[1]]
  if (!left || !right) return false
  const known = new Set(termsOf(left))
  return !termsOf(right).some(term => known.has(term))
}

export function relateStates(old: View, fresh: View, s: Situation): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const o = overlapOf(old, fresh)
  const others = o.sums === 0 && o.strict < 4 && aboutOthers(old, fresh) && !acquainted(old, fresh, s)
  if (others && !s.sameIssuer && o.strict < 3) return null
  const weight = o.score * 2 + o.strict * 0.5 + (o.predicate ? 0.5 : 0) + (b.stance.supersedes ? 0.5 : 0)
  const make = (kind: RelationKind, why: string, loser: 'old' | 'new' = 'old'): Relation => ({
    kind,
    loser,
    weight,
    reason: `${why}; both speak of ${shared(old, fresh)}`,
  })
  const graded = a.value.type === 'category' && b.value.type === 'category' && a.value.set === b.value.set && a.value.set !== 'progress'
  if (s.sameDocument) return withinDocument(old, fresh, o, graded, make)
  if (graded && sharesCode(old, fresh)) return byCode(old, fresh, s, make)
  const followed = relateItems(old, fresh, s, make)
  if (followed !== undefined) return followed
  if (marksDiffer(old, fresh)) return null
  const regraded = graded ? relateGrades(old, fresh, s, make) : undefined
  if (regraded !== undefined) return regraded
  if (statusOfOne(old, fresh, o)) return statusRelation(a, b, s, make)
  // The same label twice needs no telling word: "Risk for data subjects".
  if (!o.strict && graded && sameLabels(old, fresh)) return gradedRelation(old, fresh, s, { ...o, strict: 2, score: 1 }, make)
  if (!o.strict && !sameAct(old, fresh)) return overallAgainst(old, fresh, s)
  const denial = bothHold(a, b) || permission(old, fresh) ? opposition(old, fresh) : null
  if (denial) return denialRelation(old, fresh, s, denial, make)
  if (others) return null
  const labelled = a.hints?.['labelled'] === true && b.hints?.['labelled'] === true
  const sameCase = sharesCase(old, fresh)
  const named =
    o.strict >= 1 &&
    ((o.score >= 0.99 && (labelled || sharesCode(old, fresh) || (graded && ofOne(a, b)))) ||
      (sameCase && o.score >= 0.2) ||
      sameAbout(old, fresh))
  const topical = named || (o.strict >= 2 && (o.score >= 0.4 || looselyShared(old, fresh, o) >= 5))
  const settled = settledBy(old, fresh, s, o, { named, topical }, make)
  if (settled) return settled
  if (graded && topical && !labelled && (apart(old, fresh) || narrowedApart(old, fresh))) return null
  if (graded && topical) return gradedRelation(old, fresh, s, o, make)
  if (a.role !== 'actual' && a.role !== 'hypothetical') return null
  return plainRelation(old, fresh, s, o, topical, make)
}

/** Statements without a core that meet: one denies the other by its words, or both agree. */
function plainRelation(old: View, fresh: View, s: Situation, o: Overlap, topical: boolean, make: Make): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const opposed =
    a.polarity !== b.polarity &&
    (a.polarity === 'negated' ? old : fresh).ofQuote(isDenial) &&
    b.role === 'actual' &&
    !(valence(a) === 'open' && valence(b) === 'done') &&
    !(valence(a) === 'open' && valence(b) === 'open' && !DENIES.test(b.quote))
  if (opposed && topical && o.strict >= 2 && DENIES.test(b.quote) && FINITE.test(a.quote) && !byOthers(a.quote, b.quote))
    return make('contradicting', 'the later document denies it')
  if (
    opposed &&
    a.role === 'actual' &&
    o.predicate &&
    denied(old, fresh, o) &&
    !apart(old, fresh) &&
    !strange(old, fresh) &&
    !narrowedApart(old, fresh)
  ) {
    if (s.sameIssuer && s.later) return make('superseding', 'the same issuer says the opposite later')
    if (s.later && a.polarity === 'negated' && SO_FAR.test(a.quote))
      return make('superseding', 'what had not happened then has happened since')
    return make('contradicting', 'one affirms what the other denies')
  }
  if (opposed && o.predicate && o.strict >= 3 && o.score >= 0.6) return make('unsure', 'one affirms what the other denies')
  if (!opposed && o.strict >= 4 && o.score >= 0.75 && a.value.type === b.value.type && compareValues(a.value, b.value) === 'equal')
    return { kind: 'repeated', loser: 'old', weight: 2, reason: 'the statements agree' }
  return null
}

const ofOne = (a: PlacedClaim, b: PlacedClaim): boolean => a.subjectKey !== '' && a.subjectKey === b.subjectKey

/** Both say of one telling noun that it is so or not so, whatever else they say; or one of all and the other not of one. */
function sameAct(a: View, b: View): boolean {
  const x = a.stated.core
  const y = b.stated.core
  if (x === null || y === null || x.predicate !== y.predicate) return false
  if (x.whole !== y.whole && (isTopic(x.predicate) || x.head === y.head)) return true
  return (
    x.head === y.head &&
    (isTopic(x.head) || x.about.some(isTopic) || (x.about.join() === y.about.join() && (x.none || y.none || x.about.length > 0)))
  )
}

function sameLabels(a: View, b: View): boolean {
  if (a.claim.hints?.['labelled'] !== true || b.claim.hints?.['labelled'] !== true) return false
  return a.terms.length > 1 && a.termSet.size === b.termSet.size && a.terms.every(term => b.termSet.has(term))
}

/** What each is about the other does not name. */
const strange = (a: View, b: View): boolean => a.head !== b.head && !a.context.has(b.head) && !b.context.has(a.head)

/** A short denial whose every word the other affirms: "No adjudication required" and "three required adjudication". */
function denied(old: View, fresh: View, o: Overlap): boolean {
  const negative = old.claim.polarity === 'negated' ? old : fresh
  const positive = negative === old ? fresh : old
  const size = negative.topicSet.size
  if (negative.claim.quote.length <= 120 && size >= 1 && negative.terms.length >= 3 && negative.terms.length <= 7)
    if (negative.terms.every(term => positive.termSet.has(term))) return true
  return (
    (o.strict >= 2 && o.strict === size && size <= 5 && negative.claim.quote.length <= 120) ||
    (o.strict >= 4 && o.score >= 0.75 && negative.claim.quote.length <= 140)
  )
}

const matterOf = ({ about }: Unpacked): { list: readonly string[]; set: ReadonlySet<string> } => {
  const list = about.filter(term => isTopic(term) && !SCALES.has(term))
  return { list, set: new Set(list) }
}
/** Words that only say which scale a value is of. */
const SCALES = new Set(
  'frequency schedule interval change cycle status rating outcome approval probability likelihood severity priority exposure confidence test materiality criticality classification mitigation residual inherent'
    .split(' ')
    .map(word => stem(word)),
).add('change')

/** Both name the same thing as what they are about. */
function sameAbout(a: View, b: View): boolean {
  const left = a.unpacked.once(matterOf).list
  if (left.length === 0) return false
  const right = b.unpacked.once(matterOf).set
  return left.length === right.size && left.every(term => right.has(term))
}

/** The same threshold: its number does not differ, and a word besides "limit" or "target" names both. */
function sameBound(a: View, b: View): boolean {
  const [left, right] = [a.about, b.about]
  const number = (terms: readonly string[]): string | undefined => terms.find(term => term.startsWith('#'))
  if (number(left) && number(right) && number(left) !== number(right)) return false
  return left.some(term => right.includes(term))
}

const MOVED = pattern(/\b(?:increased|reduced|changed|raised|lowered|extended|shortened|moved|now|switched|upgraded|downgraded)\b/i)

const CASES =
  /^(?:code|observation|finding|case|incident|ticket|claim|item|question|clause|risk|issue|action|recommendation|request|condition)\b/

/** Both stand under the same numbered observation, case or request. */
function sharesCase(a: View, b: View): boolean {
  for (const mark of a.allMarks) if (b.allMarks.has(mark) && CASES.test(mark)) return true
  return false
}

function sharesCode(a: View, b: View): boolean {
  for (const mark of a.allMarks) if (b.allMarks.has(mark) && isTellingCode(mark)) return true
  return false
}

/** The same case, patient or reference, rated again. */
function byCode(old: View, fresh: View, s: Situation, make: Make): Relation | null {
  const a = old.claim
  const b = fresh.claim
  const comparison = compareValues(a.value, b.value)
  if (comparison !== 'different') return { kind: 'repeated', loser: 'old', weight: 3, reason: 'the ratings agree' }
  if (!s.later) return null
  if (
    b.stance.supersedes ||
    b.stance.corrects ||
    /\b(?:final|confirmed|determination|adjudicat|consensus|resolved)\b/i.test(`${b.attribute} ${b.quote}`)
  )
    return make('superseding', 'the case was decided later')
  return s.sameIssuer ? make('superseding', 'the same issuer rates it anew') : null
}

/** Both give the status of one numbered entry: of an action, a finding, an invoice. */
const isStatus = ({ claim }: View): boolean =>
  claim.value.type === 'category' && claim.value.set === 'progress' && claim.hints?.['labelled'] === true

function statusOfOne(old: View, fresh: View, o: Overlap): boolean {
  if (!isStatus(old) || !isStatus(fresh)) return false
  return old.marks.some(mark => mark.startsWith('code') && fresh.marks.includes(mark)) && (o.strict >= 1 || sharesCode(old, fresh))
}

function statusRelation(a: PlacedClaim, b: PlacedClaim, s: Situation, make: Make): Relation {
  if (a.valueText === b.valueText) return { kind: 'repeated', loser: 'old', weight: 3, reason: 'the status is the same' }
  const found = make('superseding', `its status was "${a.valueText}" and is "${b.valueText}"`, s.later ? 'old' : 'new')
  return { ...found, weight: found.weight + 2 }
}

/** Says something, as no label does: "Submitted to: the board". */
const FINITE = pattern(/\b(?:is|are|was|were|has|have|had|will|must|shall|may|might|can|could|does|do|did|[a-z]+ed)\b/)
const VERB = pattern(/\b(?:is|are|was|were|has|have|had|will|does|do|did|remains?|\p{L}{2,}ed)\b/iu)

/** What is to be done is no fact yet: "amendment to include a spare". */
const PROPOSES = pattern(/\b(?:amendments?|proposals?|plans?|recommendations?|actions?|requests?|measures?)\sto\s/i)

/** One document reports both sides of a disagreement, or denies what it says elsewhere. */
function withinDocument(old: View, fresh: View, o: Overlap, graded: boolean, make: Make): Relation | null {
  const a = old.claim
  const b = fresh.claim
  if (a.quote === b.quote) return null
  const rest = (view: View): string =>
    view.above
      .filter(mark => !/^(?:site|cycle|span|cmp|n:)/.test(mark))
      .sort()
      .join(';')
  if (
    graded &&
    a.hints?.['disputed'] === true &&
    rest(old) === rest(fresh) &&
    rest(old) !== '' &&
    compareValues(a.value, b.value) === 'different' &&
    o.score >= 0.6
  )
    return make('contradicting', 'the document reports two parties that disagree')
  const revised = a.hints?.['version'] === 'old' && b.hints?.['version'] === 'new'
  if (graded && revised && o.strict >= 2 && compareValues(a.value, b.value) === 'different')
    return make('superseding', 'the text marks one as the earlier and the other as the revised one')
  if (marksDiffer(old, fresh) || a.polarity === b.polarity || a.role !== 'actual' || b.role !== 'actual' || !o.predicate) return null
  if (!denied(old, fresh, o) || PROPOSES.test(a.quote) || PROPOSES.test(b.quote)) return null
  // "Method (detection of lead)" affirms nothing.
  if (!VERB.test((a.polarity === 'negated' ? b : a).quote)) return null
  if (revised) return make('superseding', 'the text marks one as the earlier and the other as the revised one')
  const apart = a.hints?.['path'] !== b.hints?.['path']
  return make(apart && o.score >= 0.99 ? 'contradicting' : 'unsure', 'one document affirms and denies it')
}

function gradedRelation(old: View, fresh: View, s: Situation, o: Overlap, make: Make): Relation | null {
  const a = old.claim
  const b = fresh.claim
  if (a.value.type === 'category' && a.value.set === 'threshold' && !sameBound(old, fresh)) return null
  const comparison = compareValues(a.value, b.value)
  if (comparison === 'equal') return { kind: 'repeated', loser: 'old', weight: 3, reason: 'the ratings agree' }
  const supposed = (claim: PlacedClaim): boolean => claim.role === 'hypothetical' || claim.role === 'obligation'
  if ((supposed(a) || supposed(b)) && !sharesCase(old, fresh)) return null
  if (
    a.role === 'scenario' ||
    b.role === 'scenario' ||
    (o.score < 0.6 && !(sharesCase(old, fresh) && o.score >= 0.2) && !sameAbout(old, fresh))
  )
    return null
  if (b.stance.corrects || b.stance.supersedes || a.hints?.['version'] === 'old' || (s.later && MOVED.test(b.quote)))
    return make('superseding', 'the later document revises the rating')
  if (s.sameIssuer) return make('superseding', 'the same issuer rates it anew', s.later ? 'old' : 'new')
  // "Daily since 2023" is said of today.
  if (a.value.type === 'category' && a.value.set !== 'frequency' && atOtherTimes(a, b, s)) return null
  const labelled = a.hints?.['labelled'] === true && b.hints?.['labelled'] === true
  const classed = a.value.type === 'category' && !['level', 'finding', 'frequency'].includes(a.value.set)
  const about = sameAbout(old, fresh)
  const sure =
    (labelled && o.score >= 0.75 && (o.strict >= 2 || (about && o.score >= 0.99))) ||
    (classed && (o.strict >= 3 || o.sums > 0 || sharesCase(old, fresh) || about)) ||
    (a.value.type === 'category' && a.value.set === 'frequency' && (about || o.strict >= 2))
  return sure
    ? make('contradicting', `rated ${a.valueText} by one and ${b.valueText} by the other`)
    : make('unsure', `rated ${a.valueText} by one and ${b.valueText} by the other`)
}

/** "Overall risk is low" against a risk another party rates high. */
function overallAgainst(old: View, fresh: View, s: Situation): Relation | null {
  const a = old.claim
  const b = fresh.claim
  if (a.value.type !== 'category' || b.value.type !== 'category' || a.value.set !== 'level' || b.value.set !== 'level' || s.sameIssuer)
    return null
  const overall = (view: View): boolean => view.terms.length > 0 && view.terms.every(term => NEUTRAL.has(term) || GENERIC_HEADS.has(term))
  if (!overall(old) || overall(fresh) || (a.value.rank ?? 9) > 1 || (b.value.rank ?? 0) < 3) return null
  return {
    kind: 'contradicting',
    loser: 'old',
    weight: 2,
    reason: `overall risk is called ${a.valueText}, yet ${b.attribute} is rated ${b.valueText}`,
  }
}

function shared(a: View, b: View): string {
  return (
    a.terms
      .filter(term => isTopic(term) && b.termSet.has(term))
      .slice(0, 4)
      .join(', ') || 'the same matter'
  )
}
