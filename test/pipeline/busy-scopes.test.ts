/**
 * Somebody holds the lock of a scope, or of its tenant's turn, for long, as an act of a person in a large case does: it costs a process
 * one connection at a time at most, everything else goes on, and the scope is worked on when it is free.
 */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import { startHeartbeat } from '../../src/pipeline/leasing/heartbeat.js'
import { createLeaseFinder } from '../../src/pipeline/leasing/lease-finder.js'
import { type Clock, systemClock } from '../../src/platform/clock.js'
import { loadConfig } from '../../src/platform/config.js'
import { pause } from '../../src/platform/deadline.js'
import { extendLease, type Lease, releaseLease, takeLease } from '../../src/store/leases/leases.js'
import type { Database, Statement } from '../../src/store/server/database.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { createWorkers } from '../../src/workers.js'
import { testLimits } from '../support/limits.js'
import { sharedReader } from '../support/shared-reader.js'
import { openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld
let holder: Awaited<ReturnType<typeof connectAsOwner>>

beforeAll(async () => {
  world = await openWorld()
  holder = await connectAsOwner(world.address, testLimits)
})

afterEach(async () => {
  await holder.query('rollback')
  await world.rows(
    'delete from backlog; update scope_heads set has_backlog = false; update scope_leases set owner = null, leased_until = null',
  )
})

afterAll(async () => {
  await holder.end()
  await world.close()
})

const turn = { owner: 'worker', leaseMs: 60_000, batch: 32 }

async function add(tenantId: string, scopeId: string, documents = 1): Promise<{ tenantId: string; scopeNo: number }> {
  await world.ingest(
    Array.from({ length: documents }, (_, n) => ({ tenantId, scopeId, documentId: `${scopeId}-${n}`, text: sampleText(n) })),
  )
  return { tenantId, scopeNo: await world.scopeNo(tenantId, scopeId) }
}

async function holdScope(scopeNo: number): Promise<void> {
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock($1)', [scopeNo])
}

/** A database that tells of each attempt to lease a scope, and makes it only when that is through. */
function watchLeases(of: (scopeNo: number) => Promise<void> | undefined): Database {
  const before = async ({ text, values }: Statement) => {
    if (text.includes('concord_lease(')) await of(Number(values?.[5]))
  }
  return {
    ...world.db,
    engine: (work, options) =>
      world.db.engine(tx => work({ ...tx, query: async statement => before(statement).then(() => tx.query(statement)) }), options),
  }
}

const indexed = `select count(*) > 0 and bool_and(status = 'indexed') from documents where tenant_id = $1 and document_id like $2 || '%'`

test('one worker at a time takes a scope, and the next one gets another', async () => {
  const tenantId = await world.newTenant()
  const [busy, other] = [await add(tenantId, 'busy'), await add(tenantId, 'other')]
  const asked: number[] = []
  let goOn = (): void => undefined
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  let isAsked = (): void => undefined
  const first = new Promise<void>(resolve => {
    isAsked = resolve
  })
  const db = watchLeases(scopeNo => {
    asked.push(scopeNo)
    isAsked()
    return asked.length === 1 ? held : undefined
  })
  const finder = createLeaseFinder({ db, clock: systemClock, logger: world.logger, leaseMs: 60_000, batch: 32 })
  const taking = finder.take('first')
  await first
  const others = [await finder.take('second'), await finder.take('third')]
  const askedMeanwhile = [...asked]
  goOn()
  expect(others.map(lease => lease?.scopeNo)).toEqual([other.scopeNo, undefined])
  expect(askedMeanwhile).toEqual([busy.scopeNo, other.scopeNo])
  expect((await taking)?.scopeNo).toBe(busy.scopeNo)
})

test('a lease gives up a scope that stays locked, and bounds no other lock', async () => {
  const scope = await add(await world.newTenant(), 'busy')
  await holdScope(scope.scopeNo)
  let busy = 0
  expect(await takeLease(world.db, scope, { ...turn, onBusy: () => void busy++ })).toBeUndefined()
  expect(busy).toBe(1)
  await holder.query('rollback')
  const limits = await world.db.engine(async tx => {
    await tx.rows('select from concord_lease($1, 1000, 1, 1, $2, $3)', ['worker', scope.tenantId, scope.scopeNo])
    return tx.value<string>("select current_setting('lock_timeout')")
  })
  expect(limits).toBe('0')
})

test('a scope that was busy is not tried again at once, and is leased soon after it is free', async () => {
  const scope = await add(await world.newTenant(), 'busy')
  const time = { ms: 0 }
  const clock: Clock = { ...systemClock, monotonicMs: () => time.ms }
  let tries = 0
  const db = watchLeases(() => void tries++ as undefined)
  const finder = createLeaseFinder({ db, clock, logger: world.logger, leaseMs: 60_000, batch: 32 })
  await holdScope(scope.scopeNo)
  for (let n = 0; n < 5; n++) expect(await finder.take('worker')).toBeUndefined()
  expect(tries).toBe(1)
  await holder.query('rollback')
  time.ms += 250
  expect((await finder.take('worker'))?.scopeNo).toBe(scope.scopeNo)
})

test('while a scope is locked, workers go on with those of its tenant and of others', async () => {
  const [tenantId, neighbour] = [await world.newTenant(), await world.newTenant()]
  const { scopeNo } = await add(tenantId, 'busy', 3)
  await holdScope(scopeNo)
  const finder = createLeaseFinder({ db: world.db, clock: systemClock, logger: world.logger, leaseMs: 60_000, batch: 32 })
  // As many as there are connections.
  const workers = Array.from({ length: 8 }, () => world.startWorker({ finder }))
  for (const scopeId of ['a', 'b', 'c']) {
    await add(tenantId, scopeId)
    await add(neighbour, scopeId)
    await world.until(indexed, [tenantId, `${scopeId}-`])
    await world.until(indexed, [neighbour, `${scopeId}-`])
  }
  await holder.query('rollback')
  await world.until(indexed, [tenantId, 'busy-'])
  for (const worker of workers) await worker.stop()
})

test('leases that end while the turn of their tenant is locked take one connection together', async () => {
  const tenantId = await world.newTenant()
  const scopes = Array.from({ length: 5 }, (_, n) => `scope${n}`)
  for (const scopeId of scopes) await add(tenantId, scopeId)
  await holder.query('begin')
  await holder.query('select from tenant_turns where tenant_id = $1 for no key update', [tenantId])
  const worker = world.startWorker()
  await world.until(indexed, [tenantId, 'scope'])
  await worker.stop()
  const waiting = `select count(*)::integer as charges from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update tenant_turns u set virtual_time%'`
  const charges = async () => (await world.rows<{ charges: number }>(waiting))[0]?.charges
  await expect.poll(charges).toBeGreaterThan(0)
  // At once, since those that wait too long give up: in the end one is left whatever was sent.
  expect(await charges()).toBe(1)
  await holder.query('rollback')
  await world.until('select virtual_time >= $2 from tenant_turns where tenant_id = $1', [tenantId, scopes.length])
})

test('a lease that is given back while the turn of its tenant is locked has no heartbeat wait for that', async () => {
  const tenantId = await world.newTenant()
  const lease = (await takeLease(world.db, await add(tenantId, 'busy', 2), { ...turn, batch: 1 })) as Lease
  // As it is while the only scope of a tenant is leased.
  await world.rows('update tenant_turns set due_at = null where tenant_id = $1', [tenantId])
  await holder.query('begin')
  await holder.query('select from tenant_turns where tenant_id = $1 for no key update', [tenantId])
  const given = world.db.inTenant(tenantId, tx => releaseLease(tx, lease))
  const waiting = `select count(*)::integer as statements from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%scope_leases%'`
  await expect.poll(() => world.rows(waiting)).toEqual([{ statements: 1 }])
  let beats = 0
  const engineQuery: Database['engineQuery'] = async (text, values) => {
    const result = await world.db.engineQuery(text, values)
    beats++
    return result as never
  }
  const lost = new AbortController()
  const heartbeat = startHeartbeat({ db: { ...world.db, engineQuery }, leaseMs: 200, logger: world.logger }, lease, lost)
  await expect.poll(() => beats).toBeGreaterThan(3)
  clearInterval(heartbeat)
  expect(await world.rows(waiting)).toEqual([{ statements: 1 }])
  expect(lost.signal.aborted).toBe(false)
  await holder.query('rollback')
  await given
  expect(await extendLease(world.db, lease, 1000)).toBe(false)
})

test('workers are closed when everything charged is written', async () => {
  const tenantId = await world.newTenant()
  for (const scopeId of ['scope0', 'scope1', 'scope2']) await add(tenantId, scopeId)
  const order: string[] = []
  let goOn = (): void => undefined
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  const engineQuery: Database['engineQuery'] = async (text, values) => {
    const isCharge = text.includes('update tenant_turns u set virtual_time')
    if (isCharge) await held
    const result = await world.db.engineQuery(text, values)
    if (isCharge) order.push('charged')
    return result as never
  }
  const loaded = loadConfig({}, { readFile: () => undefined })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults))
  const { hints, certify, logger } = world
  const watch = startRuntimeWatch({ db: world.db, hints, clock: systemClock, logger })
  const db = { ...world.db, engineQuery }
  const workers = createWorkers({ db, config: loaded.config, clock: systemClock, logger, hints, watch, certify, reader: sharedReader() })
  const worker = workers.create('worker')
  const ended = worker.run(new AbortController().signal)
  await world.until(indexed, [tenantId, 'scope'])
  await worker.drain()
  await ended
  const closed = workers.close().then(() => order.push('closed'))
  // A close that does not wait for them is through before they are let go; one that does gives them seconds.
  await Promise.race([closed, pause(200)])
  goOn()
  await closed
  await watch.stop()
  expect(order).toEqual(['charged', 'charged', 'closed'])
})
