import { expect, it } from 'vitest'
import { inlineParts } from './inline-parts'

const read = (line: string) => inlineParts(line).map(({ tag, from, to }) => `${tag ?? ''}:${line.slice(from, to)}`)

it('leaves the signs of Markdown out and knows where the words stand', () => {
  expect(read('The **net debt** is _EUR 5M_, see `A1` and [the notes](https://example.test/x).')).toEqual([
    ':The ',
    'strong:net debt',
    ': is ',
    'em:EUR 5M',
    ':, see ',
    'code:A1',
    ': and ',
    'link:the notes',
    ':.',
  ])
  expect(read('2 * 3 * 4 and snake_case_name')).toEqual([':2 * 3 * 4 and snake_case_name'])
})

// Without a bound a line of half a million opening signs is searched to its end for each of them, and the page stands still.
it.each([
  ['**', '**'],
  [' *', '* '],
  ['`', '`'],
  ['[', '](b)'],
  ['[a](', ')'],
])('looks for what closes %j no further than a few hundred characters', (open, close) => {
  expect(inlineParts(`${open}${'x'.repeat(100)}${close}`).some(({ tag }) => tag !== null)).toBe(true)
  expect(inlineParts(`${open}${'x'.repeat(600)}${close}`).every(({ tag }) => tag === null)).toBe(true)
})
