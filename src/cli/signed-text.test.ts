import { describe, expect, it } from 'vitest'
import { signedTextsIn } from './signed-text.js'

const [one, two] = ['a', 'b'].map(letter => [letter, 'payload', 'signature'].map(part => part.padEnd(30, letter)).join('.')) as [
  string,
  string,
]
const answer = (statement: string, indent?: number) => JSON.stringify({ length: 9, head: 'a'.repeat(64), statement }, null, indent)
const heading = `9 entries, head ${'a'.repeat(64)}`

describe('signed texts of a file', () => {
  it.each<[what: string, text: string, lines: number[]]>([
    ['answers, one a line', `${answer(one)}\n${answer(two)}\n`, [1, 2]],
    ['answers on several lines each', `${answer(one, 2)}\n${answer(two, 2)}\n`, [1, 6]],
    ['texts, one a line', `${one}\n\n${two}\n`, [1, 3]],
    ['texts under a heading', `${heading}\n${one}\n${heading}\n${two}\n`, [2, 4]],
    ['an answer behind a text', `${one}\r\n${answer(two)}\r\n`, [1, 2]],
    ['a text behind an answer', `${answer(one)}\n${two}`, [1, 2]],
    ['a broken text under a heading', `${answer(one)}\n${heading}\n${two.slice(0, 40)}\n${two.slice(40)}\n`, [1, 3]],
  ])('are found as %s', (_what, text, lines) => {
    expect(signedTextsIn(text, 'kept')).toEqual([one, two].map((signed, place) => ({ name: `kept, line ${lines[place]}`, signed })))
  })

  it('are one where a mail broke the line', () => {
    for (const text of [one, `${one.slice(0, 40)}\n${one.slice(40)}\n`, `${heading}\n${one}\n`, answer(one, 2)])
      expect(signedTextsIn(text, 'kept')).toEqual([{ name: 'kept', signed: one }])
  })

  it('are none in an empty file', () => {
    expect(signedTextsIn(' \n\n', 'kept')).toEqual([])
  })
})
