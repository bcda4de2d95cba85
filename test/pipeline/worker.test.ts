import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothingWaits, openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

test('a document that comes in is read, decided on and indexed, with its events in order', async () => {
  const tenantId = await world.newTenant()
  const worker = world.startWorker()
  await world.ingest([{ tenantId, scopeId: 'first', documentId: 'report', text: sampleText(1) }])
  await world.until(nothingWaits)
  const scopeNo = await world.scopeNo(tenantId, 'first')
  const [document] = await world.rows('select * from documents where tenant_id = $1', [tenantId])
  expect(document).toMatchObject({ status: 'indexed', round: 1, extractor: 'reader' })
  expect(Number(document?.['claim_count'])).toBeGreaterThan(0)
  const events = await world.rows<{ type: string; seq: string }>(
    'select type, seq from events where tenant_id = $1 and scope_no = $2 order by seq',
    [tenantId, scopeNo],
  )
  expect(events.map(event => event.type).slice(0, 5)).toEqual([
    'document.queued',
    'document.processing',
    'document.indexed',
    'decision.recorded',
    'convergence.updated',
  ])
  expect(events.map(event => Number(event.seq))).toEqual(events.map((_, index) => index))
  const claims = await world.rows('select * from claims where tenant_id = $1', [tenantId])
  expect(claims).toHaveLength(Number(document?.['claim_count']))
  expect(claims.every(claim => sampleText(1).includes(String(claim['quote'])))).toBe(true)
  const [head] = await world.rows('select * from scope_heads where tenant_id = $1', [tenantId])
  expect(head).toMatchObject({ queued: 0, processing: 0, indexed: 1, has_backlog: false })
  await worker.stop()
})
