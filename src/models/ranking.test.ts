import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rarityWeight, wordScore } from '../reading/words/bm25.js'
import { type Candidate, indexStatements, type RankingLimits } from './ranking.js'
import { searchWords } from './search-words.js'

const at = (text: string, documentId = 'd1', start = 0): Candidate => ({ documentId, start, text, size: text.length })
const rank = async <T extends Candidate>(passages: readonly string[], candidates: readonly T[], total: number, limits: RankingLimits) =>
  (await indexStatements(candidates, total, async () => undefined)).nearest(passages, limits)
const limits = { statements: 80, characters: 14_000, perPassage: 4 }

describe('words to search by', () => {
  it('folds plain endings, accents and thousands, and leaves common words out', () => {
    expect(searchWords('The containers were damaged')).toEqual(searchWords('damage to the container').reverse())
    expect(searchWords('Leixões')).toEqual(searchWords('LEIXOES'))
    expect(searchWords('1,484,000 USD')).toEqual(['1484000', 'usd'])
    expect(searchWords('surveyed policies')).toEqual(searchWords('survey policy'))
  })
})

describe('choosing earlier statements', () => {
  it('prefers rare words to many common ones', async () => {
    const candidates = [
      at('The report of the board on the site', 'd1'),
      at('The seal of the reefer was broken', 'd2'),
      at('The report of the site', 'd3'),
    ]
    const ranked = await rank(['A report says the reefer was intact'], candidates, 3, limits)
    expect(ranked[0]?.documentId).toBe('d2')
  })

  it('gives every passage its best before any its second', async () => {
    const candidates = [at('pump pressure 4 bar', 'd1'), at('pump pressure valve', 'd2'), at('insurance premium', 'd3')]
    const ranked = await rank(['pump pressure', 'premium'], candidates, 3, { ...limits, statements: 2 })
    expect(ranked.map(each => each.documentId).sort()).toEqual(['d2', 'd3'])
  })

  it('leaves out what shares no word', async () => {
    expect(await rank(['pump'], [at('insurance premium')], 1, limits)).toEqual([])
  })

  it('lets others have their turn while many are indexed', async () => {
    let breaths = 0
    const many = Array.from({ length: 1200 }, (_, n) => at('pump pressure', 'd1', n))
    await indexStatements(many, 1200, async () => void breaths++)
    expect(breaths).toBeGreaterThan(30)
  })

  it('keeps within its bounds, depends on no order of candidates, and chooses what comparing each with each would', async () => {
    const word = fc.constantFrom('pump', 'pressure', 'valve', 'premium', 'notice', 'lot', 'site')
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map(words => words.join(' '))
    const place = fc.record({ documentId: fc.constantFrom('a', 'b', 'c'), start: fc.nat(50) })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(place, text), { selector: ([{ documentId, start }]) => `${documentId} ${start}`, maxLength: 40 }),
        fc.array(text, { maxLength: 6 }),
        fc.nat(12),
        fc.nat(300),
        async (places, passages, statements, characters) => {
          const candidates = places.map(([{ documentId, start }, words]) => at(words, documentId, start))
          const bounds = { statements, characters, perPassage: 2 }
          const ranked = await rank(passages, candidates, 100, bounds)
          expect(ranked.length).toBeLessThanOrEqual(statements)
          expect(ranked.reduce((sum, each) => sum + each.size, 0)).toBeLessThanOrEqual(characters)
          expect(await rank(passages, [...candidates].reverse(), 100, bounds)).toEqual(ranked)
          expect(ranked).toEqual(comparedEach(passages, candidates, 100, bounds))
        },
      ),
    )
  })
})

/** Every passage against every candidate, all of it sorted: half a second for a part of a long document. */
function comparedEach(passages: readonly string[], candidates: readonly Candidate[], total: number, limits: RankingLimits): Candidate[] {
  const words = new Map(candidates.map(each => [each, searchWords(each.text)]))
  const average = [...words.values()].reduce((sum, each) => sum + each.length, 0) / (candidates.length || 1)
  const scoreOf = (candidate: Candidate, word: string) => {
    const own = words.get(candidate) ?? []
    const having = [...words.values()].filter(each => each.includes(word)).length
    const count = own.filter(each => each === word).length
    return count === 0 ? 0 : wordScore({ weight: rarityWeight(total, having), count }, { length: own.length, average })
  }
  type Scored = { candidate: Candidate; score: number }
  const best = (a: Scored, b: Scored) =>
    b.score - a.score ||
    (a.candidate.documentId < b.candidate.documentId ? -1 : a.candidate.documentId > b.candidate.documentId ? 1 : 0) ||
    a.candidate.start - b.candidate.start
  const rankings = passages.map(passage => {
    const wanted = [...new Set(searchWords(passage))]
    const scored = candidates.map(candidate => ({ candidate, score: wanted.reduce((sum, word) => sum + scoreOf(candidate, word), 0) }))
    return scored.filter(({ score }) => score > 0).sort(best)
  })
  const rows = Array.from({ length: limits.perPassage }, (_, place) => rankings.flatMap(each => each[place] ?? []).sort(best))
  const chosen = new Set<Candidate>()
  let characters = 0
  for (const { candidate } of [...rows.flat(), ...rankings.flatMap(each => each.slice(limits.perPassage)).sort(best)]) {
    if (chosen.has(candidate) || chosen.size >= limits.statements || characters + candidate.size > limits.characters) continue
    chosen.add(candidate)
    characters += candidate.size
  }
  return [...chosen]
}
