/**
 * A claim unpacked for comparing. Most claims that are fetched are compared with nothing, and most comparisons end at the
 * first look, so every part is unpacked when it is first asked for and then kept (`unpacked.ts`).
 */
import type { PlacedClaim } from './types.js'
import { type Stated, type Unpacked, unpackedOf } from './unpacked.js'

export class View {
  readonly claim: PlacedClaim
  readonly head: string
  readonly unpacked: Unpacked

  constructor(claim: PlacedClaim) {
    const head = claim.hints?.['head']
    this.claim = claim
    this.head = typeof head === 'string' ? head : String(head ?? '')
    this.unpacked = unpackedOf(claim)
  }

  get terms(): readonly string[] {
    return this.unpacked.words.list
  }

  get termSet(): ReadonlySet<string> {
    return this.unpacked.words.set
  }

  /** Words that tell what a statement is about, as often as it says them. */
  get topics(): readonly string[] {
    return this.unpacked.words.topics
  }

  get topicSet(): ReadonlySet<string> {
    return this.unpacked.words.topicSet
  }

  /** Words of the name, of its sentence and headings, and of whom it is about. */
  get context(): ReadonlySet<string> {
    return this.unpacked.context
  }

  /** Words of the name that say what happened to the thing. */
  get did(): ReadonlySet<string> {
    return this.unpacked.did
  }

  /** Verbs by which a statement could be denied. */
  get predicates(): readonly string[] {
    return this.unpacked.predicates
  }

  /** Marks of the name itself. */
  get marks(): readonly string[] {
    return this.unpacked.marks
  }

  get above(): readonly string[] {
    return this.unpacked.above
  }

  /** Marks of the name and above it. */
  get allMarks(): ReadonlySet<string> {
    return this.unpacked.allMarks
  }

  /** Words that name whom the claim is about. */
  get owner(): ReadonlySet<string> {
    return this.unpacked.owner
  }

  get principals(): readonly string[] {
    return this.unpacked.principals
  }

  /** The subject's words. */
  get subject(): readonly string[] {
    return this.unpacked.subject
  }

  /** What a statement is about, as against what it says of it. */
  get about(): readonly string[] {
    return this.unpacked.about
  }

  get stated(): Stated {
    return this.unpacked.stated
  }

  /** What a function makes of the quote, made once. */
  ofQuote<T>(derive: (quote: string) => T): T {
    return this.unpacked.ofQuote(derive)
  }
}

export const viewOf = (claim: PlacedClaim): View => new View(claim)
