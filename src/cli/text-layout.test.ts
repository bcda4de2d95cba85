import { describe, expect, it } from 'vitest'
import { printable, printableText, shorten, sideBySide, table, widthOf, wrap } from './text-layout.js'

describe('text in columns', () => {
  it('counts columns as a terminal shows them', () => {
    expect(['abc', 'é', 'e\u0301', '漢字', '\u001b[31mred\u001b[0m'].map(widthOf)).toEqual([3, 1, 1, 4, 3])
  })

  it('lines columns up, numbers to the right', () => {
    const items = [
      { name: '漢字', n: 7, more: 'x' },
      { name: 'abc', n: 12, more: '' },
    ]
    const columns = [
      ['name', (item: (typeof items)[0]) => item.name],
      ['n', (item: (typeof items)[0]) => item.n],
      ['more', (item: (typeof items)[0]) => item.more],
    ] as const
    const lines = table(items, columns, text => text)
    expect(lines).toEqual(['name   n  more', '漢字   7  x', 'abc   12'])
  })

  it('breaks and shortens text without losing what fits', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
    expect(shorten('abcdef', 4)).toBe('abc…')
    expect(sideBySide(['a'], ['b', 'c'], 2)).toEqual(['a  │ b', '   │ c'])
  })

  it('shows control characters of documents instead of obeying them', () => {
    expect(printable('a\u001b[2Jb\n\tc')).toBe('a�[2Jb c')
    expect(printableText('Rent 500\r\n\tnet\u001b[1A\u001b]52;c;ZXZpbA==\u0007\r9\u009b2J\n')).toBe(
      'Rent 500\n\tnet�[1A�]52;c;ZXZpbA==��9�2J\n',
    )
  })
})
