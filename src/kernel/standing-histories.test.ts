/** Random histories of a case in memory: which relations were found hangs on the order of things, and nothing silent may come of it. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContradictionVerdict, type StandingFacts, standing } from './standing.js'
import { differenceOf, type KeptPossible } from './standing-difference.js'

interface SaidBy {
  texts: readonly string[]
  /** The version of the reader that read it. */
  reader: number
  hasText: boolean
}

/**
 * A case in memory: documents that say values of facts, and what people say of what is found. As in the product, what comes in is
 * compared with what counts, and with what was replaced for what replaces it; whatever counts again is compared then. Versions of the
 * reader do not compare with each other, and what has lost its text stays with the one that read it.
 */
class Case {
  /** Whether rows and figures are kept as rounds leave them. */
  keepsRows = false
  private readonly statements: { document: number; text: string }[] = []
  private readonly documents = new Map<number, SaidBy>()
  private readonly contradictions: { values: [string, string]; a: Set<number>; b: Set<number>; word: Word | null; of: number | null }[] = []
  private readonly replacements: { statement: number; by: number; word: Word | null }[] = []
  private readonly possible: {
    a: number
    b: number
    inForce: boolean
    word: Word | null
    made: number | null
    /** As its row keeps it. */
    kept: KeptPossible['kept']
  }[] = []
  /** Possible conflicts that are open, as rounds count them. */
  private counted = 0
  private counts: ReadonlySet<number> = new Set()
  private words = 0
  private reader = 1

  /** With the same texts it is a revision that says more, of something else. */
  say(document: number, texts: readonly string[], isRevised = this.documents.has(document)): void {
    this.documents.set(document, { texts, reader: this.reader, hasText: true })
    const own = texts.map(text => this.numberOf(document, text))
    this.compareAll(own, isRevised)
    this.settle(own)
  }

  erase(document: number): void {
    this.documents.delete(document)
    this.settle()
  }

  loseText(document: number): void {
    const said = this.documents.get(document)
    if (said !== undefined) this.documents.set(document, { ...said, hasText: false })
  }

  upgrade(): void {
    this.reader++
  }

  /** What counts again is read again, or judged from what was read of it; that may let more count again. */
  private settle(compared: readonly number[] = []): void {
    const done = new Set([...this.counts, ...compared])
    for (;;) {
      this.counts = standing(this.facts()).counts
      const revived = [...this.counts].filter(no => !done.has(no))
      if (revived.length === 0) break
      for (const no of revived) done.add(no)
      for (const document of new Set(revived.map(no => this.statements[no]!.document))) this.readOne(document)
    }
    this.keep()
  }

  /** Rows and figures follow what counts, as a round writes them. */
  private keep(): void {
    if (!this.keepsRows || this.possible.length === 0) return
    const facts = this.facts()
    const claim = { slotKey: '', micros: 0, supersededBy: null, recordedRound: 0, supersededRound: null, documentId: '' }
    const { figures, possible } = differenceOf({
      statements: facts.statements.map(each => ({
        ...{ ...each, ...claim, claimNo: each.no, claimId: `${each.no}`, live: this.counts.has(each.no) },
      })),
      contradictions: facts.contradictions.map(each => ({
        ...{ ...each, id: `${each.no}`, severity: 'low' as const, kept: 'open' as const, onRecord: false, why: '' },
      })),
      replacements: facts.replacements.map(each => ({ ...each, id: `${each.no}`, kept: 'standing' as const, why: '' })),
      possible: facts.possible.map(each => ({ ...each, id: `${each.no}`, kept: this.possible[each.no]!.kept })),
    })
    this.counted += figures.possibleOpened - figures.possibleClosed
    for (const id of possible.closes) this.possible[Number(id)]!.kept = 'closed'
    for (const id of possible.reopens) this.possible[Number(id)]!.kept = 'open'
  }

  /** As many possible conflicts as rounds count, as rows are open, and as follow from the facts. */
  openPossible(): number[] {
    const { possible } = standing(this.facts())
    const isOpen = (state: string) => state === 'open'
    return [this.counted, this.possible.filter(each => isOpen(each.kept)).length, [...possible.values()].filter(isOpen).length]
  }

  private readOne(document: number): void {
    const said = this.documents.get(document)
    if (said === undefined) return
    if (said.hasText) this.documents.set(document, { ...said, reader: this.reader })
    this.compareAll(said.texts.map(text => this.numberOf(document, text)))
  }

  /** What replaces what is found first: nothing is open between statements of which one does not count. */
  private compareAll(own: readonly number[], isRevised = false): void {
    const replaced = new Set(this.replacements.map(each => each.statement))
    const rivals = [...this.statements.keys()].filter(no => this.isSaid(no) && (this.counts.has(no) || replaced.has(no)))
    const pairs = own.flatMap(one => rivals.filter(two => this.isCompared(one, two)).map(two => [one, two] as const))
    // What nobody decided is found again with another revision, or not.
    if (isRevised) for (const pair of pairs) for (const each of this.between(pair)) each.inForce &&= each.word !== null
    for (const [one, two] of pairs) {
      const relation = relate(this.textOf(one), this.textOf(two))
      if (relation === 'replaces') this.replace(two, one)
      if (relation === 'is replaced by') this.replace(one, two)
    }
    const counts = standing(this.facts()).counts
    for (const [one, two] of pairs) {
      if (!counts.has(one) || !counts.has(two)) continue
      const relation = relate(this.textOf(one), this.textOf(two))
      if (relation === 'contradicts') this.oppose(one, two)
      if (relation === 'possible') this.suspect(one, two)
    }
  }

  private isCompared(one: number, two: number): boolean {
    const [mine, theirs] = [this.statements[one]!.document, this.statements[two]!.document]
    return mine !== theirs && this.documents.get(mine)?.reader === this.documents.get(theirs)?.reader
  }

  private oppose(own: number, other: number): void {
    const [mine, theirs] = [this.textOf(own), this.textOf(other)].sort() as [string, string]
    const found = this.contradictions.find(
      each =>
        each.of === null &&
        each.values[0] === mine &&
        each.values[1] === theirs &&
        [...each.a, ...each.b].some(no => no === own || no === other),
    )
    const into = found ?? { values: [mine, theirs], a: new Set<number>(), b: new Set<number>(), word: null, of: null }
    if (found === undefined) this.contradictions.push(into as (typeof this.contradictions)[number])
    for (const no of [own, other]) (this.textOf(no) === mine ? into.a : into.b).add(no)
  }

  private suspect(a: number, b: number): void {
    if (this.between([a, b]).some(each => each.inForce)) return
    this.possible.push({ a, b, inForce: true, word: null, made: null, kept: 'open' })
    this.counted++
  }

  private between([one, two]: readonly [number, number]) {
    return this.possible.filter(({ a, b }) => (a === one && b === two) || (a === two && b === one))
  }

  private replace(statement: number, by: number): void {
    if (!this.replacements.some(each => each.statement === statement && each.by === by))
      this.replacements.push({ statement, by, word: null })
  }

  decide(index: number, verdict: ContradictionVerdict | null): void {
    const found = this.contradictions[index % Math.max(1, this.contradictions.length)]
    if (found !== undefined) found.word = verdict && { verdict, at: this.words++ }
    this.settle()
  }

  object(index: number, isWithdrawn: boolean): void {
    const at = index % Math.max(1, this.replacements.length)
    const found = this.replacements[at]
    if (found === undefined) return
    found.word = isWithdrawn ? null : { verdict: 'object', at: this.words++ }
    if (!this.contradictions.some(each => each.of === at)) {
      this.contradictions.push({ values: ['', ''], a: new Set([found.statement]), b: new Set([found.by]), word: null, of: at })
    }
    this.settle()
  }

  judge(index: number, verdict: 'promote' | 'dismiss' | null): void {
    const found = this.possible[index % Math.max(1, this.possible.length)]
    // Nothing is decided twice, and what closed by itself has no word to take back.
    if (found === undefined || found.kept !== (verdict === null ? 'decided' : 'open')) return
    found.word = verdict && { verdict, at: this.words++ }
    if (verdict === 'promote' && found.made === null) {
      found.made = this.contradictions.length
      this.contradictions.push({
        values: ['', ''],
        a: new Set([found.a]),
        b: new Set([found.b]),
        word: null,
        of: -1 - this.possible.indexOf(found),
      })
    }
    this.settle()
    this.write(found, verdict === null ? 'open' : 'decided')
  }

  /** Unless what counts has closed it with the same act. */
  private write(found: { kept: KeptPossible['kept'] }, kept: KeptPossible['kept']): void {
    if (found.kept !== 'closed') found.kept = kept
  }

  withdrawAll(): void {
    for (const each of [...this.contradictions, ...this.replacements, ...this.possible]) each.word = null
    this.settle()
  }

  readAgain(): void {
    for (const [document, { texts, hasText }] of [...this.documents]) if (hasText) this.say(document, texts, false)
  }

  facts(): StandingFacts {
    return {
      statements: this.statements.map((_, no) => ({ no, said: this.isSaid(no) })),
      contradictions: this.contradictions.map(({ a, b, word, of }, no) => ({
        ...{ no, a: [...a], b: [...b], word: word as never, reported: null },
        inForce: of === null || (of < 0 ? this.possible[-1 - of]?.word?.verdict === 'promote' : this.replacements[of]?.word !== null),
      })),
      replacements: this.replacements.map(({ statement, by, word }, no) => ({
        no,
        statement,
        by,
        inForce: true,
        objection: word as never,
      })),
      possible: this.possible.map(({ a, b, inForce, word }, no) => ({ no, a, b, inForce, word: word as never })),
    }
  }

  /** What a reader of the case sees, whatever the numbers. */
  seen(): { counts: string[]; open: string[]; possible: string[]; replaced: string[] } {
    const found = standing(this.facts())
    const name = (no: number) => `${this.statements[no]?.document} ${this.textOf(no)}`
    const pairs = (a: Iterable<number>, b: Iterable<number>) =>
      [...a].flatMap(one =>
        [...b].filter(two => found.counts.has(one) && found.counts.has(two)).map(two => [name(one), name(two)].sort().join(' | ')),
      )
    const open = this.contradictions.flatMap(({ a, b }, no) => (found.contradictions.get(no) === 'open' ? pairs(a, b) : []))
    const possible = this.possible.flatMap(({ a, b }, no) => (found.possible.get(no) === 'open' ? pairs([a], [b]) : []))
    const standingNow = this.replacements.filter(({ statement }, no) => found.replacements.get(no) === 'standing' && this.isSaid(statement))
    return {
      counts: [...found.counts].map(name).sort(),
      open: [...new Set(open)].sort(),
      possible: possible.sort(),
      replaced: standingNow.map(({ statement, by }) => `${name(by)} replaces ${name(statement)}`).sort(),
    }
  }

  /**
   * Two values of one fact that count, and about which nothing is open or decided. Of documents that two versions read, those that were
   * found once.
   */
  silent(): string[] {
    const found = standing(this.facts())
    const counts = [...found.counts]
    return counts.flatMap(one =>
      counts.flatMap(two => {
        if (this.statements[one]?.document === this.statements[two]?.document) return []
        if (relate(this.textOf(one), this.textOf(two)) !== 'contradicts') return []
        const between = [...this.contradictions.entries()].filter(
          ([, { a, b }]) => (a.has(one) && b.has(two)) || (a.has(two) && b.has(one)),
        )
        const isKnown = between.some(([no]) => found.contradictions.get(no) !== 'closed')
        return isKnown || (between.length === 0 && !this.isCompared(one, two)) ? [] : [`${this.textOf(one)} ${this.textOf(two)}`]
      }),
    )
  }

  left(): [number, readonly string[]][] {
    return [...this.documents].map(([document, { texts }]) => [document, texts])
  }

  private isSaid(no: number): boolean {
    const { document, text } = this.statements[no]!
    return this.documents.get(document)?.texts.includes(text) ?? false
  }

  private textOf(no: number): string {
    return this.statements[no]?.text ?? ''
  }

  private numberOf(document: number, text: string): number {
    const known = this.statements.findIndex(each => each.document === document && each.text === text)
    return known >= 0 ? known : this.statements.push({ document, text }) - 1
  }
}

interface Word {
  verdict: string
  at: number
}

/** `fact value how`: a corrected value replaces others, one that is not sure may contradict. */
function relate(one: string, two: string): 'contradicts' | 'possible' | 'replaces' | 'is replaced by' | null {
  const [[fact, value, how], [otherFact, otherValue, otherHow]] = [one.split(' '), two.split(' ')]
  if (fact !== otherFact || value === otherValue) return null
  if (how === 'corrects' && otherHow !== 'corrects') return 'replaces'
  if (otherHow === 'corrects' && how !== 'corrects') return 'is replaced by'
  return how === 'unsure' || otherHow === 'unsure' ? 'possible' : 'contradicts'
}

const text = fc
  .tuple(fc.constantFrom('height', 'width'), fc.integer({ min: 1, max: 3 }), fc.constantFrom('plain', 'plain', 'corrects', 'unsure'))
  .map(parts => parts.join(' '))
const texts = fc.uniqueArray(text, { minLength: 1, maxLength: 3, selector: each => each.split(' ')[0] })
const document = fc.integer({ min: 0, max: 4 })
const verdict = fc.constantFrom<ContradictionVerdict>(
  'a',
  'b',
  'a',
  'b',
  'both',
  'neither',
  'dismiss',
  'disputed',
  'clerical_error_a',
  'not_the_same',
)
const act = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('say' as const), document, texts) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('erase' as const), document) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('decide' as const), fc.nat(20), fc.option(verdict)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('object' as const), fc.nat(20), fc.boolean()) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('judge' as const), fc.nat(20), fc.constantFrom('promote' as const, 'dismiss' as const, null)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('read again' as const)) },
)

const disturbance = fc.oneof(
  { weight: 4, arbitrary: act },
  { weight: 1, arbitrary: fc.tuple(fc.constant('lose text' as const), document) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('upgrade' as const, 'read again' as const)) },
)

function play(story: Case, [kind, ...more]: typeof disturbance extends fc.Arbitrary<infer T> ? T : never): void {
  if (kind === 'lose text') story.loseText(more[0] as number)
  else if (kind === 'upgrade') story.upgrade()
  else if (kind === 'say') story.say(more[0] as number, more[1] as string[])
  else if (kind === 'erase') story.erase(more[0] as number)
  else if (kind === 'decide') story.decide(more[0] as number, more[1] as ContradictionVerdict | null)
  else if (kind === 'object') story.object(more[0] as number, more[1] as boolean)
  else if (kind === 'judge') story.judge(more[0] as number, more[1] as 'promote' | 'dismiss' | null)
  else story.readAgain()
}

describe('any history of a case', () => {
  it('passes through no silent conflict, and ends like a fresh case once every word is taken back', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 4, maxLength: 18 }), acts => {
        const story = new Case()
        for (const each of acts) {
          play(story, each)
          if (story.silent().length > 0) expect(story.silent(), each[0]).toEqual([])
        }
        story.withdrawAll()
        story.readAgain()
        const fresh = new Case()
        for (const [id, said] of story.left()) fresh.say(id, said)
        expect(story.seen()).toEqual(fresh.seen())
      }),
      { numRuns: 1000 },
    )
  })

  it('passes through none where texts are lost and another version reads, either, nor do figures leave what the rows are', () => {
    fc.assert(
      fc.property(fc.array(disturbance, { minLength: 4, maxLength: 20 }), acts => {
        const story = new Case()
        story.keepsRows = true
        for (const each of acts) {
          play(story, each)
          if (story.silent().length > 0) expect(story.silent(), each[0]).toEqual([])
          if (new Set(story.openPossible()).size > 1) expect(story.openPossible(), each[0]).toEqual([])
        }
      }),
      { numRuns: 1000 },
    )
  })
})
