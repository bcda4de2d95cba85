/** What differs between two statements about the same thing: figures, days, names, identifiers, opposite words, polarity. */

import { type FrameNumber, type FrameWord, NAME } from '../document/frames.js'
import type { Period } from '../types.js'
import { isOpposite, isSame } from '../words/dictionary.js'
import { isContrary, isOtherGrade } from '../words/lists.js'
import { type Interval, isRounded, meets, overlaps, samePeriod } from './compare-values.js'
import type { NumberValue } from './figures.js'
import { covers, type Rest, said } from './overlap.js'
import { answersLabel, isAsserted } from './separations.js'
import { slotDifference } from './slots.js'
import type { StatementView } from './views.js'

export type Difference = 'value' | 'name' | 'identifier' | 'opposite' | 'sibling' | 'polarity' | 'date' | 'twin'

export interface Found {
  kind: Difference
  a: string
  b: string
  left?: FrameWord[]
  right?: FrameWord[]
}

/** What most repeat word for word has nothing that could differ. */
export function mayDiffer(s: StatementView, t: StatementView, left: Rest, right: Rest): boolean {
  if (left.words.length > 0 && right.words.length > 0) return true
  const [a, b] = [s.frame, t.frame]
  if (a.denied.length + b.denied.length + a.absent.length + b.absent.length > 0) return true
  if ((a.dates.length > 0 && b.dates.length > 0) || (a.identifiers.length > 0 && b.identifiers.length > 0)) return true
  return s.value !== null && s.value.type === t.value?.type
}

export function differences(s: StatementView, t: StatementView, left: Rest, right: Rest): Found[] {
  const found: Found[] = []
  const codes = (a: StatementView, b: StatementView): string[] => [...a.identifiers].filter(id => !b.allIdentifiers.has(id))
  const [idsLeft, idsRight] = [codes(s, t), codes(t, s)]
  if (idsLeft.length > 0 && idsRight.length > 0) found.push({ kind: 'identifier', a: idsLeft[0]!, b: idsRight[0]! })
  const slot = slotDifference(s, t, left, right)
  const inSlot = (word: FrameWord): boolean => slot !== null && (slot.left!.includes(word) || slot.right!.includes(word))
  const names = (rest: Rest): FrameWord[] => rest.words.filter(word => (word[1] & NAME) !== 0 && !inSlot(word))
  const [namesLeft, namesRight] = [names(left), names(right)]
  if (namesLeft.length > 0 && namesRight.length > 0)
    found.push({ kind: 'name', a: said(namesLeft), b: said(namesRight), left: namesLeft, right: namesRight })
  const opposite = opposed(s, t, left, right)
  // Opposites within the slot say more of what differs than the slot.
  if (opposite && (opposite.kind === 'opposite' || !inSlot(opposite.left![0]!))) found.push(opposite)
  if (slot && !(opposite?.kind === 'opposite' && inSlot(opposite.left![0]!))) found.push(slot)
  const denied = polarityDifference(s, t)
  if (denied) found.push(denied)
  found.push(...valueDifference(s, t))
  return found
}

/** One denies what the other says. What is denied of something else, or by both, is no difference. */
function polarityDifference(s: StatementView, t: StatementView): Found | null {
  const bearing = (a: StatementView, b: StatementView): number =>
    a.frame.denied.filter(head => head === '' || covers(b.lemmas, head) || (!b.isSentence && covers(b.all, head))).length
  const [x, y] = [bearing(s, t), bearing(t, s)]
  if (x % 2 !== y % 2) return { kind: 'polarity', a: x % 2 ? 'not' : '', b: y % 2 ? 'not' : '' }
  if (s.value?.type === 'number' && t.value?.type === 'number') return null
  const [none, nor] = [missingIn(s, t), missingIn(t, s)]
  return none ? { kind: 'polarity', a: `no ${none}`, b: '' } : nor ? { kind: 'polarity', a: '', b: `no ${nor}` } : null
}

/** A thing of which one says there is none, and of which the other speaks without denying it. */
export function missingIn(a: StatementView, b: StatementView): string | null {
  if (b.frame.absent.length > 0 || (b.value?.type === 'number' && b.value.interval.high < 1)) return null
  return (
    a.frame.absent.find(([thing]) => covers(b.lemmas, thing) && !b.frame.denied.some(head => head === '' || isSame(head, thing)))?.[0] ??
    null
  )
}

function opposed(s: StatementView, t: StatementView, left: Rest, right: Rest): Found | null {
  // What is not open is closed: a denied word opposes nothing.
  const asserted = (rest: Rest, own: StatementView, other: StatementView): FrameWord[] =>
    rest.words.filter(
      word => (word[1] & NAME) === 0 && !own.frame.denied.includes(word[0]) && (isAsserted(word) || answersLabel(word, other)),
    )
  const [x, y] = [asserted(left, s, t), asserted(right, t, s)]
  for (const a of x)
    for (const b of y)
      if (isOpposite(a[0], b[0]) || isContrary(a[0], b[0]) || isOtherGrade(a[0], b[0]))
        return { kind: 'opposite', a: a[0], b: b[0], left: [a], right: [b] }
  return null
}

/** Days where any are given: "the prize for 2019, handed over on 6 December 2019" happened on a day. */
export function daysIn({ frame }: StatementView): readonly Period[] {
  const days = frame.dates.filter(({ grain }) => grain === 'day')
  return days.length > 0 ? days : frame.dates
}

/** "No more than twelve" and "no more than twenty": as rules they differ, although what keeps the one may keep the other. */
function isOtherLimit(s: StatementView, t: StatementView, a: Interval, b: Interval): boolean {
  const rules = ({ frame }: StatementView): boolean => frame.tense !== 'past' && frame.dates.length === 0
  if (!rules(s) || !rules(t)) return false
  if (!Number.isFinite(a.low) && !Number.isFinite(b.low))
    return Math.abs(a.high - b.high) > 0.02 * Math.max(Math.abs(a.high), Math.abs(b.high))
  return !Number.isFinite(a.high) && !Number.isFinite(b.high) && Math.abs(a.low - b.low) > 0.02 * Math.max(Math.abs(a.low), Math.abs(b.low))
}

/** "The 30 ml bottle sells for 80 euros", "the 100 ml bottle for 140": another figure of theirs differs as well. */
function otherFigure(s: StatementView, t: StatementView, dimension: string): boolean {
  return s.frame.numbers.some(({ unit }) => {
    const [x, y] = [s, t].map(({ frame }) => frame.numbers.filter(each => each.unit === unit && !each.prior)) as [
      FrameNumber[],
      FrameNumber[],
    ]
    return unit !== dimension && y.length > 0 && !x.some(one => y.some(other => meets(one, other)))
  })
}

/** "140 drivers and 60 fitters", "200 members". */
function addsUpTo({ frame }: StatementView, { dimension, interval }: NumberValue): boolean {
  const parts = frame.numbers.filter(({ unit, prior }) => unit === dimension && !prior)
  const [low, high] = [parts.reduce((sum, part) => sum + part.low, 0), parts.reduce((sum, part) => sum + part.high, 0)]
  return parts.length > 1 && meets({ low, high }, interval)
}

function valueDifference(s: StatementView, t: StatementView): Found[] {
  const [a, b] = [s.value, t.value]
  const found: Found[] = []
  if (a?.type === 'number' && b?.type === 'number') {
    const apart = (!meets(a.interval, b.interval) && !isRounded(a, b)) || isOtherLimit(s, t, a.interval, b.interval)
    // A figure that the other statement gives as well is agreed on.
    const agreed =
      !isOtherLimit(s, t, a.interval, b.interval) &&
      (s.frame.numbers.some(x => !x.prior && x.unit === b.dimension && meets(x, b.interval)) ||
        t.frame.numbers.some(x => !x.prior && x.unit === a.dimension && meets(x, a.interval)) ||
        addsUpTo(s, b) ||
        addsUpTo(t, a))
    if (apart && !agreed) found.push({ kind: 'value', a: a.text, b: b.text })
    if (apart && otherFigure(s, t, a.dimension)) found.push({ kind: 'value', a: a.text, b: b.text })
    return found
  }
  const [days, others] = [daysIn(s), daysIn(t)]
  if (days.length > 0 && others.length > 0 && !days.some(x => others.some(y => samePeriod(x, y) || overlaps(x, y))))
    found.push({ kind: 'date', a: days[0]!.label, b: others[0]!.label })
  return found
}
