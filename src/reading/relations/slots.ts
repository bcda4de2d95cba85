/**
 * What stands on both sides in the same slot and differs as a whole: where something is or happened, the answer to one
 * label, the words behind one verb of two sentences that are otherwise the same.
 */
import { ANSWER, type FrameWord, IS_NOUN, IS_VERB, LABEL, NAME, PREDICATE } from '../document/frames.js'
import { synonymsOf } from '../words/dictionary.js'
import { PLACES } from '../words/lists.js'
import type { Found } from './differences.js'
import { type Rest, said } from './overlap.js'
import type { StatementView } from './views.js'

const WHERE = /^(?:in|at|on|from|to|into|under|behind|near|inside|outside|off|beside)$/
const MOST_WORDS = 5

export function slotDifference(s: StatementView, t: StatementView, left: Rest, right: Rest): Found | null {
  return placesIn(s, t, left, right) ?? answersTo(s, t) ?? fillers(s, t, left, right)
}

const found = (kind: Found['kind'], left: FrameWord[], right: FrameWord[]): Found => ({ kind, a: said(left), b: said(right), left, right })

function placesIn(s: StatementView, t: StatementView, left: Rest, right: Rest): Found | null {
  const [x, y] = [placeOf(s, left), placeOf(t, right)]
  return x.length > 0 && y.length > 0 ? found('place', x, y) : null
}

/** Words behind "in", "at" or "from" in what is said of something, with what they are of; or the answer to "Venue". */
function placeOf({ frame }: StatementView, rest: Rest): FrameWord[] {
  if (frame.kind !== 'sentence')
    return frame.words.some(([lemma, flags]) => (flags & LABEL) !== 0 && PLACES.has(lemma))
      ? rest.words.filter(([, flags]) => (flags & ANSWER) !== 0)
      : []
  const place: FrameWord[] = []
  let inPlace = false
  for (const word of frame.words) {
    const [, flags, lead] = word
    const isWhere = (flags & PREDICATE) !== 0 && WHERE.test(lead) && (flags & IS_VERB) === 0
    inPlace = isWhere || (inPlace && lead === 'of')
    if (inPlace && rest.words.includes(word)) place.push(word)
  }
  // A place is named or is a thing; "to full size" is neither.
  return place.some(([, flags]) => (flags & (NAME | IS_NOUN)) !== 0) && place.length <= MOST_WORDS ? place : []
}

/** One label, two answers of a word or a few that have nothing in common. */
function answersTo(s: StatementView, t: StatementView): Found | null {
  if (s.value?.type !== 'text' || t.value?.type !== 'text' || s.document === t.document) return null
  const [x, y] = [s.value.words, t.value.words]
  if (x.length === 0 || y.length === 0) return null
  if (s.label === '' || s.label !== t.label) return null
  const saysOther = ([lemma]: FrameWord): boolean => y.some(([other]) => other === lemma || synonymsOf(lemma).includes(other))
  return x.some(saysOther) ? null : found(x.some(([, flags]) => (flags & NAME) !== 0) ? 'name' : 'sibling', x, y)
}

/** "is classified as dangerous goods", "is classified as food": the same sentence but for a few words behind its verb. */
function fillers(s: StatementView, t: StatementView, left: Rest, right: Rest): Found | null {
  if (!s.isSentence || !t.isSentence) return null
  const [x, y] = [left.words, right.words]
  if (x.length === 0 || y.length === 0 || !isRun(s, x) || !isRun(t, y)) return null
  if (x[0]![2] !== y[0]![2]) return null
  return found('sibling', x, y)
}

/** A few words that stand together behind the verb, and no verb among them. */
function isRun({ frame }: StatementView, words: readonly FrameWord[]): boolean {
  const places = words.map(word => frame.words.indexOf(word))
  return (
    places.at(-1)! - places[0]! < MOST_WORDS &&
    words.every(([, flags]) => (flags & PREDICATE) !== 0 && (flags & IS_VERB) === 0) &&
    words.some(([, flags]) => (flags & (NAME | IS_NOUN)) !== 0)
  )
}
