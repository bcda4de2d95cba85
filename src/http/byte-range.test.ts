import { describe, expect, it } from 'vitest'
import { wantedBytes } from './byte-range.js'

const file = { bytes: 1000, etag: '"e"' }

describe('which bytes are wanted', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=900-', { first: 900, last: 999 }],
    ['bytes=900-5000', { first: 900, last: 999 }],
    ['bytes=-100', { first: 900, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['bytes=1000-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=9-3', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=0-99999999999999999999', { first: 0, last: 999 }],
  ] as const)('%s', (range, wanted) => {
    expect(wantedBytes({ range }, file)).toEqual(wanted)
  })

  it('are all of them where another file was there before', () => {
    expect(wantedBytes({ range: 'bytes=0-9', 'if-range': '"other"' }, file)).toBe('whole')
    expect(wantedBytes({ range: 'bytes=0-9', 'if-range': '"e"' }, file)).toEqual({ first: 0, last: 9 })
    expect(wantedBytes({ range: 'bytes=0-9', 'if-range': 'Tue, 15 Nov 1994 12:45:26 GMT' }, file)).toBe('whole')
  })
})
