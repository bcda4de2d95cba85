import { describe, expect, it } from 'vitest'
import { plainWords, searchedWords } from './search-words.js'

const termsOf = (text: string) => searchedWords(text).flatMap(({ terms }) => terms)

describe('the words of a question', () => {
  it('are stems, and names as they are written', () => {
    expect(termsOf('the containers sank')).toEqual(expect.arrayContaining(['sink', 'container']))
    expect(termsOf("Waters' report")).toEqual(expect.arrayContaining(['water', 'waters']))
    expect(termsOf('what is the')).toEqual([])
  })

  it('are codes and numbered things whole, and a figure leads nowhere by itself', () => {
    expect(termsOf('pump k-501a')).toContain('k-501a')
    expect(termsOf('Flat 9')).toContain('flat 9')
    expect(searchedWords('12,500')).toEqual([{ word: '12500', terms: [] }])
  })

  it('are at most twelve, codes first', () => {
    const many = searchedWords(
      `zyxwv company ${Array.from({ length: 30 }, (_, n) => `plover${'abcdefghijklmnopqrstuvwxyzabcd'[n]}${n % 7}x`).join(' ')}`,
    )
    expect(many).toHaveLength(12)
    expect(many.map(({ word }) => word)).not.toContain('company')
  })
})

describe('the words of a claim', () => {
  it.each(['container sinks', 'pipes that burst', '12500', 'working'])('meet those of a question: %s', question => {
    const words = plainWords('Three containers sank; EUR 12,500 for burst-pipe work.')
    expect(words).toEqual(expect.arrayContaining(searchedWords(question).map(({ word }) => word)))
  })
})
