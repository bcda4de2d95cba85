/**
 * Which claims one is held against: those that share enough of the words they are looked up by. How much the statements
 * themselves say in common is added up for all of them at once, from lists by word: asking each pair would cost ten times as much.
 */
import type { ReadClaim } from '../document/extract.js'
import type { PlacedClaim } from '../types.js'
import { comparable } from './differences.js'
import { termWeight } from './place.js'
import type { StatementView } from './views.js'
import type { Vocabulary } from './vocabulary.js'

/** What two statements must share to be aligned. */
export const LEAST_SHARED = 2.4
/** What two figures must share of what is no name. */
export const LEAST_OF_FIGURES = 1

interface Candidate {
  claim: PlacedClaim & ReadClaim
  view: StatementView
}

/** Claims with the same kind of value, by the words under which they are looked up: a percentage never meets a date. */
interface Kind {
  like: StatementView
  byTerm: Map<string, number[]>
}

export class Candidates<Side extends Candidate> {
  private readonly sides: readonly Side[]
  private readonly vocabulary: Vocabulary
  private readonly kinds = new Map<string, Kind>()
  private readonly byWord = new Map<string, number[]>()
  private readonly shared: Float64Array
  /** What each says of the words of the one that is asked about, and the same without names. */
  private readonly said: Float64Array
  private readonly plain: Float64Array
  private readonly counted: Int32Array
  private asked = 0

  constructor(sides: readonly Side[], vocabulary: Vocabulary) {
    this.sides = sides
    this.vocabulary = vocabulary
    this.shared = new Float64Array(sides.length)
    this.said = new Float64Array(sides.length)
    this.plain = new Float64Array(sides.length)
    this.counted = new Int32Array(sides.length)
  }

  index(at: number): void {
    const { claim, view } = this.sides[at]!
    const name = `${view.value?.type === 'number' ? view.value.dimension : ''} ${view.isSentence}`
    const kind = this.kinds.get(name) ?? { like: view, byTerm: new Map() }
    this.kinds.set(name, kind)
    for (const term of claim.lookupKeys) put(kind.byTerm, term, at)
    for (const word of view.lemmas.words) put(this.byWord, word, at)
  }

  /** Those worth aligning, and whether they say enough in common to be of one thing. */
  forRivalsOf(side: Side, meet: (rival: Side, isClose: boolean) => void): void {
    const terms = side.claim.lookupKeys.map(term => ({ term, weight: termWeight(term) }))
    this.addUp(side)
    for (const { like, byTerm } of this.kinds.values()) {
      if (!isWorthAligning(side.view, like)) continue
      const met: number[] = []
      for (const { term, weight } of terms)
        for (const at of byTerm.get(term) ?? []) {
          if (this.shared[at] === 0) met.push(at)
          this.shared[at]! += weight
        }
      for (const at of met) {
        const rival = this.sides[at]!
        if (this.shared[at]! >= LEAST_SHARED) meet(rival, this.isClose(side.view, rival.view, at))
        this.shared[at] = 0
      }
    }
  }

  private addUp({ view }: Side): void {
    this.said.fill(0)
    this.plain.fill(0)
    for (const [word, { isName }] of view.terms) {
      const weight = termWeight(word)
      this.asked++
      for (const same of [word, ...this.vocabulary.synonymsOf(word)])
        for (const at of this.byWord.get(same) ?? []) {
          if (this.counted[at] === this.asked) continue
          this.counted[at] = this.asked
          this.said[at]! += weight
          if (!isName) this.plain[at]! += weight
        }
    }
  }

  /** Of labels and identifiers also counts what stands above the other side: that is asked of the pair. */
  private isClose(s: StatementView, t: StatementView, at: number): boolean {
    if (areFigures(s, t)) return this.plain[at]! >= LEAST_OF_FIGURES
    if (!s.isSentence || !t.isSentence || s.frame.identifiers.length > 0 || t.frame.identifiers.length > 0) return true
    return this.said[at]! >= LEAST_SHARED
  }
}

function put(lists: Map<string, number[]>, key: string, at: number): void {
  const known = lists.get(key)
  if (known) known.push(at)
  else lists.set(key, [at])
}

/** Claims from which on a document speaks of many things. */
export const LONG = 10

/** A document that says little is aligned sentence by sentence; among many figures each has to be told from the others. */
export const areFigures = (s: StatementView, t: StatementView): boolean =>
  s.document !== t.document && s.value?.type === 'number' && t.value?.type === 'number' && (s.claim.among > LONG || t.claim.among > LONG)

/** A figure is not compared with a label or cell that has none. */
function isWorthAligning(s: StatementView, t: StatementView): boolean {
  if (s.value?.type === 'number' && t.value?.type === 'number') return comparable(s.value, t.value)
  const isFigure = s.value?.type === 'number' || t.value?.type === 'number'
  return !isFigure || (s.isSentence && t.isSentence)
}
