import { expect, it } from 'vitest'
import { dayMentioned, mentionsOf, papersCalled } from './mentions.js'

const read = (text: string, name = 'd', title: string | null = null) => mentionsOf({ name, title, text })

it('finds what other papers are spoken of, however they are written', () => {
  expect(
    read(
      'See Annex 3, annex no. 3 and ANNEX 03. Our letter of 4 March 2024, the Letter of March 4, 2024, your Schreiben vom 6. Mai 2024, the memo dated 2024-01-31 and the notice of May 5.',
    ).mentions,
  ).toEqual([
    ['annex 3', 'Annex 3'],
    ['letter 2024-03-04', 'letter of 4 March 2024'],
    ['schreiben 2024-05-06', 'Schreiben vom 6. Mai 2024'],
    ['memo 2024-01-31', 'memo dated 2024-01-31'],
    ['notice --05-05', 'notice of May 5'],
  ])
})

it('takes no month for a day, no article for a letter and no part of a word', () => {
  expect(read('The letter of March 2024 came. We schedule a visit. Annexation 3. Schedule Abc. Annex 3000.').mentions).toEqual([])
})

it('knows what a paper is or has itself: by name, title and headings, not by a line that begins with it', () => {
  expect(read('# Schedule B\nAs Schedule B says.\n**ANNEX IV** – Fees\n', 'annex_04.pdf', 'Exhibit no. 7')).toEqual({
    holds: ['annex 4', 'exhibit 7', 'schedule b', 'annex iv'],
    mentions: [],
  })
  expect(read('The fees follow from\nAnnex 3 to the lease.')).toEqual({ holds: [], mentions: [['annex 3', 'Annex 3']] })
  expect(papersCalled('Appendix-C.docx')).toEqual(['appendix c'])
})

it('keeps a bounded number, and the day of what is told by its day', () => {
  expect(read(Array.from({ length: 200 }, (_, n) => `see Annex ${n}`).join(', ')).mentions).toHaveLength(40)
  expect(['annex 3', 'letter 2024-03-04', 'notice --05-05'].map(dayMentioned)).toEqual([null, '2024-03-04', '--05-05'])
})
