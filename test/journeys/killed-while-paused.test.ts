/** A paused service whose process is killed: it comes back paused, takes documents in, and loses and repeats nothing when it goes on. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { pause } from '../../src/platform/deadline.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'

const scopes = ['case-0', 'case-1', 'case-2']
const documentsEach = process.env['PROVE'] === '1' ? 48 : 4
/** For so long nothing may begin. */
const quietMs = 1500

let test: TestDatabase
let service: ConcordProcess

beforeAll(async () => {
  test = await cloneDatabase()
  service = await start()
}, 120_000)

afterAll(async () => {
  await service.end('SIGTERM')
  await test.close()
})

const start = () => startConcord({ address: test.address, role: 'all', env: { WORKERS: '3', BATCH_DOCUMENTS: '1', WORKER_THREADS: '1' } })
const operator = () => createClient({ url: service.url, adminKey: processKeys.admin })

async function eventsOf(type: string): Promise<number> {
  const { rows } = await test.owner.query('select count(*)::int as events from events where type = $1', [type])
  return rows[0].events
}

it('stays paused when every process is killed, takes documents in, and goes on after resume', async () => {
  const { tenant_id } = await operator().admin.createTenant({ name: 'first' })
  expect(await operator().admin.runtime('pause', { level: 'service' })).toMatchObject({ state: 'paused', changed: true })
  await service.end('SIGKILL')
  service = await start()
  const tenant = createClient({ url: service.url, tenantId: tenant_id })
  const sent = scopes.flatMap(scope_id =>
    Array.from({ length: documentsEach }, (_none, n) =>
      tenant.ingest({
        scope_id,
        name: `doc ${n}`,
        document_id: `d-${n}`,
        text: `Minutes of meeting ${n}. Nobody asked for the floor.`,
      }),
    ),
  )
  expect(await Promise.all(sent)).toHaveLength(sent.length)
  expect((await operator().admin.controlPlaneHealth()).status).not.toBe('unavailable')
  await pause(quietMs)
  expect(await eventsOf('document.processing')).toBe(0)
  expect(await operator().admin.runtime('resume', { level: 'service' })).toMatchObject({ previous: 'paused', state: 'running' })
  await expect.poll(() => eventsOf('document.indexed'), { timeout: 90_000, interval: 100 }).toBe(sent.length)
  expect(await eventsOf('document.processing')).toBe(sent.length)
}, 180_000)
