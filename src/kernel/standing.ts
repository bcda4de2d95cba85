/**
 * What counts, as it follows from what is said and what people said of it. The facts are statements, relations between them and
 * words of people, in their order; which statements count, which findings are open and what replaced what is `standing` of them and
 * is kept nowhere else but in caches. Pure, and a function of the facts alone: no act has to undo another.
 *
 * said       a statement counts only while somebody says it
 * ends       a verdict ends every statement of the losing group, whenever it joined; a replacement ends what it replaces. Each
 *            while both sides are said. Whether the winner counts itself does not matter: whoever corrects a correction does not
 *            bring back what that one corrected
 * order      the newest word goes first, words go before replacements. What would close a circle has no effect, and is open
 * open       nobody's word has effect, and both sides count; of several possible conflicts about the same two, the first
 */

export interface StandingFacts {
  statements: readonly StatementFact[]
  contradictions: readonly ContradictionFact[]
  replacements: readonly ReplacementFact[]
  possible: readonly PossibleFact[]
}

/** A statement has one number, whatever reading holds it, and however many claims are made of its passage. */
export interface StatementFact {
  no: number
  /** The latest admitted reading of a document that is not erased holds it. */
  said: boolean
  /** What ends it lies outside these facts. */
  endedElsewhere?: boolean
}

export type ContradictionVerdict =
  | 'a'
  | 'b'
  | 'both'
  | 'neither'
  | 'dismiss'
  /** Both count, and it stays known that they disagree. */
  | 'disputed'
  /** Both count, for they speak of two things. */
  | 'not_the_same'
  /** A slip of the pen: that side stops counting. */
  | 'clerical_error_a'
  | 'clerical_error_b'

/** A word that was not taken back. `at` is its place among all words of the case. */
export interface WordFact<Verdict extends string> {
  verdict: Verdict
  at: number
}

/** Two groups of statements that cannot both hold. One that was reported has none; it is between people alone. */
export interface ContradictionFact {
  no: number
  a: readonly number[]
  b: readonly number[]
  /** Its comparer has not taken it back. */
  inForce: boolean
  word: WordFact<ContradictionVerdict> | null
  /** What was handed in by somebody and has no statements, said until its source is erased; null for what has statements. */
  reported: { said: boolean } | null
}

export interface ReplacementFact {
  no: number
  statement: number
  by: number
  inForce: boolean
  /** A person said that the statement still holds. */
  objection: WordFact<'object'> | null
}

export interface PossibleFact {
  no: number
  a: number
  b: number
  inForce: boolean
  /** Cleared: by a model, which found the two compatible. */
  word: WordFact<'promote' | 'dismiss' | 'clear'> | null
}

/**
 * open       both sides count and nobody decided, or what was decided has no effect
 * closed     by itself: a side does not count, or it was not found again
 * decided    by a person, and both sides are said
 * dismissed  by a person: it is none
 * disputed   by a person: it stays one
 */
export type FindingState = 'open' | 'closed' | 'decided' | 'dismissed' | 'disputed'

export type PossibleState = 'open' | 'closed' | 'promoted' | 'dismissed' | 'cleared'

export interface Standing {
  /** Numbers of the statements that count. */
  counts: ReadonlySet<number>
  /** Why statements that are said do not count. */
  ended: ReadonlyMap<number, Ending>
  contradictions: ReadonlyMap<number, FindingState>
  /** Objected: a person's word; withdrawn: not found again, or what replaced it is no longer said. */
  replacements: ReadonlyMap<number, 'standing' | 'objected' | 'withdrawn'>
  possible: ReadonlyMap<number, PossibleState>
  /** Words and replacements that would close a circle: they have no effect, and what they are about is open. */
  circular: { contradictions: ReadonlySet<number>; replacements: ReadonlySet<number> }
}

export interface Ending {
  /** A statement that is said, of the side that holds, one that counts where there is one; null where none takes the place. */
  by: number | null
  because: { of: 'contradiction' | 'replacement'; no: number }
}

export function standing(facts: StandingFacts): Standing {
  return new Settling(facts).settle()
}

class Settling {
  private readonly facts: StandingFacts
  private readonly said: ReadonlySet<number>
  /** Pairs of statements a person said do not replace each other, whatever reading says so again. */
  private readonly objected: ReadonlySet<string>
  /** Of the possible conflicts about the same two statements, the first is the finding. */
  private readonly firstPossible = new Map<string, number>()
  /** From each statement that is ended to those it gives way to: a set for each verdict and replacement, the same one for a whole side. */
  private readonly wayTo: Ways = new Map()
  private readonly ended = new Map<number, { winners: ReadonlySet<number>; because: Ending['because'] }>()
  private readonly circular = { contradictions: new Set<number>(), replacements: new Set<number>() }

  constructor(facts: StandingFacts) {
    this.facts = facts
    this.said = new Set(facts.statements.filter(each => each.said).map(each => each.no))
    this.objected = new Set(facts.replacements.filter(each => each.objection !== null).map(pairOf))
    for (const { no, a, b, inForce, word } of facts.possible) {
      // What a model cleared may be found by a later reading.
      if (!inForce || word?.verdict === 'clear') continue
      const pair = unordered(a, b)
      this.firstPossible.set(pair, Math.min(no, this.firstPossible.get(pair) ?? no))
    }
  }

  settle(): Standing {
    const { contradictions, replacements, possible } = this.facts
    const decided = contradictions.filter(each => each.word !== null && this.isSaid(each))
    for (const each of decided.sort((one, other) => other.word!.at - one.word!.at || other.no - one.no)) this.decide(each)
    this.replace(replacements.filter(each => this.stands(each) && !this.objected.has(pairOf(each))))
    const elsewhere = new Set(this.facts.statements.filter(each => each.endedElsewhere === true).map(each => each.no))
    const counts = new Set([...this.said].filter(no => !this.ended.has(no) && !elsewhere.has(no)))
    const sides = new Set([...this.ended.values()].map(each => each.winners))
    const named = new Map([...sides].map(winners => [winners, standingFor(winners, counts)]))
    return {
      counts,
      ended: new Map([...this.ended].map(([no, { winners, because }]) => [no, { by: named.get(winners) ?? null, because }])),
      contradictions: new Map(contradictions.map(each => [each.no, this.stateOf(each, counts)])),
      replacements: new Map(replacements.map(each => [each.no, this.replacementState(each)])),
      possible: new Map(possible.map(each => [each.no, this.possibleState(each, counts)])),
      circular: this.circular,
    }
  }

  /** Both sides are said by somebody. */
  private isSaid({ a, b, reported }: ContradictionFact): boolean {
    if (reported !== null) return reported.said
    return a.some(no => this.said.has(no)) && b.some(no => this.said.has(no))
  }

  private stands({ statement, by, inForce }: ReplacementFact): boolean {
    return inForce && this.said.has(statement) && this.said.has(by) && statement !== by
  }

  private decide({ no, a, b, word }: ContradictionFact): void {
    const loser = loserOf(word!.verdict)
    if (loser === null) return
    const [losing, holding] = loser === 'a' ? [a, b] : [b, a]
    const winners = new Set(isSlip(word!.verdict) ? [] : holding.filter(each => this.said.has(each)))
    const held = new Set(holding)
    const losers = new Set(losing.filter(each => this.said.has(each) && !held.has(each)))
    if (leads(this.wayTo, winners, losers)) {
      this.circular.contradictions.add(no)
      return
    }
    for (const each of losers) this.end(each, winners, { of: 'contradiction', no })
  }

  /** Replacements that close a circle among themselves have no effect, none of them: so their order does not matter. */
  private replace(replacements: readonly ReplacementFact[]): void {
    const effective = replacements.filter(each => {
      if (!leads(this.wayTo, [each.by], new Set([each.statement]))) return true
      // A person's word about the same two is no circle: it goes before.
      if (!this.wayTo.get(each.by)?.some(winners => winners.has(each.statement))) this.circular.replacements.add(each.no)
      return false
    })
    const ways: Ways = new Map([...this.wayTo].map(([no, sets]) => [no, [...sets]]))
    for (const { statement, by } of effective) giveWay(ways, statement, new Set([by]))
    // Of several that replace a statement, one that nothing replaces is named first.
    const isLast = ({ by }: ReplacementFact) => (ways.has(by) ? 1 : 0)
    for (const each of effective.sort((one, other) => isLast(one) - isLast(other) || one.no - other.no)) {
      if (leads(ways, [each.by], new Set([each.statement]))) this.circular.replacements.add(each.no)
      else this.end(each.statement, new Set([each.by]), { of: 'replacement', no: each.no })
    }
  }

  private end(statement: number, winners: ReadonlySet<number>, because: Ending['because']): void {
    if (!this.ended.has(statement)) this.ended.set(statement, { winners, because })
    giveWay(this.wayTo, statement, winners)
  }

  private stateOf(found: ContradictionFact, counts: ReadonlySet<number>): FindingState {
    const { no, a, b, inForce, word, reported } = found
    const isSaid = this.isSaid(found)
    if (word !== null && isSaid && !this.circular.contradictions.has(no)) return stateAfter(word.verdict)
    if (this.circular.contradictions.has(no)) return 'open'
    if (reported !== null) return isSaid ? 'open' : 'closed'
    const count = (side: readonly number[]) => side.some(each => counts.has(each))
    return inForce && count(a) && count(b) ? 'open' : 'closed'
  }

  private replacementState(found: ReplacementFact): 'standing' | 'objected' | 'withdrawn' {
    if (found.objection !== null) return 'objected'
    return found.inForce && this.said.has(found.by) && !this.objected.has(pairOf(found)) ? 'standing' : 'withdrawn'
  }

  private possibleState({ no, a, b, inForce, word }: PossibleFact, counts: ReadonlySet<number>): PossibleState {
    if (word !== null) return stateOfPossible[word.verdict]
    const isFirst = this.firstPossible.get(unordered(a, b)) === no
    return inForce && isFirst && counts.has(a) && counts.has(b) ? 'open' : 'closed'
  }
}

/** Of those that hold against a statement, what is named in its place. */
function standingFor(winners: ReadonlySet<number>, counts: ReadonlySet<number>): number | null {
  const [first = null] = winners
  for (const no of winners) if (counts.has(no)) return no
  return first
}

function pairOf({ statement, by }: ReplacementFact): string {
  return `${statement} ${by}`
}

function unordered(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

type Ways = Map<number, ReadonlySet<number>[]>

function giveWay(ways: Ways, statement: number, winners: ReadonlySet<number>): void {
  const sets = ways.get(statement)
  if (sets === undefined) ways.set(statement, [winners])
  else sets.push(winners)
}

/**
 * Whether one of `to` is among them or on their way. Every statement and every set of winners is looked at once: thousands that gave way
 * to the same side cost no more than that side.
 */
function leads(ways: Ways, from: Iterable<number>, to: ReadonlySet<number>): boolean {
  const seen = new Set(from)
  const taken = new Set<ReadonlySet<number>>()
  // What is added while it runs is reached, too.
  for (const at of seen) {
    if (to.has(at)) return true
    for (const winners of ways.get(at) ?? []) {
      if (taken.has(winners)) continue
      taken.add(winners)
      for (const winner of winners) seen.add(winner)
    }
  }
  return false
}

/** A verdict as people give it, which names the side of a slip beside it. */
export type SpokenVerdict = Exclude<ContradictionVerdict, `clerical_error_${string}`> | 'clerical_error'

export function verdictOf(verdict: SpokenVerdict, side: 'a' | 'b' | undefined): ContradictionVerdict {
  return verdict === 'clerical_error' ? `clerical_error_${side ?? 'a'}` : verdict
}

/** Verdicts that say that there is no contradiction. */
export const dismissals: readonly string[] = ['dismiss', 'not_the_same']

export function isDismissal(verdict: string): boolean {
  return dismissals.includes(verdict)
}

/** The side that stops counting. */
export function loserOf(verdict: ContradictionVerdict): 'a' | 'b' | null {
  if (verdict === 'a' || verdict === 'clerical_error_b') return 'b'
  return verdict === 'b' || verdict === 'clerical_error_a' ? 'a' : null
}

function isSlip(verdict: ContradictionVerdict): boolean {
  return verdict === 'clerical_error_a' || verdict === 'clerical_error_b'
}

const stateOfPossible = { promote: 'promoted', dismiss: 'dismissed', clear: 'cleared' } as const

function stateAfter(verdict: ContradictionVerdict): FindingState {
  if (isDismissal(verdict)) return 'dismissed'
  return verdict === 'disputed' ? 'disputed' : 'decided'
}
