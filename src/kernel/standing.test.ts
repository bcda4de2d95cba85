import { describe, expect, it, vi } from 'vitest'
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

/** How often sets were asked and added to; gives up beyond `most`. */
function stepsOf(work: () => void, most: number): number {
  const { has, add } = Set.prototype
  let steps = 0
  const count = () => {
    if (++steps > most) throw new Error('more steps than allowed')
  }
  const counted = [
    vi.spyOn(Set.prototype, 'has').mockImplementation(function (this: Set<unknown>, value) {
      count()
      return has.call(this, value)
    }),
    vi.spyOn(Set.prototype, 'add').mockImplementation(function (this: Set<unknown>, value) {
      count()
      return add.call(this, value)
    }),
  ]
  try {
    work()
  } finally {
    for (const each of counted) each.mockRestore()
  }
  return steps
}

describe('what counts', () => {
  it('costs a few steps for each statement, however many stand on both sides of a verdict', () => {
    const [a, b] = [Array.from({ length: 4000 }, (_, n) => n), Array.from({ length: 4000 }, (_, n) => 4000 + n)]
    const contradictions = [
      between(1, [8000], a, 'a', 9),
      between(2, a, b, 'a', 8),
      between(3, b, [8001], 'a', 7),
      between(4, b, [8000], 'a', 6),
    ]
    const large = facts({ said: [...a, ...b, 8000, 8001], contradictions })
    let found: Standing | undefined
    const steps = stepsOf(() => {
      found = standing(large)
    }, 1_000_000)
    expect(steps).toBeLessThan(250_000)
    expect(counting(found!)).toEqual([8000])
    expect([...found!.circular.contradictions]).toEqual([4])
  })

  it('ends whoever joins the losing group, also after the verdict', () => {
    const found = standing(facts({ said: [1, 2, 3], contradictions: [between(1, [1], [2, 3], 'a')] }))
    expect(counting(found)).toEqual([1])
    expect(found.ended.get(3)).toEqual({ by: 1, because: { of: 'contradiction', no: 1 } })
    expect(found.contradictions.get(1)).toBe('decided')
  })

  it('names in place of what a verdict ended a statement that counts, before one that was replaced itself', () => {
    const decided = between(1, [1, 2], [3], 'a')
    const replaced = standing(facts({ said: [1, 2, 3, 4], contradictions: [decided], replacements: [replaces(1, 4, 1)] }))
    expect(counting(replaced)).toEqual([2, 4])
    expect(replaced.ended.get(3)?.by).toBe(2)
    const both = [replaces(1, 4, 1), replaces(2, 4, 2)]
    const alone = standing(facts({ said: [1, 2, 3, 4], contradictions: [decided], replacements: both }))
    expect([counting(alone), alone.ended.get(3)?.by]).toEqual([[4], 1])
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
