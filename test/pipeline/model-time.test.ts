import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelReader } from '../../src/models/model-reader.js'
import { createModelStage } from '../../src/pipeline/asking/model-stage.js'
import { openWorld, type PipelineWorld } from './support.js'

// A world of its own: a document left waiting by another test would take the one place at the model.
let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

test('time at the model is charged, so that short texts do not keep others from it', async () => {
  let release = (): void => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = createServer((_request, response) => void released.then(() => response.writeHead(400).end())).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const asked = once(slow, 'request')
  // The first document of a thread also pays for its start.
  const readOthers = async (documents: number) => {
    const other = await world.newTenant()
    const text = 'The depot has 12 pumps.'
    await world.ingest(
      Array.from({ length: documents }, (_none, n) => ({ tenantId: other, scopeId: 'scope', documentId: `doc-${n}`, text })),
    )
    const plain = world.startWorker()
    await world.until("select bool_and(status = 'indexed') from documents where tenant_id = $1", [other])
    await plain.stop()
  }
  await readOthers(1)
  await world.rows('update tenant_turns set virtual_time = 0')
  const tenantId = await world.newTenant()
  await world.ingest([{ tenantId, scopeId: 'scope', documentId: 'doc', text: 'The depot has 12 pumps.' }])
  const reader = createModelReader({
    url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
    preset: 'openai',
    name: 'm',
    apiKey: null,
    timeoutMs: 60_000,
    retries: 0,
    concurrency: 1,
    maxTokens: 100,
  })
  const budgets = { tokensPerDocument: 100_000, tokensPerDay: 0, whenSpent: 'wait' as const, maxTokens: 100, contextTokens: 32_000 }
  const worker = world.startWorker({
    model: createModelStage({
      db: world.db,
      logger: world.logger,
      model: reader,
      budgets,
      thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 },
      leases: 1,
    }),
  })
  await asked
  const askedAt = performance.now()
  await readOthers(10)
  const heldMs = performance.now() - askedAt
  release()
  await world.until("select status = 'indexed' from documents where tenant_id = $1", [tenantId])
  await worker.stop()
  const spent = async () =>
    (await world.rows<{ ms: number }>('select virtual_time as ms from tenant_turns where tenant_id = $1', [tenantId]))[0]?.ms
  await expect.poll(spent).toBeGreaterThanOrEqual(heldMs)
  slow.close()
})
