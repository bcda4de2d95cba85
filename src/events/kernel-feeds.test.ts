import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../platform/clock.js'
import { createLogger } from '../platform/logger.js'
import type { Database } from '../store/server/database.js'
import { createHints } from './hints.js'
import type { KernelFeeds } from './kernel-feeds.js'

vi.mock('./frame.js', async original => {
  const frames = await original<typeof import('./frame.js')>()
  return { ...frames, tenantFrame: vi.fn(frames.tenantFrame) }
})

// Another test of the same process may have loaded them with the true frames.
vi.resetModules()
const { Signal } = await import('./feed.js')
const { tenantFrame } = await import('./frame.js')
const { createKernelFeeds } = await import('./kernel-feeds.js')

const logger = createLogger({ level: 'silent' })
let feeds: KernelFeeds
afterEach(async () => {
  vi.restoreAllMocks()
  await feeds.close()
})

/** A log in memory that is read page by page, as the tail asks for it. */
function openLog() {
  const log: { xid: number; id: number; tenantId: string; scopeNo: number; scopeId: string; data: string }[] = []
  const pages: number[] = []
  const engineQuery = async (text: string, values: unknown[] = []) => {
    if (text.startsWith('select pg_current_snapshot')) return { rows: [{ snapshot: '10:10:', base: 0 }] }
    if (text.includes('as removed')) return { rows: [{ removed: { xid: 0, id: 0 }, oldest: null, newest: null }] }
    const [xid, , limit] = values.map(Number) as [number, number, number]
    if (limit === 200) pages.push(xid)
    return { rows: log.filter(event => event.xid > xid).slice(0, limit) }
  }
  const hints = createHints({ logger })
  feeds = createKernelFeeds({ db: { engineQuery } as unknown as Database, idKey: 'key', hints, clock: systemClock, logger })
  const append = (tenantId: string, count = 1, type = 'document.queued', data = '{}') => {
    for (let n = 0; n < count; n++) {
      const event = { seq: log.length, type, subject: null, data, time: '2026-01-01T00:00:00Z' }
      log.push({ ...event, xid: 10 + log.length, id: 1, tenantId, scopeNo: 1, scopeId: 'case' })
    }
    hints.notify('events')
  }
  return { append, log, pages }
}

it('sends those who want an event that lost its words to the log, and no others', async () => {
  const { append, log, pages } = openLog()
  const slow = [await feeds.openTenant({ tenantId: 'a', within: null }), await feeds.open({ after: null, filter: {} })]
  const slowOther = await feeds.openTenant({ tenantId: 'b', within: null })
  const other = await feeds.openTenant({ tenantId: 'b', within: null })
  append('a', 1, 'document.held', '{"reason":"Kestrelmere"}')
  append('b')
  expect(await other.read(100_000)).toContain('document.queued')
  log[0]!.data = '{}'
  append('a', 1, 'document.erased')
  append('b', 1, 'document.indexed')
  expect(await other.read(100_000)).toContain('document.indexed')
  expect(await slowOther.read(100_000)).toMatch(/document.queued[\s\S]*document.indexed/)
  expect(pages).toEqual([])
  for (const feed of slow) {
    const read = await feed.read(100_000)
    expect(read).toMatch(/document.held[\s\S]*document.erased/)
    expect(read).not.toContain('Kestrelmere')
  }
  expect(pages).toEqual([9, 9])
})

it('wakes the readers of a tenant for its own events alone, and makes each frame once for them', async () => {
  const { append } = openLog()
  const quiet = [await feeds.openTenant({ tenantId: 'a', within: null }), await feeds.openTenant({ tenantId: 'a', within: null })]
  const busy = await feeds.openTenant({ tenantId: 'b', within: null })
  const reading = quiet.map(feed => feed.read(1000))
  const wake = vi.spyOn(Signal.prototype, 'wake')
  append('b', 3)
  await busy.read(100_000)
  expect(wake).toHaveBeenCalledTimes(1)
  vi.mocked(tenantFrame).mockClear()
  append('a')
  const [one, other] = await Promise.all(reading)
  expect(one).toContain('"sequence":"3"')
  expect(other).toBe(one)
  expect(tenantFrame).toHaveBeenCalledTimes(1)
  expect(wake).toHaveBeenCalledTimes(3)
})

it('ends where a frame cannot be made, instead of going on behind the page it is on', async () => {
  const { append } = openLog()
  const feed = await feeds.openTenant({ tenantId: 'a', within: null })
  const other = await feeds.openTenant({ tenantId: 'b', within: null })
  append('a', 2)
  append('b')
  await other.read(1000)
  vi.mocked(tenantFrame).mockImplementationOnce(() => {
    throw new Error('no frame')
  })
  await expect(feed.read(1000)).rejects.toThrow('no frame')
  expect(await feed.read(1000)).toContain('"sequence":"0"')
})
