import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.js'
import { AppError, BusyCase } from '../../src/platform/errors.js'
import type { Database } from '../../src/store/server/database.js'
import { createWriteHealth } from '../../src/store/server/write-health.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { startTestService } from '../support/service.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase()
})
afterAll(() => test.close())

const refuse = () => Promise.reject(new AppError('STORAGE_UNAVAILABLE'))

function setUp() {
  const disk = { isFull: false, aheadMs: 0 }
  const engine: Database['engine'] = (work, how) => (disk.isFull ? refuse() : test.db.engine(work, how))
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + disk.aheadMs }
  return { disk, writes: createWriteHealth({ db: { ...test.db, engine }, clock }) }
}

describe('whether the storage takes writes', () => {
  it('is believed until one is refused, then tried, once a moment has passed', async () => {
    const { disk, writes } = setUp()
    expect(await writes.isWritable()).toBe(true)
    await expect(writes.watch(refuse)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(await writes.isWritable()).toBe(false)
    disk.aheadMs += 6000
    disk.isFull = true
    expect(await writes.isWritable()).toBe(false)
    disk.isFull = false
    expect(await writes.isWritable()).toBe(true)
  })

  it('is known at once from a write that succeeded', async () => {
    const { writes } = setUp()
    await expect(writes.watch(refuse)).rejects.toThrow()
    expect(await writes.watch(async () => 'written')).toBe('written')
    expect(await writes.isWritable()).toBe(true)
  })

  it('is not doubted for a refusal that was the request’s, nor for a case in which something takes long', async () => {
    const { writes } = setUp()
    const cause = new BusyCase('something takes long')
    for (const refusal of [new AppError('QUOTA_EXCEEDED'), new AppError('STORAGE_UNAVAILABLE', { cause })]) {
      await expect(writes.watch(() => Promise.reject(refusal))).rejects.toThrow()
      expect(await writes.isWritable()).toBe(true)
    }
  })
})

describe('health while ingest cannot write', () => {
  it('is unavailable on every tier although the database answers', async () => {
    const disk = { isFull: false }
    const service = await startTestService(
      { ROLE: 'api' },
      {
        wrapDatabase: db => ({
          ...db,
          engineQuery: (text, values) => (disk.isFull && text.includes('concord_ingest') ? refuse() : db.engineQuery(text, values)),
        }),
      },
    )
    try {
      const tenant = await service.createTenant()
      const ingest = () =>
        service.call('POST', '/api/ingest', {
          headers: { 'x-tenant-id': tenant.tenant_id },
          body: { scope_id: 'case', name: 'n', text: 't' },
        })
      const states = async () => {
        const answers = [
          await service.call('GET', '/api/health'),
          await service.admin('GET', '/admin/health'),
          await service.admin('GET', '/admin/control-plane/health'),
        ]
        return answers.map(answer => `${answer.status} ${answer.body.status}`)
      }
      expect((await ingest()).status).toBe(202)
      disk.isFull = true
      expect((await ingest()).status).toBe(503)
      expect(await states()).toEqual(Array(3).fill('503 unavailable'))
      disk.isFull = false
      expect((await ingest()).status).toBe(202)
      expect((await states()).slice(0, 2)).toEqual(Array(2).fill('200 ok'))
    } finally {
      await service.stop()
    }
  })
})
