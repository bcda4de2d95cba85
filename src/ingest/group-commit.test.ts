import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../platform/clock.js'
import { BusyCase } from '../platform/errors.js'
import { GroupCommit } from './group-commit.js'

/** A row is the name of its holder, its place and what tells it from others there: `a/1 x`. One that contains `k` has a key. */
function setUp({ patientFlushes = 2, queueLimit = 100, bytesPerFlush = 1000, deadlineMs = 60_000, clock = systemClock } = {}) {
  const flushes: { rows: readonly string[]; patient: boolean; end(busyPlace?: string): void }[] = []
  const commit = new GroupCommit<string, string>({
    flush: (rows, { patient }) =>
      new Promise(resolve => {
        const end = (busyPlace?: string) => resolve(rows.map(row => (placeOf(row) === busyPlace ? 'busy' : row)))
        flushes.push({ rows, patient, end })
      }),
    placeOf,
    holderOf: row => row.split('/')[0] as string,
    isBusy: answer => answer === 'busy',
    keyOf: row => (row.includes('k') ? 'k' : null),
    isRepetition: () => false,
    repeatedAnswer: answer => answer,
    bytesOf: row => row.length,
    rowsPerFlush: 2,
    bytesPerFlush,
    flushesInFlight: 2,
    patientFlushes,
    queueLimit,
    queueBytes: 1000,
    deadlineMs,
    clock,
  })
  const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  /** Ends each flush as soon as it is begun. */
  const endingAll = async <T>(answers: Promise<T>): Promise<T> => {
    let pending = true
    const over = answers.finally(() => {
      pending = false
    })
    while (pending) {
      for (const flush of flushes) flush.end()
      await turn()
    }
    return over
  }
  const begun = () => flushes.map(({ rows, patient }) => `${patient ? 'patiently ' : ''}${rows.join(', ')}`)
  return { commit, flushes, turn, begun, endingAll }
}

function placeOf(row: string): string {
  return row.split(' ')[0] as string
}

describe('rows of one place', () => {
  it('that one flush does not hold wait until it has ended, and others do not', async () => {
    const { commit, flushes, turn, begun } = setUp()
    const rows = ['a/1 x', 'a/1 y', 'a/1 z'].map(row => commit.add(row))
    const other = commit.add('b/1 x')
    await turn()
    expect(begun()).toEqual(['a/1 x, a/1 y', 'b/1 x'])
    flushes[1]?.end()
    await other
    await turn()
    expect(begun()).toEqual(['a/1 x, a/1 y', 'b/1 x'])
    flushes[0]?.end()
    await turn()
    expect(begun()).toEqual(['a/1 x, a/1 y', 'b/1 x', 'a/1 z'])
    flushes[2]?.end()
    expect(await Promise.all(rows)).toEqual(['a/1 x', 'a/1 y', 'a/1 z'])
  })

  it('are taken together when more wait than a flush holds, so that another flush has the other places', async () => {
    const { commit, flushes, turn, begun } = setUp()
    const rows = ['a/1 x', 'b/1 x', 'a/1 y', 'b/1 y'].map(row => commit.add(row))
    await turn()
    expect(begun()).toEqual(['a/1 x, a/1 y', 'b/1 x, b/1 y'])
    for (const flush of flushes) flush.end()
    await Promise.all(rows)
  })

  it('do not overtake one that waits for an equal key', async () => {
    const { commit, flushes, turn, begun } = setUp()
    for (const row of ['a/1 k1', 'a/1 k2', 'a/1 z']) void commit.add(row)
    await turn()
    expect(begun()).toEqual(['a/1 k1'])
    flushes[0]?.end()
    await turn()
    expect(begun()).toEqual(['a/1 k1', 'a/1 k2, a/1 z'])
    flushes[1]?.end()
    await commit.close()
  })
})

it('flushes no more bytes together than one flush may have, and a larger row alone', async () => {
  const { commit, flushes, turn, begun, endingAll } = setUp({ bytesPerFlush: 12 })
  const rows = ['a/1 x', 'a/2 xxxxxxxxxxxxxxxxxx', 'a/3 x', 'a/4 x'].map(row => commit.add(row))
  await turn()
  expect(begun()).toEqual(['a/1 x', 'a/2 xxxxxxxxxxxxxxxxxx'])
  flushes[0]?.end()
  await turn()
  expect(begun().slice(2)).toEqual(['a/3 x, a/4 x'])
  await endingAll(Promise.all(rows))
})

it('leaves room for others however much one holder hands in', async () => {
  const { commit, flushes, turn, endingAll } = setUp({ queueLimit: 24 })
  const refused: unknown[] = []
  for (let n = 0; n < 40; n++) commit.add(`a/1 ${n}`).catch(error => refused.push(error))
  await turn()
  // Two thirds of the queue are what one of them may have.
  expect(refused.length).toBe(24)
  expect(refused[0]).toMatchObject({ code: 'OVERLOADED', detail: expect.stringContaining('of this tenant') })
  expect(commit.isFull()).toBe(false)
  const others = ['b/1 x', 'c/1 x'].map(row => commit.add(row))
  expect(await endingAll(Promise.all(others))).toEqual(['b/1 x', 'c/1 x'])
  // Once its own are written, the first has room again.
  const again = commit.add('a/1 again')
  expect(await endingAll(again)).toBe('a/1 again')
  expect(commit.stats()).toMatchObject({ waiting: 0, waitingBytes: 0 })
  expect(flushes.length).toBeGreaterThan(1)
})

describe('a busy place', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is tried again soon, and each time after twice as long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { commit, flushes, turn, begun, endingAll } = setUp({ patientFlushes: 1 })
    const first = commit.add('a/1 x')
    await turn()
    flushes[0]?.end('a/1')
    await turn()
    expect(begun()).toEqual(['a/1 x', 'patiently a/1 x'])
    const second = commit.add('b/1 x')
    await turn()
    for (const [index, backoffMs] of [5, 10, 20, 40, 80, 100, 100].entries()) {
      flushes[2 + index]?.end('b/1')
      await turn()
      vi.advanceTimersByTime(backoffMs - 1)
      await turn()
      expect(begun()).toHaveLength(3 + index)
      vi.advanceTimersByTime(1)
      await turn()
      expect(begun()).toHaveLength(4 + index)
    }
    expect(await endingAll(Promise.all([first, second]))).toEqual(['a/1 x', 'b/1 x'])
  })

  it('is tried again also where a patient flush did not get it', async () => {
    const { commit, flushes, turn, begun, endingAll } = setUp()
    const rows = ['a/1 x', 'a/1 y'].map(row => commit.add(row))
    await turn()
    flushes[0]?.end('a/1')
    await turn()
    flushes[1]?.end('a/1')
    await turn()
    expect(begun()).toEqual(['a/1 x, a/1 y', 'patiently a/1 x, a/1 y', 'patiently a/1 x, a/1 y'])
    expect(await endingAll(Promise.all(rows))).toEqual(['a/1 x', 'a/1 y'])
  })

  it('says of a row that waited too long for it that nothing was accepted, and never that storage is away', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let now = 0
    const { commit, flushes, turn, endingAll } = setUp({ deadlineMs: 100, clock: { ...systemClock, monotonicMs: () => now } })
    const first = commit.add('a/1 x').catch((error: unknown) => error)
    await turn()
    flushes[0]?.end('a/1')
    await turn()
    const second = commit.add('a/1 y').catch((error: unknown) => error)
    now = 101
    vi.advanceTimersByTime(101)
    // The patient flush has the first; whether that is stored nobody knows.
    expect(await first).toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: expect.any(BusyCase) })
    expect(await second).toMatchObject({ code: 'OVERLOADED' })
    expect(commit.stats()).toMatchObject({ waiting: 0, waitingBytes: 0, expired: 2 })
    await endingAll(commit.close())
  })

  it('is waited for by its own rows, in their order, beside the flushes of everybody else', async () => {
    const { commit, flushes, turn, begun } = setUp()
    const first = commit.add('a/1 x')
    const neighbour = commit.add('b/1 x')
    await turn()
    flushes[0]?.end('a/1')
    expect(await neighbour).toBe('b/1 x')
    const second = commit.add('a/1 y')
    const others = ['b/1 y', 'c/1 x', 'c/1 y', 'd/1 x'].map(row => commit.add(row))
    await turn()
    expect(begun()).toEqual(['a/1 x, b/1 x', 'patiently a/1 x, a/1 y', 'b/1 y, c/1 x', 'd/1 x'])
    for (const flush of flushes.slice(2)) flush.end()
    await turn()
    flushes[4]?.end()
    await Promise.all(others)
    flushes[1]?.end()
    expect(await Promise.all([first, second])).toEqual(['a/1 x', 'a/1 y'])
    expect(begun().slice(4)).toEqual(['c/1 y'])
    await commit.close()
  })

  it('is tried again where others are waited for already, so that no holder has all patient flushes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { commit, flushes, turn, begun } = setUp()
    const rows = ['a/1 x', 'a/2 x', 'a/2 y', 'b/1 x'].map(row => commit.add(row))
    await turn()
    expect(begun()).toEqual(['a/1 x, a/2 x', 'b/1 x'])
    flushes[0]?.end('a/1')
    await turn()
    expect(begun().slice(2)).toEqual(['patiently a/1 x', 'a/2 y'])
    flushes[3]?.end('a/2')
    flushes[1]?.end('b/1')
    await turn()
    expect(begun().slice(4)).toEqual(['patiently b/1 x'])
    vi.advanceTimersByTime(5)
    await turn()
    expect(begun().slice(5)).toEqual(['a/2 y'])
    for (const flush of flushes) flush.end()
    expect(await Promise.all(rows)).toEqual(['a/1 x', 'a/2 x', 'a/2 y', 'b/1 x'])
  })

  it('is tried with its oldest row alone, and patience goes to the one found busy first', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { commit, flushes, turn, begun, endingAll } = setUp()
    const rows = ['a/1 x', 'a/2 x', 'a/2 y', 'a/2 z', 'a/3 x', 'a/3 y'].map(row => commit.add(row))
    await turn()
    expect(begun()).toEqual(['a/1 x, a/2 x', 'a/3 x, a/3 y'])
    flushes[0]?.end('a/1')
    await turn()
    expect(begun().slice(2)).toEqual(['patiently a/1 x', 'a/2 y, a/2 z'])
    flushes[3]?.end('a/2')
    flushes[1]?.end('a/3')
    await turn()
    vi.advanceTimersByTime(5)
    await turn()
    expect(begun().slice(4)).toEqual(['a/3 x, a/2 y'])
    flushes[4]?.end('a/2')
    await turn()
    flushes[2]?.end()
    await turn()
    expect(begun().slice(5)).toContain('patiently a/2 y, a/2 z')
    expect(await endingAll(Promise.all(rows))).toEqual(['a/1 x', 'a/2 x', 'a/2 y', 'a/2 z', 'a/3 x', 'a/3 y'])
  })

  it('that was waited for in vain leaves the next patient flush to another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { commit, flushes, turn, begun, endingAll } = setUp()
    const rows: Promise<string>[] = []
    for (const [row, flush] of [
      ['a/1 x', 0],
      ['b/1 x', 2],
      ['c/1 x', 4],
    ] as const) {
      rows.push(commit.add(row))
      await turn()
      flushes[flush]?.end(placeOf(row))
      await turn()
    }
    expect(begun()).toEqual(['a/1 x', 'patiently a/1 x', 'b/1 x', 'patiently b/1 x', 'c/1 x'])
    flushes[1]?.end('a/1')
    await turn()
    expect(begun().slice(5)).toEqual(['patiently c/1 x'])
    flushes[3]?.end('b/1')
    await turn()
    expect(begun().slice(6)).toEqual(['patiently a/1 x'])
    expect(await endingAll(Promise.all(rows))).toEqual(['a/1 x', 'b/1 x', 'c/1 x'])
  })

  it('takes no more than a quarter of the queue from everybody else, and nothing from other holders of busy places', async () => {
    const { commit, flushes, turn, endingAll } = setUp({ queueLimit: 20 })
    const held = [commit.add('a/1 x'), commit.add('b/1 x')]
    await turn()
    flushes[0]?.end('a/1')
    await turn()
    held.push(...['a/1 1', 'a/1 2', 'a/1 3', 'a/1 4', 'a/1 5'].map(row => commit.add(row)))
    await expect(commit.add('a/1 6')).rejects.toMatchObject({ code: 'OVERLOADED', detail: expect.stringContaining('takes long') })
    expect(commit.stats()).toMatchObject({ waiting: 5 })
    held.push(commit.add('b/1 y'))
    await turn()
    flushes[2]?.end('b/1')
    await turn()
    held.push(commit.add('b/1 z'))
    const closing = commit.close()
    expect(await endingAll(Promise.all(held))).toHaveLength(9)
    await closing
  })
})
