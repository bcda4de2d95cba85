import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClaimAtPassage, sameStatements } from './one-statement.js'
import { type ContradictionVerdict, type Standing, type StandingFacts, standing } from './standing.js'

const facts = (some: Partial<StandingFacts> & { said: number[]; gone?: number[] }): StandingFacts => ({
  contradictions: [],
  replacements: [],
  possible: [],
  ...some,
  statements: [...some.said.map(no => ({ no, said: true })), ...(some.gone ?? []).map(no => ({ no, said: false }))],
})
const between = (no: number, a: number[], b: number[], verdict: ContradictionVerdict | null = null, at = no) => ({
  ...{ no, a, b, inForce: true, reported: null },
  word: verdict === null ? null : { verdict, at },
})
const replaces = (no: number, by: number, statement: number, isObjected = false) => ({
  ...{ no, statement, by, inForce: true },
  objection: isObjected ? { verdict: 'object' as const, at: no } : null,
})
const counting = (found: Standing) => [...found.counts].sort((one, other) => one - other)

const atPassage = (statement: number, quote: string, valueText: string, more: Partial<ClaimAtPassage> = {}): ClaimAtPassage => ({
  ...{ statement, documentId: 'report', start: 0, end: quote.length, quote, valueText, subject: 'Aurelia', attribute: 'Revenue', ...more },
})

describe('claims of one passage', () => {
  const line = 'Revenue: EUR 41M'
  it.each([
    [
      'what was read there, and whatever else was made of it',
      [atPassage(2, line, 'EUR 41M'), atPassage(5, line, line), atPassage(7, line, line)],
      [5, 7],
    ],
    ['not of another document', [atPassage(2, line, 'EUR 41M', { documentId: 'audit' }), atPassage(5, line, line)], []],
    ['not of another line', [atPassage(2, line, 'EUR 41M', { start: 90, end: 106 }), atPassage(5, line, line)], []],
    [
      'not where the passage says more',
      [atPassage(2, `${line}, due in spring`, 'EUR 41M'), atPassage(5, `${line}, due in spring`, `${line}, due in spring`)],
      [],
    ],
    ['not where two things were read of it', [atPassage(2, line, 'EUR'), atPassage(3, line, '41M'), atPassage(5, line, line)], []],
  ])('are one statement: %s', (_, claims, joined) => {
    expect(sameStatements(claims)).toEqual(joined.map(from => ({ from, to: 2 })))
  })
})

describe('what counts', () => {
  it('ends whoever joins the losing group, also after the verdict', () => {
    const found = standing(facts({ said: [1, 2, 3], contradictions: [between(1, [1], [2, 3], 'a')] }))
    expect(counting(found)).toEqual([1])
    expect(found.ended.get(3)).toEqual({ by: 1, because: { of: 'contradiction', no: 1 } })
    expect(found.contradictions.get(1)).toBe('decided')
  })

  it('gives a word effect while both sides are said', () => {
    const decided = [between(1, [1], [2], 'b')]
    const erased = standing(facts({ said: [1], gone: [2], contradictions: decided }))
    expect(counting(erased)).toEqual([1])
    expect(erased.contradictions.get(1)).toBe('closed')
    expect(counting(standing(facts({ said: [1, 2], contradictions: decided })))).toEqual([2])
  })

  it.each([
    ['both', 'decided'],
    ['neither', 'decided'],
    ['dismiss', 'dismissed'],
    ['not_the_same', 'dismissed'],
    ['disputed', 'disputed'],
  ] as const)('leaves both sides after %s', (verdict, state) => {
    const found = standing(facts({ said: [1, 2], contradictions: [between(1, [1], [2], verdict)] }))
    expect(counting(found)).toEqual([1, 2])
    expect(found.contradictions.get(1)).toBe(state)
  })

  it('leaves a possible conflict to whoever spoke of it, a person or a model', () => {
    const possible = (['promote', 'dismiss', 'clear', null] as const).map((verdict, no) => ({
      ...{ no, a: 1, b: 2 + no, inForce: true },
      word: verdict === null ? null : { verdict, at: no },
    }))
    const found = standing(facts({ said: [1, 2, 3, 4, 5], possible }))
    expect([...found.possible.values()]).toEqual(['promoted', 'dismissed', 'cleared', 'open'])
  })

  it.each([
    ['dismissed', { verdict: 'dismiss', at: 1 }, true, 'closed'],
    ['open', null, true, 'closed'],
    ['not found again', null, false, 'open'],
    ['cleared', { verdict: 'clear', at: 1 }, true, 'open'],
  ] as const)('asks once about two statements: the first is %s', (_, word, inForce, second) => {
    const possible = [
      { no: 1, a: 1, b: 2, inForce, word },
      { no: 2, a: 2, b: 1, inForce: true, word: null },
    ]
    expect(standing(facts({ said: [1, 2], possible })).possible.get(2)).toBe(second)
  })

  it('ends a slip of the pen, for nobody', () => {
    const found = standing(facts({ said: [1, 2], contradictions: [between(1, [1], [2], 'clerical_error_a')] }))
    expect(counting(found)).toEqual([2])
    expect(found.ended.get(1)?.by).toBeNull()
  })

  it('does not bring back what a correction corrected that was corrected itself', () => {
    const chain = [replaces(1, 2, 1), replaces(2, 3, 2)]
    expect(counting(standing(facts({ said: [1, 2, 3], replacements: chain })))).toEqual([3])
    expect(counting(standing(facts({ said: [1, 3], gone: [2], replacements: chain })))).toEqual([1, 3])
  })

  it('lets a person object to a replacement', () => {
    const found = standing(facts({ said: [1, 2], replacements: [replaces(1, 2, 1, true)], contradictions: [between(1, [1], [2])] }))
    expect(counting(found)).toEqual([1, 2])
    expect(found.contradictions.get(1)).toBe('open')
    expect(found.replacements.get(1)).toBe('objected')
  })

  it('puts the newest word first, and shows as open what would close a circle with it', () => {
    const words = [between(1, [1], [2], 'a', 1), between(2, [2], [3], 'a', 2), between(3, [3], [1], 'a', 3)]
    const found = standing(facts({ said: [1, 2, 3], contradictions: words }))
    expect(found.circular.contradictions).toEqual(new Set([1]))
    expect([...found.contradictions]).toEqual([
      [1, 'open'],
      [2, 'decided'],
      [3, 'decided'],
    ])
  })

  it('shows a circle of replacements as open, and lets a word about the two decide it', () => {
    const circle = [replaces(1, 2, 1), replaces(2, 1, 2)]
    const found = standing(facts({ said: [1, 2], replacements: circle }))
    expect(counting(found)).toEqual([1, 2])
    expect(found.circular.replacements).toEqual(new Set([1, 2]))
    const decided = standing(facts({ said: [1, 2], replacements: circle, contradictions: [between(1, [1], [2], 'a')] }))
    expect(counting(decided)).toEqual([1])
    expect(decided.circular.replacements.size).toBe(0)
  })

  it('closes what loses a side or is not found again, possible conflicts too', () => {
    const found = standing(
      facts({
        said: [1, 2],
        gone: [3],
        contradictions: [between(1, [1], [3]), { ...between(2, [1], [2]), inForce: false }],
        possible: [
          { no: 1, a: 1, b: 3, inForce: true, word: null },
          { no: 2, a: 1, b: 2, inForce: true, word: null },
        ],
        replacements: [replaces(1, 3, 1)],
      }),
    )
    expect([...found.contradictions.values()]).toEqual(['closed', 'closed'])
    expect([...found.possible.values()]).toEqual(['closed', 'open'])
    expect(found.replacements.get(1)).toBe('withdrawn')
  })
})

/** A case in memory: documents that say values of facts, and what people say of what is found. */
class Case {
  private readonly statements: { document: number; text: string }[] = []
  private readonly documents = new Map<number, string[]>()
  private readonly contradictions: { values: [string, string]; a: Set<number>; b: Set<number>; word: Word | null; of: number | null }[] = []
  private readonly replacements: { statement: number; by: number; word: Word | null }[] = []
  private readonly possible: { a: number; b: number; word: Word | null; made: number | null }[] = []
  private words = 0

  say(document: number, texts: readonly string[]): void {
    this.documents.set(document, [...texts])
    for (const text of texts) this.compare(this.numberOf(document, text))
  }

  erase(document: number): void {
    this.documents.delete(document)
  }

  /** Every statement is compared with all others that are said, whether they count or not. */
  private compare(own: number): void {
    for (const [other, { document }] of this.statements.entries()) {
      if (!this.isSaid(other) || document === this.statements[own]?.document) continue
      const [one, two] = [this.textOf(own), this.textOf(other)]
      const relation = relate(one, two)
      if (relation === 'contradicts') this.oppose(own, other)
      if (relation === 'possible') this.suspect(own, other)
      if (relation === 'replaces') this.replace(other, own)
      if (relation === 'is replaced by') this.replace(own, other)
    }
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
    const isKnown = this.possible.some(each => (each.a === a && each.b === b) || (each.a === b && each.b === a))
    if (!isKnown) this.possible.push({ a, b, word: null, made: null })
  }

  private replace(statement: number, by: number): void {
    if (!this.replacements.some(each => each.statement === statement && each.by === by))
      this.replacements.push({ statement, by, word: null })
  }

  decide(index: number, verdict: ContradictionVerdict | null): void {
    const found = this.contradictions[index % Math.max(1, this.contradictions.length)]
    if (found !== undefined) found.word = verdict && { verdict, at: this.words++ }
  }

  object(index: number, isWithdrawn: boolean): void {
    const at = index % Math.max(1, this.replacements.length)
    const found = this.replacements[at]
    if (found === undefined) return
    found.word = isWithdrawn ? null : { verdict: 'object', at: this.words++ }
    if (!this.contradictions.some(each => each.of === at)) {
      this.contradictions.push({ values: ['', ''], a: new Set([found.statement]), b: new Set([found.by]), word: null, of: at })
    }
  }

  judge(index: number, verdict: 'promote' | 'dismiss' | null): void {
    const found = this.possible[index % Math.max(1, this.possible.length)]
    if (found === undefined) return
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
  }

  withdrawAll(): void {
    for (const each of [...this.contradictions, ...this.replacements, ...this.possible]) each.word = null
  }

  readAgain(): void {
    for (const [document, texts] of [...this.documents]) this.say(document, texts)
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
      possible: this.possible.map(({ a, b, word }, no) => ({ no, a, b, inForce: true, word: word as never })),
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

  /** Two values of one fact that count, are known to disagree, and about which nothing is open or decided. */
  silent(): string[] {
    const found = standing(this.facts())
    const counts = [...found.counts]
    return counts.flatMap(one =>
      counts.flatMap(two => {
        if (this.statements[one]?.document === this.statements[two]?.document) return []
        if (relate(this.textOf(one), this.textOf(two)) !== 'contradicts') return []
        const known = this.contradictions.some(
          ({ a, b }, no) => found.contradictions.get(no) !== 'closed' && ((a.has(one) && b.has(two)) || (a.has(two) && b.has(one))),
        )
        return known ? [] : [`${this.textOf(one)} ${this.textOf(two)}`]
      }),
    )
  }

  left(): [number, string[]][] {
    return [...this.documents]
  }

  private isSaid(no: number): boolean {
    const { document, text } = this.statements[no]!
    return this.documents.get(document)?.includes(text) ?? false
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
    weight: 2,
    arbitrary: fc.tuple(fc.constant('judge' as const), fc.nat(20), fc.option(fc.constantFrom('promote' as const, 'dismiss' as const))),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('read again' as const)) },
)

function play(story: Case, [kind, ...more]: (typeof act extends fc.Arbitrary<infer T> ? T : never) | readonly ['read again']): void {
  if (kind === 'say') story.say(more[0] as number, more[1] as string[])
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
          expect(story.silent()).toEqual([])
        }
        story.withdrawAll()
        const fresh = new Case()
        for (const [id, said] of story.left()) fresh.say(id, said)
        expect(story.seen()).toEqual(fresh.seen())
      }),
      { numRuns: 1000 },
    )
  })
})
