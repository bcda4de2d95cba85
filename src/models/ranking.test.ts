import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, rankStatements } from './ranking.js'
import { searchWords } from './search-words.js'

const at = (text: string, documentId = 'd1', start = 0): Candidate => ({ documentId, start, text, size: text.length })
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
  it('prefers rare words to many common ones', () => {
    const candidates = [
      at('The report of the board on the site', 'd1'),
      at('The seal of the reefer was broken', 'd2'),
      at('The report of the site', 'd3'),
    ]
    const ranked = rankStatements(['A report says the reefer was intact'], candidates, 3, limits)
    expect(ranked[0]?.documentId).toBe('d2')
  })

  it('gives every passage its best before any its second', () => {
    const candidates = [at('pump pressure 4 bar', 'd1'), at('pump pressure valve', 'd2'), at('insurance premium', 'd3')]
    const ranked = rankStatements(['pump pressure', 'premium'], candidates, 3, { ...limits, statements: 2 })
    expect(ranked.map(each => each.documentId).sort()).toEqual(['d2', 'd3'])
  })

  it('leaves out what shares no word', () => {
    expect(rankStatements(['pump'], [at('insurance premium')], 1, limits)).toEqual([])
  })

  it('keeps within its bounds and depends on no order of candidates', () => {
    const word = fc.constantFrom('pump', 'pressure', 'valve', 'premium', 'notice', 'lot', 'site')
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map(words => words.join(' '))
    const place = fc.record({ documentId: fc.constantFrom('a', 'b', 'c'), start: fc.nat(50) })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(place, text), { selector: ([{ documentId, start }]) => `${documentId} ${start}`, maxLength: 40 }),
        fc.array(text, { maxLength: 6 }),
        fc.nat(12),
        fc.nat(300),
        (places, passages, statements, characters) => {
          const candidates = places.map(([{ documentId, start }, words]) => at(words, documentId, start))
          const bounds = { statements, characters, perPassage: 2 }
          const ranked = rankStatements(passages, candidates, 100, bounds)
          expect(ranked.length).toBeLessThanOrEqual(statements)
          expect(ranked.reduce((sum, each) => sum + each.size, 0)).toBeLessThanOrEqual(characters)
          expect(rankStatements(passages, [...candidates].reverse(), 100, bounds)).toEqual(ranked)
        },
      ),
    )
  })
})
