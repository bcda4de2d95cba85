/**
 * Which claims one is held against: those that share enough of the words they are looked up by. Everything is added up for
 * all of them at once, from lists by word, and what shows that two kinds of claims are never of one thing is asked once of
 * the kinds: asking each pair would cost ten times as much.
 */
import { otherRole, roleOf } from './separations.js'
import type { StatementView } from './views.js'
import type { Vocabulary, Word } from './vocabulary.js'

/** What two statements must share to be aligned. */
export const LEAST_SHARED = 2.4
/** What two figures must share of what is no name. */
export const LEAST_OF_FIGURES = 1
/** Claims from which on a document speaks of many things. */
export const LONG = 10

/** How two kinds of claims meet: not at all, side by side, side by side if they say enough in common, as figures, or only as company of figures. */
const [UNASKED, NEVER, ALIGNED, IF_CLOSE, FIGURES, COMPANY] = [0, 1, 2, 3, 4, 5]

interface Kind {
  like: StatementView
  at: number
  /** Order among those that differ in value and form alone. */
  rank: number
}

export interface Rivals {
  /** To be aligned. */
  aligned: StatementView[]
  /** Figures that may be of one thing. */
  figures: StatementView[]
  /** All figures that share words, the same among them: what a pair of figures is measured against. */
  company: StatementView[]
}

export class Candidates {
  private readonly sides: readonly StatementView[]
  private readonly run: number
  private readonly kinds = new Map<string, Kind>()
  private readonly ranks = new Map<string, number>()
  private readonly kindOf: Kind[] = []
  /** Sides by the place of a word: those looked up by it, and those that say it. */
  private readonly byKey: number[][] = []
  private readonly byWord: number[][] = []
  private readonly meetings = new Map<string, Uint8Array>()
  private readonly shared: Float64Array
  /** What each says of the words of the one that is asked about, and the same without names. */
  private readonly said: Float64Array
  private readonly plain: Float64Array
  private readonly counted: Int32Array
  private asked = 0

  constructor(sides: readonly StatementView[], { run, size }: Vocabulary) {
    this.sides = sides
    this.run = run
    this.byKey = new Array(size)
    this.byWord = new Array(size)
    this.shared = new Float64Array(sides.length)
    this.said = new Float64Array(sides.length)
    this.plain = new Float64Array(sides.length)
    this.counted = new Int32Array(sides.length)
    for (const [at, side] of sides.entries()) {
      this.kindOf.push(this.kind(side))
      for (const word of side.keys) put(this.byKey, word, at)
      for (const word of side.lemmas.words) put(this.byWord, word, at)
    }
  }

  private kind(side: StatementView): Kind {
    const key = keyOf(side)
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    const name = formOf(side)
    const rank = this.ranks.get(name) ?? this.ranks.size
    this.ranks.set(name, rank)
    const kind = { like: side, at: this.kinds.size, rank }
    this.kinds.set(key, kind)
    return kind
  }

  /** Rivals of a claim among the first so many sides. */
  rivalsOf(side: StatementView, before = this.sides.length): Rivals {
    const { shared } = this
    const how = this.meetingsOf(side)
    const met: number[] = []
    for (const word of side.keys)
      for (const at of this.byKey[word.place] ?? []) {
        if (at >= before) break
        const kind = this.kindOf[at]!
        if (how[kind.at] === UNASKED) how[kind.at] = meetingOf(side, kind.like)
        if (how[kind.at] === NEVER) continue
        if (shared[at] === 0) met.push(at)
        shared[at]! += word.weight
      }
    const rivals: Rivals = { aligned: [], figures: [], company: [] }
    const enough = met.filter(at => shared[at]! >= LEAST_SHARED)
    for (const at of met) shared[at] = 0
    if (enough.length === 0) return rivals
    this.addUp(side)
    for (const at of enough.sort((x, y) => this.kindOf[x]!.rank - this.kindOf[y]!.rank)) {
      const rival = this.sides[at]!
      const meeting = how[this.kindOf[at]!.at]!
      if (meeting === ALIGNED || (meeting === IF_CLOSE && this.said[at]! >= LEAST_SHARED)) rivals.aligned.push(rival)
      if (meeting === FIGURES && this.plain[at]! >= LEAST_OF_FIGURES) rivals.figures.push(rival)
      if (meeting === FIGURES || meeting === COMPANY) rivals.company.push(rival)
    }
    return rivals
  }

  private meetingsOf(side: StatementView): Uint8Array {
    const key = keyOf(side)
    const how = this.meetings.get(key) ?? new Uint8Array(this.kinds.size)
    this.meetings.set(key, how)
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
    for (const at of this.byWord[place] ?? []) {
      if (this.counted[at] === this.asked) continue
      this.counted[at] = this.asked
      this.said[at]! += weight
      if (!isName) this.plain[at]! += weight
    }
  }
}

function put(lists: number[][], { place }: Word, at: number): void {
  const known = lists[place]
  if (known) known.push(at)
  else lists[place] = [at]
}

const formOf = ({ value, isSentence }: StatementView): string => `${value?.type === 'number' ? value.dimension : ''} ${isSentence}`

/** All that claims of one kind have in common. */
function keyOf(side: StatementView): string {
  const { among, role } = side.claim
  return `${formOf(side)} ${among > LONG} ${role === 'prior'} ${side.frame.identifiers.length > 0} ${roleOf(side.frame)}`
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
