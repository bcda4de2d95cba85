/** The promise of the event iterator: through a server that is killed and started again, no event is lost and none comes twice. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type ServiceEvent } from '../../src/client/index.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { type ConcordProcess, processKeys, startConcord } from '../support/concord-process.js'
import { freePort } from '../support/free-port.js'

let database: TestDatabase
let service: ConcordProcess

/** The killed process holds the case until its lease has run out. */
const start = (port: string) =>
  startConcord({ address: database.address, role: 'all', env: { PORT: port, LEASE_MS: '2000', WORKER_THREADS: '1' } })

beforeAll(async () => {
  database = await cloneDatabase()
  service = await start(String(await freePort()))
})
afterAll(async () => {
  await service.end('SIGKILL')
  await database.close()
})

it('goes on after the last event through a kill and a restart', { timeout: 120_000 }, async () => {
  const client = createClient({ url: service.url, adminKey: processKeys.admin, retries: { attempts: 50, maxMs: 500 } })
  const tenant = await client.admin.createTenant({ name: 'stream' })
  const own = createClient({
    url: service.url,
    tenantId: tenant.tenant_id,
    tenantKey: tenant.api_key,
    retries: { attempts: 50, maxMs: 500 },
  })
  const handIn = (name: string) =>
    own.ingest({ scope_id: 'case', name, document_id: name, text: `- Revenue for FY2025: EUR ${name.length} million` })
  for (let number = 0; number < 20; number++) await handIn(`before-${number}`)

  const events: ServiceEvent[] = []
  const lost: (string | undefined)[] = []
  const settled = new Set<string>()
  const reading = (async () => {
    for await (const event of own.events('case', { after: -1, onReconnect: ({ after }) => lost.push(after) })) {
      events.push(event)
      if (event.type === 'document.indexed') settled.add(event.subject as string)
      if (settled.size === 40) return
    }
  })()
  await service.end('SIGKILL')
  service = await start(new URL(service.url).port)
  for (let number = 0; number < 20; number++) await handIn(`after-${number}`)
  await reading

  expect(lost.length).toBeGreaterThan(0)
  expect(events.map(event => Number(event.id))).toEqual(events.map((_, index) => index))
  expect(events.filter(event => event.type === 'document.queued')).toHaveLength(40)
  expect(await service.end('SIGTERM')).toBe(0)
})
