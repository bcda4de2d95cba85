import { expect, it } from 'vitest'
import { type ModelRead, noReading } from '../../models/model-read.js'
import type { VerifiedLink } from '../../models/verdicts.js'
import type { ExtractedClaim } from '../../reading/types.js'
import { addedBefore, withAddedBefore } from './added-before.js'

const claim = (start: number, name: string) =>
  ({ start, end: start + 10, quote: name, value: { type: 'name', value: name }, valueText: name, polarity: 'affirmed' }) as ExtractedClaim

const read = (outcome: string, added: ExtractedClaim[] | null): ModelRead => ({
  ...{
    foundBy: 'model:b',
    promptVersion: '1',
    outcome,
    shown: ['d7'],
    wholeCase: true,
    dropped: {},
    usage: { promptTokens: 1, completionTokens: 1 },
  },
  reading: added === null ? null : { ...noReading, added, links: [{ own: 4 } as VerifiedLink] },
})

const attached = {
  model: { foundBy: 'model:a', added: [claim(0, 'one'), claim(100, 'two'), claim(200, 'three')], answered: false },
  lent: [] as ExtractedClaim[],
}

const quotes = ({ reading }: ModelRead) => reading?.added.map(({ quote }) => quote)

it('puts what an answer about some parts lacks behind what it added, and leaves its links alone', () => {
  const merged = withAddedBefore(read('timeout', [claim(205, 'three'), claim(300, 'four')]), attached)
  expect(quotes(merged)).toEqual(['three', 'four', 'one', 'two'])
  expect(merged).toMatchObject({ foundBy: 'model:b', outcome: 'timeout', shown: ['d7'], reading: { links: [{ own: 4 }] } })
})

it('lacks a claim where the same words stand elsewhere, or the passage says another value', () => {
  expect(quotes(withAddedBefore(read('timeout', [claim(50, 'one'), claim(100, 'other')]), attached))).toEqual([
    'one',
    'other',
    'one',
    'two',
    'three',
  ])
})

it('lets a whole answer stand alone, and makes no answer of none', () => {
  expect(quotes(withAddedBefore(read('answered', [claim(0, 'one')]), attached))).toEqual(['one'])
  expect(withAddedBefore(read('timeout', null), attached).reading).toBeNull()
  expect(quotes(withAddedBefore(read('timeout', [claim(0, 'one')]), { model: null, lent: [] }))).toEqual(['one'])
})

it('gives all of it, under the name of the model that added it, where there is no answer', () => {
  expect(addedBefore(attached)).toEqual({ ...noReading, foundBy: 'model:a', added: attached.model.added })
  expect(addedBefore(null)).toBeNull()
})

it('keeps claims that findings of later documents made of it, whatever the answer', () => {
  const lent = [claim(400, 'lent')]
  expect(quotes(withAddedBefore(read('answered', [claim(0, 'one')]), { ...attached, lent }))).toEqual(['one', 'lent'])
  expect(addedBefore({ model: null, lent })?.added).toEqual(lent)
})
