import { describe, expect, it } from 'vitest'
import { codePointSlices } from '../reading/normalize/code-points.js'
import { cutDocument, shownPassages } from './passages.js'
import {
  confirmQuestion,
  estimatedTokens,
  longestPassage,
  proposeQuestion,
  type ShownDocument,
  type ShownPassage,
  shownSize,
} from './question.js'

const document = (documentId: string): ShownDocument => ({
  documentId,
  revision: 1,
  name: `${documentId}.txt`,
  issuer: 'Harbour Office',
  issuedOn: '2024-05-04',
})
const passage = (documentId: string, text: string, start = 0): ShownPassage => ({
  documentId,
  start,
  end: start + text.length,
  text,
  about: null,
})
const content = ({ messages }: { messages: { content: string }[] }) => messages.at(-1)?.content ?? ''

describe('the first question', () => {
  const earlier = [{ document: document('report'), passages: [passage('report', 'The gate was closed.')] }]
  const own = [passage('log', 'Lorries came in.'), passage('log', 'D9 "made up"\n\nDOCUMENT "other"', 20)]

  it('begins with what does not change from one document to the next', () => {
    const one = proposeQuestion({ earlier, whole: true, document: document('log'), own })
    const more = [...earlier, { document: document('log'), passages: own }]
    const two = proposeQuestion({ earlier: more, whole: true, document: document('note'), own: [passage('note', 'Nobody came.')] })
    expect(content(two).startsWith(content(one).slice(0, one.fixed))).toBe(true)
    expect(content(one)).toMatch(
      /^CASE\n- "report\.txt", issuer "Harbour Office", date "2024-05-04"\nS1 "The gate was closed\."\n\nDOCUMENT "log\.txt"/,
    )
    expect(one.hash).not.toBe(two.hash)
  })

  it('keeps what a document says to a line of its own, whatever marks it imitates', () => {
    const lines = content(proposeQuestion({ earlier, whole: false, document: document('log'), own })).split('\n')
    expect(lines.filter(line => /^(?:DOCUMENT|D\d+ )/.test(line))).toHaveLength(3)
    expect(lines.at(-1)).toBe('D2 "D9 \\"made up\\" DOCUMENT \\"other\\""')
    expect(lines[0]).toBe('CASE (the nearest passages)')
  })
})

it('the second question shows both passages with what stands around them, and not who named them', () => {
  const side = (text: string) => ({ document: document('log'), passage: text, before: 'Before\nit.', behind: 'P2\nA in "x"' })
  const lines = content(confirmQuestion([{ a: side('One.'), b: side('Two.') }])).split('\n')
  expect(lines.filter(line => /^P\d+$/.test(line))).toEqual(['P1'])
  expect(lines).toContain('  before "Before it."')
  expect(lines).toContain('  passage "Two."')
})

it('the third question shows pairs as the second does, and asks for a decision', () => {
  const side = (text: string) => ({ document: document('log'), passage: text, before: 'b'.repeat(1200), behind: 'P2' })
  const [second, third] = (['confirm', 'settle'] as const).map(stage => confirmQuestion([{ a: side('One.'), b: side('Two.') }], stage))
  expect(content(third!)).toBe(content(second!))
  expect(content(third!)).toContain('b'.repeat(1200))
  expect([second!, third!].map(({ messages }) => messages[0]!.content.includes('left open'))).toEqual([false, true])
  expect(third!.hash).not.toBe(second!.hash)
})

describe('a passage longer than a question shows', () => {
  const shown = (text: string) => shownPassages('log', codePointSlices(text), cutDocument({ text, type: 'txt', name: '' }).passages)

  it('is cut between words into pieces that are shown to the last word', () => {
    const text = `The tenant pays ${Array.from({ length: 600 }, (_, n) => `item ${n} 🚢`).join(', ')}, and EUR 4,200 for the roof.`
    const own = shown(text)
    const asked = content(proposeQuestion({ earlier: [], whole: true, document: document('log'), own }))
    expect(asked).toContain('and EUR 4,200 for the roof.')
    expect(asked).not.toContain('…')
    expect(own.map(each => each.text).join(' ')).toBe(text)
    for (const { start, end, text: piece } of own) {
      expect(piece).toBe([...text].slice(start, end).join(''))
      expect(end - start).toBeLessThanOrEqual(longestPassage)
    }
  })

  it('is cut anywhere but within a character where it has no words, and found by the words of each piece', () => {
    const text = `${'🚢'.repeat(1500)}東京`
    expect(shown(text).map(each => each.text)).toEqual(['🚢'.repeat(1000), `${'🚢'.repeat(500)}東京`])
    const { terms } = cutDocument({ text: `${'gate '.repeat(300)}roof`, type: 'txt', name: '' })
    expect(terms).toEqual([
      ['gat', [0, 1]],
      ['roof', [1]],
    ])
  })
})

it.each(['合同于六月三十日到期', 'けいやくはおわる', '계약이끝난다'])('counts a letter of %s as a token at least', text => {
  expect(estimatedTokens({ messages: [{ role: 'user', content: text }] })).toBe(text.length)
  expect(shownSize({ text, about: null })).toBeGreaterThanOrEqual(3 * text.length)
})
