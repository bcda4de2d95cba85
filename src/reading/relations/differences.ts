/** What differs between two statements of the same words: a figure, a day, yes and no, or the words in one slot. */
import { ALIAS, BY, LABEL, PLACE, PREDICATE, type SaidNumber, type SaidWord, STATE } from '../document/says.js'
import type { ConflictKind, Period } from '../types.js'
import { CLOCK } from '../values/clock.js'
import { isRounded, meets, overlaps, samePeriod, shareTime } from '../values/compare-values.js'
import { isNeutral } from '../words/stems.js'
import { isNamed, type Said } from './said.js'

export interface Difference {
  kind: ConflictKind
  a: string
  b: string
  /** Which figures differ. */
  figures?: [number, number]
  /** The words that differ: they are what is told, not what it is told of. */
  left: readonly SaidWord[]
  right: readonly SaidWord[]
  /** Several could be meant: too little to be sure. */
  unsure?: true
  /** Where all of an answer is told: by what two sides say the same. */
  whole?: [string, string]
}

export interface Overlap {
  common: ReadonlySet<string>
  /** How many further words of the one stand above the other. */
  confirmed: number
  left: SaidWord[]
  right: SaidWord[]
}

/** What both say, and what each says alone; what stands above the other, or tells nothing, is neither. */
export function overlapOf(s: Said, t: Said): Overlap {
  const common = new Set<string>()
  for (const stem of s.stems) if (t.stems.has(stem)) common.add(stem)
  const confirmed = Math.min(3, confirmedBy(s, t, common) + confirmedBy(t, s, common))
  return { common, confirmed, left: aloneIn(s, t, common), right: aloneIn(t, s, common) }
}

/** How much both say: "feeder 6" is one thing, not two. */
export const sharedThings = ({ says }: Said, common: ReadonlySet<string>): number =>
  common.size -
  says.ids.filter(id => common.has(id) && says.words.some(([stem, , form]) => common.has(stem) && id.startsWith(`${form.toLowerCase()} `)))
    .length

function confirmedBy({ stems }: Said, { around }: Said, common: ReadonlySet<string>): number {
  let count = 0
  if (stems.size > common.size) for (const stem of stems) if (around.has(stem) && !common.has(stem)) count++
  return count
}

/** Each word once. */
function aloneIn({ says }: Said, { around }: Said, common: ReadonlySet<string>): SaidWord[] {
  const alone: SaidWord[] = []
  for (const word of says.words) {
    const [stem, flags] = word
    if ((flags & ALIAS) !== 0 || common.has(stem) || isNeutral(stem) || around.has(stem)) continue
    if (!alone.some(known => known[0] === stem)) alone.push(word)
  }
  return alone
}

export function differenceOf(s: Said, t: Said, overlap: Overlap): Difference | null {
  const places = placesDiffer(s, t)
  if (places) return places
  const figures = figuresDiffer(s, t)
  const polarity = polarityDiffers(s, t)
  if (figures && polarity) return { ...figures, unsure: true }
  if (figures ?? polarity) return figures ?? polarity
  if (tellOtherKinds(s, t)) return daysDiffer(s, t)
  if (agreeInFigures(s, t)) return answersDiffer(s, t) ?? daysDiffer(s, t) ?? codesDiffer(s, t) ?? namesDiffer(s, t, overlap)
  return daysDiffer(s, t) ?? answersDiffer(s, t) ?? codesDiffer(s, t) ?? wordsDiffer(s, t, overlap)
}

const ADDRESS =
  /\b(?:address|offices?|seat|domicile|premises|residence|anschrift|adresse|sitz|wohnsitz|wohnort|siège|domicilio|sede|indirizzo|dirección|osoite|adres)\b/iu

/** "7 Mill Street, London EC1A 1BB": where names and bare numbers answer the label of an address, all of it is the answer. */
function placesDiffer(s: Said, t: Said): Difference | null {
  if (!s.isLabel || !t.isLabel || s.labelKey === '' || s.labelKey !== t.labelKey || !ADDRESS.test(s.claims[0]!.attribute)) return null
  const [x, y] = [s.answerWords, t.answerWords]
  const isPlace = (side: Said, words: readonly SaidWord[]): boolean =>
    words.length <= MOST_PLACE &&
    words.filter(isCapital).length > 1 &&
    side.told.length > 0 &&
    side.told.every(({ number }) => number.unit === 'count') &&
    side.says.dates.length === 0
  const only = (words: readonly SaidWord[], others: readonly SaidWord[]): boolean =>
    words.some(word => isCapital(word) && !others.some(([stem]) => stem === word[0]))
  if (!isPlace(s, x) || !isPlace(t, y) || !only(x, y) || !only(y, x)) return null
  return { kind: 'categorical', a: answerOf(s), b: answerOf(t), left: x, right: y, whole: [partsOf(s), partsOf(t)] }
}

/** Its figures and words: the text of other papers is not fetched with their claims. */
const answerOf = (side: Said): string => [...side.told.map(({ number }) => number.text), said(side.answerWords)].join(' ')

/** Everything the answer is made of, however it is parted. */
const partsOf = ({ answerWords, told, says: { toldIds } }: Said): string =>
  [...answerWords.map(([stem]) => stem), ...toldIds, ...told.map(({ number }) => number.text)].sort().join(' ')

/** Behind a label the first word has a capital too, whether it names or not. */
const isCapital = (word: SaidWord): boolean => isNamed(word) || /^\p{Lu}/u.test(word[2])

/** Figures in no common unit tell two facts, and a figure is no answer to words, unless both answer the same label. */
function tellOtherKinds(s: Said, t: Said): boolean {
  if (s.told.length === 0 || t.told.length === 0)
    return (s.isLabel || t.isLabel) && s.labelKey !== t.labelKey && s.told.length !== t.told.length
  return !s.told.some(a => t.told.some(b => a.number.unit === b.number.unit))
}

/** What may differ where nothing surely does: another figure of the same kind, or a few words on each side. */
export function looseDifference(s: Said, t: Said, { left, right }: Overlap): Difference | null {
  // "08:00 to 16:30" of both: figures that both give are agreed on.
  const isGiven = (own: Said['told'][number], other: Said): boolean =>
    other.told.some(({ number }) => number.unit === own.number.unit && fits(own.number, number))
  for (const x of s.told)
    for (const y of t.told)
      if (x.number.unit === y.number.unit && !fits(x.number, y.number) && !(isGiven(x, t) && isGiven(y, s)))
        return { kind: 'numeric', a: x.number.text, b: y.number.text, figures: [x.at, y.at], left: [], right: [], unsure: true }
  const [x, y] = [s.told[0], t.told[0]]
  if (x && y && s.told.length === 1 && t.told.length === 1 && left.length + right.length === 0 && isOtherUnit(s, x.number, t, y.number))
    return { kind: 'numeric', a: x.number.text, b: y.number.text, figures: [x.at, y.at], left: [], right: [], unsure: true }
  // A number that a thing goes by is not what is said of it.
  const told = (own: Said, other: Said) => (own.isLabel ? own.says.toldIds : own.says.ids).filter(id => !other.says.ids.includes(id))
  const [p, q] = [told(s, t), told(t, s)]
  if (p.length > 0 && q.length > 0) return { kind: 'categorical', a: p.join(' '), b: q.join(' '), left: [], right: [], unsure: true }
  if (left.length === 0 || right.length === 0 || (s.isLabel && t.isLabel && tellOtherKinds(s, t))) return null
  return { kind: 'categorical', a: said(left), b: said(right), left, right, unsure: true }
}

/** "£500", "€500": the same figure of two units, both told, in two notes. Other figures may have been converted. */
function isOtherUnit(s: Said, a: SaidNumber, t: Said, b: SaidNumber): boolean {
  const isTold = ({ unit }: SaidNumber): boolean => unit !== 'count' && unit !== 'money ?'
  if (s.document.isMiddling || t.document.isMiddling || !isTold(a) || !isTold(b)) return false
  const figure = ({ text }: SaidNumber): string => text.replace(/[^\d.,]/g, '')
  return a.unit !== b.unit && figure(a) === figure(b)
}

const fits = (a: SaidNumber, b: SaidNumber): boolean =>
  meets(a, b) || isRounded({ interval: a, exact: a.exact, coarse: a.coarse }, { interval: b, exact: b.exact, coarse: b.coarse })

export const agreeInFigures = (s: Said, t: Said): boolean =>
  s.told.some(x => t.told.some(y => x.number.unit === y.number.unit && fits(x.number, y.number)))

/** Two limits or ranges differ as rules, although what keeps the one may keep the other. */
export function isOtherLimit(a: SaidNumber, b: SaidNumber): boolean {
  const open = Number.MAX_VALUE
  const far = (x: number, y: number): boolean => Math.abs(x - y) > 0.02 * Math.max(Math.abs(x), Math.abs(y))
  if (a.low === -open && b.low === -open) return far(a.high, b.high)
  if (a.high === open && b.high === open) return far(a.low, b.low)
  return isRange(a) && isRange(b) && isOtherRange(a, b)
}

/** "12 to 14 °C": with two ends that are told. */
const isRange = ({ exact, unit, low, high }: SaidNumber): boolean =>
  exact === null && unit !== CLOCK && low > -Number.MAX_VALUE && high < Number.MAX_VALUE

function isOtherRange(a: SaidNumber, b: SaidNumber): boolean {
  const isOther = (x: number, y: number): boolean => Math.abs(x - y) > a.slack + b.slack
  return isOther(a.low + a.slack, b.low + b.slack) || isOther(a.high - a.slack, b.high - b.slack)
}

/** A figure that is denied, or was before, is not agreed on. */
const isAgreed = ({ prior }: SaidNumber): boolean => prior !== 'denied' && prior !== 'before'

function figuresDiffer(s: Said, t: Said): Difference | null {
  const [x, y] = [s.told, t.told]
  if (x.length === 0 || y.length === 0) return null
  for (const unit of new Set(x.map(({ number }) => number.unit))) {
    const [own, other] = [x.filter(each => each.number.unit === unit), y.filter(each => each.number.unit === unit)]
    if (other.length === 0) continue
    const apart = (a: SaidNumber, b: SaidNumber): boolean => !fits(a, b) || isOtherLimit(a, b)
    // A figure that the other side gives as well, as what was before or beside it, is agreed on.
    const left = own.filter(({ number }) => !t.says.numbers.some(each => each.unit === unit && isAgreed(each) && !apart(number, each)))
    const right = other.filter(({ number }) => !s.says.numbers.some(each => each.unit === unit && isAgreed(each) && !apart(number, each)))
    if (left.length === 0 || right.length === 0 || countOthers(left[0]!.number, right[0]!.number)) continue
    const [a, b] = [left[0]!, right[0]!]
    return {
      kind: 'numeric',
      a: a.number.text,
      b: b.number.text,
      figures: [a.at, b.at],
      left: [],
      right: [],
      ...((left.length !== right.length || left.length > 2 || countsElse(a.number, t) || countsElse(b.number, s)) && {
        unsure: true as const,
      }),
    }
  }
  return null
}

/** "Two wardens", "980 pairs": counts of two things. */
const countOthers = (a: SaidNumber, b: SaidNumber): boolean =>
  a.counted.length > 0 && b.counted.length > 0 && !a.counted.some(stem => b.counted.includes(stem))

/** "420 packs": a count of what the other does not speak of. */
const countsElse = ({ counted }: SaidNumber, other: Said): boolean =>
  counted.length > 0 && !counted.some(stem => other.stems.has(stem) || other.around.has(stem))

function polarityDiffers(s: Said, t: Said): Difference | null {
  if (!s.says.negated && !t.says.negated) return null
  const denies = (own: Said, other: Said): boolean => own.says.negates.some(stem => stem === '' || other.stems.has(stem))
  const [x, y] = [denies(s, t), denies(t, s)]
  if (x === y) return null
  const said = (own: Said, denied: boolean): string => (own.isLabel ? own.claims[0]!.valueText : denied ? 'not' : 'affirmed')
  return { kind: 'negation', a: said(s, x), b: said(t, y), left: [], right: [] }
}

const answered = (side: Said): Period[] => side.says.dates.slice(side.isLabel ? side.says.labelDates : 0)

function daysDiffer(s: Said, t: Said): Difference | null {
  const [x, y] = [finest(answered(s)), finest(answered(t))]
  if (x.length === 0 || y.length === 0) return null
  const isOther = (a: Period, b: Period): boolean => !samePeriod(a, b) && ((a.grain === 'range' && b.grain === 'range') || !overlaps(a, b))
  const isApart = x.every(a => y.every(b => isOther(a, b)))
  // "1 March to 31 May", "1 March to 30 June": in the same order, all but one are the same.
  const moved = x.length === y.length && x.length > 1 ? x.flatMap((a, at) => (isOther(a, y[at]!) ? [at] : [])) : []
  if (!isApart && moved.length !== 1) return null
  const at = isApart ? 0 : moved[0]!
  return {
    kind: 'date',
    a: x[at]!.label,
    b: y[at]!.label,
    left: [],
    right: [],
    ...((isApart ? x.length > 1 || y.length > 1 : !(s.isLabel && t.isLabel)) && { unsure: true as const }),
  }
}

/** Days where any are given: "the prize for 2019, handed over on 6 December 2019" happened on a day. */
function finest(dates: readonly Period[]): readonly Period[] {
  const days = dates.filter(({ grain }) => grain === 'day')
  return days.length > 0 ? days : dates
}

const MOST_ANSWER = 6
/** Words of an address. */
const MOST_PLACE = 16

/** One label, two answers that each say something the other does not. */
function answersDiffer(s: Said, t: Said): Difference | null {
  if (!s.isLabel || !t.isLabel) return null
  const [x, y] = [s.answerWords, t.answerWords]
  const only = (words: readonly SaidWord[], others: readonly SaidWord[]): SaidWord[] =>
    words.filter(([stem]) => !others.some(([same]) => same === stem) && !isNeutral(stem))
  const [left, right] = [only(x, y), only(y, x)]
  if (x.length === 0 || y.length === 0) {
    const [a, b] = [s.claims[0]!.valueText, t.claims[0]!.valueText]
    const plain = (text: string): string => text.replace(/\s/g, '').toLowerCase()
    const isShort = (text: string): boolean => /^[\p{L}\p{N}+/ -]{1,12}$/u.test(text.trim())
    const isText = (side: Said): boolean => side.says.numbers.every(({ label }) => label) && side.says.dates.length <= side.says.labelDates
    if (!isShort(a) || !isShort(b) || !isText(s) || !isText(t) || plain(a) === plain(b)) return null
    return { kind: 'categorical', a, b, left: x, right: y }
  }
  if (left.length === 0 || right.length === 0 || x.length > MOST_ANSWER || y.length > MOST_ANSWER) return null
  return { kind: 'categorical', a: said(left), b: said(right), left: x, right: y }
}

/** Where figures agree, another name in the same place is all that may differ. */
function namesDiffer(s: Said, t: Said, overlap: Overlap): Difference | null {
  return [...overlap.left, ...overlap.right].every(isNamed) ? wordsDiffer(s, t, overlap) : null
}

/** "is marked C-04", "is marked C-09": the code is what is told. */
function codesDiffer(s: Said, t: Said): Difference | null {
  const [x, y] = [s.says.ids.filter(id => !t.says.ids.includes(id)), t.says.ids.filter(id => !s.says.ids.includes(id))]
  if (x.length !== 1 || y.length !== 1 || !s.says.toldIds.includes(x[0]!)) return null
  return { kind: 'categorical', a: x[0]!, b: y[0]!, left: [], right: [] }
}

const said = (words: readonly SaidWord[]): string => words.map(([, , form]) => form).join(' ')
const MOST_RUN = 5

/** The same sentence but for a few words in one place: "is classified as dangerous goods", "is classified as food". */
function wordsDiffer(s: Said, t: Said, { common, left, right }: Overlap): Difference | null {
  if (left.length === 0 || right.length === 0) return null
  // "Port of loading: Lisbon": a capital behind a label is a name where the other side has one.
  const named = (side: Said, words: readonly SaidWord[]): SaidWord[] =>
    words.filter(word => isNamed(word) || (side.isLabel && (word[1] & LABEL) === 0 && /^\p{Lu}/u.test(word[2])))
  const [names, others] = [named(s, left), named(t, right)]
  // A name is no answer to what something does.
  if (s.isLabel !== t.isLabel && (names.length === left.length || others.length === right.length) && names.length * others.length === 0)
    return null
  // Names that stand for each other, whatever else is said beside them.
  const whole = isRun(s, left) && isRun(t, right) && left.length <= MOST_RUN && right.length <= MOST_RUN
  const [x, y] = names.length > 0 && others.length > 0 && !whole ? [names, others] : [left, right]
  if (x.length === 0 || y.length === 0 || x.length > MOST_RUN || y.length > MOST_RUN) return null
  const isLabelled = [...x, ...y].some(([, flags]) => (flags & LABEL) !== 0)
  if (isDenied(s, y) || isDenied(t, x)) return { kind: 'categorical', a: said(x), b: said(y), left: x, right: y }
  if (!isRun(s, x) || !isRun(t, y) || isLabelled) return swapped(s, t, { left, right })
  const value = (side: Said, words: readonly SaidWord[]): boolean => words.every(([, flags]) => side.isLabel || (flags & PREDICATE) !== 0)
  const isTold = value(s, x) && value(t, y)
  if (!isTold && (names.length === 0 || others.length === 0)) return null
  // What is not open is closed; two acts are no answer to one question.
  const isOff = (side: Said, words: readonly SaidWord[]): boolean =>
    words.some(([stem, flags]) => side.says.negates.includes(stem) || (flags & BY) !== 0)
  if (isOff(s, x) || isOff(t, y)) return null
  // Of what neither says there is, each may deny something else.
  if (isTold && !s.isLabel && s.says.negated && t.says.negated) return null
  const isWhere = [...left, ...right].every(word => isWhereabouts(word) && [...x, ...y].includes(word))
  const isLoose = isTold ? common.size + sharedDays(s, t) < (isWhere ? 1 : 3) && s.isLabel === t.isLabel : !isHolder(s)
  const isLabelMissed = [...left, ...right].some(([, flags]) => (flags & LABEL) !== 0)
  return { kind: 'categorical', a: said(x), b: said(y), left: x, right: y, ...((isLoose || isLabelMissed) && { unsure: true as const }) }
}

/** "is in the garage": a thing is in one place, and may be of two kinds or in two states. */
export const isWhereabouts = ([, flags]: SaidWord): boolean => (flags & STATE) !== 0 && (flags & PLACE) !== 0

/** "was elected treasurer", "is duty officer": what one alone can be. */
const HELD = new Set(
  'elect appoint chair treasurer secretar president director officer manager head captain winner owner lead editor judg mayor minister chief'.split(
    ' ',
  ),
)
const isHolder = (side: Said): boolean => side.says.words.some(([stem]) => HELD.has(stem))

/** "X, not Y": what the one denies is what the other tells. */
const isDenied = (side: Said, words: readonly SaidWord[]): boolean =>
  words.length > 0 && side.says.denied.length > 0 && words.every(([stem]) => side.says.denied.includes(stem))

/** One word for another between the same two: "the left hind quarter", "the right hind quarter". */
function swapped(s: Said, t: Said, { left, right }: Pick<Overlap, 'left' | 'right'>): Difference | null {
  const behind = ({ says }: Said, word: SaidWord): string => says.words[says.words.indexOf(word) + 1]?.[0] ?? ''
  const before = ({ says }: Said, word: SaidWord): string => says.words[says.words.indexOf(word) - 1]?.[0] ?? ''
  for (const a of left)
    for (const b of right)
      if (behind(s, a) !== '' && behind(s, a) === behind(t, b) && before(s, a) !== '' && before(s, a) === before(t, b))
        return { kind: 'categorical', a: a[2], b: b[2], left: [a], right: [b] }
  return null
}

const COMPANY = /^(?:ltd|limited|plc|llp|llc|inc|corp|gmbh|ag|sa|sas|bv|nv|ab|oy|oyj|spa|srl|kg)$/i

/** "Marlow Ltd was founded in 2018.", "Marlow Ltd opened an account in May.": two sentences of one company, of which each tells something. */
export function sharesNamesAlone(a: Said, b: Said, { common, left, right }: Overlap): boolean {
  return !a.isLabel && !b.isLabel && left.length > 0 && right.length > 0 && isOneName(a, common) && isOneName(b, common)
}

/** That of a company: any other word with a capital may be what is asked about ("the Effective Date", "die Miete"). */
function isOneName(side: Said, common: ReadonlySet<string>): boolean {
  const words = side.says.words.filter(([stem]) => common.has(stem))
  const last = words.at(-1)
  return last !== undefined && words.every(isNamed) && isRun(side, words) && COMPANY.test(last[2])
}

/** "Marlow Ltd is dormant.", "Marlow Ltd is active.": in what state it is. */
export const isStated = ({ kind, left, right }: Difference): boolean =>
  kind === 'categorical' && left.length + right.length > 0 && [...left, ...right].every(([, flags]) => (flags & STATE) !== 0)

/** 1 where both tell of the same day or period. */
export const sharedDays = (s: Said, t: Said): number => (shareTime(s.says.dates, t.says.dates) ? 1 : 0)

/** Words that stand together. */
function isRun({ says }: Said, words: readonly SaidWord[]): boolean {
  if (words.length === 0) return false
  const places = words.map(word => says.words.indexOf(word))
  // Words that tell nothing may stand between them.
  return says.words.slice(places[0]!, places.at(-1)! + 1).every(word => words.includes(word) || isNeutral(word[0]))
}
