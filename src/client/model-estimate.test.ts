import { expect, it } from 'vitest'
import { estimatedCharacters, estimatedTokens } from './model-estimate.js'

const costs = { characters: 30_000, context_tokens: 32_000, tokens_per_document: 150_000 }

it('counts the document, the case beside it and what every question has', () => {
  expect(estimatedTokens([3_000], costs)).toBe(1_000 + 10_000 + 15_000)
  expect(estimatedTokens([], costs)).toBe(0)
})

it('lays each beside those before it, as far as a question goes, and stops at the limit of a document', () => {
  expect(estimatedTokens([60_000, 60_000], { ...costs, characters: 60_000 })).toBe(20_000 + 20_000 + 15_000 + 20_000 + 32_000 + 15_000)
  expect(estimatedTokens([3_000_000], costs)).toBe(150_000)
})

it('takes files that are no text for shorter than they are', () => {
  expect([estimatedCharacters('a.txt', 500), estimatedCharacters('a.PDF', 500), estimatedCharacters('a.jpg', 5_000_000)]).toEqual([
    500, 50, 3000,
  ])
})
