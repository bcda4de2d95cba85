import { describe, expect, it } from 'vitest'
import { type Known, lookAt, markGone, type Stamp, stepFor, type Watched } from './follow-plan.js'

const stamp = (bytes: number, changedMs = 0): Stamp => ({ bytes, changedMs })
const known = (more: Partial<Known> = {}): Known => ({
  ...stamp(3),
  scopeId: 'case-1',
  name: 'a.txt',
  hash: 'aaa',
  documentId: 'file-a',
  refusal: null,
  isGone: false,
  ...more,
})
const nothing: Watched = { known: new Map(), growing: new Map(), missing: new Map() }
const at = (nowMs: number) => ({ nowMs, settleMs: 2000 })

describe('a look at the folder', () => {
  it('takes a file for finished when it has not changed for a while', () => {
    const first = lookAt(nothing, new Map([['a.txt', stamp(3)]]), at(0))
    expect(first.finished).toEqual([])
    const grown = lookAt({ ...nothing, ...first }, new Map([['a.txt', stamp(5)]]), at(1500))
    expect(grown.finished).toEqual([])
    expect(lookAt({ ...nothing, ...grown }, new Map([['a.txt', stamp(5)]]), at(3000)).finished).toEqual([])
    expect(lookAt({ ...nothing, ...grown }, new Map([['a.txt', stamp(5)]]), at(3500)).finished).toEqual(['a.txt'])
  })

  it('leaves alone what it knows, and sees what was changed', () => {
    const watched = { ...nothing, known: new Map([['a.txt', known()]]) }
    expect(lookAt(watched, new Map([['a.txt', stamp(3)]]), at(0))).toMatchObject({ finished: [], gone: [], growing: new Map() })
    expect(lookAt(watched, new Map([['a.txt', stamp(3, 9)]]), at(0)).growing.has('a.txt')).toBe(true)
  })

  it('takes a file for gone when it has been away for a while, and says so once', () => {
    const watched = { ...nothing, known: new Map([['a.txt', known()]]) }
    const first = lookAt(watched, new Map(), at(0))
    expect(first.gone).toEqual([])
    expect(lookAt({ ...watched, missing: first.missing }, new Map(), at(2000)).gone).toEqual(['a.txt'])
    expect(lookAt({ ...watched, known: new Map([['a.txt', known({ isGone: true })]]) }, new Map(), at(9000)).gone).toEqual([])
  })
})

describe('a finished file', () => {
  const file = { path: 'b.txt', scopeId: 'case-1', name: 'b.txt', hash: 'aaa' }

  it('is sent when it is new or changed, under the name its document has', () => {
    expect(stepFor({ ...file, hash: 'bbb' }, new Map([['a.txt', known()]]), new Set(['a.txt', 'b.txt']))).toEqual({
      do: 'send',
      name: 'b.txt',
    })
    const renamed = new Map([['b.txt', known({ name: 'a.txt' })]])
    expect(stepFor({ ...file, hash: 'bbb' }, renamed, new Set(['b.txt']))).toEqual({ do: 'send', name: 'a.txt' })
  })

  it('is left alone when only its time changed', () => {
    expect(stepFor(file, new Map([['b.txt', known()]]), new Set(['b.txt']))).toEqual({ do: 'nothing' })
  })

  it('is a renamed one when another of the same content is away, and a copy when that is still there', () => {
    const files = new Map([['a.txt', known()]])
    expect(stepFor(file, files, new Set(['b.txt']))).toEqual({ do: 'rename', from: 'a.txt' })
    expect(stepFor(file, files, new Set(['a.txt', 'b.txt']))).toEqual({ do: 'send', name: 'b.txt' })
    expect(stepFor({ ...file, scopeId: 'case-2' }, files, new Set(['b.txt']))).toEqual({ do: 'send', name: 'b.txt' })
  })

  it('gets another name where a renamed one has kept its own', () => {
    const files = new Map([['b.txt', known({ name: 'a.txt' })]])
    const again = { path: 'a.txt', scopeId: 'case-1', name: 'a.txt', hash: 'ccc' }
    expect(stepFor(again, files, new Set(['a.txt', 'b.txt']))).toEqual({ do: 'send', name: 'a.txt (2)' })
  })
})

it('remembers of the files that are gone those that went last', () => {
  const files = new Map(['a', 'b', 'c', 'd'].map(path => [path, known({ isGone: path === 'b' || path === 'c' })]))
  markGone(files, 'a', 2)
  expect([...files].map(([path, { isGone }]) => [path, isGone])).toEqual([
    ['c', true],
    ['d', false],
    ['a', true],
  ])
})
