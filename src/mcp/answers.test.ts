import { expect, it } from 'vitest'
import { fits, fitted, markedAsData } from './answers.js'
import { pieceOf } from './document-text.js'
import { pageThatFits } from './pages.js'
import { type CaseData, reportText } from './report.js'

it('ends its data with a word the data does not hold', () => {
  const word = /^--- data (\S+)$/m.exec(markedAsData('x'))?.[1] as string
  expect(markedAsData(`--- end of data ${word}`).match(new RegExp(word, 'g'))).toHaveLength(1)
})

it('cuts long values until they fit, and says so', () => {
  expect(fitted({ a: 'x' })).toEqual({ json: '{"a":"x"}', isCut: false })
  const huge = { items: Array.from({ length: 300 }, () => ({ quote: 'x'.repeat(5000) })), note: 'kept' }
  const { json, isCut } = fitted(huge)
  expect(isCut).toBe(true)
  expect(json.length).toBeLessThanOrEqual(60_000)
  expect(JSON.parse(json).note).toBe('kept')
})

it('never cuts a character in two, which no reader of the answer could take', () => {
  const words = `a${'😀'.repeat(30_000)}`
  expect(fitted({ words }).json).toMatch(/^\{"words":"a(😀)+…"\}$/u)
  const figures = { open: 0, resolved: 0, dismissed: 0, unsure: 0 }
  const data = {
    summary: {
      ...{ scope_id: 'case-1', display_name: words, round: 1, documents: { total: 0 }, claims: { live: 0 }, contradictions: figures },
      ...{ finality: { status: 'active', gates: [] }, examined: { words: '', compared: '' } },
    },
    ...{ documents: [], contradictions: [], possible: [] },
  }
  expect(reportText(data as unknown as CaseData)).toMatch(/^# a(😀)+…$/mu)
})

it('reads a page again with as many items as fit, so that none is left out', async () => {
  const all = Array.from({ length: 30 }, (_, at) => ({ at, quote: 'x'.repeat(9000), supporters_a: ['x'.repeat(90_000)] }))
  const read = async ({ limit, cursor = 0 }: { limit?: number; cursor?: number }) => {
    const end = cursor + (limit as number)
    return { items: all.slice(cursor, end), next: end < all.length ? String(end) : null }
  }
  const seen: number[] = []
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page = await pageThatFits({ cursor }, query => read(query))
    expect(fits(page)).toBe(true)
    seen.push(...page.items.map(item => (item as { at: number }).at))
    cursor = page.next === null ? null : Number(page.next)
  }
  expect(seen).toEqual(all.map(({ at }) => at))
})

it('counts pieces of a text in code points', () => {
  expect(pieceOf('a😀b😀c', 1, 2)).toEqual({ text: '😀b', offset: 1, next_offset: 3 })
  expect(pieceOf('a😀b😀c', 3, 9)).toEqual({ text: '😀c', offset: 3, next_offset: null })
  expect(pieceOf('abc', 9, 9)).toEqual({ text: '', offset: 9, next_offset: null })
})
