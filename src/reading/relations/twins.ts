/**
 * Two papers that are the same but for one passage or two: a copy in which something was changed, or mistyped. Whatever the rules
 * of comparing make of those passages, a person is asked which of them holds.
 */
import type { Difference } from './differences.js'
import type { Said, SaidIn } from './said.js'

export interface Twins {
  own: Said
  other: Said
  difference: Difference
  /** Of the words of both, how many are the same. */
  share: number
}

/** Of one paper. */
const MOST_CHANGED = 2
/** Of a sentence, where more than one was changed or nearly nothing else is said. */
const LEAST_SHARE = 0.5

/** The passages at the same place of both that are not the same. */
export function twinsOf(own: readonly Said[], other: readonly Said[], [a, b]: readonly [SaidIn, SaidIn]): Twins[] {
  if (a.isLong || b.isLong || a.facts.passages === undefined || a.facts.passages !== b.facts.passages) return []
  const [mine, theirs] = [inPlace(own), inPlace(other)]
  const [x, y] = [without(mine, theirs), without(theirs, mine)]
  const same = mine.length - x.length
  if (x.length === 0 || x.length !== y.length || x.length > MOST_CHANGED || same < x.length) return []
  const found = x.map((passage, at) => changedIn(passage.said, y[at]!.said))
  const isOneOfSeveral = x.length === 1 && same > 1
  return found.every(each => each !== null && (isOneOfSeveral || each.share >= LEAST_SHARE)) ? (found as Twins[]) : []
}

interface Passage {
  key: string
  said: Said
}

function inPlace(statements: readonly Said[]): Passage[] {
  return [...statements].sort((one, two) => one.start - two.start).map(said => ({ key: passageOf(said), said }))
}

/** A cell by itself: its quote holds those before it. */
function passageOf({ says, claims: [claim] }: Said): string {
  const { quote, subject, attribute, valueText } = claim!
  const text = says.kind === 'cell' ? `${subject} ${attribute}: ${valueText}` : quote
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim()
}

function without(passages: readonly Passage[], others: readonly Passage[]): Passage[] {
  const left = new Map<string, number>()
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1)
  return passages.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

/** What stands between the words with which both begin and those with which both end. */
function changedIn(own: Said, other: Said): Twins | null {
  if (own.says.kind !== other.says.kind) return null
  const [x, y] = [wordsOf(passageOf(own)), wordsOf(passageOf(other))]
  let [first, last] = [0, 0]
  while (first < x.length && first < y.length && x[first] === y[first]) first++
  while (last < x.length - first && last < y.length - first && x.at(-1 - last) === y.at(-1 - last)) last++
  const told = (words: readonly string[]): string => words.slice(first, words.length - last).join(' ')
  const whole: [string, string] = [x.join(' '), y.join(' ')]
  const difference = {
    kind: 'categorical' as const,
    a: told(x) || '–',
    b: told(y) || '–',
    left: [],
    right: [],
    unsure: true as const,
    whole,
  }
  return { own, other, difference, share: (first + last) / Math.max(x.length, y.length) }
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:[.,:/'’-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}.,;:()"|-]/gu) ?? []
