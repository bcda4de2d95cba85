/** Claims and documents as comparing looks at them: what is kept as lists becomes sets, once a claim. */

import type { ReadClaim } from '../document/extract.js'
import { ANSWER, type Frame, type FrameWord, IS_ADJECTIVE, IS_NOUN, IS_VERB, NAME } from '../document/frames.js'
import type { Topic } from '../document/profile.js'
import type { Period } from '../types.js'
import { lemmaOf, rarity } from '../words/dictionary.js'
import { dimensionOf, type Interval, intervalOf, isRounded, type Numeric } from './compare-values.js'
import { type Vocabulary, WordSet } from './vocabulary.js'

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
  lemmas: WordSet
  /** Own words, and those above and of the topic. */
  all: WordSet
  /** Each own word once. */
  terms: ReadonlyMap<string, Term>
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
  near: WordSet
  /** Nouns it is a figure of. */
  heads: readonly string[]
  /** Of a label its document uses for several things: what tells them apart. */
  tells: readonly string[] | null
  bounded: boolean
  /** Figures of its kind in its document. */
  crowd: number
  /** Claims of its document. */
  among: number
}

export interface Term {
  word: FrameWord
  isName: boolean
  /** How much it tells of what a figure is of. */
  weight: number
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

export function viewOf(claim: ReadClaim, document: DocumentView, vocabulary: Vocabulary): StatementView {
  const { frame } = claim
  // "Martens" in a label may have been taken for a plural.
  const own = frame.words.flatMap(([lemma, flags]) =>
    (flags & NAME) !== 0 && lemmaOf(lemma) !== lemma ? [lemma, lemmaOf(lemma)] : [lemma],
  )
  const { topic } = document
  const near = new WordSet(claim.near, vocabulary)
  const all = new WordSet(own, vocabulary)
  for (const words of [frame.above.words, topic.words, topic.names]) for (const word of words) all.add(word)
  vocabulary.add(all)
  vocabulary.add(near)
  return {
    frame,
    document,
    lemmas: new WordSet(own, vocabulary),
    all,
    terms: termsOf(frame, near),
    identifiers: new Set(frame.identifiers),
    allIdentifiers: new Set([...frame.identifiers, ...frame.above.identifiers, ...topic.identifiers, ...topic.references]),
    value: viewedValue(claim),
    nth: claim.nth,
    prior: claim.role === 'prior',
    of: claim.of,
    near,
    heads: claim.heads,
    tells: claim.tells,
    bounded: claim.bound !== null,
    crowd: claim.crowd,
    among: claim.among,
  }
}

function termsOf({ words }: Frame, near: ReadonlySet<string>): ReadonlyMap<string, Term> {
  const terms = new Map<string, Term>()
  for (const word of words) {
    const [lemma, flags] = word
    if (lemma.length < 2 || terms.has(lemma)) continue
    // A verb tells less than what it is said of, and what stands far from the figure less than what stands beside it.
    const part = (flags & (IS_NOUN | IS_ADJECTIVE)) !== 0 ? 1 : (flags & IS_VERB) !== 0 ? 0.6 : 0.3
    const weight = rarity(lemma) * part
    terms.set(lemma, { word, isName: (flags & NAME) !== 0, weight: near.size === 0 || near.has(lemma) ? weight : weight / 2 })
  }
  return terms
}

function viewedValue(claim: ReadClaim): ViewedValue | null {
  const { value, bound, counted, valueText: text, frame } = claim
  if (value.type === 'money' || value.type === 'percent' || value.type === 'quantity') {
    const seen: ViewedValue & { numeric: Numeric } = {
      type: 'number',
      dimension: dimensionOf(value),
      interval: intervalOf(value, bound),
      counted,
      text,
      numeric: value,
      rounded: other => 'numeric' in other && isRounded(value, other.numeric as Numeric),
    }
    return seen
  }
  if (value.type === 'date') return { type: 'date', period: { label: text, from: value.from, to: value.to, grain: value.grain }, text }
  if (value.type === 'name' || value.type === 'category')
    return { type: 'text', words: frame.words.filter(([, flags]) => (flags & ANSWER) !== 0), text }
  return null
}
