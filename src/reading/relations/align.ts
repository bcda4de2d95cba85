/**
 * Two statements side by side. What both say is the evidence that they speak of the same thing; what is left on either side
 * is what differs. Exactly one difference, in the place of the value, is a conflict; one in subject, part, role or period,
 * or more than one, means two things.
 */
import type { Period } from '../../analysis/types.js'
import {
  ANSWER,
  ATTRIBUTIVE,
  type Frame,
  type FrameWord,
  IS_ADJECTIVE,
  IS_NOUN,
  IS_VERB,
  LABEL,
  NAME,
  NARROWING,
  PREDICATE,
  type Slot,
} from '../document/frames.js'
import type { Topic } from '../document/profile.js'
import { isOpposite, isSame, isSibling, rarity, synonymsOf } from '../words/dictionary.js'
import { CHANGING, isContrary, isContrast, NEUTRAL, PEOPLE, RECURRING } from '../words/lists.js'
import { type Interval, meets, overlaps, samePeriod } from './compare-values.js'

/** What a document adds to each of its statements. */
export interface DocumentView {
  documentId: string
  topic: Topic
  /** Every name and identifier the document has. */
  named: ReadonlySet<string>
  issuedOn: string | null
  issuer: string | null
  kind: string | null
  period: Period | null
}

export interface StatementView {
  frame: Frame
  document: DocumentView
  lemmas: ReadonlySet<string>
  /** Own words, and those above and of the topic. */
  all: ReadonlySet<string>
  identifiers: ReadonlySet<string>
  allIdentifiers: ReadonlySet<string>
  /** The figure, day or answer this view is about; null for a statement as a whole. */
  value: ViewedValue | null
  nth: readonly [at: number, of: number]
  /** What was before, as the statement itself says. */
  prior: boolean
  /** Of how many, where the figure is a share of a number of things. */
  of: number | null
  /** Words around the value. */
  near: ReadonlySet<string>
  ambiguous: boolean
}

export type ViewedValue =
  | {
      type: 'number'
      dimension: string
      interval: Interval
      counted: string | null
      text: string
      rounded: (other: ViewedValue) => boolean
    }
  | { type: 'date'; period: Period; text: string }
  | { type: 'text'; words: FrameWord[]; text: string }

export type Difference = 'value' | 'name' | 'identifier' | 'opposite' | 'sibling' | 'polarity' | 'date'

export interface Alignment {
  difference: Difference
  /** What differs, as written. */
  a: string
  b: string
  /** Words both share, rarest first. */
  shared: string[]
  /** 0 to 1: how surely both speak of the same thing. */
  score: number
  /** Spoken of at times that cannot be the same, or of what changes, on other days. */
  evolves: boolean
  /** Shown well enough to be called a contradiction. */
  sure: boolean
  /** One side gives the other's figure as what was before. */
  restated: boolean
}

const LEAST_SHARED = 2.4

/** Why two statements are not about one thing, in a word: for whoever wants to know why nothing was found. */
export type Separation = 'unit' | 'words' | 'cover' | 'role' | 'topic' | 'part' | 'differences' | 'time' | 'place'

export function align(s: StatementView, t: StatementView): Alignment | Separation {
  if (s.value?.type === 'number' && t.value?.type === 'number' && !comparable(s.value, t.value)) return 'unit'
  if (s.nth[1] > 1 && t.nth[1] > 1 && s.nth[0] !== t.nth[0]) return 'unit'
  if (s.prior || t.prior) return 'role'
  if (s.of !== t.of && s.of !== null && t.of !== null) return 'part'
  if (otherThreshold(s.frame, t.frame)) return 'part'
  const shared = sharedWords(s, t)
  const mass = massOf(shared)
  if (mass < LEAST_SHARED) return 'words'
  if (otherRole(s.frame, t.frame)) return 'role'
  const left = leftOver(s, t)
  const right = leftOver(t, s)
  // What differs may be left out of account below, but not so much of it.
  if (left.mass > left.total * 0.7 && right.mass > right.total * 0.7) return 'cover'
  if (tellsApart(left.words, right.words)) return 'part'
  const found = differences(s, t, left, right)
  if (found.length !== 1) return 'differences'
  const difference = found[0]!
  const [one, two] = [coverOf(left, difference.left), coverOf(right, difference.right)]
  const [high, low] = one > two ? [one, two] : [two, one]
  if (high < 0.62 || low < 0.3) return 'cover'
  if (otherTopic(s, t)) return 'topic'
  if (otherLabel(s, t, left, right)) return 'part'
  const time = timeBetween(s, t, difference.kind)
  if (time === 'other') return 'time'
  const told = massOf(shared.filter(word => !isNameOf(s, word) && !/\d/.test(word)))
  const sure = isSure(difference, s, t, left, right, low, told)
  if (sure === null) return 'place'
  return {
    difference: difference.kind,
    a: difference.a,
    b: difference.b,
    shared: [...shared].sort((a, b) => rarity(b) - rarity(a)).slice(0, 12),
    score: Math.min(1, (mass / 16) * 0.5 + low * 0.5),
    evolves: time === 'evolving',
    sure: sure && time !== 'evolving',
    restated: difference.kind === 'value' && isRestated(s, t),
  }
}

const isNameOf = ({ frame }: StatementView, lemma: string): boolean =>
  frame.words.some(([word, flags]) => word === lemma && (flags & NAME) !== 0)

/** "TMB >= 10" and "TMB >= 20": labels that give other numbers ask for other things. */
function otherThreshold(a: Frame, b: Frame): boolean {
  const [x, y] = [a.numbers.filter(number => number.label), b.numbers.filter(number => number.label)]
  return x.length > 0 && y.length > 0 && !x.some(one => y.some(two => one.unit === two.unit && meets(one, two)))
}

/** How much of a statement the other one has too, apart from what differs. */
function coverOf({ words, total, mass }: Rest, differing: readonly FrameWord[] | undefined): number {
  let [rest, whole] = [mass, total]
  for (const word of differing ?? [])
    if (words.includes(word)) {
      rest -= weightOf(word)
      whole -= weightOf(word)
    }
  return whole <= 0.01 ? 1 : 1 - rest / whole
}

interface Rest {
  words: FrameWord[]
  mass: number
  total: number
}

/** Words of a statement that the other one, what stands above it and its topic do not have. */
function leftOver(s: StatementView, t: StatementView): Rest {
  const words: FrameWord[] = []
  let mass = 0
  let total = 0
  for (const word of s.frame.words) {
    if (word[0].length < 2) continue
    const weight = weightOf(word)
    total += weight
    if (covers(t.all, word[0])) continue
    words.push(word)
    mass += weight
  }
  return { words, mass, total }
}

const weightOf = ([lemma, flags]: FrameWord): number => ((flags & NAME) !== 0 ? Math.max(3.5, rarity(lemma)) : rarity(lemma))

function covers(words: ReadonlySet<string>, lemma: string): boolean {
  if (words.has(lemma)) return true
  for (const word of synonymsOf(lemma)) if (words.has(word)) return true
  return false
}

/** Words both statements say themselves. */
function sharedWords(s: StatementView, t: StatementView): string[] {
  const shared: string[] = []
  for (const [lemma] of s.frame.words) if (lemma.length > 1 && covers(t.lemmas, lemma) && !shared.includes(lemma)) shared.push(lemma)
  for (const id of s.identifiers) if (t.allIdentifiers.has(id)) shared.push(id)
  for (const id of t.identifiers) if (s.allIdentifiers.has(id) && !shared.includes(id)) shared.push(id)
  // A label says little by itself; what stands above it names what it is about.
  for (const [own, other] of [
    [s, t],
    [t, s],
  ] as const)
    if (other.frame.kind !== 'sentence')
      for (const [lemma, flags] of own.frame.words)
        if ((flags & NAME) !== 0 && lemma.length > 1 && other.all.has(lemma) && !shared.includes(lemma)) shared.push(lemma)
  return shared
}

const massOf = (lemmas: readonly string[]): number => lemmas.reduce((sum, lemma) => sum + (/\d/.test(lemma) ? 5 : rarity(lemma)), 0)

/** Roles that one has and the other has not. What is said to be a limit is no measurement. */
function otherRole(a: Frame, b: Frame): boolean {
  if (a.rates.join() !== b.rates.join()) return true
  if (a.side !== null && b.side !== null && a.side !== b.side) return true
  if (a.partial !== b.partial) return true
  if (a.roles.length === 0 && b.roles.length === 0) return false
  return (
    !a.roles.some(role => b.roles.includes(role)) ||
    a.roles.includes('condition') !== b.roles.includes('condition') ||
    a.roles.includes('hearsay') ||
    b.roles.includes('hearsay')
  )
}

/**
 * Two things: labels or headings that differ in nothing but the name they give ("Patient", "Building survey"), or two
 * documents that are about names of which the other does not speak, with nothing that ties the statements together.
 */
function otherTopic(s: StatementView, t: StatementView): boolean {
  const slots = (view: StatementView): readonly Slot[] => [...view.document.topic.slots, ...view.frame.above.slots]
  const speaks = (view: StatementView, name: string): boolean => view.all.has(name) || view.allIdentifiers.has(name)
  const parallel = slots(s).some(([words, names]) =>
    slots(t).some(
      ([others, otherNames]) =>
        words === others &&
        names.some(name => !otherNames.includes(name) && !speaks(t, name)) &&
        otherNames.some(name => !names.includes(name) && !speaks(s, name)),
    ),
  )
  if (parallel) return true
  if (s.document === t.document) return false
  const [x, y] = [subjectsOf(s), subjectsOf(t)]
  if (x.length > 0 && y.length > 0 && !x.some(name => speaks(t, name)) && !y.some(name => speaks(s, name))) return true
  const free = (a: StatementView, b: StatementView): string[] =>
    [...a.document.topic.identifiers, ...a.frame.above.identifiers].filter(id => !b.allIdentifiers.has(id) && !b.document.named.has(id))
  const codes = free(t, s)
  return free(s, t).some(id => codes.some(other => shapeOf(id) === shapeOf(other)))
}

/** The names a statement speaks of: its own and those above it, else those its document is about. */
function subjectsOf({ frame, document }: StatementView): string[] {
  const own = [...frame.words.filter(([, flags]) => (flags & NAME) !== 0).map(([lemma]) => lemma), ...frame.above.names].filter(
    name => name.length > 1,
  )
  return own.length > 0 ? own : document.topic.names.filter(name => name.length > 1)
}

/** Every word of a label must be said by the other side; two labels must stand under headings that fit. */
function otherLabel(s: StatementView, t: StatementView, left: Rest, right: Rest): boolean {
  const labelled = (rest: Rest): number =>
    rest.words.reduce((sum, word) => sum + ((word[1] & LABEL) !== 0 && !NEUTRAL.has(word[0]) ? weightOf(word) : 0), 0)
  const [x, y] = [labelled(left), labelled(right)]
  const apart = (a: StatementView, b: StatementView): number =>
    a.frame.section.reduce((sum, lemma) => sum + (covers(b.all, lemma) || NEUTRAL.has(lemma) ? 0 : rarity(lemma)), 0)
  if ((s.ambiguous && apart(s, t) > 0.5) || (t.ambiguous && apart(t, s) > 0.5)) return true
  if (s.frame.kind !== 'sentence' && t.frame.kind !== 'sentence') {
    if (x > 0 || y > 0) return true
    if (massOf(sharedWords(s, t)) >= 5) return false
    return apart(s, t) > 1.5 && apart(t, s) > 1.5
  }
  return x > 2.5 || y > 2.5
}

/** "atlas-01" and "atlas-02" are two of a kind. */
const shapeOf = (id: string): string => id.replace(/\d+/g, '9').replace(/(?<=9)[a-z]$/, '')

/** First and second, gross and net, upper and lower: words that name two parts, unless they are what is asserted. */
function tellsApart(left: readonly FrameWord[], right: readonly FrameWord[]): boolean {
  return left.some(a => right.some(b => (isContrast(a[0], b[0]) || isOpposite(a[0], b[0])) && !(isAsserted(a) && isAsserted(b))))
}

/** Stands where a sentence or a label gives its answer. */
function isAsserted([, flags, lead]: FrameWord): boolean {
  if ((flags & ANSWER) !== 0) return true
  if ((flags & LABEL) !== 0 || (flags & ATTRIBUTIVE) !== 0) return false
  return (flags & IS_VERB) !== 0 || ((flags & PREDICATE) !== 0 && (lead === 'be' || lead === '' || (flags & IS_ADJECTIVE) !== 0))
}

interface Found {
  kind: Difference
  a: string
  b: string
  left?: FrameWord[]
  right?: FrameWord[]
}

function differences(s: StatementView, t: StatementView, left: Rest, right: Rest): Found[] {
  const found: Found[] = []
  const codes = (a: StatementView, b: StatementView): string[] => [...a.identifiers].filter(id => !b.allIdentifiers.has(id))
  const [idsLeft, idsRight] = [codes(s, t), codes(t, s)]
  if (idsLeft.length > 0 && idsRight.length > 0) found.push({ kind: 'identifier', a: idsLeft[0]!, b: idsRight[0]! })
  const names = (rest: Rest): FrameWord[] => rest.words.filter(([, flags]) => (flags & NAME) !== 0)
  const [namesLeft, namesRight] = [names(left), names(right)]
  if (namesLeft.length > 0 && namesRight.length > 0)
    found.push({ kind: 'name', a: said(namesLeft), b: said(namesRight), left: namesLeft, right: namesRight })
  const opposite = opposed(left, right)
  if (opposite) found.push(opposite)
  const denied = s.frame.denials % 2 !== t.frame.denials % 2
  if (denied) found.push({ kind: 'polarity', a: s.frame.denials % 2 ? 'not' : '', b: t.frame.denials % 2 ? 'not' : '' })
  found.push(...valueDifference(s, t))
  return found
}

const said = (words: readonly FrameWord[]): string => words.map(([lemma]) => lemma).join(' ')

function opposed(left: Rest, right: Rest): Found | null {
  const asserted = (rest: Rest): FrameWord[] => rest.words.filter(word => (word[1] & NAME) === 0 && isAsserted(word))
  const [x, y] = [asserted(left), asserted(right)]
  for (const a of x)
    for (const b of y)
      if (isOpposite(a[0], b[0]) || isContrary(a[0], b[0])) return { kind: 'opposite', a: a[0], b: b[0], left: [a], right: [b] }
  for (const a of x) for (const b of y) if (isSibling(a[0], b[0])) return { kind: 'sibling', a: a[0], b: b[0], left: [a], right: [b] }
  return null
}

function comparable(a: Extract<ViewedValue, { type: 'number' }>, b: Extract<ViewedValue, { type: 'number' }>): boolean {
  if (
    a.dimension !== b.dimension &&
    !(a.dimension.startsWith('money') && b.dimension.startsWith('money') && (a.dimension.endsWith('?') || b.dimension.endsWith('?')))
  )
    return false
  return true
}

function valueDifference(s: StatementView, t: StatementView): Found[] {
  const [a, b] = [s.value, t.value]
  const found: Found[] = []
  const datesLeft = s.frame.dates
  const datesRight = t.frame.dates
  if (a?.type === 'number' && b?.type === 'number') {
    const apart = !meets(a.interval, b.interval) && !a.rounded(b)
    // A figure that the other statement gives as well is agreed on.
    const agreed =
      s.frame.numbers.some(x => !x.prior && x.unit === b.dimension && meets(x, b.interval)) ||
      t.frame.numbers.some(x => !x.prior && x.unit === a.dimension && meets(x, a.interval))
    if (apart && !agreed) found.push({ kind: 'value', a: a.text, b: b.text })
    if (datesLeft.length > 0 && datesRight.length > 0 && !datesLeft.some(x => datesRight.some(y => overlaps(x, y))))
      found.push({ kind: 'date', a: datesLeft[0]!.label, b: datesRight[0]!.label })
    return found
  }
  if (datesLeft.length > 0 && datesRight.length > 0 && !datesLeft.some(x => datesRight.some(y => samePeriod(x, y) || overlaps(x, y))))
    found.push({ kind: 'date', a: datesLeft[0]!.label, b: datesRight[0]!.label })
  // A statement as a whole agrees on its figures or says something else.
  const clash =
    s.frame.numbers.some(x => t.frame.numbers.some(y => x.unit === y.unit && !meets(x, y))) &&
    !s.frame.numbers.some(x => t.frame.numbers.some(y => x.unit === y.unit && meets(x, y)))
  if (clash) found.push({ kind: 'value', a: '', b: '' })
  return found
}

type Time = 'same' | 'unknown' | 'evolving' | 'other'

/** By the words themselves, then by the headings, then by what the documents are about. */
function timeBetween(s: StatementView, t: StatementView, difference: Difference): Time {
  if (difference === 'date') return 'same'
  const own = (view: StatementView): readonly Period[] =>
    view.frame.dates.length > 0 ? view.frame.dates : view.frame.above.periods.filter(({ from }) => from !== view.document.issuedOn)
  const [a, b] = [own(s), own(t)]
  if (a.length > 0 && b.length > 0) {
    if (a.some(x => b.some(y => samePeriod(x, y)))) return 'same'
    if (!a.some(x => b.some(y => overlaps(x, y)))) return 'other'
    // A year against one of its quarters measures something else; what happened then may be told by either.
    return difference === 'value' ? 'other' : 'unknown'
  }
  const wide = (view: StatementView): readonly Period[] => {
    const near = own(view)
    return near.length > 0 ? near : view.document.topic.periods.filter(period => period.from !== view.document.issuedOn)
  }
  const [x, y] = [wide(s), wide(t)]
  if (x.length > 0 && y.length > 0 && !x.some(p => y.some(q => overlaps(p, q)))) return 'other'
  if (x.length > 0 && y.length > 0 && x.some(p => y.some(q => samePeriod(p, q)))) return 'same'
  const days = [s.document.issuedOn, t.document.issuedOn]
  if (days[0] !== days[1] && days[0] !== null && days[1] !== null && s.document !== t.document && changes(s, t)) return 'evolving'
  return 'unknown'
}

/** Something told in the present, or by a label, that is another on another day. */
function changes(s: StatementView, t: StatementView): boolean {
  if (s.frame.tense === 'past' || t.frame.tense === 'past')
    return s.frame.tense !== 'past' && s.frame.words.some(([lemma]) => CHANGING.has(lemma)) && t.frame.tense !== 'past'
  // A table or form shows the state of its day.
  if (s.value?.type === 'number' && s.frame.kind !== 'sentence' && t.frame.kind !== 'sentence') return true
  return (
    s.frame.words.some(([lemma]) => CHANGING.has(lemma)) ||
    t.frame.words.some(([lemma]) => CHANGING.has(lemma)) ||
    (s.frame.tense === 'present' && t.frame.tense === 'present' && s.value?.type !== 'number')
  )
}

/** Null: two things after all. False: perhaps one thing, for a person to look at. */
function isSure(found: Found, s: StatementView, t: StatementView, left: Rest, right: Rest, low: number, told: number): boolean | null {
  const anchored = hasAnchor(s, t)
  const things = (rest: Rest, own: readonly FrameWord[] | undefined): number =>
    rest.words.reduce(
      (sum, word) =>
        sum +
        ((word[1] & (IS_NOUN | IS_ADJECTIVE)) !== 0 && (word[1] & NAME) === 0 && !own?.includes(word) && !NEUTRAL.has(word[0])
          ? weightOf(word)
          : 0),
      0,
    )
  const names = (rest: Rest): boolean => rest.words.some(([, flags]) => (flags & NAME) !== 0)
  const more = Math.min(things(left, found.left), things(right, found.right))
  // "refrigerated containers" are some of the containers: what tells more about a thing both name makes it another.
  const narrows = (rest: Rest, other: StatementView): boolean =>
    rest.words.some(
      ([lemma, flags, , head]) =>
        ((flags & NARROWING) !== 0 || (head !== undefined && (flags & (NAME | IS_VERB)) === 0 && covers(other.lemmas, head))) &&
        !NEUTRAL.has(lemma),
    )
  switch (found.kind) {
    case 'value': {
      if (found.a === '') return null
      if (!sameCounted(s, t)) return null
      if (isRestated(s, t)) return low >= 0.4
      if (names(left) || names(right)) return more > 4 ? null : false
      if (more > 7 || (narrows(left, t) && narrows(right, s))) return null
      if (narrows(left, t) || narrows(right, s)) return false
      const close = nearBoth(s, t)
      if (told < 1.5 || close < 1.5) return null
      if (s.document === t.document && (low < 0.8 || told < 6)) return null
      if (s.of !== t.of) return false
      return more <= 4 && told >= 3 && close >= 2.4 && (anchored || told >= 7) && low >= 0.5
    }
    case 'polarity': {
      if (
        low < 0.6 ||
        more > 3 ||
        told < 3 ||
        (s.document === t.document && low < 0.85) ||
        s.value?.type === 'number' ||
        t.value?.type === 'number'
      )
        return null
      return anchored && told >= 4 && low >= 0.7 && samePredicate(s, t) && !names(left) && !names(right)
    }
    case 'opposite': {
      if (low < 0.5 || told < 1.5) return null
      return anchored && more <= 5 && !names(left) && !names(right)
    }
    case 'sibling': {
      if (low < 0.6) return null
      return (found.left![0]![1] & ANSWER) !== 0 && (found.right![0]![1] & ANSWER) !== 0 && anchored
    }
    case 'date': {
      if (s.value?.type !== 'date' || t.value?.type !== 'date' || s.frame.dates.length !== 1 || t.frame.dates.length !== 1) return null
      if (told < 3) return null
      if (low < 0.6 || more > 4) return null
      const recurs = [...s.frame.words, ...t.frame.words].some(([lemma]) => RECURRING.has(lemma))
      return anchored && !recurs
    }
    case 'name': {
      if (found.left!.length > 4 || found.right!.length > 4 || low < 0.45) return null
      const placed = (words: readonly FrameWord[]): boolean =>
        words.every(([, flags, lead]) => (flags & ANSWER) !== 0 || lead === 'by' || ((flags & PREDICATE) !== 0 && lead === 'be'))
      if (s.frame.numbers.length > 0 && t.frame.numbers.length > 0) return null
      const located = (words: readonly FrameWord[]): boolean =>
        words.every(([, flags, lead]) => (flags & PREDICATE) !== 0 && /^(?:in|at|from|to|near|on)$/.test(lead))
      if (located(found.left!) && located(found.right!)) return anchored && low >= 0.7 && more <= 2
      const [inLeft, inRight] = [placed(found.left!), placed(found.right!)]
      if (!inLeft && !inRight) return null
      return anchored && ((inLeft && inRight && more <= 6) || (low >= 0.7 && more <= 2))
    }
    case 'identifier': {
      const graded = /^(?:class|category|grade|level|tier|stage|band|type|rating|risk) /
      if (low < 0.6) return null
      return graded.test(found.a) && graded.test(found.b) && anchored ? true : null
    }
  }
}

/** A name, number or day that both give: something that identifies what they speak of. */
function hasAnchor(s: StatementView, t: StatementView): boolean {
  if (hasSharedName(s, t)) return true
  if (s.document.issuer !== null && s.document.issuer.toLowerCase() === t.document.issuer?.toLowerCase()) return true
  return s.frame.dates.some(x => t.frame.dates.some(y => x.grain === 'day' && samePeriod(x, y)))
}

/** How much both say right beside their figures. */
function nearBoth(s: StatementView, t: StatementView): number {
  let sum = 0
  for (const lemma of s.near) if (covers(t.near, lemma)) sum += rarity(lemma)
  return sum
}

/** One gives as what was before what the other gives. */
function isRestated(s: StatementView, t: StatementView): boolean {
  const [a, b] = [s.value, t.value]
  if (a?.type !== 'number' || b?.type !== 'number') return false
  return (
    s.frame.numbers.some(x => x.prior && x.unit === b.dimension && meets(x, b.interval)) ||
    t.frame.numbers.some(x => x.prior && x.unit === a.dimension && meets(x, a.interval))
  )
}

/** A name or number in the words, headings or topic of both. */
function hasSharedName(s: StatementView, t: StatementView): boolean {
  for (const id of s.allIdentifiers) if (t.allIdentifiers.has(id)) return true
  const names = (view: StatementView): Set<string> =>
    new Set([
      ...view.frame.words.filter(([lemma, flags]) => (flags & NAME) !== 0 && lemma.length > 1).map(([lemma]) => lemma),
      ...view.frame.above.names,
      ...view.document.topic.names,
    ])
  const other = names(t)
  for (const name of names(s)) if (other.has(name) && name.length > 1) return true
  return false
}

/** What is counted is the same, or named on the other side. */
function sameCounted(s: StatementView, t: StatementView): boolean {
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
  if (own.length === 0 || other.length === 0) return s.frame.kind !== 'sentence' || t.frame.kind !== 'sentence'
  return own.some(([lemma]) => other.some(([word]) => isSame(lemma, word)))
}
