import { describe, expect, it } from 'vitest'
import { joinStatements, type Passage } from './joined-statements.js'

const text = 'The pump ran at 9 bar, at noon. It was tested twice.\n\nNobody was hurt.'
const passage = (start: number, end: number, about: string | null = null, documentId = 'd'): Passage => ({
  ...{ documentId, start, end, quote: text.slice(start, end), about },
})

describe('statements of several claims', () => {
  it('are one where claims overlap or stand close together, in the words of the document', () => {
    const [pump, noon, tested] = [passage(0, 21), passage(9, 31), passage(32, 52)]
    expect(joinStatements([tested, noon, pump])).toMatchObject([
      { start: 0, end: 52, quote: 'The pump ran at 9 bar, at noon. … It was tested twice.', claims: [pump, noon, tested] },
    ])
  })

  it('never cross documents, wide gaps or the longest a statement may be', () => {
    expect(joinStatements([passage(0, 5), passage(54, 70)])).toHaveLength(2)
    expect(joinStatements([passage(0, 21), passage(23, 31, null, 'e')])).toHaveLength(2)
    const long = 'x'.repeat(200)
    const row = (start: number): Passage => ({ documentId: 'd', start, end: start + 200, quote: long, about: null })
    expect(joinStatements([row(0), row(201)]).map(each => each.quote)).toEqual([long, long])
  })

  it('keep a claim within another, and say once what rows and columns are about', () => {
    const cells = [passage(0, 21, 'Pump, bar'), passage(0, 8, 'Pump, bar'), passage(23, 30, 'Pump, time')]
    expect(joinStatements(cells)).toMatchObject([{ about: 'Pump, bar; Pump, time', quote: 'The pump ran at 9 bar … at noon' }])
    expect(joinStatements(cells)[0]?.claims).toHaveLength(3)
  })

  it('count places in code points, as claims do', () => {
    const wide = [...'😀😀 paid 5 euro today']
    const cut = (start: number, end: number): Passage => ({
      documentId: 'd',
      start,
      end,
      quote: wide.slice(start, end).join(''),
      about: null,
    })
    expect(joinStatements([cut(0, 9), cut(3, 20)])[0]?.quote).toBe(wide.slice(0, 20).join(''))
  })
})
