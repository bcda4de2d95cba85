import { describe, expect, it } from 'vitest'
import { type Passage, passagesOf } from './passages.js'

const read = (text: string, type = 'txt', name = 'd1') =>
  passagesOf({ text, type, name }).map(passage => ({ ...passage, text: [...text].slice(passage.start, passage.end).join('') }))
const texts = (text: string, type?: string): string[] => read(text, type).map(passage => passage.text)

describe('passages', () => {
  it('cuts prose at sentences, not at abbreviations, days or numbers in a row', () => {
    expect(texts('Dr. Smith of Acme Inc. Ltd. paid approx. 5 km of cable. No. 5 is red.')).toEqual([
      'Dr. Smith of Acme Inc. Ltd. paid approx. 5 km of cable.',
      'No. 5 is red.',
    ])
    expect(texts('Der Bericht vom 12. Mai 2024 gilt. Übergabe ist am 3. März 2025. Der 2. Stock ist leer.')).toEqual([
      'Der Bericht vom 12. Mai 2024 gilt.',
      'Übergabe ist am 3. März 2025.',
      'Der 2. Stock ist leer.',
    ])
    expect(texts('See section 3. The rest is void.')).toEqual(['See section 3.', 'The rest is void.'])
  })

  it('cuts any script', () => {
    expect(texts('合同金额为500万元。交货日期是五月。')).toEqual(['合同金额为500万元。', '交货日期是五月。'])
    expect(texts('अनुबंध मान्य है। राशि बड़ी है।')).toEqual(['अनुबंध मान्य है।', 'राशि बड़ी है।'])
  })

  it('keeps a label with its answer, and a sentence over a line break', () => {
    const found = read('Lease of Unit 4\n\nRent: EUR 1,200 a month\nThe tenant pays on the first day\nof every month, in advance.')
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', 'Lease of Unit 4'],
      ['label', 'Rent: EUR 1,200 a month'],
      ['sentence', 'The tenant pays on the first day\nof every month, in advance.'],
    ])
    expect(found[1]!.heading).toBe('Lease of Unit 4')
    expect(found[0]!.heading).toBeNull()
  })

  it('gives a cell its row and its column', () => {
    const found = read('## Stock\n\n| Item | Count | Place |\n|---|---|---|\n| Pumps | 12 | Hall 2 |\n| Valves | 40 | – |\n', 'md')
    expect(found.filter(({ kind }) => kind === 'cell').map(({ row, column, text, heading }) => [row, column, text, heading])).toEqual([
      ['Pumps', 'Count', '12', 'Stock'],
      ['Pumps', 'Place', 'Hall 2', 'Stock'],
      ['Valves', 'Count', '40', 'Stock'],
    ])
    const csv = read('Item,Count\nPumps,12\nValves,40\nHoses,7\n', 'csv')
    expect(csv.map(({ text }) => text)).toContain('40')
  })

  it('counts code points of what was submitted', () => {
    const [first, second] = passagesOf({ text: '🚀🚀 flew. It landed.', type: 'txt', name: '' }) as [Passage, Passage]
    expect([first.start, first.end, second.start, second.end]).toEqual([0, 8, 9, 19])
    expect(read('<h1>Caf&eacute; menu</h1><p>Open &amp; warm. Closed on Monday.</p>', 'html').map(({ text }) => text)).toEqual([
      'Caf&eacute; menu',
      'Open &amp; warm.',
      'Closed on Monday.',
    ])
  })

  it('reads items apart', () => {
    expect(read('Terms:\n- Delivery in May\n- Payment within 30 days\n').map(({ kind, text, heading }) => [kind, text, heading])).toEqual([
      ['item', 'Delivery in May', 'Terms'],
      ['item', 'Payment within 30 days', 'Terms'],
    ])
  })
})
