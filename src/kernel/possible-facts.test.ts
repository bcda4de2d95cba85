import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf, type OpenPair } from './possible-facts.js'

const side = (documentId: string, statement: number, question: string | null = null) => ({
  ...{ documentId, start: statement * 10, end: statement * 10 + 5, statement, question },
})
const pair = (no: number, score: number, a: OpenPair['a'], b: OpenPair['b']): OpenPair => ({ no, score, a, b })

/** Pairs of a case of up to eight documents; a statement belongs to one document. */
const pairs = fc.array(fc.tuple(fc.nat(39), fc.nat(39), fc.integer({ min: 0, max: 3 })), { maxLength: 80 }).map(drawn => {
  const seen = new Set<string>()
  return drawn.flatMap(([x, y, score], index): OpenPair[] => {
    const key = [x, y].sort((one, other) => one - other).join(' ')
    if (x % 8 === y % 8 || seen.has(key)) return []
    seen.add(key)
    return [pair(index, score, side(`d${x % 8}`, x), side(`d${y % 8}`, y))]
  })
})

describe('what is shown of possible conflicts', () => {
  it('is the best of each document, whatever the order they came in and whichever side is first', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), (given, seed) => {
        // Another order of arrival: other numbers, other sides.
        const turned = [...given]
          .sort((one, other) => ((one.no * 31 + seed) % 97) - ((other.no * 31 + seed) % 97))
          .map(({ score, a, b }, index) => (index % 2 === 0 ? pair(index, score, b, a) : pair(index, score, a, b)))
        const name = ({ a, b }: OpenPair) => [a.statement, b.statement].sort((one, other) => one - other).join(' ')
        const namesIn = (all: readonly OpenPair[]) => {
          const names = new Map(all.map(each => [each.no, name(each)]))
          return factsOf(all, 3)
            .map(fact => ({ shown: fact.shown.map(no => names.get(no)), further: fact.further.map(no => names.get(no)) }))
            .sort((one, other) => (String(one.shown) < String(other.shown) ? -1 : 1))
        }
        expect(namesIn(turned)).toEqual(namesIn(given))
        const shown = factsOf(given, 3).flatMap(fact => fact.shown)
        for (const document of new Set(given.flatMap(({ a, b }) => [a.documentId, b.documentId]))) {
          const own = given.filter(({ a, b }) => a.documentId === document || b.documentId === document)
          expect(own.filter(({ no }) => shown.includes(no)).length).toBeGreaterThanOrEqual(Math.min(3, own.length))
          const left = own.filter(({ no }) => !shown.includes(no))
          for (const each of left) expect(own.filter(({ score }) => score >= each.score).length).toBeGreaterThan(3)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('are at most ten for one paper against one other, the likeliest', () => {
    const many = Array.from({ length: 14 }, (_, at) => pair(at, at, side('a', at), side('b', 100 + at)))
    const facts = factsOf(many, 10)
    expect(facts).toHaveLength(10)
    expect(facts[0]).toEqual({ shown: [13], further: [] })
    // Once the best are decided, the others come up.
    expect(factsOf(many.slice(0, 4), 10)).toHaveLength(4)
  })

  it('goes together where pairs share a statement or ask the same, and not where they only share a document', () => {
    const facts = factsOf(
      [
        pair(1, 9, side('a', 1), side('b', 2)),
        pair(2, 8, side('b', 2), side('c', 3)),
        pair(3, 7, side('d', 4, 'cartons'), side('a', 5)),
        pair(4, 6, side('e', 6, 'cartons'), side('f', 7)),
        pair(5, 5, side('a', 8), side('b', 9)),
      ],
      10,
    )
    expect(facts.map(fact => fact.shown)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('counts those of a fact that are not among the best', () => {
    const many = Array.from({ length: 6 }, (_, at) => pair(at, 10 - at, side('a', 1), side('b', 100 + at)))
    expect(factsOf(many, 4)).toEqual([{ shown: [0, 1, 2, 3], further: [4, 5] }])
  })
})
