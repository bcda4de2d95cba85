import { describe, expect, it } from 'vitest'
import { contextOf } from './context.js'

const characters = (text: string) => Array.from(text)

describe('the context of a quote', () => {
  it('is all there is around it in a short text', () => {
    expect(contextOf(characters('In FY2025 revenue was 41.2, they say.'), { start: 22, end: 26 })).toEqual({
      before: 'In FY2025 revenue was ',
      after: ', they say.',
    })
  })

  it('begins and ends with a word in a long one, counted in code points', () => {
    const text = characters(`${'𝒜word '.repeat(100)}41.2${' word𝒜'.repeat(100)}`)
    const { before, after } = contextOf(text, { start: 600, end: 604 })
    expect(before).toMatch(/^… 𝒜word .*𝒜word $/)
    expect(after).toMatch(/^ word𝒜 .*word𝒜 …$/)
    expect(Array.from(before).length).toBeLessThan(230)
  })
})
