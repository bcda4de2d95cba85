/**
 * Which claims one is held against: those that share enough of the words they are looked up by. Everything is added up for
 * all of them at once, from lists by word, and what shows that two kinds of claims are never of one thing is asked once of
 * the kinds: asking each pair would cost ten times as much.
 */
import { LONG } from '../document/extract.js'
import { otherRole } from './separations.js'
import type { StatementView } from './views.js'
import type { Vocabulary, Word } from './vocabulary.js'

/** What two statements must share to be aligned. */
export const LEAST_SHARED = 2.4
/** What two figures must share of what is no name. */
export const LEAST_OF_FIGURES = 1
/**
 * How two kinds of claims meet: never, side by side, side by side if they say enough in common, as figures, or only as what
 * figures are measured against.
 */
const [UNASKED, NEVER, ALIGNED, IF_CLOSE, FIGURES, COMPANY] = [0, 1, 2, 3, 4, 5]

interface Rivals {
  /** To be aligned. */
  aligned: StatementView[]
  /** Figures that may be of one thing. */
  figures: StatementView[]
  /** All figures that share words, the same among them. */
  company: StatementView[]
}

export class Candidates {
  private readonly sides: readonly StatementView[]
  private readonly run: number
  /** Of each kind of claims the first. */
  private readonly kinds: StatementView[] = []
  private readonly kindAt: Int32Array
  private readonly meetings = new Map<string, Uint8Array>()
  /** Sides by the place of a word: those looked up by it, and those that say it. */
  private readonly byKey: (number[] | null)[]
  private readonly byWord: (number[] | null)[]
  private readonly shared: Float64Array
  /** What each says of the words of the one that is asked about, and the same without names. */
  private readonly said: Float64Array
  private readonly plain: Float64Array
  private readonly counted: Int32Array
  private asked = 0

  constructor(sides: readonly StatementView[], { run, size }: Vocabulary) {
    this.sides = sides
    this.run = run
    this.byKey = new Array<number[] | null>(size).fill(null)
    this.byWord = new Array<number[] | null>(size).fill(null)
    this.kindAt = new Int32Array(sides.length)
    this.shared = new Float64Array(sides.length)
    this.said = new Float64Array(sides.length)
    this.plain = new Float64Array(sides.length)
    this.counted = new Int32Array(sides.length)
    const known = new Map<string, number>()
    for (const [at, side] of sides.entries()) {
      const kind = known.get(side.kind) ?? this.kinds.push(side) - 1
      known.set(side.kind, kind)
      this.kindAt[at] = kind
      for (const word of side.keys) put(this.byKey, word, at)
      for (const word of side.lemmas.words) put(this.byWord, word, at)
    }
  }

  /** Rivals of a claim among the first so many sides. */
  rivalsOf(side: StatementView, before = this.sides.length): Rivals {
    const { kindAt, shared } = this
    const how = this.meetingsOf(side)
    const met: number[] = []
    for (const { place, weight } of side.keys)
      for (const at of this.byKey[place] ?? []) {
        if (at >= before) break
        const kind = kindAt[at]!
        if (how[kind] === UNASKED) how[kind] = meetingOf(side, this.kinds[kind]!)
        if (how[kind] === NEVER) continue
        if (shared[at] === 0) met.push(at)
        shared[at]! += weight
      }
    const rivals: Rivals = { aligned: [], figures: [], company: [] }
    const enough = met.filter(at => shared[at]! >= LEAST_SHARED)
    for (const at of met) shared[at] = 0
    if (enough.length > 0) this.addUp(side)
    for (const at of enough) {
      const rival = this.sides[at]!
      const meeting = how[kindAt[at]!]!
      if (meeting === ALIGNED || (meeting === IF_CLOSE && this.said[at]! >= LEAST_SHARED)) rivals.aligned.push(rival)
      if (meeting === FIGURES && this.plain[at]! >= LEAST_OF_FIGURES) rivals.figures.push(rival)
      if (meeting === FIGURES || meeting === COMPANY) rivals.company.push(rival)
    }
    return rivals
  }

  private meetingsOf({ kind }: StatementView): Uint8Array {
    const how = this.meetings.get(kind) ?? new Uint8Array(this.kinds.length)
    this.meetings.set(kind, how)
    return how
  }

  private addUp({ terms }: StatementView): void {
    this.said.fill(0)
    this.plain.fill(0)
    for (const { word, isName } of terms) {
      this.asked++
      this.addWord(word, word.weight, isName)
      for (const same of word.synonymsIn(this.run)) this.addWord(same, word.weight, isName)
    }
  }

  private addWord({ place }: Word, weight: number, isName: boolean): void {
    const { counted, said, plain, asked } = this
    for (const at of this.byWord[place] ?? []) {
      if (counted[at] === asked) continue
      counted[at] = asked
      said[at]! += weight
      if (!isName) plain[at]! += weight
    }
  }
}

function put(lists: (number[] | null)[], { place }: Word, at: number): void {
  const known = lists[place]
  if (known) known.push(at)
  else lists[place] = [at]
}

function meetingOf(s: StatementView, t: StatementView): number {
  if (!isWorthAligning(s, t)) return NEVER
  const isOther = s.claim.role === 'prior' || t.claim.role === 'prior' || otherRole(s.frame, t.frame)
  if (areFigures(s, t)) return isOther ? COMPANY : FIGURES
  if (isOther) return NEVER
  // Of labels and identifiers also counts what stands above the other side: that is asked of the pair.
  return s.isSentence && t.isSentence && s.frame.identifiers.length + t.frame.identifiers.length === 0 ? IF_CLOSE : ALIGNED
}

/** A document that says little is aligned sentence by sentence; among many figures each has to be told from the others. */
const areFigures = (s: StatementView, t: StatementView): boolean =>
  s.document !== t.document && s.value?.type === 'number' && t.value?.type === 'number' && (s.claim.among > LONG || t.claim.among > LONG)

/** A figure is not compared with a label or cell that has none. */
function isWorthAligning(s: StatementView, t: StatementView): boolean {
  const [a, b] = [s.value, t.value]
  if (a?.type !== 'number' && b?.type !== 'number') return true
  if (a?.type !== 'number' || b?.type !== 'number') return s.isSentence && t.isSentence
  if (a.dimension === b.dimension) return true
  // An amount without a currency may be in any.
  const isMoney = a.dimension.startsWith('money') && b.dimension.startsWith('money')
  return isMoney && (a.dimension.endsWith('?') || b.dimension.endsWith('?'))
}
