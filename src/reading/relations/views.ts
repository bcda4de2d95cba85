/**
 * Claims and documents as comparing looks at them: what is kept as lists becomes sets. Most statements are asked one or two
 * things and found to be of something else, so everything that costs is made when it is first asked for.
 */

import { LONG, type ReadClaim } from '../document/extract.js'
import { ANSWER, type Frame, type FrameWord, IS_ADJECTIVE, IS_NOUN, IS_VERB, LABEL, NAME } from '../document/frames.js'
import type { DocumentFacts, Period, PlacedClaim, Slot, Topic } from '../types.js'
import { lemmaOf } from '../words/dictionary.js'
import { CHANGING } from '../words/lists.js'
import { dimensionOf, type Figure, figureOf, yearless } from './compare-values.js'
import { type Vocabulary, type Word, WordSet, wordOf } from './vocabulary.js'

const NO_TOPIC: Topic = { words: [], names: [], identifiers: [], references: [], periods: [], slots: [] }

/** What a document adds to each of its statements. */
export class DocumentView {
  readonly facts: DocumentFacts
  readonly topic: Topic
  /** Date of issue, then document. */
  readonly order: string
  /** What is said of every statement in it. */
  readonly words: readonly Word[]
  readonly claims: readonly (PlacedClaim & Partial<ReadClaim>)[]
  private names: ReadonlySet<string> | null = null

  constructor(documentId: string, facts: DocumentFacts, claims: readonly PlacedClaim[], vocabulary: Vocabulary) {
    this.facts = facts
    this.claims = claims
    this.topic = facts.topic ?? NO_TOPIC
    this.order = `${facts.issuedOn ?? '9999'} ${documentId}`
    this.words = [...this.topic.words, ...this.topic.names].map(lemma => vocabulary.add(lemma))
  }

  /** Every name and identifier the document has. */
  get named(): ReadonlySet<string> {
    this.names ??= new Set(this.facts.named)
    return this.names
  }

  /** What it is about that neither the other document nor any of its statements mentions. */
  codesBut({ named, topic, claims }: DocumentView): readonly string[] {
    const isMentioned = (id: string): boolean =>
      named.has(id) ||
      topic.identifiers.includes(id) ||
      topic.references.includes(id) ||
      claims.some(({ frame }) => frame && (frame.identifiers.includes(id) || frame.above.identifiers.includes(id)))
    return this.topic.identifiers.filter(id => !isMentioned(id))
  }

  /** The day of issue, or the day in a title that gives no year. */
  get day(): string | null {
    return this.facts.issuedOn ?? this.topic.periods.find(yearless)?.from ?? null
  }
}

/** A word of a statement, and how much it tells of what a figure is of. */
export interface Term {
  word: Word
  said: FrameWord
  isName: boolean
  weight: number
}

export type ViewedValue =
  | ({ type: 'number'; dimension: string; counted: string | null; text: string } & Figure)
  | { type: 'date' }
  | { type: 'text'; words: FrameWord[] }

type Lazy = 'kind' | 'label' | 'terms' | 'identifiers' | 'allIdentifiers' | 'slots' | 'subjects' | 'periods' | 'widePeriods'
type Made = { -readonly [Each in Lazy]?: StatementView[Each] }

export class StatementView {
  readonly claim: PlacedClaim & ReadClaim
  readonly frame: Frame
  readonly document: DocumentView
  /** The figure, day or answer this view is about; null for a statement as a whole. */
  readonly value: ViewedValue | null
  /** Each word of the frame. */
  readonly words: readonly Word[]
  /** Own words. */
  readonly lemmas: WordSet
  /** Own words, and those above and of the topic. */
  readonly all: WordSet
  /** What it is looked up by. */
  readonly keys: readonly Word[]
  readonly isSentence: boolean
  private readonly made: Made = {}

  constructor(claim: PlacedClaim & ReadClaim, document: DocumentView, vocabulary: Vocabulary) {
    const { frame } = claim
    this.claim = claim
    this.frame = frame
    this.document = document
    this.value = viewedValue(claim)
    this.isSentence = frame.kind === 'sentence'
    this.words = frame.words.map(([lemma]) => vocabulary.add(lemma))
    this.keys = claim.lookupKeys.map(lemma => vocabulary.add(lemma))
    const above = frame.above.words.map(lemma => vocabulary.add(lemma))
    // "Martens" in a label may have been taken for a plural.
    const names = frame.words.filter(([, flags]) => (flags & NAME) !== 0).map(([lemma]) => vocabulary.add(lemmaOf(lemma)))
    const own = names.length > 0 ? [...this.words, ...names] : this.words
    this.lemmas = new WordSet(vocabulary, own)
    this.all = new WordSet(vocabulary, own, document.words, above)
  }

  /** All that claims have in common of which it can be said at once whether they meet. */
  get kind(): string {
    this.made.kind ??= kindOf(this)
    return this.made.kind
  }

  /** The words of its label. */
  get label(): string {
    this.made.label ??= [...new Set(this.frame.words.filter(([, flags]) => (flags & LABEL) !== 0).map(([lemma]) => lemma))].sort().join(' ')
    return this.made.label
  }

  /** Each own word once. */
  get terms(): readonly Term[] {
    this.made.terms ??= termsOf(this)
    return this.made.terms
  }

  /** Words around the value. */
  get near(): readonly Word[] {
    return this.claim.near.map(wordOf)
  }

  get identifiers(): ReadonlySet<string> {
    this.made.identifiers ??= new Set(this.frame.identifiers)
    return this.made.identifiers
  }

  get allIdentifiers(): ReadonlySet<string> {
    const { identifiers, above } = this.frame
    const { topic } = this.document
    this.made.allIdentifiers ??= new Set([...identifiers, ...above.identifiers, ...topic.identifiers, ...topic.references])
    return this.made.allIdentifiers
  }

  /** Labels and headings with names in them, above it and of its document. */
  get slots(): readonly Slot[] {
    this.made.slots ??= [...this.document.topic.slots, ...this.frame.above.slots]
    return this.made.slots
  }

  /** Identifiers of what it stands below. */
  get codes(): readonly string[] {
    return [...this.document.topic.identifiers, ...this.frame.above.identifiers]
  }

  /** The names it speaks of: its own and those above it, else those its document is about. */
  get subjects(): readonly string[] {
    this.made.subjects ??= this.subjectsBut([])
    return this.made.subjects
  }

  subjectsBut(differing: readonly FrameWord[]): readonly string[] {
    const named = this.frame.words.filter(word => (word[1] & NAME) !== 0 && !differing.includes(word)).map(([lemma]) => lemma)
    const own = [...named, ...this.frame.above.names].filter(name => name.length > 1)
    return own.length > 0 ? own : this.document.topic.names.filter(name => name.length > 1)
  }

  /** Of when it speaks, by its own words, else by those above it. */
  get periods(): readonly Period[] {
    const { dates, above } = this.frame
    this.made.periods ??= dates.length > 0 ? dates : above.periods.filter(period => this.isDatedBy(period))
    return this.made.periods
  }

  /** The same, else by what its document is about. */
  get widePeriods(): readonly Period[] {
    const { periods } = this.document.topic
    this.made.widePeriods ??= this.periods.length > 0 ? this.periods : periods.filter(period => this.isDatedBy(period) && !yearless(period))
    return this.made.widePeriods
  }

  /** A day above a sentence says when somebody wrote or came, not of when the sentence speaks. */
  private isDatedBy({ grain }: Period): boolean {
    return grain !== 'day' || !this.isSentence
  }

  /** Speaks of what is another on another day. */
  get isChanging(): boolean {
    return this.frame.words.some(([lemma]) => CHANGING.has(lemma))
  }
}

/** Without those that another reader than ours has made. */
export const viewsOf = (document: DocumentView, vocabulary: Vocabulary): StatementView[] =>
  document.claims
    .filter((claim): claim is PlacedClaim & ReadClaim => Boolean(claim.frame))
    .map(claim => new StatementView(claim, document, vocabulary))

function kindOf({ value, isSentence, claim: { among, role }, frame }: StatementView): string {
  const { identifiers, rates, partial, average, numbers, bases, roles } = frame
  const dimension = value?.type === 'number' ? value.dimension : ''
  const plain = `${dimension} ${isSentence} ${among > LONG} ${role === 'prior'} ${identifiers.length > 0} ${partial} ${average} ${numbers.length > 0}`
  return rates.length + bases.length + roles.length === 0 ? plain : `${plain}|${rates}|${bases}|${roles}`
}

function termsOf({ frame, words, near }: StatementView): Term[] {
  const seen = new Set<Word>()
  const terms: Term[] = []
  for (const [at, said] of frame.words.entries()) {
    const word = words[at]!
    if (word.lemma.length < 2 || seen.has(word)) continue
    seen.add(word)
    const [, flags] = said
    // A verb tells less than what it is said of, and what stands far from the figure less than what stands beside it.
    const part = (flags & (IS_NOUN | IS_ADJECTIVE)) !== 0 ? 1 : (flags & IS_VERB) !== 0 ? 0.6 : 0.3
    const weight = word.rarity * part
    terms.push({ word, said, isName: (flags & NAME) !== 0, weight: near.length === 0 || near.includes(word) ? weight : weight / 2 })
  }
  return terms
}

function viewedValue({ value, bound, counted, valueText: text, frame }: ReadClaim): ViewedValue | null {
  if (value.type === 'money' || value.type === 'percent' || value.type === 'quantity') {
    const { interval, exact, coarse } = figureOf(value, bound)
    return { type: 'number', dimension: dimensionOf(value), counted, text, interval, exact, coarse }
  }
  if (value.type === 'date') return { type: 'date' }
  return value.type === 'boolean' ? null : { type: 'text', words: frame.words.filter(([, flags]) => (flags & ANSWER) !== 0) }
}
