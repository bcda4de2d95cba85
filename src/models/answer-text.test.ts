import { describe, expect, it } from 'vitest'
import { jsonIn } from './answer-text.js'

describe('finding the object in what a model wrote', () => {
  it.each([
    ['alone', '{"links":[]}'],
    ['in a code fence', 'Here it is:\n```json\n{"links":[]}\n```\nDone.'],
    ['behind its thoughts', '<think>{"links": [1]} or not?</think>\n{"links":[]}'],
    ['behind thoughts whose beginning the template took', 'Hmm.</think>{"links":[]}'],
    ['in the second fence', '```\nnone\n```\n```\n{"links":[]}\n```'],
    ['before a remark', 'Answer: {"links":[]} as asked.'],
  ])('takes it %s', (_, content) => {
    expect(jsonIn(content)).toEqual({ links: [] })
  })

  it.each([
    ['half an object', '{"links":[{"quote":"a'],
    ['thoughts that never ended', '<think>{"links":[]}'],
    ['a list', '[1, 2]'],
    ['prose', 'I cannot help with that.'],
    ['nothing', ''],
  ])('finds none in %s', (_, content) => {
    expect(jsonIn(content)).toBeUndefined()
  })

  it('takes time that grows with the answer, whatever is left open in it', () => {
    for (const open of ['```json', '<think>', '{'])
      for (const filler of [' ', '\n', '<think>', '```']) expect(jsonIn(open + filler.repeat(100_000))).toBeUndefined()
  })

  it('is not led astray by braces in strings', () => {
    expect(jsonIn('x {"reason":"a } and \\" { b"} y')).toEqual({ reason: 'a } and " { b' })
  })
})
