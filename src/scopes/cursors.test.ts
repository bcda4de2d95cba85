import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageOf, readPaging, writeCursor } from './cursors.js'

const list = ['claims', 'ten_1', 'case-1', 1, 'live', undefined]

describe('cursors', () => {
  it('lead back to the place they were made at', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string({ unit: 'grapheme' }), (number, text) => {
        fc.pre(!text.includes('\0'))
        expect(readPaging({ cursor: writeCursor(list, [number, text]) }, list, ['number', 'string']).after).toEqual([number, text])
      }),
    )
  })

  it('belong to one list: another name, tenant, scope, generation or filter refuses them', () => {
    const cursor = writeCursor(list, [7])
    for (const [place, value] of [
      [0, 'documents'],
      [1, 'ten_2'],
      [2, 'case-2'],
      [3, 2],
      [4, 'all'],
      [5, 'x'],
    ] as const) {
      const other = list.map((part, index) => (index === place ? value : part))
      expect(() => readPaging({ cursor }, other, ['number'])).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }))
    }
  })

  it('refuse anything made up, and places of another shape', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), cursor => {
        expect(() => readPaging({ cursor }, list, ['number'])).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }))
      }),
    )
    for (const place of [['7'], [7, 8], [], [Number.NaN], ['a\0']]) {
      const cursor = writeCursor(list, place)
      const shape = place.length === 1 && typeof place[0] === 'string' && place[0] !== '7' ? (['string'] as const) : (['number'] as const)
      expect(() => readPaging({ cursor }, list, shape)).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }))
    }
  })

  it('keep limits between 1 and 200, 50 unless said otherwise', () => {
    expect(readPaging({}, list, []).limit).toBe(50)
    for (const limit of [0, -1, 201, 1.5, Number.NaN]) {
      expect(() => readPaging({ limit }, list, [])).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
  })
})

describe('pages', () => {
  it('have a next place only when there is more', () => {
    const paging = { limit: 2, after: null }
    const make = { place: (row: number) => [row], item: (row: number) => row }
    expect(pageOf([1, 2], paging, list, make)).toEqual({ items: [1, 2], next: null })
    expect(pageOf([1, 2, 3], paging, list, make)).toEqual({ items: [1, 2], next: writeCursor(list, [2]) })
    expect(pageOf([], paging, list, make)).toEqual({ items: [], next: null })
  })
})
