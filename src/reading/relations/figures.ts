/**
 * Two figures of two documents. What shows that they speak of two things separates them; where nothing does, what speaks for
 * and against one thing is weighed. The weights were fitted by logistic regression to the judged pairs of 62 cases and hold
 * on cases left out of the fit: so what counts how much is measured, not argued.
 */
import { IS_NOUN, IS_VERB, LABEL, NARROWING } from '../document/frames.js'
import { CLOCK } from '../values/clock.js'
import { NEUTRAL, STATISTICS } from '../words/lists.js'
import { isRestated, sameCounted } from './certainty.js'
import { meets } from './compare-values.js'
import { covers, has } from './overlap.js'
import { isOneOfMany, isUntold, otherTopic, shapeOf } from './separations.js'
import type { Time } from './times.js'
import type { StatementView, ViewedValue } from './views.js'
import { type Word, wordOf } from './vocabulary.js'

export type NumberValue = Extract<ViewedValue, { type: 'number' }>

/** What two figures share and do not share, weighed by how rare the words are. */
export interface Weighed {
  /** Both clauses say it. */
  shared: number
  /** One clause says it, and what stands above the other. */
  context: number
  /** Only one side says it. */
  left: number
  right: number
  /** Of these, in labels. */
  label: number
  /** Names only one side gives. */
  namesLeft: string[]
  namesRight: string[]
  /** Sides with identifiers the other has not. */
  ids: number
  sharedName: boolean
  verbs: number
  /** What both say, also above, as each of them says it. */
  wordsLeft: Word[]
  wordsRight: Word[]
  /** One side tells more about a thing both name: "refrigerated containers" are some of the containers. */
  narrows: boolean
  /** One side is a mean, a peak or the like. */
  statistic: boolean
}

export function weigh(s: StatementView, t: StatementView): Weighed {
  const one = sideOf(s, t)
  const two = sideOf(t, s)
  return {
    shared: Math.min(one.shared, two.shared),
    context: one.context + two.context,
    left: one.left,
    right: two.left,
    label: one.label + two.label,
    namesLeft: one.names,
    namesRight: two.names,
    ids: is(one.hasIds) + is(two.hasIds),
    sharedName: one.sharedName || two.sharedName,
    verbs: Math.min(one.verbs, two.verbs),
    wordsLeft: one.words,
    wordsRight: two.words,
    narrows: one.narrows || two.narrows,
    statistic: one.statistic || two.statistic,
  }
}

/** Whether the other side says a word of this one too, itself or above. */
export function isSaid(word: Word, s: StatementView, t: StatementView): boolean {
  const term = s.terms.find(each => each.word === word)
  if (term && (term.isName ? t.all.has(word) : t.all.covers(word))) return true
  return s.identifiers.has(word.lemma) && t.allIdentifiers.has(word.lemma)
}

function sideOf(s: StatementView, t: StatementView) {
  let [shared, context, left, label, verbs] = [0, 0, 0, 0, 0]
  const names: string[] = []
  const words: Word[] = []
  let [sharedName, narrows, statistic, hasIds] = [false, false, false, false]
  for (const { word, said, isName, weight } of s.terms) {
    const [lemma, flags, , head] = said
    if (isName) {
      if (t.all.has(word)) {
        sharedName = true
        words.push(word)
      } else names.push(lemma)
    } else if (t.lemmas.covers(word)) {
      words.push(word)
      // What is a name elsewhere in the document says of what, not what is measured.
      if (s.document.named.has(lemma) || t.document.named.has(lemma)) sharedName = true
      else {
        shared += weight
        if ((flags & IS_VERB) !== 0 && (flags & IS_NOUN) === 0) verbs++
      }
    } else if (t.all.covers(word)) {
      context += weight
      words.push(word)
    } else if (!NEUTRAL.has(lemma)) {
      left += weight
      if (STATISTICS.has(lemma)) statistic = true
      if ((flags & NARROWING) !== 0 || (head !== undefined && (flags & IS_VERB) === 0 && covers(t.lemmas, head))) narrows = true
      if ((flags & LABEL) !== 0) label += weight
    }
  }
  for (const id of s.identifiers)
    if (t.allIdentifiers.has(id)) {
      sharedName = true
      words.push(wordOf(id))
    } else hasIds = true
  return { shared, context, left, label, names, words, hasIds, verbs, sharedName, narrows, statistic }
}

/** Something shows that two figures are of two things. */
export function areApart(s: StatementView, t: StatementView): boolean {
  if (isOneOfMany(s.frame, t.frame) || s.claim.of !== t.claim.of || areTwoOfAKind(s, t)) return true
  if (isAgreed(s, t.value as NumberValue) || isAgreed(t, s.value as NumberValue)) return true
  return otherTopic(s, t, { kind: 'value', a: '', b: '' })
}

/** Both give identifiers of one shape, and none of them both; what stands nearest above counts where a clause has none. */
function areTwoOfAKind(s: StatementView, t: StatementView): boolean {
  const [x, y] = [s.frame.identifiers, t.frame.identifiers]
  if (x.length === 0 && y.length === 0) return false
  if (x.length === 0) return y.some(id => isOtherAbove(id, s))
  if (y.length === 0) return x.some(id => isOtherAbove(id, t))
  return !x.some(id => y.includes(id)) && x.some(id => y.some(other => shapeOf(id) === shapeOf(other)))
}

function isOtherAbove(id: string, { frame }: StatementView): boolean {
  const shape = shapeOf(id)
  const near = frame.above.identifiers.find(other => shapeOf(other) === shape)
  return near !== undefined && near !== id
}

/** A figure that the other statement gives as well is agreed on. */
const isAgreed = (s: StatementView, b: NumberValue): boolean =>
  s.frame.numbers.some(x => !x.prior && !x.label && !x.aside && x.unit === b.dimension && meets(x, b.interval))

/** What the other figures of the two documents say of a pair. */
export interface Company {
  /** Figures on either side that fit what both say as well as the two do: the logarithm of how many pairs they make. */
  others: number
  /** Sides whose figure the other document gives as well, of what has as much in common. */
  agrees: number
  /** The same, of what has anything in common. */
  agreesSomewhat: number
}

const BIAS = -1.13
export const POSSIBLE = -0.5
/** From here on at least eight of ten pairs of 66 judged cases were contradictions: by what is known of their times. */
const SURE = { same: 1.5, sentences: 1, unalike: 2.5 }

/** Whether a pair is called a contradiction. */
export function isShown(odds: number, s: StatementView, t: StatementView, { narrows }: Weighed, time: Time): boolean {
  if (narrows) return false
  if (time === 'same') return odds >= SURE.same
  // A figure of a day and one of no day: of those judged one in three was of the same time.
  if (s.frame.dates.length > 0 !== t.frame.dates.length > 0) return false
  return odds >= (s.isSentence && t.isSentence ? SURE.sentences : SURE.unalike)
}

/** The logarithm of the odds that two figures are of one thing. */
export function oddsOf(s: StatementView, t: StatementView, w: Weighed, time: Time): number {
  const [a, b] = [s.value as NumberValue, t.value as NumberValue]
  const away = apartBy(a, b)
  const sentences = is(s.isSentence) + is(t.isSentence)
  return (
    BIAS +
    0.194 * Math.min(w.shared, 12) +
    0.137 * Math.min(w.shared, 4) +
    0.045 * Math.min(w.context, 10) -
    0.139 * Math.min(w.left, w.right, 8) -
    0.075 * Math.min(Math.max(w.left, w.right), 12) -
    0.094 * Math.min(w.label, 6) +
    0.632 * Math.min(w.verbs, 3) +
    0.25 * headsOf(s, t) +
    0.09 * Math.min(sectionOf(s, t), 6) +
    0.814 * is(w.statistic) +
    0.876 * is(w.sharedName) -
    0.335 * (is(w.namesLeft.length > 0) + is(w.namesRight.length > 0)) -
    0.742 * w.ids -
    0.364 * Math.log(s.claim.crowd * t.claim.crowd) -
    0.1 * Math.min(away, 6) +
    0.998 * is(away < 0.5) +
    0.438 * is(away < 1.2) +
    0.187 * Math.min(digitsOf(a.text), digitsOf(b.text), 4) -
    0.888 * (is(isUntold(s, t)) + is(isUntold(t, s))) +
    2.494 * is(isRestated(s, t)) +
    1.123 * is(time === 'same') -
    0.211 * is(!sameCounted(s, t)) +
    0.661 * is(a.dimension === 'count') -
    1.256 * is(a.dimension === CLOCK) -
    (sentences === 2 ? 0.714 : sentences === 1 ? 0.42 : 0)
  )
}

/** How much the other figures of the two documents speak against a pair: never less than nothing. */
export const againstOf = ({ others, agrees, agreesSomewhat }: Company): number => 0.569 * others + 0.211 * agrees + 0.344 * agreesSomewhat

const is = (claim: boolean): number => (claim ? 1 : 0)

/** How much the headings right above both have in common. */
function sectionOf(s: StatementView, t: StatementView): number {
  let sum = 0
  for (const lemma of s.frame.section) if (has(t.all, lemma)) sum += wordOf(lemma).rarity
  for (const lemma of t.frame.section) if (has(s.all, lemma)) sum += wordOf(lemma).rarity
  return sum
}

/** What a figure is a figure of, said on the other side. */
function headsOf(s: StatementView, t: StatementView): number {
  let found = 0
  for (const lemma of s.claim.heads) if (covers(t.lemmas, lemma)) found++
  for (const lemma of t.claim.heads) if (covers(s.lemmas, lemma)) found++
  return found
}

/** How far apart two figures are, as the logarithm of how often the one goes into the other: those of one thing are of one size. */
function apartBy(a: NumberValue, b: NumberValue): number {
  const [x, y] = [Math.abs(middle(a)), Math.abs(middle(b))]
  return x > 0 && y > 0 ? Math.abs(Math.log(x / y)) : 6
}

/** What a figure stands for, roughly. */
export function middle({ interval: { low, high } }: NumberValue): number {
  return Number.isFinite(low) ? (Number.isFinite(high) ? (low + high) / 2 : low) : high
}

const digitsOf = (text: string): number => text.replace(/\D/g, '').replace(/0+$/, '').length
