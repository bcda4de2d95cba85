import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ExtractedFile } from '../../files/place-rows.js'
import { createLogger } from '../../platform/logger.js'
import type { Database } from '../../store/server/database.js'
import { createScans, type Scan, ScanWithdrawn } from './scans.js'

const settled = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

/** Scans of so many turns, each of which ends when it is told to. */
function world() {
  const halted = new Set<number>()
  const looks: { made: number; waitFor?: Promise<void> } = { made: 0 }
  const [begun, kept, due]: [string[], string[], number[]] = [[], [], []]
  const ends: ((error?: Error) => void)[] = []
  const rows = (values: readonly unknown[]) => {
    const [, scopes, generations, seqs] = values as [string[], number[], number[], number[]]
    return seqs.flatMap((seq, n) => (halted.has(scopes[n]!) ? [] : [{ scopeNo: scopes[n], generation: generations[n], seq }]))
  }
  const db = {
    engineQuery: async (_sql: string, values: unknown[]) => {
      looks.made++
      await looks.waitFor
      return { rows: rows(values), rowCount: 0 }
    },
    inTenant: async (_tenant: string, work: (tx: unknown) => Promise<unknown>) =>
      work({ run: async (sql: string, values: unknown[]) => void (sql.startsWith('update backlog') && due.push(values[3] as number)) }),
  } as unknown as Database
  const scans = createScans({
    db,
    charges: { charge: async () => undefined },
    holdMs: 10_000,
    notify: () => undefined,
    logger: createLogger({ level: 'fatal' }),
  })
  const scanOf = (name: string, seq: number, turns = 1): Scan => {
    let turn = 0
    return {
      ...{ tenantId: name, scopeNo: seq, generation: 1, seq, documentId: name, revision: 1, weight: 1, attempts: 0, queuedAt: 0 },
      turn: async signal => {
        begun.push(`${name}${++turn}`)
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          ends.push(error => (error ? reject(error) : resolve()))
        })
        return turn < turns ? undefined : ({ text: name } as ExtractedFile)
      },
      keep: async ({ text }) => void kept.push(text),
    }
  }
  const end = async (error?: Error) => {
    await settled()
    ends.shift()?.(error)
    await settled()
  }
  return { scans, scanOf, begun, kept, due, halted, looks, end }
}

describe('scans in hand', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are read in turns: a short one comes before the second turn of a long one of another tenant', async () => {
    const { scans, scanOf, begun, kept, due, end } = world()
    scans.take(scanOf('long', 1, 3))
    scans.take(scanOf('short', 2))
    for (let turn = 0; turn < 4; turn++) await end()
    expect(begun).toEqual(['long1', 'short1', 'long2', 'long3'])
    expect([kept, due]).toEqual([
      ['short', 'long'],
      [2, 1],
    ])
  })

  it('tell whoever takes the document next what their reading failed with, once', async () => {
    const { scans, scanOf, due, end } = world()
    const scan = scanOf('broken', 1)
    scans.take(scan)
    expect(scans.has(scan)).toBe('scan_waits')
    await end(new Error('damaged'))
    expect(due).toEqual([1])
    expect(() => scans.has(scan)).toThrow('damaged')
    expect(scans.has(scan)).toBeNull()
  })

  it.each([
    ['a person has the document tried anew', { queuedAt: 1 }],
    ['another process tries it', { attempts: 1 }],
  ])('keep to themselves what they failed with once %s', async (_, later) => {
    const { scans, scanOf, end } = world()
    const scan = scanOf('broken', 1)
    scans.take(scan)
    await end(new Error('damaged'))
    expect(scans.has({ ...scan, ...later })).toBeNull()
    expect(scans.take({ ...scan, ...later })).toBe(true)
    await end()
    expect(scans.has({ ...scan, ...later })).toBeNull()
  })

  it('are looked at by one statement at a time, however long it waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { scans, scanOf, looks, end } = world()
    scans.take(scanOf('first', 1))
    scans.take(scanOf('second', 2))
    await settled()
    const before = looks.made
    let answer = (): void => undefined
    looks.waitFor = new Promise(resolve => {
      answer = resolve
    })
    vi.advanceTimersByTime(60_000)
    // One for the scan that is read, and one for all.
    expect(looks.made - before).toBe(2)
    answer()
    await settled()
    vi.advanceTimersByTime(500)
    expect(looks.made - before).toBe(3)
    await end()
    await end()
    await scans.close()
  })

  it('are not begun when their scope is paused, and are due again', async () => {
    const { scans, scanOf, begun, due, halted, end } = world()
    const paused = scanOf('paused', 2)
    scans.take(scanOf('first', 1))
    scans.take(paused)
    halted.add(2)
    await end()
    await settled()
    expect([begun, due]).toEqual([['first1'], [1, 2]])
    expect(scans.has(paused)).toBeNull()
  })

  it('that are long files wait for no turn of scans, and take one when they turn out to be scans', async () => {
    const { scans, scanOf, begun, kept, end } = world()
    scans.take(scanOf('scan', 1))
    await settled()
    const file = scanOf('file', 2, 2)
    let isOver = false
    const account = { tenantId: 'file', weight: 1, usedMs: 0, waits: { count: 0 } }
    const long = { ...file, begun: { account, isOver: () => isOver, isReading: () => true } }
    expect([scans.take(long), scans.take(long)]).toEqual([true, false])
    expect(scans.has(long)).toBe('file_waits')
    await settled()
    expect(begun).toEqual(['scan1', 'file1'])
    isOver = true
    expect(scans.has(long)).toBe('scan_waits')
    for (let turn = 0; turn < 3; turn++) await end()
    expect([begun, kept]).toEqual([
      ['scan1', 'file1', 'file2'],
      ['scan', 'file'],
    ])
  })

  it('leave room for those of other tenants, and are put off as long again as they have waited where there is none', async () => {
    const { scans, scanOf, end } = world()
    const taken = Array.from({ length: 101 }, (_, n) => scans.take(scanOf('bulk', n)))
    expect(taken).toEqual([...Array.from({ length: 100 }, () => true), false])
    expect([5000, 200_000, 86_400_000].map(waitedMs => scans.putOffMs('bulk', waitedMs))).toEqual([80_000, 200_000, 240_000])
    expect([scans.putOffMs('other', 600_000), scans.take(scanOf('other', 200))]).toEqual([10_000, true])
    await end()
    expect([scans.putOffMs('bulk', 600_000), scans.take(scanOf('bulk', 101))]).toEqual([10_000, true])
    await scans.close()
  })

  it('that another process has in hand stay with it', async () => {
    const { scans, scanOf, due, end } = world()
    const scan = scanOf('taken', 1)
    scans.take(scan)
    await end(new ScanWithdrawn('another'))
    expect([scans.has(scan), due]).toEqual([null, []])
  })

  it('are given back when the process ends', async () => {
    const { scans, scanOf, kept, due } = world()
    scans.take(scanOf('reading', 1))
    scans.take(scanOf('waiting', 2))
    await settled()
    await scans.close()
    expect([kept, due.sort()]).toEqual([[], [1, 2]])
  })
})
