/**
 * Claims and documents as comparing looks at them: what is kept as lists becomes sets. Most statements are asked one or two
 * things and found to be of something else, so everything that costs is made when it is first asked for.
 */

import type { ReadClaim } from '../document/extract.js'
import { ANSWER, type Frame, type FrameWord, IS_ADJECTIVE, IS_NOUN, IS_VERB, LABEL, NAME } from '../document/frames.js'
import type { Topic } from '../document/profile.js'
import type { Slot } from '../document/read-lines.js'
import type { DocumentFacts, Period } from '../types.js'
import { lemmaOf, rarity } from '../words/dictionary.js'
import { CHANGING } from '../words/lists.js'
import { dimensionOf, type Figure, figureOf, yearless } from './compare-values.js'
import { type Vocabulary, WordSet } from './vocabulary.js'

const NO_TOPIC: Topic = { words: [], names: [], identifiers: [], references: [], periods: [], slots: [] }

/** What a document adds to each of its statements. */
export class DocumentView {
  readonly topic: Topic
  /** Every name and identifier the document has. */
  readonly named: ReadonlySet<string>
  readonly issuedOn: string | null
  readonly issuer: string | null
  private readonly contexts = new Map<string, ReadonlySet<string>>()

  constructor({ topic = NO_TOPIC, named = [], issuedOn, issuer }: DocumentFacts) {
    this.topic = topic
    this.named = new Set(named)
    this.issuedOn = issuedOn
    this.issuer = issuer
  }

  /** The words above a statement and those of the topic: one set for all statements below the same headings. */
  contextOf(above: readonly string[], vocabulary: Vocabulary): ReadonlySet<string> {
    const key = above.join(' ')
    const known = this.contexts.get(key)
    if (known !== undefined) return known
    const context = new Set([...above, ...this.topic.words, ...this.topic.names])
    vocabulary.add(context)
    this.contexts.set(key, context)
    return context
  }

  /** The day of issue, or the day in a title that gives no year. */
  get day(): string | null {
    return this.issuedOn ?? this.topic.periods.find(yearless)?.from ?? null
  }
}

export interface Term {
  word: FrameWord
  isName: boolean
  /** How much it tells of what a figure is of. */
  weight: number
}

export type ViewedValue =
  | ({ type: 'number'; dimension: string; counted: string | null; text: string } & Figure)
  | { type: 'date'; period: Period; text: string }
  | { type: 'text'; words: FrameWord[]; text: string }

type Lazy = 'label' | 'terms' | 'identifiers' | 'allIdentifiers' | 'slots' | 'codes' | 'subjects' | 'periods' | 'widePeriods' | 'isChanging'
type Made = { -readonly [Each in Lazy]?: StatementView[Each] }

export class StatementView {
  readonly claim: ReadClaim
  readonly frame: Frame
  readonly document: DocumentView
  /** The figure, day or answer this view is about; null for a statement as a whole. */
  readonly value: ViewedValue | null
  /** Own words. */
  readonly lemmas: WordSet
  /** Own words, and those above and of the topic. */
  readonly all: WordSet
  /** Words around the value. */
  readonly near: WordSet
  /** What was before, as the statement itself says. */
  readonly prior: boolean
  readonly isSentence: boolean
  private readonly made: Made = {}

  constructor(claim: ReadClaim, document: DocumentView, vocabulary: Vocabulary) {
    const { frame } = claim
    const own = new Set<string>()
    for (const [lemma, flags] of frame.words) {
      own.add(lemma)
      // "Martens" in a label may have been taken for a plural.
      if ((flags & NAME) !== 0) own.add(lemmaOf(lemma))
    }
    vocabulary.add(own)
    vocabulary.add(claim.near)
    this.claim = claim
    this.frame = frame
    this.document = document
    this.value = viewedValue(claim)
    this.lemmas = new WordSet(own, null, vocabulary)
    this.all = new WordSet(own, document.contextOf(frame.above.words, vocabulary), vocabulary)
    this.near = new WordSet(new Set(claim.near), null, vocabulary)
    this.prior = claim.role === 'prior'
    this.isSentence = frame.kind === 'sentence'
  }

  /** The words of its label. */
  get label(): string {
    this.made.label ??= [...new Set(this.frame.words.filter(([, flags]) => (flags & LABEL) !== 0).map(([lemma]) => lemma))].sort().join(' ')
    return this.made.label
  }

  /** Each own word once. */
  get terms(): ReadonlyMap<string, Term> {
    this.made.terms ??= termsOf(this.frame, this.near.words)
    return this.made.terms
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
    this.made.codes ??= [...this.document.topic.identifiers, ...this.frame.above.identifiers]
    return this.made.codes
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
    this.made.isChanging ??= this.frame.words.some(([lemma]) => CHANGING.has(lemma))
    return this.made.isChanging
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

function viewedValue({ value, bound, counted, valueText: text, frame }: ReadClaim): ViewedValue | null {
  if (value.type === 'money' || value.type === 'percent' || value.type === 'quantity')
    return { type: 'number', dimension: dimensionOf(value), counted, text, ...figureOf(value, bound) }
  if (value.type === 'date') return { type: 'date', period: { label: text, from: value.from, to: value.to, grain: value.grain }, text }
  if (value.type === 'name' || value.type === 'category')
    return { type: 'text', words: frame.words.filter(([, flags]) => (flags & ANSWER) !== 0), text }
  return null
}
