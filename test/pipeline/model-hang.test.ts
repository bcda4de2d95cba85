/** A model that takes a question and does not answer: it costs documents their time, and neither their worker nor their place. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../src/hatchery/supervisor.js'
import { createModelReader } from '../../src/models/model-reader.js'
import { createModelStage } from '../../src/pipeline/asking/model-stage.js'
import { hang, type ModelServer, startModelServer } from '../models/model-server.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
let server: ModelServer
let tenantId: string

beforeAll(async () => {
  world = await openWorld()
})

beforeEach(async () => {
  server = await startModelServer([hang])
  tenantId = await world.newTenant()
  return () => server.close()
})

afterAll(async () => {
  await world.close()
})

function startAsking(options: { timeoutMs: number; breakerFailures?: number }) {
  const { url } = server
  const reader = createModelReader({
    url,
    preset: 'openai',
    name: 'm',
    apiKey: null,
    retries: 0,
    concurrency: 1,
    maxTokens: 100,
    ...options,
  })
  const budgets = { tokensPerDocument: 100_000, tokensPerDay: 0, whenSpent: 'wait' as const, maxTokens: 100, contextTokens: 32_000 }
  return world.startWorker({
    model: createModelStage({
      db: world.db,
      logger: world.logger,
      model: reader,
      budgets,
      thresholds: { contradicts: 0.6, replaces: 0.6, compatible: 0.6 },
      leases: 1,
    }),
  })
}

const ingest = (...documentIds: string[]) =>
  world.ingest(
    documentIds.map(documentId => ({ tenantId, scopeId: 'scope', documentId, text: `The depot of ${documentId} has 12 pumps.` })),
  )

test('the breaker opens on a model that hangs, and documents are read without it', async () => {
  await ingest('a', 'b', 'c')
  const asking = startAsking({ timeoutMs: 100, breakerFailures: 2 })
  await world.until("select bool_and(status = 'indexed') from documents where tenant_id = $1", [tenantId])
  await asking.stop()
  const outcomes = await world.rows('select document_id, outcome from model_readings where tenant_id = $1 order by document_id', [tenantId])
  expect(outcomes).toEqual([
    { document_id: 'a', outcome: 'timeout' },
    { document_id: 'b', outcome: 'timeout' },
    { document_id: 'c', outcome: 'breaker_open' },
  ])
})

test('a worker that waits for the model gives signs of life', async () => {
  await ingest('doc')
  const asking = startAsking({ timeoutMs: 600_000 })
  await server.seen(1)
  for (let times = 0; times < 2; times++) {
    const seen = fingerprint(asking.worker)
    await expect.poll(() => fingerprint(asking.worker)).not.toBe(seen)
  }
  expect(asking.worker.state().state).toBe('busy')
  expect(server.requests).toHaveLength(1)
  await asking.stop()
})
