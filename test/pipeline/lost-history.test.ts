/**
 * What a failover that lost commits leaves behind: a fence number that was given out twice, orphaned documents,
 * a scope whose rows do not fit together. None of it may write twice, lose a document or stop other scopes.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import { commitBatch, giveBackLease } from '../../src/pipeline/committing/commit.js'
import { systemClock } from '../../src/platform/clock.js'
import { createLogger } from '../../src/platform/logger.js'
import { extendLease, type Lease, takeLease } from '../../src/store/leases/leases.js'
import { nothingWaits, openWorld, type PipelineWorld, planOf, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const texts = (tenantId: string, scopeId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ tenantId, scopeId, documentId: `doc-${n}`, text: sampleText(n) }))

async function lease(tenantId: string, scopeId: string, owner: string): Promise<Lease> {
  const candidate = { tenantId, scopeNo: await world.scopeNo(tenantId, scopeId) }
  const taken = await takeLease(world.db, candidate, { owner, leaseMs: 60_000, batch: 8 })
  if (taken === undefined) throw new Error('no lease')
  return taken
}

async function commit(held: Lease) {
  const release = { giveBack: [], reason: 'not_begun' }
  return commitBatch(world.db, { lease: held, plan: await planOf(world, held), failures: [], certify: world.certify, release })
}

test('a worker whose lease was forgotten cannot use the lease that got its number', async () => {
  const tenantId = await world.newTenant()
  await world.ingest(texts(tenantId, 'twice', 2))
  const forgotten = await lease(tenantId, 'twice', 'worker-before')
  // The promoted standby never heard of that lease.
  await world.rows('select concord_take_back($1, $2, $3)', [[tenantId], [forgotten.scopeNo], 'lease_expired'])
  await world.rows('update scope_leases set fence = $2 where tenant_id = $1', [tenantId, forgotten.fence - 1])
  const given = await lease(tenantId, 'twice', 'worker-after')
  expect(given.fence).toBe(forgotten.fence)

  const watch = startRuntimeWatch({ db: world.db, hints: createHints({ logger: world.logger }), clock: systemClock, logger: world.logger })
  const [before, after] = [watch.hold(forgotten), watch.hold(given)]
  await new Promise(resolve => before.signal.addEventListener('abort', resolve))
  expect(after.signal.aborted).toBe(false)
  await watch.stop()

  expect(await extendLease(world.db, forgotten, 60_000)).toBe(false)
  expect(await commit(forgotten)).toBe('lost')
  expect(await giveBackLease(world.db, forgotten, forgotten.documents, { reason: 'worker_stopped' })).toBe(false)
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(0)

  expect(await extendLease(world.db, given, 60_000)).toBe(true)
  expect(await commit(given)).toBe('committed')
  expect(await commit(given)).toBe('lost')
  expect(await world.rows('select from rounds where tenant_id = $1', [tenantId])).toHaveLength(2)
})

test('documents that are processed by nobody are taken up again', async () => {
  const tenantId = await world.newTenant()
  await world.ingest(texts(tenantId, 'nobody', 3))
  await lease(tenantId, 'nobody', 'worker-before')
  await world.rows('update scope_leases set owner = null, leased_until = null where tenant_id = $1', [tenantId])
  const worker = world.startWorker()
  await world.until(nothingWaits)
  await worker.stop()
  const [head] = await world.rows('select queued, processing, indexed, has_backlog from scope_heads where tenant_id = $1', [tenantId])
  expect(head).toEqual({ queued: 0, processing: 0, indexed: 3, has_backlog: false })
  const requeued = await world.rows(`select data ->> 'reason' as reason from events where tenant_id = $1 and type = 'document.requeued'`, [
    tenantId,
  ])
  expect(requeued).toEqual([{ reason: 'lease_expired' }, { reason: 'lease_expired' }, { reason: 'lease_expired' }])
})

test('a scope that cannot be leased or planned keeps no worker from the others, and goes on once it is mended', async () => {
  const tenantId = await world.newTenant()
  await world.ingest([...texts(tenantId, 'no-lease', 2), ...texts(tenantId, 'no-plan', 2)])
  const [unleasable, unplannable] = [await world.scopeNo(tenantId, 'no-lease'), await world.scopeNo(tenantId, 'no-plan')]
  // A document that is neither waiting nor in hand but in the backlog; policies nobody can read.
  await world.rows(`update documents set status = 'held' where tenant_id = $1 and scope_no = $2 and document_id = 'doc-0'`, [
    tenantId,
    unleasable,
  ])
  await world.rows(`insert into policy_sets (tenant_id, hash, policies) values ($1, 'unreadable', 'permit')`, [tenantId])
  await world.rows(`insert into policy_assignments (tenant_id, scope_no, hash) values ($1, $2, 'unreadable')`, [tenantId, unplannable])
  const worker = world.startWorker({ logger: createLogger({ level: 'silent' }) })
  let ended = false
  worker.ended.then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  const good = Array.from({ length: 8 }, (_, n) => texts(tenantId, `good-${n}`, 3)).flat()
  await world.ingest(good)
  await world.until(`select count(*) = 24 from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])
  await world.until(`select count(*) > 1 from events where tenant_id = $1 and scope_no = $2 and data ->> 'reason' = 'scope_failed'`, [
    tenantId,
    unplannable,
  ])
  expect(ended).toBe(false)
  expect(await world.rows('select from documents where tenant_id = $1 and attempts > 0', [tenantId])).toHaveLength(0)

  await world.rows(`update documents set status = 'queued' where tenant_id = $1 and status = 'held'`, [tenantId])
  await world.rows('delete from policy_assignments where tenant_id = $1', [tenantId])
  await world.until(nothingWaits)
  await worker.stop()
  expect(await world.rows(`select from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])).toHaveLength(28)
})
