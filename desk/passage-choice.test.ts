import { describe, expect, it } from 'vitest'
import { chosenBetween, chosenByWords, isTooLong } from './passage-choice'

const text = 'Harbour 🏗 Tower\n\n| Works | **finished** |\nThe works are finished.'

describe('a passage that somebody selected', () => {
  it('counts code points and leaves the blanks around out', () => {
    const from = text.indexOf(' Tower')
    expect(chosenBetween(text, from, from + 8)).toEqual({ start: 10, end: 15, quote: 'Tower' })
    expect([...text].slice(10, 15).join('')).toBe('Tower')
    expect(chosenBetween(text, 16, 18)).toBeNull()
  })

  it('is found by its words where signs are left out', () => {
    const found = chosenByWords(text, 'Works\tfinished')
    expect(found?.quote).toBe('Works | **finished')
    expect([...text].slice(found?.start, found?.end).join('')).toBe(found?.quote)
  })

  it('has no place where its words stand twice, or not at all', () => {
    expect(chosenByWords(text, 'finished')).toBeNull()
    expect(chosenByWords(text, 'begun')).toBeNull()
    expect(chosenByWords(text, ' ')).toBeNull()
  })

  it('is too long beyond 2,000 code points, blanks around left out', () => {
    expect(isTooLong('x'.repeat(2000))).toBe(false)
    expect(isTooLong(`\n ${'🏗'.repeat(2000)} `)).toBe(false)
    expect(isTooLong('x'.repeat(2001))).toBe(true)
    expect(isTooLong('🏗'.repeat(2001))).toBe(true)
  })
})
