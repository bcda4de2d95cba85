import { afterAll, beforeAll, expect, test } from 'vitest'
import { control } from '../../src/hatchery/control.js'
import { withinMs } from '../support/time-bounds.js'
import { nothingWaits, openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const texts = (tenantId: string, scopeId: string, count: number, text = sampleText) =>
  Array.from({ length: count }, (_, n) => ({ tenantId, scopeId, documentId: `doc-${n}`, text: text(n) }))

test('stopping a worker in the middle of a document gives its lease back at once', async () => {
  const tenantId = await world.newTenant()
  const worker = world.startWorker({ faults: 'poison', leaseMs: 60_000 })
  await world.ingest(texts(tenantId, 'hanging', 3, n => (n === 0 ? 'poison:hang' : sampleText(n))))
  await world.until(`select count(*) = 3 from documents where tenant_id = $1 and status = 'processing'`, [tenantId])
  const started = performance.now()
  await worker.stop()
  expect(performance.now() - started).toBeLessThan(withinMs(1000))
  const [lease] = await world.rows('select owner, leased_until from scope_leases where tenant_id = $1', [tenantId])
  expect(lease).toEqual({ owner: null, leased_until: null })
  const [head] = await world.rows('select queued, processing, has_backlog from scope_heads where tenant_id = $1', [tenantId])
  expect(head).toEqual({ queued: 3, processing: 0, has_backlog: true })
  await world.rows('update documents set text = $2 where tenant_id = $1', [tenantId, sampleText(1)])
  const next = world.startWorker()
  await world.until(nothingWaits)
  await next.stop()
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(3)
})

test('a worker that drains gives back what it has not begun and loses nothing', async () => {
  const tenantId = await world.newTenant()
  await world.ingest(texts(tenantId, 'drained', 60))
  const worker = world.startWorker({ batch: 60 })
  await world.until(`select count(*) > 0 from documents where tenant_id = $1 and status = 'processing'`, [tenantId])
  await worker.drain()
  const [mid] = await world.rows<{ processing: number; queued: number; indexed: number }>(
    'select processing, queued, indexed from scope_heads where tenant_id = $1',
    [tenantId],
  )
  expect(mid?.processing).toBe(0)
  expect(mid!.queued + mid!.indexed).toBe(60)
  const next = world.startWorker()
  await world.until(nothingWaits)
  await next.stop()
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(60)
})

test('a paused scope finishes at most one document and begins none; resuming repeats nothing', async () => {
  const tenantId = await world.newTenant()
  await world.ingest(texts(tenantId, 'paused', 120))
  const worker = world.startWorker({ batch: 40 })
  const scope = { level: 'scope', tenantId, scopeId: 'paused' } as const
  await world.until(`select count(*) > 0 from documents where tenant_id = $1 and status = 'processing'`, [tenantId])
  await control(world, 'pause', scope)
  const finished = async () => (await world.rows(`select from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])).length
  const atPause = await finished()
  await world.until(`select processing = 0 from scope_heads where tenant_id = $1`, [tenantId])
  expect((await finished()) - atPause).toBeLessThanOrEqual(1)
  const begun = await world.rows<{ late: number }>(
    `select count(*) as late from events e where e.tenant_id = $1 and e.type = 'document.processing'
       and e.time > (select changed_at from runtime_states where tenant_id = $1 and state = 'paused') + interval '${withinMs(1000)} ms'`,
    [tenantId],
  )
  expect(begun[0]?.late).toBe(0)
  await control(world, 'resume', scope)
  await world.until(nothingWaits)
  await worker.stop()
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(120)
  const twice = await world.rows(
    `select subject from events where tenant_id = $1 and type = 'document.indexed' group by subject having count(*) > 1`,
    [tenantId],
  )
  expect(twice).toHaveLength(0)
})
