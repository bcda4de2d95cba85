import { expect, it } from 'vitest'
import { sentencesOf } from './sentences.js'

it('splits a text that is read once more without comparing it with the one before at every call', () => {
  const text = 'The rent is EUR 4,000. '.repeat(80_000)
  // The same words in another string, as every reading of a document gets them.
  const again = Buffer.from(text).toString()
  const spans = (source: string) => Array.from({ length: 20_000 }, (_, n) => sentencesOf(source, n * 23, n * 23 + 22))
  const first = spans(text)
  const from = process.cpuUsage()
  expect(spans(again)).toEqual(first)
  // Where it compares, it goes over 37 billion characters.
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(2000)
})
