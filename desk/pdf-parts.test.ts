import { describe, expect, it } from 'vitest'
import { headAndTail, partBytes, together } from './pdf-parts.js'

describe('parts of a PDF', () => {
  it('are read together where they touch or lie close, and apart where they do not', () => {
    const at = (first: number, last: number) => ({ begin: first * partBytes, end: last * partBytes })
    expect(together([at(7, 8), at(0, 1), at(1, 2), at(3, 4)])).toEqual([at(0, 4), at(7, 8)])
    expect(together(Array.from({ length: 40 }, (_, n) => at(n, n + 1)))).toEqual([at(0, 40)])
    expect(together([at(0, 4), at(1, 2)])).toEqual([at(0, 4)])
    expect(together([])).toEqual([])
  })

  it('begin with how the file begins and ends, and with all of a small one', () => {
    expect(headAndTail(1000)).toEqual([{ begin: 0, end: 1000 }])
    expect(headAndTail(2 * partBytes + 7)).toEqual([{ begin: 0, end: 2 * partBytes + 7 }])
    // At least half a part of the end: there is the table of what stands where.
    expect(headAndTail(10 * partBytes + 7)).toEqual([
      { begin: 0, end: partBytes },
      { begin: 9 * partBytes, end: 10 * partBytes + 7 },
    ])
  })
})
