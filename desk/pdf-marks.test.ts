import { describe, expect, it } from 'vitest'
import { pieceOf, type TextItem, writePage } from '../src/files/pdf-layout.js'
import { TextWriter } from '../src/files/text-writer.js'
import { marksOnPage } from './pdf-marks'

const item = (str: string, x: number, y: number, size = 10): TextItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: str.length * size * 0.5,
})

/** What the extractor writes of a page, in a document of more pages. */
function textOf(items: readonly TextItem[], bodySize = 10): string {
  const out = new TextWriter({ kind: 'page', maxChars: 100_000 })
  out.paragraph('The page before.')
  writePage(
    out.gap(2),
    items.flatMap(each => pieceOf(each) ?? []),
    bodySize,
  )
  out.paragraph('The page behind 𝒜.')
  return `𝒜 begins.\n\n${out.finish().text}`
}

const table = [
  item('Item', 50, 700),
  item('Price', 200, 700),
  item('Days', 300, 700),
  item('Roof', 50, 680),
  item('12', 200, 680),
  item('12', 300, 680),
  item('Door', 50, 660),
  item('7', 200, 660),
  item('12', 300, 660),
]
const paragraph = [
  item('Terms', 50, 760, 18),
  item('According to the schedule all of the works are com-', 50, 640),
  item('pleted on 30 June 2024, unless', 50, 628),
  item('• the owner ', 50, 600),
  item('agrees (in writing).', 110, 600),
]
const page = [...paragraph, ...table]

/** The letters that are marked, without spaces. */
function marked(items: readonly TextItem[], text: string, words: string, nth = 0): string | null {
  const points = [...text]
  let start = -1
  for (let n = 0; n <= nth; n++)
    start = points.findIndex((_, at) => at > start && points.slice(at, at + [...words].length).join('') === words)
  const marks = marksOnPage(items, text, [{ start, end: start + [...words].length }])
  if (marks === null) return null
  return (marks[0] ?? []).map(({ item: at, from, to }) => lettersOf(items[at] as TextItem, from, to)).join('')
}

function lettersOf({ str }: TextItem, from: number, to: number): string {
  return str.slice(Math.round(from * str.length), Math.round(to * str.length)).replaceAll(' ', '')
}

describe('the words of a passage on a page', () => {
  it.each(['Terms', '30 June 2024', 'the owner agrees (in writing)', 'Roof', 'Price', '7'])('%s is found letter by letter', words => {
    expect(marked(page, textOf(page), words)).toBe(words.replaceAll(' ', ''))
  })

  it('are found through a word that was divided at the end of a line', () => {
    expect(marked(page, textOf(page), 'completed on')).toBe('completedon')
  })

  it('are those of the cell that is meant, where others say the same', () => {
    const text = textOf(page)
    const place = (nth: number) => {
      const points = [...text]
      let start = -1
      for (let n = 0; n <= nth; n++) start = points.findIndex((_, at) => at > start && points[at] === '1' && points[at + 1] === '2')
      return marksOnPage(page, text, [{ start, end: start + 2 }])?.[0]?.map(each => each.item)
    }
    expect([place(0), place(1), place(2)]).toEqual([[paragraph.length + 4], [paragraph.length + 5], [paragraph.length + 8]])
  })

  it('are found whatever size most of the document has', () => {
    for (const size of [8, 10, 12, 14, 16]) expect(marked(page, textOf(page, size), '30 June 2024')).toBe('30June2024')
  })

  it('are nowhere when the page says something else than was read', () => {
    const other = page.map(each => ({ ...each, str: each.str.replace('unless', 'except') }))
    expect(marked(other, textOf(page), '30 June 2024')).toBeNull()
    expect(marksOnPage([], textOf(page), [{ start: 0, end: 3 }])).toBeNull()
  })
})
