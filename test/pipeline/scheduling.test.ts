/**
 * Who is leased next, checked against a model: any mix of paused, stopped, backing-off, empty and busy tenants and scopes,
 * changing while they are served. Whoever may run is served within a bounded number of rounds, and nobody else is.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failDocuments } from '../../src/store/documents/quarantine.js'
import { lockScopes } from '../../src/store/events/events.js'
import { chargeTurn, findCandidates, type Lease, releaseLease, takeLease } from '../../src/store/leases/leases.js'
import { endWaitsAhead } from '../../src/store/leases/waits-ahead.js'
import { clearRetries } from '../../src/store/runtime/runtime-take-back.js'
import type { ScopeKey } from '../../src/store/scopes/scopes.js'
import { leaseNext, openWorld, type PipelineWorld, sampleText } from './support.js'

let world: PipelineWorld

beforeAll(async () => {
  world = await openWorld()
})

afterAll(async () => {
  await world.close()
})

const turn = { owner: 'scheduler', leaseMs: 60_000, batch: 1 }

/** As a commit ends a lease: the document is done, or waits for an hour. */
async function finish(lease: Lease, outcome: 'done' | 'backoff'): Promise<void> {
  await world.db.inTenant(lease.tenantId, async tx => {
    await lockScopes(tx, [lease.scopeNo])
    if (outcome === 'backoff') {
      const failures = lease.documents.map(document => ({
        ...document,
        attempts: 1,
        stage: 'extract',
        errorClass: 'test',
        reason: 'test',
        retryAfterMs: 3_600_000,
      }))
      await failDocuments(tx, lease, failures)
    } else {
      const seqs = lease.documents.map(document => document.seq)
      await tx.query({
        text: `
          with gone as (delete from backlog where tenant_id = $1 and scope_no = $2 and seq = any ($3)),
          done as (update documents set status = 'indexed' where tenant_id = $1 and scope_no = $2 and seq = any ($3))
          update scope_heads set processing = processing - cardinality($3), indexed = indexed + cardinality($3),
            has_backlog = exists (select from backlog where tenant_id = $1 and scope_no = $2 and seq <> all ($3))
          where tenant_id = $1 and scope_no = $2`,
        values: [lease.tenantId, lease.scopeNo, seqs],
      })
    }
    await releaseLease(tx, lease)
  })
}

const setState = (tenantId: string, scopeNo: number, state: string) =>
  world.rows(
    'insert into runtime_states (tenant_id, scope_no, state) values ($1, $2, $3) on conflict (tenant_id, scope_no) do update set state = excluded.state',
    [tenantId, scopeNo, state],
  )

/** Leaves nothing to lease for the next test. */
const clearAll = () =>
  world.rows(`
    delete from backlog;
    update scope_heads set has_backlog = false, queued = 0, processing = 0;
    update scope_leases set owner = null, leased_until = null;
    update tenant_turns set virtual_time = 0`)

let documents = 0
async function add(tenantId: string, scopeId: string): Promise<number> {
  const n = documents++
  await world.ingest([{ tenantId, scopeId, documentId: `doc-${n}`, text: sampleText(n) }])
  return world.scopeNo(tenantId, scopeId)
}

test('tenants that may not run keep no other from its turn, however many they are', async () => {
  const waiting = await Promise.all(Array.from({ length: 140 }, () => world.newTenant()))
  await world.ingest(waiting.map((tenantId, n) => ({ tenantId, scopeId: 'scope', documentId: 'doc', text: sampleText(n) })))
  const served = await world.newTenant()
  await add(served, 'scope')
  await chargeTurn(world.db, served, 60_000)
  await world.rows("insert into runtime_states (tenant_id, scope_no, state) select unnest($1::text[]), 0, 'paused'", [waiting.slice(0, 70)])
  await world.rows(
    `with later as (update backlog set not_before = clock_timestamp() + interval '1 hour' where tenant_id = any ($1))
     update scope_heads set turn_at = clock_timestamp() + interval '1 hour' where tenant_id = any ($1)`,
    [waiting.slice(70)],
  )
  expect((await leaseNext(world.db, turn))?.tenantId).toBe(served)
  await clearAll()
})

test('tenants whose scopes are all avoided keep no other from its turn, and come back with another scope', async () => {
  // More than all looks for one list of candidates together would go through.
  const resting = await Promise.all(Array.from({ length: 300 }, () => world.newTenant()))
  await world.ingest(resting.map((tenantId, n) => ({ tenantId, scopeId: 'scope', documentId: 'doc', text: sampleText(n) })))
  const avoided = await Promise.all(resting.map(async tenantId => ({ tenantId, scopeNo: await world.scopeNo(tenantId, 'scope') })))
  const served = await world.newTenant()
  const healthy = { tenantId: served, scopeNo: await add(served, 'scope') }
  await chargeTurn(world.db, served, 60_000)
  expect(await findCandidates(world.db, 32, avoided)).toEqual([healthy])
  const tenantId = resting[7] as string
  const another = { tenantId, scopeNo: await add(tenantId, 'another') }
  expect(await findCandidates(world.db, 32, avoided)).toEqual([another, healthy])
  expect(await findCandidates(world.db, 32)).toHaveLength(32)
  await clearAll()
})

test('a lease waits for no scope while it holds the lock of another', async () => {
  const tenantId = await world.newTenant()
  const [busy, held] = [await add(tenantId, 'busy'), await add(tenantId, 'held')]
  await takeLease(world.db, { tenantId, scopeNo: held }, turn)
  const candidates = [held, busy].map(scopeNo => ({ tenantId, scopeNo }))
  let waits = 0
  const result = await world.db.engine(async tx => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [busy] })
    const leasing = (async () => {
      const first = await takeLease(world.db, candidates[0] as ScopeKey, { ...turn, onBusy: () => void waits++ })
      let second: Lease | undefined
      // A machine that does much else may hold the lock for longer than a lease waits.
      while (second === undefined) second = await takeLease(world.db, candidates[1] as ScopeKey, turn)
      return [first, second]
    })()
    await world.until(
      "select exists (select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and l.locktype = 'advisory' and not l.granted)",
    )
    // A flush of documents for both scopes: it would meet a lease that kept the lock of the first.
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [held] })
    return { leasing }
  })
  const [first, second] = await result.leasing
  expect(first).toBeUndefined()
  expect(second?.scopeNo).toBe(busy)
  // Whoever leased it before has not kept its lock.
  expect(waits).toBe(0)
  await clearAll()
})

interface ModelScope {
  scopeId: string
  scopeNo: number
  state: string
  /** Documents that are due. */
  due: number
  postponed: number
  waited: number
}

interface ModelTenant {
  tenantId: string
  state: string
  scopes: ModelScope[]
}

const states = ['running', 'paused', 'stopped'] as const
const tenantArbitrary = fc.record({
  state: fc.constantFrom('running', 'running', ...states),
  weight: fc.integer({ min: 1, max: 2 }),
  charged: fc.integer({ min: 0, max: 1000 }),
  scopes: fc.array(fc.record({ state: fc.constantFrom('running', 'running', ...states), documents: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})
const actArbitrary = fc.record({
  kind: fc.constantFrom('tenant', 'scope', 'ingest', 'ingest', 'restart', 'none', 'none', 'none'),
  tenant: fc.nat(),
  scope: fc.nat(),
  state: fc.constantFrom(...states),
  outcome: fc.constantFrom('done', 'done', 'done', 'backoff', 'die'),
})

const costMs = 500

test('whoever may run is served within a bounded number of rounds, and nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(tenantArbitrary, { minLength: 1, maxLength: 7 }),
      fc.array(actArbitrary, { minLength: 40, maxLength: 40 }),
      async (drawn, acts) => {
        const tenants: ModelTenant[] = []
        for (const { state, weight, charged, scopes } of drawn) {
          const tenantId = await world.newTenant({ weight })
          const tenant: ModelTenant = { tenantId, state, scopes: [] }
          for (const [n, each] of scopes.entries()) {
            const scopeNo = await add(tenantId, `scope-${n}`)
            for (let more = 1; more < each.documents; more++) await add(tenantId, `scope-${n}`)
            tenant.scopes.push({
              scopeId: `scope-${n}`,
              scopeNo,
              state: each.state,
              due: Math.max(1, each.documents),
              postponed: 0,
              waited: 0,
            })
            if (each.state !== 'running') await setState(tenantId, scopeNo, each.state)
          }
          if (state !== 'running') await setState(tenantId, 0, state)
          await chargeTurn(world.db, tenantId, charged)
          tenants.push(tenant)
        }
        const everyScope = tenants.reduce((sum, tenant) => sum + tenant.scopes.length, 0)
        for (const act of acts) {
          const tenant = tenants[act.tenant % tenants.length] as ModelTenant
          const scope = tenant.scopes[act.scope % tenant.scopes.length] as ModelScope
          await perform(act.kind, act.state, tenant, scope)
          await serveOne(tenants, act.outcome)
          for (const each of runnable(tenants)) {
            expect(++each.waited, `rounds ${each.scopeNo} has waited`).toBeLessThanOrEqual(everyScope * 6)
          }
        }
        // Without further documents, everything that may run is served in as many rounds as there are documents.
        for (let left = dueIn(tenants); left > 0; left--) await serveOne(tenants, 'done')
        expect(runnable(tenants)).toEqual([])
        await clearAll()
      },
    ),
    { numRuns: process.env['PROVE'] === '1' ? 60 : 6, seed: 20_261_115 },
  )
}, 240_000)

function runnable(tenants: readonly ModelTenant[]): ModelScope[] {
  return tenants.flatMap(({ state, scopes }) =>
    state === 'running' ? scopes.filter(scope => scope.state === 'running' && scope.due > 0) : [],
  )
}

const dueIn = (tenants: readonly ModelTenant[]) => runnable(tenants).reduce((sum, scope) => sum + scope.due, 0)

async function perform(kind: string, state: string, tenant: ModelTenant, scope: ModelScope): Promise<void> {
  if (kind === 'tenant') {
    tenant.state = state
    await setState(tenant.tenantId, 0, state)
  } else if (kind === 'scope') {
    scope.state = state
    await setState(tenant.tenantId, scope.scopeNo, state)
  } else if (kind === 'ingest') {
    scope.due++
    await add(tenant.tenantId, scope.scopeId)
  } else if (kind === 'restart') {
    scope.due += scope.postponed
    scope.postponed = 0
    await world.db.inTenant(tenant.tenantId, async tx => {
      await lockScopes(tx, [scope.scopeNo])
      await clearRetries(tx, [{ tenantId: tenant.tenantId, scopeNo: scope.scopeNo }])
    })
  }
}

async function serveOne(tenants: readonly ModelTenant[], outcome: 'done' | 'backoff' | 'die'): Promise<void> {
  const may = runnable(tenants)
  const lease = await leaseNext(world.db, turn)
  if (lease === undefined) {
    expect(may, 'nothing was offered').toEqual([])
    return
  }
  const scope = may.find(each => each.scopeNo === lease.scopeNo)
  expect(scope, `scope ${lease.scopeNo} may not run`).toBeDefined()
  if (scope === undefined) return
  scope.waited = 0
  await chargeTurn(world.db, lease.tenantId, costMs)
  if (outcome === 'die') {
    await world.rows(
      "update scope_leases set leased_until = clock_timestamp() - interval '1 second', in_hand_seq = null where scope_no = $1",
      [lease.scopeNo],
    )
    return
  }
  await finish(lease, outcome)
  scope.due--
  if (outcome === 'backoff') scope.postponed++
}

test('webhooks that a clock ahead of its time held are due', async () => {
  const tenantId = await world.newTenant()
  await world.rows(
    `insert into webhooks (tenant_id, webhook_id, url, events, cursor_xid, cursor_id, due_at, owner, leased_until)
     select $1, id, 'https://example.com', '{*}', '0', 0, due_at, owner, leased_until
     from (values ('waits', now() + interval '1 year', null, null), ('leased', now(), 'gone', now() + interval '1 year'),
       ('retries', now() + interval '1 hour', 'works', now() + interval '1 minute')) as w (id, due_at, owner, leased_until)`,
    [tenantId],
  )
  await endWaitsAhead(world.db, 10)
  const held = `select webhook_id as id, due_at > clock_timestamp() as waits, leased_until > clock_timestamp() as leased
    from webhooks where tenant_id = $1 order by webhook_id`
  expect(await world.rows(held, [tenantId])).toEqual([
    { id: 'leased', waits: false, leased: false },
    { id: 'retries', waits: true, leased: true },
    { id: 'waits', waits: false, leased: null },
  ])
})

test('where somebody is at work in one of them, the others that a clock ahead held are not waited with', async () => {
  const tenantId = await world.newTenant()
  const scopeIds = ['busy', 'free', 'free-too']
  await world.ingest(scopeIds.map((scopeId, n) => ({ tenantId, scopeId, documentId: 'doc', text: sampleText(n) })))
  await world.rows(`update scope_heads set turn_at = turn_at + interval '1 year' where tenant_id = $1`, [tenantId])
  const waiting = () =>
    world.rows(
      `select s.scope_id from scopes s join scope_heads h using (tenant_id, scope_no)
       where tenant_id = $1 and h.turn_at > clock_timestamp() order by s.scope_id`,
      [tenantId],
    )
  await world.owner.query('begin')
  await world.owner.query('select pg_advisory_xact_lock($1)', [await world.scopeNo(tenantId, 'busy')])
  expect(await endWaitsAhead(world.db, 10)).toBe(3)
  await world.owner.query('commit')
  expect(await waiting()).toEqual([{ scope_id: 'busy' }])
  expect(await endWaitsAhead(world.db, 10)).toBe(1)
  expect(await waiting()).toEqual([])
})

test('scopes that a clock ahead of its time held are worked on', async () => {
  const tenantId = await world.newTenant()
  const scopeIds = ['leased', 'backing-off', 'queued']
  await world.ingest(scopeIds.map((scopeId, n) => ({ tenantId, scopeId, documentId: 'doc', text: sampleText(n) })))
  const [leased, backingOff] = await Promise.all(
    ['leased', 'backing-off'].map(async scopeId =>
      takeLease(world.db, { tenantId, scopeNo: await world.scopeNo(tenantId, scopeId) }, turn),
    ),
  )
  if (leased === undefined || backingOff === undefined) throw new Error('no lease')
  await finish(backingOff, 'backoff')
  for (const [table, column] of Object.entries({
    scope_leases: 'leased_until',
    backlog: 'not_before',
    scope_heads: 'turn_at',
    tenant_turns: 'due_at',
  })) {
    await world.rows(`update ${table} set ${column} = ${column} + interval '1 year' where tenant_id = $1 and isfinite(${column})`, [
      tenantId,
    ])
  }
  const offered = async () => (await findCandidates(world.db, 32)).filter(each => each.tenantId === tenantId)
  expect(await offered()).toEqual([])
  expect(await endWaitsAhead(world.db, 10)).toBe(3)
  expect(await offered()).toHaveLength(3)
  expect(await endWaitsAhead(world.db, 10)).toBe(0)
  const worker = world.startWorker()
  await world.until(`select count(*) = 3 from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])
  await worker.stop()
})
