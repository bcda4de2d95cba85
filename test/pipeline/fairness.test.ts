import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModelReader } from '../../src/models/model-reader.js'
import { createModelStage } from '../../src/pipeline/asking/model-stage.js'
import { chargeTurn, findCandidates, takeLease } from '../../src/store/leases/leases.js'
import { clearNextRetries, passStart } from '../../src/store/runtime/runtime-take-back.js'
import { leaseNext, openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

/** Serves `turns` leases one after the other, as one worker would, and tells who was served. */
async function serve(turns: number, batch: number): Promise<string[]> {
  const served: string[] = []
  for (let turn = 0; turn < turns; turn++) {
    const lease = await leaseNext(world.db, { owner: 'server', leaseMs: 60_000, batch })
    if (lease === undefined) break
    served.push(lease.tenantId)
    await chargeTurn(world.db, lease.tenantId, lease.documents.length)
    const place = [lease.tenantId, lease.scopeNo]
    const seqs = lease.documents.map(document => document.seq)
    await world.rows('delete from backlog where tenant_id = $1 and scope_no = $2 and seq = any($3)', [...place, seqs])
    await world.rows(
      'update scope_heads h set has_backlog = exists (select from backlog b where b.tenant_id = h.tenant_id and b.scope_no = h.scope_no) where tenant_id = $1 and scope_no = $2',
      place,
    )
    await world.rows('update scope_leases set owner = null, leased_until = null where tenant_id = $1 and scope_no = $2', place)
  }
  return served
}

async function load(tenantId: string, scopes: number, each: number): Promise<void> {
  await world.ingest(
    Array.from({ length: scopes * each }, (_, n) => ({
      tenantId,
      scopeId: `scope-${n % scopes}`,
      documentId: `doc-${n}`,
      text: sampleText(n),
    })),
  )
}

test('one tenant with a hundred times the load of others is served in turn with them', async () => {
  const heavy = await world.newTenant()
  await load(heavy, 10, 40)
  const light = await Promise.all([0, 1, 2, 3].map(() => world.newTenant()))
  for (const tenantId of light) await load(tenantId, 1, 4)
  const served = await serve(10, 4)
  for (const tenantId of light) expect(served.indexOf(tenantId)).toBeLessThan(5)
  expect(served.filter(tenantId => tenantId === heavy).length).toBeGreaterThanOrEqual(5)
  await serve(200, 40)
})

test('weight decides how often a tenant is served, and its scopes take turns', async () => {
  const [plain, weighty] = [await world.newTenant(), await world.newTenant({ weight: 3 })]
  await load(plain, 4, 40)
  await load(weighty, 4, 40)
  const served = await serve(40, 2)
  const share = served.filter(tenantId => tenantId === weighty).length / served.length
  expect(share).toBeGreaterThan(0.65)
  expect(share).toBeLessThan(0.85)
  const turns = await world.rows<{ left: number }>(
    'select count(*) as left from backlog where tenant_id = $1 group by scope_no order by 1',
    [weighty],
  )
  expect(Math.max(...turns.map(row => row.left)) - Math.min(...turns.map(row => row.left))).toBeLessThanOrEqual(2)
  await serve(400, 40)
})

test('a tenant holds no more scopes at once than its limit', async () => {
  const tenantId = await world.newTenant({ concurrentScopes: 2 })
  await load(tenantId, 5, 2)
  const taken = []
  for (let n = 0; n < 5; n++) {
    const lease = await leaseNext(world.db, { owner: `owner-${n}`, leaseMs: 60_000, batch: 2 })
    if (lease !== undefined) taken.push(lease)
  }
  expect(taken).toHaveLength(2)
})

test('a paused service, tenant or scope offers nothing to lease', async () => {
  const tenantId = await world.newTenant()
  await load(tenantId, 2, 1)
  const [first, second] = [await world.scopeNo(tenantId, 'scope-0'), await world.scopeNo(tenantId, 'scope-1')]
  const offered = async () =>
    (await findCandidates(world.db, 32))
      .filter(each => each.tenantId === tenantId)
      .map(each => each.scopeNo)
      .sort()
  expect(await offered()).toEqual([first, second])
  await world.rows(`insert into runtime_states (tenant_id, scope_no, state) values ($1, $2, 'paused')`, [tenantId, first])
  expect(await offered()).toEqual([second])
  expect(await takeLease(world.db, { tenantId, scopeNo: first }, { owner: 'x', leaseMs: 1000, batch: 1 })).toBeUndefined()
  await world.rows(`insert into runtime_states (tenant_id, scope_no, state) values ($1, 0, 'stopped')`, [tenantId])
  expect(await offered()).toEqual([])
  await world.rows('delete from runtime_states where tenant_id = $1', [tenantId])
  await world.rows(`update runtime_states set state = 'paused' where tenant_id = '-'`)
  expect(await offered()).toEqual([])
  await world.rows(`update runtime_states set state = 'running' where tenant_id = '-'`)
})

const unusedModel = {
  url: 'http://unused',
  preset: 'openai' as const,
  name: 'm',
  apiKey: null,
  timeoutMs: 1,
  retries: 0,
  concurrency: 1,
  maxTokens: 100,
}

test('a lease that ends because the tokens of the day are spent is charged like any other', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([{ tenantId, scopeId: 'scope', documentId: 'doc', text: sampleText(1) }])
  const budgets = { tokensPerDocument: 1000, tokensPerDay: -1, whenSpent: 'wait' as const, maxTokens: 100, contextTokens: 32_000 }
  const reader = createModelReader(unusedModel)
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
  await world.until('select coalesce(max(virtual_time), 0) >= 1 from tenant_turns where tenant_id = $1', [tenantId])
  await worker.stop()
  const events = await world.rows<{ type: string }>(
    "select type from events where tenant_id = $1 and type like 'document.%' order by seq",
    [tenantId],
  )
  expect(events.map(({ type }) => type)).toEqual(['document.queued', 'document.processing', 'document.requeued'])

  // It rests on every node, until the day is over or for an hour, and what is added changes nothing.
  const ofTenant = async () => (await findCandidates(world.db, 32)).filter(candidate => candidate.tenantId === tenantId)
  const turnSql = `
    select u.due_at = h.turn_at and h.turn_at = h.rest_until and h.turn_at > clock_timestamp() as rests,
      h.turn_at <= clock_timestamp() + interval '1 hour' as bounded
    from scope_heads h join tenant_turns u using (tenant_id) where tenant_id = $1`
  const resting = [{ rests: true, bounded: true }]
  expect(await world.rows(turnSql, [tenantId])).toEqual(resting)
  await world.ingest([{ tenantId, scopeId: 'scope', documentId: 'another', text: sampleText(2) }])
  expect(await world.rows(turnSql, [tenantId])).toEqual(resting)
  expect(await ofTenant()).toEqual([])
  await world.db.engine(tx => clearNextRetries(tx, tenantId, passStart))
  expect(await ofTenant()).toEqual([{ tenantId, scopeNo: await world.scopeNo(tenantId, 'scope') }])
})
