/** Whether what differs stands in the place of the value, and whether enough identifies what both speak of to say so. */

import { LONG } from '../document/extract.js'
import {
  ANSWER,
  ATTRIBUTIVE,
  type FrameNumber,
  type FrameWord,
  IS_ADJECTIVE,
  IS_NOUN,
  IS_VERB,
  LABEL,
  NAME,
  NARROWING,
  PREDICATE,
} from '../document/frames.js'
import type { Period } from '../types.js'
import { isSame } from '../words/dictionary.js'
import { CHARGES, NEUTRAL, PEOPLE, RECURRING } from '../words/lists.js'
import { meets, samePeriod } from './compare-values.js'
import { type Found, missingIn } from './differences.js'
import { covers, has, massOf, type Rest, weightOf } from './overlap.js'
import { isAsserted, shapeOf } from './separations.js'
import type { StatementView } from './views.js'
import type { Word } from './vocabulary.js'

export interface Case {
  found: Found
  s: StatementView
  t: StatementView
  left: Rest
  right: Rest
  /** How much the side that says more has in common with the other. */
  low: number
  /** The same of the side that says less. */
  high: number
  /** Weight of the shared words that are no names. */
  weight: number
  shared: readonly Word[]
}

/** Null: two things after all. False: perhaps one thing, for a person to look at. */
export function isSure(one: Case): boolean | null {
  const sure = isLikely(one)
  return sure && isAmongMany(one) ? standsOut(one) : sure
}

const isAmongMany = ({ s, t }: Case): boolean => s.document !== t.document && (s.claim.among > LONG || t.claim.among > LONG)

/** In long documents less is known by its words alone: what is asked here is what eight of ten of the judged pairs had. */
function standsOut({ found: { kind }, s, t, low, weight }: Case): boolean {
  const [one, other] = [s.frame.kind, t.frame.kind]
  const sentences = one === 'sentence' && other === 'sentence'
  switch (kind) {
    case 'value':
      return true
    case 'polarity':
      return sentences && weight >= 6
    case 'opposite':
      return sentences && low >= 0.85
    case 'date':
      return one === other && low >= 0.65 && (one !== 'pair' || s.label === t.label)
    case 'name':
      return one === 'pair' && other === 'pair' && weight >= 6 && s.label === t.label
    default:
      return false
  }
}

function isLikely({ found, s, t, left, right, low, high, weight, shared }: Case): boolean | null {
  const anchored = hasAnchor(s, t) || (s.document === t.document && low >= 0.85)
  const things = (rest: Rest, own: readonly FrameWord[] | undefined): number =>
    rest.words.reduce(
      (sum, word) =>
        sum +
        ((word[1] & (IS_NOUN | IS_ADJECTIVE)) !== 0 && (word[1] & NAME) === 0 && !own?.includes(word) && !NEUTRAL.has(word[0])
          ? weightOf(word)
          : 0),
      0,
    )
  const more = Math.min(things(left, found.left), things(right, found.right))
  // "refrigerated containers" are some of the containers: what tells more about a thing both name makes it another.
  const narrows = (rest: Rest, other: StatementView): boolean =>
    rest.words.some(
      ([lemma, flags, , head]) =>
        ((flags & NARROWING) !== 0 || (head !== undefined && (flags & (NAME | IS_VERB)) === 0 && covers(other.lemmas, head))) &&
        !NEUTRAL.has(lemma),
    )
  // The roof of one barn and its floor: what is spoken of differs on both sides.
  const subjects = (rest: Rest): boolean =>
    rest.words.some(
      ([lemma, flags]) =>
        (flags & IS_NOUN) !== 0 && (flags & (PREDICATE | NAME | LABEL | ANSWER | ATTRIBUTIVE)) === 0 && !NEUTRAL.has(lemma),
    )
  const twoSubjects = s.isSentence && t.isSentence && subjects(left) && subjects(right)
  // A name behind "in" or "at" says of which part; one that acts or is acted on may be left out by the other side.
  const isPlaced = (rest: Rest): boolean =>
    rest.words.some(([, flags, lead, head]) => (flags & NAME) !== 0 && (!/^(?:|by|be)$/.test(lead) || head !== undefined))
  switch (found.kind) {
    case 'value': {
      if (!sameCounted(s, t)) return null
      if (isPlaced(left) || isPlaced(right)) return more > 4 ? null : false
      if ((narrows(left, t) && !exceeds(s, t)) || (narrows(right, s) && !exceeds(t, s))) return false
      if (isOfPart(left, s, t) || isOfPart(right, t, s)) return false
      if (s.value?.type === 'number' && s.value.dimension.startsWith('money') && charged(s) !== charged(t)) return false
      if (weight < 4 && twoActs(s, t, left, right)) return false
      if (s.document === t.document && (low < 0.8 || weight < 6)) return null
      // Nothing but the figure differs, of the same name and period: then a common word is enough.
      if (left.words.length === 0 && right.words.length === 0 && samePeriods(s, t) && (hasSharedName(s, t) || isOfCase(s) || isOfCase(t)))
        return true
      // The only figure of its kind on either side needs fewer words beside it to be known.
      const only = s.claim.nth[1] === 1 && t.claim.nth[1] === 1
      const typed = s.value?.type === 'number' && s.value.dimension !== 'count'
      if (more <= 4 && weight >= 3 && nearBoth(s, t) >= 2.4 && (anchored || weight >= 7) && low >= 0.5) return true
      if (!only || !anchored || low < 0.4) return false
      if (weight >= 4 && low >= 0.45 && more <= (typed ? 5 : 4)) return true
      return typed && weight >= 1.5 && more <= 2.5 && massOf(shared) >= 9
    }
    case 'polarity': {
      const thing = missingIn(s, t) ?? missingIn(t, s)
      if (thing !== null) {
        if (s.document === t.document && low < 0.85) return null
        const tied = massOf(
          shared.filter(
            ({ lemma }) => !isSame(lemma, thing) && ![...s.frame.absent, ...t.frame.absent].some(([, kinds]) => kinds.includes(lemma)),
          ),
        )
        return tied < 3.5 ? null : isMissing(s, t, low, anchored) && more <= 5
      }
      if (low < 0.6 || more > 3 || weight < 3 || (s.document === t.document && low < 0.85)) return null
      return anchored && weight >= 4 && low >= 0.6 && samePredicate(s, t)
    }
    case 'opposite':
      return anchored && more <= 5 && !twoSubjects
    case 'sibling': {
      if (low < 0.6) return null
      const answers = (words: readonly FrameWord[]): boolean => (words[0]![1] & ANSWER) !== 0
      if (answers(found.left!) && answers(found.right!)) return anchored
      // Two sentences that are the same but for what stands behind the verb.
      return anchored && low >= 0.85 && found.left!.length === left.words.length && found.right!.length === right.words.length
    }
    case 'twin':
      return true
    case 'date': {
      if ((isLong(s) || isLong(t)) && shared.filter(({ lemma, isNumber }) => !isNumber && !s.document.named.has(lemma)).length < 2)
        return null
      if (s.value?.type !== 'date' || t.value?.type !== 'date') return null
      // A label that the other side says in full is known among other words too.
      if (low < (high >= 0.95 && massOf(shared) >= 9 ? 0.45 : 0.6) || more > 4) return null
      if (s.frame.asOf || t.frame.asOf) return null
      // Closed on one day and free on another: two states, not one event.
      if (asserts(left) && asserts(right) && low < 0.95) return false
      const recurs = [...s.frame.words, ...t.frame.words].some(([lemma]) => RECURRING.has(lemma))
      return anchored && !recurs
    }
    case 'name': {
      if (found.left!.length > 4 || found.right!.length > 4 || low < 0.45) return null
      // Two documents that are about two things, each named in its title.
      if (isTopic(found.left!, s) && isTopic(found.right!, t)) return null
      const placed = (words: readonly FrameWord[]): boolean =>
        words.every(([, flags, lead]) => (flags & ANSWER) !== 0 || lead === 'by' || ((flags & PREDICATE) !== 0 && lead === 'be'))
      const [inLeft, inRight] = [placed(found.left!), placed(found.right!)]
      if (!inLeft && !inRight) return null
      // Given by one and catalogued by another: two acts.
      if (s.isSentence && t.isSentence && (asserts(left) || asserts(right))) return false
      return anchored && ((inLeft && inRight && more <= 1) || (low >= 0.7 && more <= 2))
    }
    case 'identifier': {
      const graded = /^(?:class|category|grade|level|tier|stage|band|type|rating|risk) /
      if (low < 0.6) return null
      const isGrade = (id: string, other: string): boolean =>
        graded.test(id) || (graded.test(other) && shapeOf(id) === shapeOf(other.replace(/^\S+ /, '')))
      return isGrade(found.a, found.b) && isGrade(found.b, found.a) && anchored ? true : null
    }
  }
}

const isTopic = (words: readonly FrameWord[], { document }: StatementView): boolean =>
  words.every(([lemma]) => document.topic.names.includes(lemma))

const asserts = ({ words }: Rest): boolean => words.some(word => (word[1] & NAME) === 0 && isAsserted(word) && !NEUTRAL.has(word[0]))

const isLong = ({ claim }: StatementView): boolean => claim.crowd > LONG

/** A name, number or issuer that both have: something that identifies what they speak of. */
export function hasAnchor(s: StatementView, t: StatementView): boolean {
  if (hasSharedName(s, t)) return true
  const [a, b] = [s.document.facts.issuer, t.document.facts.issuer]
  return a !== null && a.toLowerCase() === b?.toLowerCase()
}

/** Given before or after tax, fees or the like. */
const charged = ({ frame }: StatementView): boolean => frame.bases.some(([, of]) => CHARGES.has(of))

/** Each side has a verb of its own and none that both have: reckoned with and closed with. */
function twoActs(s: StatementView, t: StatementView, left: Rest, right: Rest): boolean {
  if (!s.isSentence || !t.isSentence) return false
  const isVerb = ([, flags]: FrameWord): boolean => (flags & IS_VERB) !== 0 && (flags & (NAME | ATTRIBUTIVE)) === 0
  const both = s.frame.words.some(word => isVerb(word) && covers(t.lemmas, word[0]))
  return !both && left.words.some(isVerb) && right.words.some(isVerb)
}

/** A part cannot be more than the whole: what holds of some then holds of all. */
function exceeds(part: StatementView, whole: StatementView): boolean {
  const [a, b] = [part.value, whole.value]
  if (a?.type !== 'number' || b?.type !== 'number' || !addsUp(a.dimension)) return false
  return b.interval.low >= 0 && a.interval.low > b.interval.high
}

/** Of what a whole is the sum of its parts: not of shares, temperatures or times of day. */
const addsUp = (dimension: string): boolean => !/^(?:percent|points|°|temperature|time of day|.*\/.*)$/.test(dimension)

/**
 * "The sixth form of Harcombe School has 165 pupils", "11 teachers work in the science department": fewer, and of something that
 * belongs to what the other speaks of, or of those in it.
 */
function isOfPart(rest: Rest, part: StatementView, whole: StatementView): boolean {
  const { words } = part.frame
  if (exceeds(part, whole) || part.value?.type !== 'number' || !addsUp(part.value.dimension)) return false
  return words.some((word, at) => {
    const [, flags, lead] = word
    if (!rest.words.includes(word) || (flags & IS_ADJECTIVE) !== 0 || (flags & (LABEL | ANSWER)) !== 0) return false
    const next = words[at + 1]
    if (next?.[2] === 'of' && !rest.words.includes(next)) return true
    return (
      part.value?.type === 'number' && part.value.dimension === 'count' && (flags & IS_NOUN) !== 0 && (flags & NAME) === 0 && IN.test(lead)
    )
  })
}

const IN = /^(?:in|within|among)$/

/** There is none of a thing that the other has: of the same kind, of the same owner. */
function isMissing(s: StatementView, t: StatementView, low: number, anchored: boolean): boolean {
  const all = ([a, b]: readonly [StatementView, StatementView]): boolean =>
    a.frame.absent.every(([, kinds]) => kinds.every(kind => NEUTRAL.has(kind) || kind === 'know' || covers(b.lemmas, kind)))
  return anchored && (low >= 0.45 || !s.isSentence || !t.isSentence) && all([s, t]) && all([t, s])
}

/** Both say themselves or right above of which time they speak, and it is the same. */
function samePeriods(s: StatementView, t: StatementView): boolean {
  const times = ({ frame }: StatementView): readonly Period[] => (frame.dates.length > 0 ? frame.dates : frame.above.periods.slice(-1))
  return times(s).some(x => times(t).some(y => samePeriod(x, y)))
}

/** How much both say right beside their figures. */
function nearBoth(s: StatementView, t: StatementView): number {
  let sum = 0
  const { near } = t
  for (const word of s.near) if (near.includes(word) || word.synonyms.some(other => near.includes(other))) sum += word.rarity
  return sum
}

/** How one gives the other's figure: as what was before, as what is wrong, or beside its own. */
export function restates(own: StatementView, { value }: StatementView): FrameNumber['prior'] {
  if (own.value?.type !== 'number' || value?.type !== 'number') return undefined
  return own.frame.numbers.find(x => x.prior && x.unit === value.dimension && meets(x, value.interval))?.prior
}

export const isRestated = (s: StatementView, t: StatementView): boolean => restates(s, t) !== undefined || restates(t, s) !== undefined

/** A name or number in the words, headings or topic of both. */
function hasSharedName(s: StatementView, t: StatementView): boolean {
  for (const id of s.allIdentifiers) if (t.allIdentifiers.has(id)) return true
  const names = (view: StatementView): Set<string> =>
    new Set([
      ...view.frame.words.filter(([lemma, flags]) => (flags & NAME) !== 0 && lemma.length > 1).map(([lemma]) => lemma),
      ...view.frame.above.names,
      ...view.document.topic.names,
    ])
  const [own, other] = [names(s), names(t)]
  for (const name of own) if ((other.has(name) || has(t.all, name)) && name.length > 1) return true
  for (const name of other) if (has(s.all, name) && name.length > 1) return true
  return false
}

/** Nothing says of whom: then it is said of what the case is about. */
function isOfCase({ frame, document }: StatementView): boolean {
  const issuer = document.facts.issuer?.toLowerCase() ?? ''
  const isNobody = (name: string): boolean => issuer.includes(name.toLowerCase())
  return [...frame.above.names, ...document.topic.names].every(isNobody) && frame.words.every(([, flags]) => (flags & NAME) === 0)
}

/** What is counted is the same, or named on the other side. */
export function sameCounted(s: StatementView, t: StatementView): boolean {
  const [a, b] = [s.value, t.value]
  if (a?.type !== 'number' || b?.type !== 'number') return true
  if (a.counted !== null && b.counted !== null)
    return (
      isSame(a.counted, b.counted) ||
      (PEOPLE.has(a.counted) && PEOPLE.has(b.counted)) ||
      (PEOPLE.has(a.counted) && covers(s.all, b.counted)) ||
      (PEOPLE.has(b.counted) && covers(t.all, a.counted))
    )
  if (a.counted !== null) return covers(t.all, a.counted)
  if (b.counted !== null) return covers(s.all, b.counted)
  return true
}

function samePredicate(s: StatementView, t: StatementView): boolean {
  const predicates = (view: StatementView): FrameWord[] =>
    view.frame.words.filter(
      ([, flags]) => (flags & IS_VERB) !== 0 || ((flags & PREDICATE) !== 0 && (flags & IS_ADJECTIVE) !== 0) || (flags & ANSWER) !== 0,
    )
  const other = predicates(t)
  const own = predicates(s)
  if (own.length === 0 || other.length === 0) return !s.isSentence || !t.isSentence
  return own.some(([lemma]) => other.some(([word]) => isSame(lemma, word)))
}
