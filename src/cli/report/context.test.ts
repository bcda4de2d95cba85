import { describe, expect, it, vi } from 'vitest'
import { csvRows } from '../../contract/csv-rows.js'
import type { Schema } from '../../contract/types.js'
import { convergenceHistory } from '../convergence-history.js'
import { type Block, contextsIn, gatherContexts } from './context.js'
import { sideOf } from './contradictions-section.js'

vi.mock('../../contract/csv-rows.js', async original => {
  const module = await original<typeof import('../../contract/csv-rows.js')>()
  return { ...module, csvRows: vi.fn(module.csvRows) }
})

/** The pieces as text, what is quoted between brackets. */
function shown(blocks: readonly Block[]): unknown[] {
  const said = (pieces: readonly { text: string; isQuoted: boolean }[]) =>
    pieces.map(({ text, isQuoted }) => (isQuoted ? `[${text}]` : text)).join('')
  return blocks.map(block => ('rows' in block ? block.rows.map(row => row.map(cell => said(cell).trim())) : said(block.words)))
}

const quoteIn = (text: string, words: string) => {
  const start = Array.from(text.slice(0, text.indexOf(words))).length
  return { start, end: start + Array.from(words).length }
}

describe('the context of a quote', () => {
  it('is all there is around it in a short text', () => {
    expect(shown(contextsIn('In FY2025 revenue was 41.2, they say.')({ start: 22, end: 26 }))).toEqual([
      'In FY2025 revenue was [41.2], they say.',
    ])
  })

  it('begins and ends with a word in a long one, counted in code points', () => {
    const text = `${'𝒜word '.repeat(100)}41.2${' word𝒜'.repeat(100)}`
    const [said] = shown(contextsIn(text)({ start: 600, end: 604 })) as string[]
    expect(said).toMatch(/^… 𝒜word .*𝒜word \[41\.2\] word𝒜 .*word𝒜 …$/)
    expect(Array.from(said ?? '').length).toBeLessThan(460)
  })

  it('has tables as tables, in whole rows, with the words before and after them', () => {
    const text = `Figures below.\n\n| Item | EUR |\n|---|---|\n| Rent | 40 |\n| Fee | 30 |\n\nAll in thousands.`
    const expected = (rows: string[][]) => ['Figures below.\n\n', rows, '\nAll in thousands.']
    expect(shown(contextsIn(text)(quoteIn(text, 'Rent | 40')))).toEqual(
      expected([
        ['Item', 'EUR'],
        ['[Rent ]', '[ 40]'],
        ['Fee', '30'],
      ]),
    )
    expect(shown(contextsIn(text)(quoteIn(text, 'All in thousands.')))).toEqual([
      'Figures below.\n\n',
      [
        ['Item', 'EUR'],
        ['Rent', '40'],
        ['Fee', '30'],
      ],
      '\n[All in thousands.]',
    ])
  })

  it('has the header of a long table, and says that rows lie between', () => {
    const rows = Array.from({ length: 200 }, (_, place) => `| line ${place} | ${place * 10} |`)
    const text = ['| Item | EUR |', '|---|---|', ...rows].join('\n')
    const [table] = shown(contextsIn(text)(quoteIn(text, 'line 100 | 1000'))) as string[][][]
    expect(table?.slice(0, 2)).toEqual([['Item', 'EUR'], ['…']])
    expect(table).toContainEqual(['[line 100 ]', '[ 1000]'])
    expect(table?.slice(2).every(row => row.length === 2 && /^\[?line \d+/.test(row[0] ?? ''))).toBe(true)
    expect(table?.length).toBeLessThan(40)
  })

  it('is the rows near it of a document that is one table, whatever its fields hold', () => {
    const text = `Item;EUR\n"Rent; of ""A""";40\n${'x;1\n'.repeat(200)}Fee;30\n`
    expect((shown(contextsIn(text, true)(quoteIn(text, 'Fee;30'))) as string[][][])[0]).toEqual([
      ['Item', 'EUR'],
      ['…'],
      ...Array.from({ length: 55 }, () => ['x', '1']),
      ['[Fee]', '[30]'],
    ])
    expect((shown(contextsIn(text, true)(quoteIn(text, '40'))) as string[][][])[0]?.slice(0, 2)).toEqual([
      ['Item', 'EUR'],
      ['Rent; of "A"', '[40]'],
    ])
  })

  it('is printed as a table in the report, with the value marked in its cell', () => {
    const text = '| Item | EUR |\n|---|---|\n| Rent <b> | 40 |\n'
    const place = { document_id: 'd', revision: 1, page: null, cell: null, paragraph: null, ...quoteIn(text, '| Rent <b> | 40 |') }
    const side = { claim_id: 'c', quote: '| Rent <b> | 40 |', value: '40', ...place } as Schema['Claim']
    const around = { contexts: new Map([['c', contextsIn(text)(place)]]), names: new Map([['d', 'Budget']]) }
    const { text: page } = sideOf('A', side, [], 0, {}, around)
    expect(page).toContain('<thead><tr><th scope="col"> Item </th><th scope="col"> EUR </th></tr></thead>')
    expect(page).toContain('<td><strong> Rent &lt;b&gt; </strong></td><td><strong> <mark>40</mark> </strong></td>')
    expect(page).not.toContain('|')
  })

  it('is words where a row is too long to be read as one', () => {
    const text = `| a | ${'word '.repeat(500)}|\n| b | 2 |`
    const [words] = shown(contextsIn(text)(quoteIn(text, 'b | 2'))) as string[]
    expect(words).toMatch(/^… word /)
  })

  it('is made once for each statement, from a text that is fetched and read once', async () => {
    const text = 'Item;EUR\nRent;40\nFee;30\n'
    let made = 0
    const claim = (claim_id: string, words: string) => {
      const { start, end } = quoteIn(text, words)
      const about = { claim_id, document_id: 'budget', revision: 1, end }
      return Object.defineProperty(about, 'start', { get: () => [start, made++][0] }) as unknown as Schema['Claim']
    }
    const finding = { a: claim('rent', 'Rent;40'), b: claim('fee', 'Fee;30') }
    const documentText = vi.fn(async () => text)
    vi.mocked(csvRows).mockClear()
    const contexts = await gatherContexts({ documentText }, 'case', [finding, finding, { a: finding.b, b: finding.a }], new Set(['budget']))
    expect([...contexts.keys()]).toEqual(['rent', 'fee'])
    expect([made, documentText.mock.calls.length, vi.mocked(csvRows).mock.calls.length]).toEqual([2, 1, 1])
  })
})

describe('the convergence of a case', () => {
  const historyOf = (...events: object[]) => {
    const client = {
      // Like the service, which has nothing more to say and does not end.
      async *events() {
        yield* events
        throw new Error('waits for what never comes')
      },
    }
    return convergenceHistory(client as never, 'case-1', { lastSeq: 7, mostEvents: 100 })
  }
  const updated = (seq: number) => ({
    id: String(seq),
    type: 'convergence.updated',
    time: '2026-01-31T09:00:00Z',
    data: { round: seq, v: 0.5, score: 0.6, scores: {} },
  })
  const gap = (oldest: number) => ({ id: 'gap--1', type: 'stream.gap', data: { requested: -1, oldest, newest: 7 } })

  it('is read to the last event that there was', async () => {
    expect((await historyOf(gap(5), updated(5), updated(7))).map(({ round }) => round)).toEqual([5, 7])
  })

  it('is nothing where no event is kept any more', async () => {
    expect(await historyOf(gap(8))).toEqual([])
  })
})
