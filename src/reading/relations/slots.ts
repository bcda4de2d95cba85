/**
 * What stands on both sides in the same slot and differs as a whole: the answer to one label, the words behind one verb of
 * two sentences that are otherwise the same.
 */
import { type FrameWord, IS_NOUN, IS_VERB, NAME, PREDICATE } from '../document/frames.js'
import { synonymsOf } from '../words/dictionary.js'
import type { Found } from './differences.js'
import { type Rest, said } from './overlap.js'
import type { StatementView } from './views.js'

const MOST_WORDS = 5

export function slotDifference(s: StatementView, t: StatementView, left: Rest, right: Rest): Found | null {
  return answersTo(s, t) ?? fillers(s, t, left, right)
}

const found = (kind: Found['kind'], left: FrameWord[], right: FrameWord[]): Found => ({ kind, a: said(left), b: said(right), left, right })

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
