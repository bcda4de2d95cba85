/** Somebody holds the lock of a scope while a question about one of its documents is to be written down and sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelReader } from '../../src/models/model-reader.js'
import { createModelStage } from '../../src/pipeline/asking/model-stage.js'
import { type ModelServer, startModelServer, status } from '../models/model-server.js'
import { says } from '../models/scripted-model.js'
import { openWorld, type PipelineWorld } from './support.js'

let world: PipelineWorld
let server: ModelServer
let heldScope = 0

beforeAll(async () => {
  world = await openWorld()
  // Sent first, tried again behind whoever took the lock meanwhile.
  server = await startModelServer([
    async (response, request) => {
      await world.rows('select pg_advisory_lock($1)', [heldScope])
      status(503)(response, request)
    },
    says(),
  ])
})
afterAll(async () => {
  await world.close()
  await server.close()
})

test('a question that waits for its scope leaves its place at the model to others, and is put later', async () => {
  const { url } = server
  const model = createModelReader({
    ...{ url, preset: 'openai', name: 'm', apiKey: null, timeoutMs: 60_000, maxTokens: 100 },
    ...{ retries: 1, retryBaseMs: 1, concurrency: 1 },
  })
  const budgets = { tokensPerDocument: 100_000, tokensPerDay: 0, whenSpent: 'wait' as const, maxTokens: 100, contextTokens: 32_000 }
  const thresholds = { contradicts: 0.6, replaces: 0.6, compatible: 0.6 }
  const stage = createModelStage({ db: world.db, logger: world.logger, model, budgets, thresholds, leases: 2 })
  const [held, other] = [await world.newTenant(), await world.newTenant()]
  const ingest = (tenantId: string) => world.ingest([{ tenantId, scopeId: 'case', documentId: 'memo', text: 'The depot has 12 pumps.' }])
  const outcome = "select coalesce(max(model_outcome), '-') = 'answered' from documents where tenant_id = $1"

  await ingest(held)
  heldScope = await world.scopeNo(held, 'case')
  for (let n = 0; n < 2; n++) world.startWorker({ model: stage })
  await server.seen(1)
  await ingest(other)
  await world.until(outcome, [other])
  expect(await world.rows('select status from documents where tenant_id = $1', [held])).toEqual([{ status: 'processing' }])
  await world.rows('select pg_advisory_unlock($1)', [heldScope])
  await world.until(outcome, [held])
})
