/** Statements as comparing looks at them: the claims of one passage together, with what it says and the document it stands in. */
import type { ReadClaim } from '../document/extract.js'
import { LABEL, NAME, type SaidNumber, type SaidWord, type Says } from '../document/says.js'
import type { DocumentFacts, Period, PlacedClaim, Topic } from '../types.js'
import { LEAST_SHARED, termsOf, weightOf } from './place.js'

export type ComparedClaim = PlacedClaim & ReadClaim

const NO_TOPIC: Topic = { words: [], names: [], identifiers: [], references: [], periods: [], things: [] }
/** Passages from which on a document speaks of many things. */
const LONG = 60
/** Passages up to which it is a note of a few lines. */
const SHORT = 12

/** What a document adds to each of its statements. */
export class SaidIn {
  readonly id: string
  readonly facts: DocumentFacts
  readonly topic: Topic
  /** Date of issue, then document. */
  readonly order: string
  /** The words of what it is about. */
  readonly title: string
  /** Of issue, else the one day its title gives. */
  readonly day: string | null
  readonly isLong: boolean
  /** Neither long nor a note of a few lines: its words must be nearer to be sure. */
  readonly isMiddling: boolean
  readonly words: ReadonlySet<string>
  private namedKept?: ReadonlySet<string>

  constructor(id: string, facts: DocumentFacts) {
    this.id = id
    this.facts = facts
    this.topic = facts.topic ?? NO_TOPIC
    this.order = `${facts.issuedOn ?? '9999'} ${id}`
    const [period, further] = this.topic.periods
    this.day = facts.issuedOn ?? (period?.grain === 'day' && !further ? period.from : null)
    this.title = this.topic.words.join(' ')
    this.isLong = (facts.passages ?? 0) > LONG
    this.isMiddling = (facts.passages ?? 0) > SHORT
    this.words = new Set([...this.topic.words, ...this.topic.names])
  }

  /** Every name and identifier the document has. */
  get named(): ReadonlySet<string> {
    this.namedKept ??= new Set([...(this.facts.named ?? []), ...this.topic.identifiers, ...this.topic.references])
    return this.namedKept
  }

  /** What was kept of it. */
  statements: readonly Said[] = []
  private answersKept?: ReadonlyMap<string, ReadonlyMap<string, string>>

  /** The answers to each label, and what kind of answer each is. */
  private get answers(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    this.answersKept ??= answersIn(this.statements)
    return this.answersKept
  }

  answersTo(label: string): boolean {
    return this.answers.has(label)
  }

  /** One label with several answers: each belongs to an entry of its own. */
  repeats(label: string): boolean {
    return label !== '' && (this.answers.get(label)?.size ?? 0) > 1
  }

  /** Who speaks in an interview, or what begins each entry: answered in more than two ways, or in two that answer no one question. */
  namesNoFact(label: string): boolean {
    const answers = this.answers.get(label)
    return answers !== undefined && (answers.size > 2 || new Set(answers.values()).size > 1)
  }
}

export class Said {
  readonly document: SaidIn
  readonly says: Says
  /** One of each value of the statement. */
  readonly claims: ComparedClaim[]
  readonly isLabel: boolean

  constructor(document: SaidIn, claim: ComparedClaim) {
    this.document = document
    this.says = claim.says
    this.claims = [claim]
    this.isLabel = claim.says.kind !== 'sentence'
  }

  /** Whether each is found when the other is looked up, whichever came first. */
  isFoundBy(other: Said): boolean {
    const terms = new Set(termsOf(other.says, other.document.topic))
    const shared = termsOf(this.says, this.document.topic).filter(term => terms.has(term))
    return shared.reduce((sum, term) => sum + weightOf(term), 0) >= LEAST_SHARED
  }

  get start(): number {
    return this.claims[0]!.start
  }

  // Each is asked for by some pairs only, and then by many: worked out once, when it is first asked for.
  private stemsKept?: ReadonlySet<string>
  private aroundKept?: ReadonlySet<string>
  private labelWordsKept?: readonly SaidWord[]
  private labelKeyKept?: string
  private toldKept?: readonly { number: SaidNumber; at: number }[]

  get stems(): ReadonlySet<string> {
    if (this.stemsKept === undefined) {
      const stems = new Set<string>()
      for (const word of this.says.words) stems.add(word[0])
      for (const id of this.says.ids) stems.add(id)
      this.stemsKept = stems
    }
    return this.stemsKept
  }

  /** What stands above it or in the title of its document. */
  get around(): ReadonlySet<string> {
    this.aroundKept ??= new Set([...this.says.above.words, ...this.document.words])
    return this.aroundKept
  }

  get labelWords(): readonly SaidWord[] {
    this.labelWordsKept ??= this.says.words.filter(([, flags]) => (flags & LABEL) !== 0)
    return this.labelWordsKept
  }

  get answerWords(): readonly SaidWord[] {
    return this.says.words.filter(([, flags]) => (flags & LABEL) === 0)
  }

  get labelKey(): string {
    this.labelKeyKept ??= keyOf(this.labelWords.map(([stem]) => stem))
    return this.labelKeyKept
  }

  /** Its label with the days it gives, under its headings. */
  get entryKey(): string {
    const days = this.says.dates.slice(0, this.says.labelDates).map(({ label }) => label)
    return `${this.labelKey}|${days.join(' ')}|${this.says.above.heads.join(' ')}`
  }

  /** Figures it gives: not in its label, not as what was before, denied or beside. */
  get told(): readonly { number: SaidNumber; at: number }[] {
    this.toldKept ??= this.says.numbers.flatMap((number, at) => (number.label || number.prior ? [] : [{ number, at }]))
    return this.toldKept
  }

  /** Its own days and periods, else those of its headings. */
  get times(): readonly Period[] {
    return this.says.dates.length > 0 ? this.says.dates : this.says.above.periods
  }

  /** The claim that stands for a figure of the statement, or for all of it. */
  claimOf(figure: number | null): ComparedClaim {
    return this.claims.find(claim => claim.figure === figure) ?? this.claims[0]!
  }
}

const keyOf = (stems: string[]): string => stems.sort().join(' ')

export const isNamed = ([, flags]: SaidWord): boolean => (flags & NAME) !== 0

/** The claims of a document as statements. */
export function saidIn(document: SaidIn, claims: readonly PlacedClaim[]): Said[] {
  const found: Said[] = []
  const byPlace = new Map<number, Said>()
  for (const claim of claims as readonly ComparedClaim[]) {
    // What another reader made has not been read for comparing.
    if (claim.says === undefined) continue
    // Taken out of the document, or remarked on it.
    if (claim.role === 'deleted' || claim.role === 'comment') continue
    const place = claim.start * LONGEST_TEXT + claim.end
    const known = byPlace.get(place)
    // Cells of one row share their beginning, and each says something else.
    if (known && sameWords(known.says, claim.says)) known.claims.push(claim)
    else {
      const said = new Said(document, claim)
      found.push(said)
      if (!known) byPlace.set(place, said)
    }
  }
  document.statements = found
  return found
}

const LONGEST_TEXT = 2 ** 26

const sameWords = (a: Says, b: Says): boolean =>
  a === b ||
  (a.words.length === b.words.length && a.words.every(([stem], at) => stem === b.words[at]![0]) && a.numbers.length === b.numbers.length)

function answersIn(statements: readonly Said[]): Map<string, Map<string, string>> {
  const answers = new Map<string, Map<string, string>>()
  const add = (label: string, answer: string, kind: string): void => {
    const known = answers.get(label)
    if (known) known.set(answer, kind)
    else answers.set(label, new Map([[answer, kind]]))
  }
  for (const side of statements) {
    if (!side.isLabel) continue
    const { valueText, value } = side.claims[0]!
    const isText = value.type === 'name' || value.type === 'category'
    // A name asks nothing: "Tom: blue", "Tom: a red one".
    const asked = side.labelWords.every(isNamed) ? valueText : 'words'
    const kind = isText ? asked : value.type
    add(side.labelKey, valueText, kind)
    add(side.entryKey, valueText, kind)
  }
  return answers
}
