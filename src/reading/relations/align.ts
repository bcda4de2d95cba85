/**
 * Two statements side by side. What both say is the evidence that they speak of the same thing; what is left on either side
 * is what differs. Exactly one difference, in the place of the value, is a conflict; one in subject, part, role or period,
 * or more than one, means two things.
 */
import { NAME } from '../document/frames.js'
import { LEAST_SHARED } from './candidates.js'
import { type Case, isRestated, isSure } from './certainty.js'
import { type Difference, differences, type Found, mayDiffer } from './differences.js'
import { coverOf, leftOver, massOf, sharedWords } from './overlap.js'
import { isOneOfMany, isOneProvisional, nameTwo, otherLabel, otherTopic, otherWhen, tellsApart } from './separations.js'
import { timeBetween } from './times.js'
import { twinDifference } from './twins.js'
import type { StatementView } from './views.js'
import type { Word } from './vocabulary.js'

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
  /** One side gives the other's figure too: as what was before, as wrong, or beside its own. */
  restated: boolean
  /** One side may replace the other, but does not contradict it: it was an early figure, or is known to the other. */
  settled: boolean
}

/** Null for two statements that are not about one thing. */
export function align(s: StatementView, t: StatementView): Alignment | null {
  if (isOneOfMany(s.frame, t.frame)) return null
  const shared = sharedWords(s, t)
  if (massOf(shared) < LEAST_SHARED) return null
  const [left, right] = [leftOver(s, t), leftOver(t, s)]
  const isApart = !mayDiffer(s, t, left, right) || tellsApart(s, t, left, right)
  const found = isApart ? [] : differences(s, t, left, right)
  const plain = found.length === 1 ? alignedBy(found[0]!, { s, t, left, right, shared }) : null
  if (plain?.sure || plain?.evolves) return plain
  const twin = twinDifference(s, t)
  return (twin && alignedBy(twin, { s, t, left, right, shared })) ?? plain
}

function alignedBy(
  difference: Found,
  { s, t, left, right, shared }: Pick<Case, 's' | 't' | 'left' | 'right' | 'shared'>,
): Alignment | null {
  const [one, two] = [coverOf(left, difference.left), coverOf(right, difference.right)]
  const [high, low] = one > two ? [one, two] : [two, one]
  if (otherTopic(s, t, difference)) return null
  if (otherLabel(s, t, left, right)) return null
  if (difference.kind !== 'date' && otherWhen(s.frame, t.frame)) return null
  const time = timeBetween(s, t, difference.kind)
  if (time === 'other') return null
  const weight = massOf(shared.filter(({ lemma, isNumber }) => !isNumber && !isNameOf(s, lemma)))
  const sure = isSure({ found: difference, s, t, left, right, low, high, weight, shared })
  if (sure === null) return null
  const restated = difference.kind === 'value' && isRestated(s, t)
  // Who gives the figure of before speaks of both days.
  const evolves = time === 'evolving' && !restated
  return {
    difference: difference.kind,
    a: difference.a,
    b: difference.b,
    shared: rarestOf(shared),
    score: Math.min(1, (massOf(shared) / 16) * 0.5 + low * 0.5),
    evolves,
    sure: sure && !evolves && !(difference.kind === 'value' && nameTwo(s, t)),
    restated,
    settled: isOneProvisional(s.frame, t.frame),
  }
}

const isNameOf = ({ frame }: StatementView, lemma: string): boolean =>
  frame.words.some(([word, flags]) => word === lemma && (flags & NAME) !== 0)

export const rarestOf = (shared: readonly Word[]): string[] =>
  [...shared]
    .sort((a, b) => b.rarity - a.rarity)
    .slice(0, 12)
    .map(({ lemma }) => lemma)
