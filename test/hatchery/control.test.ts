import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHints, type Hints } from '../../src/events/hints.js'
import { type ControlTarget, control } from '../../src/hatchery/control.js'
import { isAppError } from '../../src/platform/errors.js'
import { lockScopes } from '../../src/store/events/events.js'
import { extendLease, type Lease, takeLease } from '../../src/store/leases/leases.js'
import { effectiveState, type RuntimeOperation } from '../../src/store/runtime/runtime.js'
import { passStart, takeBackHalted } from '../../src/store/runtime/runtime-take-back.js'
import { buryScope } from '../../src/store/scopes/tombstones.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { addScope, addTenant, type FixtureScope, queueDocuments } from './fixture.js'

let test: TestDatabase
let hints: Hints
const run = (operation: RuntimeOperation, target: ControlTarget) => control({ db: test.db, hints }, operation, target)
const lease = (scope: FixtureScope): Promise<Lease | undefined> => takeLease(test.db, scope, { owner: 'w', leaseMs: 60_000, batch: 3 })
const effective = (scope: FixtureScope) => test.db.inTenant(scope.tenantId, tx => effectiveState(tx, scope))
const eventsOf = async (scope: { tenantId: string; scopeNo: number }) => {
  const { rows } = await test.owner.query(
    'select seq::int, type, subject, data from events where tenant_id = $1 and scope_no = $2 order by seq',
    [scope.tenantId, scope.scopeNo],
  )
  return rows as { seq: number; type: string; subject: string | null; data: Record<string, unknown> }[]
}
const headOf = async (scope: FixtureScope) =>
  (
    await test.owner.query('select queued::int, processing::int, has_backlog from scope_heads where tenant_id = $1 and scope_no = $2', [
      scope.tenantId,
      scope.scopeNo,
    ])
  ).rows[0]

beforeAll(async () => {
  test = await cloneDatabase()
  hints = createHints({ logger: test.logger })
})
afterAll(() => test.close())

async function newScope(documents = 5): Promise<FixtureScope & { target: ControlTarget & { level: 'scope' } }> {
  const tenantId = await addTenant(test.owner)
  const scope = await addScope(test.owner, tenantId, 'case-1')
  await queueDocuments(test.owner, scope, documents)
  return { ...scope, target: { level: 'scope', tenantId, scopeId: 'case-1' } }
}

describe('control of a scope', () => {
  it('finds no scope that was deleted while its lock was waited for', async () => {
    const scope = await newScope()
    let paused: Promise<unknown> | undefined
    await test.db.inTenant(scope.tenantId, async tx => {
      await lockScopes(tx, [scope.scopeNo])
      paused = run('pause', scope.target).catch((error: unknown) => error)
      const waiting = "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted"
      await expect.poll(async () => (await test.owner.query(waiting, [scope.scopeNo])).rowCount).toBe(1)
      await buryScope(tx, scope.scopeNo, 0)
    })
    expect(await paused).toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  })

  it('answers what was addressed, both states, the run and a summary, and repeats without a change', async () => {
    const scope = await newScope()
    expect(await run('pause', scope.target)).toMatchObject({
      operation: 'pause',
      addressed: { level: 'scope', tenant_id: scope.tenantId, scope_id: 'case-1' },
      previous: 'running',
      state: 'paused',
      effective: 'paused',
      changed: true,
      run: 1,
      scopes_affected: 1,
      documents_requeued: 0,
      hatchery: { nodes: 0, workers_actual: 0, circuit: 'closed' },
    })
    expect(await run('pause', scope.target)).toMatchObject({ previous: 'paused', state: 'paused', changed: false })
    expect(await run('resume', scope.target)).toMatchObject({ previous: 'paused', state: 'running', changed: true })
    const changes = (await eventsOf(scope)).filter(event => event.type === 'runtime.changed')
    expect(changes.map(event => event.data['state'])).toEqual(['paused', 'running'])
  })

  it('takes the lease away on stop, gives documents in hand back once, and leases nothing until start', async () => {
    const scope = await newScope(5)
    const held = await lease(scope)
    expect(held?.documents).toHaveLength(3)
    expect(await headOf(scope)).toMatchObject({ queued: 2, processing: 3 })
    expect(await run('stop', scope.target)).toMatchObject({ state: 'stopped', changed: true, documents_requeued: 3 })
    expect(await extendLease(test.db, held as Lease, 1000)).toBe(false)
    expect(await headOf(scope)).toEqual({ queued: 5, processing: 0, has_backlog: true })
    const events = await eventsOf(scope)
    expect(events.filter(event => event.type === 'document.requeued').map(event => [event.subject, event.data['reason']])).toEqual([
      ['doc-0', 'stopped'],
      ['doc-1', 'stopped'],
      ['doc-2', 'stopped'],
    ])
    expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i))
    expect(await lease(scope)).toBeUndefined()
    for (const refused of ['pause', 'resume'] as const) {
      await expect(run(refused, scope.target)).rejects.toSatisfy(error => isAppError(error, 'RUNTIME_CONFLICT'))
    }
    expect(await run('stop', scope.target)).toMatchObject({ changed: false, documents_requeued: 0 })
    expect(await run('start', scope.target)).toMatchObject({ previous: 'stopped', state: 'running' })
    expect((await lease(scope))?.documents.map(document => document.documentId)).toEqual(['doc-0', 'doc-1', 'doc-2'])
  })

  it('restarts under a new run, clears retries and leaves data alone', async () => {
    const scope = await newScope(2)
    await test.owner.query(
      "update backlog set attempts = 4, not_before = clock_timestamp() + interval '1 hour' where tenant_id = $1 and scope_no = $2",
      [scope.tenantId, scope.scopeNo],
    )
    expect(await lease(scope)).toBeUndefined()
    expect(await run('restart', scope.target)).toMatchObject({ previous: 'running', state: 'running', changed: true, run: 2 })
    expect((await lease(scope))?.documents.map(document => document.attempts)).toEqual([0, 0])
    expect(await run('restart', scope.target)).toMatchObject({ changed: true, run: 3, documents_requeued: 2 })
    const { rows } = await test.owner.query('select generation, version::int from scopes where tenant_id = $1', [scope.tenantId])
    expect(rows).toEqual([{ generation: 1, version: 0 }])
  })

  it('leaves a scope to whoever leased it while the leader waited for its lock', async () => {
    const scope = await newScope(2)
    const held = await lease(scope)
    await run('pause', scope.target)
    const place = [scope.tenantId, scope.scopeNo]
    const ran = "update scope_leases set leased_until = clock_timestamp() - interval '1 second' where tenant_id = $1 and scope_no = $2"
    await test.owner.query(ran, place)
    let swept: Promise<unknown> | undefined
    await test.db.engine(async tx => {
      await lockScopes(tx, [scope.scopeNo])
      swept = test.db.engine(other => takeBackHalted(other, passStart))
      const waiting = "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted"
      await expect.poll(async () => (await test.owner.query(waiting, [scope.scopeNo])).rowCount).toBe(1)
      await tx.run("update runtime_states set state = 'running' where tenant_id = $1 and scope_no = $2", place)
      const again =
        "update scope_leases set owner = 'later', leased_until = clock_timestamp() + interval '1 hour' where tenant_id = $1 and scope_no = $2"
      await tx.run(again, place)
    })
    expect(await swept).toEqual({ next: undefined, documents: 0 })
    const { rows } = await test.owner.query('select owner, fence::int from scope_leases where tenant_id = $1 and scope_no = $2', place)
    expect(rows).toEqual([{ owner: 'later', fence: held?.fence }])
  })

  it('takes back what dead processes left of halted scopes without keeping anybody out of them while another is busy', async () => {
    const [free, busy] = [await newScope(2), await newScope(2)]
    for (const scope of [free, busy]) {
      await lease(scope)
      await run('pause', scope.target)
    }
    await test.owner.query("update scope_leases set leased_until = clock_timestamp() - interval '1 second' where owner is not null")
    const sweep = () => test.db.engine(tx => takeBackHalted(tx, passStart))
    await test.db.engine(async tx => {
      await lockScopes(tx, [busy.scopeNo])
      await sweep()
      expect([await headOf(free), await headOf(busy)]).toMatchObject([{ processing: 0 }, { processing: 2 }])
    })
    await sweep()
    expect(await headOf(busy)).toMatchObject({ processing: 0 })
  })

  it('answers 404 for a scope that does not exist or is another tenant’s', async () => {
    const scope = await newScope()
    const other = await addTenant(test.owner)
    await expect(run('pause', { ...scope.target, tenantId: other })).rejects.toSatisfy(error => isAppError(error, 'SCOPE_NOT_FOUND'))
    expect(await effective(scope)).toBe('running')
  })
})

describe('control of a tenant and of the service', () => {
  it('stops every leased scope of the tenant, and no scope of another', async () => {
    const tenantId = await addTenant(test.owner)
    // More than one batch of scopes.
    const scopes: FixtureScope[] = []
    for (let i = 0; i < 40; i++) scopes.push(await addScope(test.owner, tenantId, `case-${i}`))
    for (const scope of scopes) await queueDocuments(test.owner, scope, 2)
    const other = await newScope(2)
    for (const scope of [...scopes, other]) expect(await lease(scope)).toBeDefined()
    const answer = await run('stop', { level: 'tenant', tenantId })
    expect(answer).toMatchObject({ addressed: { level: 'tenant', tenant_id: tenantId }, scopes_affected: 40, documents_requeued: 80 })
    expect(await headOf(other)).toMatchObject({ processing: 2 })
    expect(await effective(other)).toBe('running')
    for (const scope of scopes) expect(await headOf(scope)).toMatchObject({ queued: 2, processing: 0 })
    const told = await eventsOf({ tenantId, scopeNo: 0 })
    expect(told.map(event => [event.type, event.data['state'], event.data['level']])).toEqual([['runtime.changed', 'stopped', 'tenant']])
    // Scope logs hold what happened to documents, not the tenant's change.
    expect((await eventsOf(scopes[0] as FixtureScope)).some(event => event.type === 'runtime.changed')).toBe(false)
  })

  it('makes the most restrictive state hold, and shows it to the tenant', async () => {
    const scope = await newScope()
    const tenant: ControlTarget = { level: 'tenant', tenantId: scope.tenantId }
    await run('pause', scope.target)
    await run('stop', tenant)
    expect(await effective(scope)).toBe('stopped')
    expect(await run('start', tenant)).toMatchObject({ state: 'running', effective: 'running' })
    expect(await effective(scope)).toBe('paused')
    await run('resume', scope.target)
    await run('pause', { level: 'service' })
    expect(await effective(scope)).toBe('paused')
    expect(await lease(scope)).toBeUndefined()
    expect(await run('start', scope.target)).toMatchObject({ state: 'running', effective: 'paused', changed: false })
    const resumed = await run('resume', { level: 'service' })
    expect(resumed).toMatchObject({ addressed: { level: 'service' }, state: 'running', changed: true })
    expect(resumed.scopes_affected).toBeGreaterThan(40)
    expect(await lease(scope)).toBeDefined()
  })

  it('lets two operations on one level come one after the other', async () => {
    const scope = await newScope()
    const answers = await Promise.all(Array.from({ length: 6 }, () => run('pause', scope.target)))
    expect(answers.filter(answer => answer.changed)).toHaveLength(1)
  })
})
