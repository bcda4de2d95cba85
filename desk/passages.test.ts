import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headingAbove, indexesOf, type Passage, piecesOf, saidInHead } from './passages'

const passage = (start: number, end: number, id = `${start}`): Passage => ({ start, end, kind: 'claim', id })

describe('passages', () => {
  it('are counted in code points', () => {
    expect(indexesOf('a𝒜b𝒜c', [0, 1, 2, 3, 5, 9])).toEqual(
      new Map([
        [0, 0],
        [1, 1],
        [2, 3],
        [3, 4],
        [5, 7],
        [9, 7],
      ]),
    )
  })

  it('may overlap, and each piece knows those it lies in', () => {
    const [block] = piecesOf('0123456789', [passage(2, 6), passage(4, 8)])
    expect(block?.map(piece => [piece.text, piece.passages.map(each => each.id)])).toEqual([
      ['01', []],
      ['23', ['2']],
      ['45', ['2', '4']],
      ['67', ['4']],
      ['89', []],
    ])
  })

  it('never lose or change a character, however they lie', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\n', '𝒜', '<', '\u202e'), fc.string({ minLength: 1, maxLength: 900 })),
      maxLength: 30,
    })
    const spans = fc.array(fc.tuple(fc.nat(9000), fc.nat(500)), { maxLength: 30 })
    fc.assert(
      fc.property(text, spans, (given, places) => {
        const passages = places.map(([start, length]) => passage(start, start + length))
        const pieces = piecesOf(given, passages).flat()
        expect(pieces.map(piece => piece.text).join('')).toBe(given)
        for (const piece of pieces) expect(given.slice(piece.start, piece.start + piece.text.length)).toBe(piece.text)
      }),
    )
  })

  it('take little time for a long line and ten thousand claims', () => {
    const text = 'x'.repeat(100_000)
    const passages = Array.from({ length: 10_000 }, (_, index) => passage(index * 10, index * 10 + 7))
    const started = performance.now()
    expect(piecesOf(text, passages).flat()).toHaveLength(20_000)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('the heading above a passage', () => {
  it('is the nearest one, in either way of writing', () => {
    const text = '# Annual report\n\n## Revenue\n\nRevenue was 41.2.\n'
    expect(headingAbove(text, text.indexOf('41.2'))).toBe('Revenue')
    expect(headingAbove('Audit memo\n\nRevenue was 33.9.', 20)).toBe('Audit memo')
    expect(headingAbove('Revenue was 33.9.', 5)).toBeNull()
  })
})

describe('the head of a document', () => {
  it('says who issued it on a line of its own', () => {
    expect(saidInHead('# Memo\n\nIssuer: Brandt: Audit\nDate: 3 March', /^issuer$/i)).toBe('Brandt: Audit')
    expect(saidInHead('The issuer: nobody', /^issuer$/i)).toBeNull()
    expect(saidInHead('Issuer:\n', /^issuer$/i)).toBeNull()
  })
})
