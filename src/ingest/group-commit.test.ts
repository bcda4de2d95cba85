import { describe, expect, it } from 'vitest'
import { systemClock } from '../platform/clock.js'
import { GroupCommit } from './group-commit.js'

function setUp() {
  const flushes: { rows: readonly string[]; end(): void }[] = []
  const commit = new GroupCommit<string, string>({
    flush: rows => new Promise(resolve => flushes.push({ rows, end: () => resolve([...rows]) })),
    keyOf: row => (row.startsWith('k') ? 'k' : null),
    isRepetition: () => false,
    repeatedAnswer: answer => answer,
    bytesOf: row => row.length,
    rowsPerFlush: 2,
    flushesInFlight: 2,
    queueLimit: 100,
    queueBytes: 1000,
    deadlineMs: 60_000,
    clock: systemClock,
  })
  const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  const begun = () => flushes.map(({ rows }) => rows.join(' '))
  return { commit, flushes, turn, begun }
}

describe('rows of a series', () => {
  it('that one flush does not hold wait until it has ended, and others do not', async () => {
    const { commit, flushes, turn, begun } = setUp()
    const series = {}
    const rows = ['s1', 's2', 's3'].map(row => commit.add(row, series))
    const other = commit.add('other')
    await turn()
    expect(begun()).toEqual(['s1 s2', 'other'])
    flushes[1]?.end()
    await other
    await turn()
    expect(begun()).toEqual(['s1 s2', 'other'])
    flushes[0]?.end()
    await turn()
    expect(begun()).toEqual(['s1 s2', 'other', 's3'])
    flushes[2]?.end()
    expect(await Promise.all(rows)).toEqual(['s1', 's2', 's3'])
  })

  it('do not overtake one that waits for an equal key', async () => {
    const { commit, flushes, turn, begun } = setUp()
    const series = {}
    for (const row of ['k1', 'k2', 's3']) void commit.add(row, series)
    await turn()
    expect(begun()).toEqual(['k1'])
    flushes[0]?.end()
    await turn()
    expect(begun()).toEqual(['k1', 'k2 s3'])
    flushes[1]?.end()
    await commit.close()
  })
})
