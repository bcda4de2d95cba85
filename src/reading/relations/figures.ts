/**
 * Two figures side by side. Each stands in a clause that says what it measures; names, headings and days say of what and
 * when. They are rivals when the clauses say the same, nothing on either side names another thing, part, role or time, and
 * the figures cannot both be right.
 */
import { type FrameWord, IS_ADJECTIVE, IS_NOUN, IS_VERB, LABEL, NAME, NARROWING } from '../document/frames.js'
import { rarity } from '../words/dictionary.js'
import { NEUTRAL, STATISTICS } from '../words/lists.js'
import type { Alignment, Separation } from './align.js'
import { hasAnchor, isRestated, sameCounted } from './certainty.js'
import { meets } from './compare-values.js'
import { comparable } from './differences.js'
import { covers, leftOver } from './overlap.js'
import { isUntold, otherRole, otherThreshold, otherTopic, shapeOf, tellsApart } from './separations.js'
import { timeBetween } from './times.js'
import type { StatementView, ViewedValue } from './views.js'

export type NumberValue = Extract<ViewedValue, { type: 'number' }>

const LEAST_SHARED = 2
/** From here on the clauses say enough of the same to call their figures rivals. */
const ENOUGH_SHARED = 3.5
/** Part of what is shared that both sides may say beyond it. */
const MAY_DIFFER = 0.4

export function alignFigures(s: StatementView, t: StatementView): Alignment | Separation {
  const apartBy = gate(s, t)
  if (apartBy !== null) return apartBy
  const weighed = weigh(s, t)
  if (weighed.shared < LEAST_SHARED) return 'words'
  const { left, right, shared } = weighed
  if (Math.min(left, right) > shared || Math.max(left, right) > shared * 2 + 2) return 'cover'
  if (weighed.namesLeft.length > 0 && weighed.namesRight.length > 0) return 'differences'
  if (weighed.idsLeft.length > 0 && weighed.idsRight.length > 0) return 'differences'
  if (tellsApart(s, t, leftOver(s, t), leftOver(t, s))) return 'part'
  if (isUntold(s, t) || isUntold(t, s)) return 'part'
  if (otherTopic(s, t, { kind: 'value', a: '', b: '' })) return 'topic'
  const time = timeBetween(s, t, 'value')
  if (time === 'other') return 'time'
  const restated = isRestated(s, t)
  const [a, b] = [s.value as NumberValue, t.value as NumberValue]
  return {
    difference: 'value',
    a: a.text,
    b: b.text,
    shared: weighed.sharedWords.sort((x, y) => rarity(y) - rarity(x)).slice(0, 12),
    score: Math.min(1, shared / 20 + 0.5 * (shared / (shared + left + right))),
    evolves: time === 'evolving',
    sure: time !== 'evolving' && isSureOf(s, t, weighed, restated),
    restated,
  }
}

function isSureOf(s: StatementView, t: StatementView, weighed: Weighed, restated: boolean): boolean {
  const { shared, left, right, namesLeft, namesRight, labelLeft, labelRight, idsLeft, idsRight, sharedName } = weighed
  // "Reduced from 45 to 28" tells what became of the other's figure; only a correction says it was never right.
  if (restated) return shared >= LEAST_SHARED && namesLeft.length + namesRight.length === 0 && (s.frame.corrects || t.frame.corrects)
  if (namesLeft.length + namesRight.length > 0) return false
  if (idsLeft.length + idsRight.length > 0 && !sharedName) return false
  if (labelLeft > 1 || labelRight > 1) return false
  if (s.document === t.document && (shared < 7 || left + right > 1)) return false
  if (!hasAnchor(s, t) && shared < 7) return false
  if (s.of !== t.of || s.bounded !== t.bounded) return false
  // Of several figures in one clause nothing says which is the other's rival.
  if ((s.nth[1] > 1 || t.nth[1] > 1) && !(s.nth[1] === t.nth[1] && left + right < 1)) return false
  if (weighed.narrows || weighed.sharedWords.length < 2) return false
  if (isUndated(s, t)) return false
  const [less, more] = left < right ? [left, right] : [right, left]
  return shared >= ENOUGH_SHARED && less <= Math.max(1.5, shared * MAY_DIFFER) && more <= shared * (less === 0 ? 1.5 : 1)
}

/** A form of a known day beside one of an unknown day: nothing shows that they speak of the same time. */
const isUndated = (s: StatementView, t: StatementView): boolean =>
  s.frame.kind !== 'sentence' && t.frame.kind !== 'sentence' && (s.document.issuedOn === null) !== (t.document.issuedOn === null)

/** What speaks for and against two figures being of one thing. */
export interface Weighed {
  /** Both clauses say it. */
  shared: number
  /** One clause says it, and what stands above the other. */
  context: number
  /** Only one side says it. */
  left: number
  right: number
  /** Of these, in labels. */
  labelLeft: number
  labelRight: number
  /** Names only one side gives. */
  namesLeft: string[]
  namesRight: string[]
  idsLeft: string[]
  idsRight: string[]
  sharedName: boolean
  sharedWords: string[]
  /** Words of the nearest headings only one side has. */
  apartLeft: number
  apartRight: number
  /** One side tells more about a thing both name: "refrigerated containers" are some of the containers. */
  narrows: boolean
}

export function weigh(s: StatementView, t: StatementView): Weighed {
  const one = sideOf(s, t)
  const two = sideOf(t, s)
  return {
    shared: Math.min(one.shared, two.shared),
    context: one.context + two.context,
    left: one.left,
    right: two.left,
    labelLeft: one.label,
    labelRight: two.label,
    namesLeft: one.names,
    namesRight: two.names,
    idsLeft: one.ids,
    idsRight: two.ids,
    sharedName: one.sharedName,
    sharedWords: one.words,
    apartLeft: apart(s, t),
    apartRight: apart(t, s),
    narrows: one.narrows || two.narrows,
  }
}

function sideOf(s: StatementView, t: StatementView) {
  let [shared, context, left, label] = [0, 0, 0, 0]
  const names: string[] = []
  const words: string[] = []
  const seen = new Set<string>()
  let [sharedName, narrows] = [false, false]
  for (const word of s.frame.words) {
    const [lemma, flags] = word
    if (lemma.length < 2 || seen.has(lemma)) continue
    seen.add(lemma)
    if ((flags & NAME) !== 0) {
      if (t.lemmas.has(lemma) || t.all.has(lemma)) {
        sharedName = true
        words.push(lemma)
      } else names.push(lemma)
      continue
    }
    const weight = weightOf(word, s)
    if (covers(t.lemmas, lemma)) {
      // What is a name elsewhere in the document says of what, not what is measured.
      if (s.document.named.has(lemma) || t.document.named.has(lemma)) sharedName = true
      else shared += weight
      words.push(lemma)
    } else if (covers(t.all, lemma)) context += weight
    else if (!NEUTRAL.has(lemma)) {
      left += weight
      if (STATISTICS.has(lemma)) narrows = true
      if ((flags & NARROWING) !== 0 || (word[3] !== undefined && (flags & IS_VERB) === 0 && covers(t.lemmas, word[3]))) narrows = true
      if ((flags & LABEL) !== 0) label += weight
    }
  }
  const ids: string[] = []
  for (const id of s.identifiers)
    if (t.allIdentifiers.has(id)) {
      sharedName = true
      words.push(id)
    } else ids.push(id)
  return { shared, context, left, label, names, words, ids, sharedName, narrows }
}

/** A verb tells less than what it is said of, and what stands far from the figure less than what stands beside it. */
function weightOf([lemma, flags]: FrameWord, s: StatementView): number {
  const weight = rarity(lemma) * ((flags & (IS_NOUN | IS_ADJECTIVE)) !== 0 ? 1 : (flags & IS_VERB) !== 0 ? 0.6 : 0.3)
  return s.near.size === 0 || s.near.has(lemma) ? weight : weight / 2
}

const apart = (a: StatementView, b: StatementView): number =>
  a.frame.section.reduce((sum, lemma) => sum + (covers(b.all, lemma) || NEUTRAL.has(lemma) ? 0 : rarity(lemma)), 0)

function gate(s: StatementView, t: StatementView): Separation | null {
  const [a, b] = [s.value as NumberValue, t.value as NumberValue]
  if (!comparable(a, b)) return 'unit'
  if (meets(a.interval, b.interval) || a.rounded(b)) return 'differences'
  if (s.prior || t.prior) return 'role'
  if (s.nth[1] > 1 && t.nth[1] > 1 && s.nth[0] !== t.nth[0]) return 'unit'
  if (s.of !== t.of && s.of !== null && t.of !== null) return 'part'
  if (otherThreshold(s.frame, t.frame)) return 'part'
  if (areTwoOfAKind(s, t)) return 'part'
  if (otherRole(s.frame, t.frame)) return 'role'
  if (isAgreed(s, b) || isAgreed(t, a)) return 'differences'
  return sameCounted(s, t) ? null : 'unit'
}

/** Both give identifiers of one shape, and none of them both. */
function areTwoOfAKind({ identifiers: x }: StatementView, { identifiers: y }: StatementView): boolean {
  if (x.size === 0 || y.size === 0) return false
  for (const id of x) if (y.has(id)) return false
  for (const id of x) for (const other of y) if (shapeOf(id) === shapeOf(other)) return true
  return false
}

/** A figure that the other statement gives as well is agreed on. */
const isAgreed = (s: StatementView, b: NumberValue): boolean =>
  s.frame.numbers.some(x => !x.prior && !x.label && !x.aside && x.unit === b.dimension && meets(x, b.interval))
