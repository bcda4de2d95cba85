/** Two nodes on one database with workers that lease and finish real documents. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Hatchery, startHatchery } from '../../src/hatchery/hatchery.js'
import { checkHealth, diskStatus, type HealthDeps } from '../../src/hatchery/health.js'
import { snapshot } from '../../src/hatchery/snapshot.js'
import type { SupervisedWorker, WorkerStanding } from '../../src/hatchery/supervisor.js'
import type { HatcherySnapshot, HealthReport } from '../../src/hatchery/types.js'
import { type Clock, systemClock } from '../../src/platform/clock.js'
import { pause } from '../../src/platform/deadline.js'
import { removeSilentNodes } from '../../src/store/runtime/nodes.js'
import type { Database } from '../../src/store/server/database.js'
import { knownMigrations, schemaVersion } from '../../src/store/server/migrate.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { addScope, addTenant, queueDocuments } from './fixture.js'

let test: TestDatabase
const running: Hatchery[] = []

beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(hatchery => hatchery.stop(1000)))
  await test.owner.query(
    "delete from nodes; delete from backlog; update scope_heads set has_backlog = false, queued = 0, processing = 0; update runtime_states set state = 'running'",
  )
})
afterAll(() => test.close())

/** Takes one document after the other straight from the backlog, each in about 20 ms. */
function simpleWorker(id: string): SupervisedWorker {
  const standing: WorkerStanding = { state: 'idle', since: new Date().toISOString() }
  const done = { documents: 0, busyMs: 0 }
  const draining = new AbortController()
  return {
    id,
    state: () => ({ ...standing }),
    figures: () => ({ ...done }),
    drain: async () => draining.abort(),
    run: async signal => {
      const end = AbortSignal.any([signal, draining.signal])
      while (!end.aborted) {
        const { rows } = await test.db.engineQuery<{ scope_no: number }>(
          `delete from backlog b using (select tenant_id, scope_no, seq from backlog where concord_effective_state(tenant_id, scope_no) = 'running'
             order by random() limit 1 for update skip locked) n
           where b.tenant_id = n.tenant_id and b.scope_no = n.scope_no and b.seq = n.seq returning b.scope_no`,
        )
        standing.state = rows.length === 0 ? 'idle' : 'busy'
        standing.since = new Date().toISOString()
        await pause(20, end)
        if (rows[0] === undefined) continue
        await test.db.engineQuery('update scope_heads set queued = queued - 1, has_backlog = queued > 1 where scope_no = $1', [
          rows[0].scope_no,
        ])
        done.documents++
        done.busyMs += 20
      }
    },
  }
}

function node(
  nodeId: string,
  options: { role?: 'all' | 'api' | 'worker'; createWorker?: (id: string) => SupervisedWorker; clock?: Clock; db?: Database } = {},
): Hatchery {
  const hatchery = startHatchery({
    db: options.db ?? test.db,
    clock: options.clock ?? systemClock,
    logger: test.logger.child({}, { level: 'silent' }),
    nodeId,
    role: options.role ?? 'worker',
    workers: 2,
    createWorker: options.createWorker ?? simpleWorker,
    leads: () => nodeId === 'node-a',
    stuckMs: 60_000,
    heartbeatMs: 200,
    tickMs: 50,
  })
  running.push(hatchery)
  return hatchery
}

async function seen(condition: (snapshot: HatcherySnapshot) => boolean): Promise<HatcherySnapshot> {
  for (;;) {
    const now = await snapshot({ db: test.db })
    if (condition(now)) return now
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>(resolve => setImmediate(resolve))
}

const eventTypes = async () =>
  (await test.owner.query("select type, data from events where tenant_id = '-' and scope_no = 0 order by seq")).rows

/** Events are written with the next heartbeat. */
async function spawnings(count: number) {
  for (;;) {
    const spawned = (await eventTypes()).filter(event => event.type === 'worker.spawned')
    if (spawned.length >= count) return spawned
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

const healthDeps = (): HealthDeps => ({
  db: test.db,
  clock: systemClock,
  migrations: async () => ({ applied: await schemaVersion(test.db), expected: knownMigrations().at(-1)!.number }),
  dataDir: process.cwd(),
  tailLagSeconds: async () => 0,
  isWritable: async () => true,
})

const statusOf = (report: HealthReport, name: string) => report.checks.find(check => check.name === name)?.status

const depthIn = (report: HealthReport) => report.checks.find(check => check.name === 'queue_age')?.figures['depth'] as number

async function healthWhen(condition: (depth: number) => boolean): Promise<HealthReport> {
  for (;;) {
    const report = await checkHealth({ ...healthDeps(), dataDir: undefined }, 'control-plane')
    if (condition(depthIn(report))) return report
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

describe('a cluster of two nodes', () => {
  it('shows both nodes, their workers, what waits and what they do', async () => {
    node('node-a')
    node('node-b')
    node('node-c', { role: 'api' })
    const calm = await seen(now => now.nodes.length === 3 && now.workers.length === 4)
    expect(calm.leader).toBe('node-a')
    expect(calm.roles).toMatchObject([{ role: 'pipeline', desired: 4, actual: 4, reason: 'fixed' }])
    expect(calm.limits).toMatchObject({ min: 4, max: 4 })
    expect(calm.nodes.find(each => each.node_id === 'node-c')).toMatchObject({ role: 'api', status: 'alive', desired: 0, actual: 0 })

    const tenantId = await addTenant(test.owner)
    for (let i = 0; i < 20; i++) await queueDocuments(test.owner, await addScope(test.owner, tenantId, `case-${i}`), 100)
    const grown = await seen(now => now.queue.runnable_scopes > 8)
    expect(grown.queue.depth).toBeGreaterThan(0)
    const busy = await seen(now => now.roles[0]!.busy > 0 && now.roles[0]!.service_rate > 0)
    expect(busy.workers.some(worker => worker.state === 'busy')).toBe(true)
    expect(busy.roles[0]!.utilisation).toBeGreaterThan(0)
    expect(busy.roles[0]!.evaluated_at).not.toBeNull()
    expect(busy.nodes.filter(each => each.role === 'worker').map(each => each.actual)).toEqual([2, 2])
    expect((await spawnings(4)).at(-1).data).toMatchObject({ reason: 'start', desired: 2 })
  })

  it('tells each node how many serve requests, as long as they are heard of', async () => {
    const [first, second] = [node('node-a', { role: 'api' }), node('node-b', { role: 'all' })]
    node('node-c', { role: 'worker' })
    await eventually(() => first.servingNodes() === 2 && second.servingNodes() === 2)
    await second.stop(1000)
    await eventually(() => first.servingNodes() === 1)
  })

  it('survives the loss of one node', async () => {
    const first = node('node-a')
    node('node-b')
    await seen(now => now.workers.length === 4)
    await first.stop(1000)
    const left = await seen(now => now.nodes.length === 1)
    expect(left.nodes[0]).toMatchObject({ node_id: 'node-b', actual: 2 })
    expect((await eventTypes()).filter(event => event.type === 'worker.drained').at(-1).data).toMatchObject({
      node_id: 'node-a',
      reason: 'shutdown',
    })
  })

  it('opens the circuit of a node whose workers fail, loudly, and the health says so', async () => {
    node('node-a', {
      createWorker: id => ({
        ...simpleWorker(id),
        run: async () => {
          throw new Error('broken on purpose')
        },
      }),
    })
    const open = await seen(now => now.nodes[0]?.circuit === 'open')
    expect(open.nodes[0]).toMatchObject({ circuit_reason: 'broken on purpose', actual: 0 })
    const report = await checkHealth(healthDeps(), 'control-plane')
    expect(report.status).toBe('degraded')
    expect(statusOf(report, 'workers')).toBe('degraded')
    await running[0]!.stop(0)
    expect((await eventTypes()).filter(event => event.type === 'worker.circuit').at(-1)?.data).toMatchObject({
      circuit: 'open',
      reason: 'broken on purpose',
    })
  })
})

describe('health', () => {
  it('is ok while a node works, with each check and its figures', async () => {
    node('node-a')
    await seen(now => now.workers.length === 2)
    const report = await checkHealth({ ...healthDeps(), dataDir: undefined }, 'control-plane')
    expect(report).toMatchObject({ status: 'ok' })
    expect(report.checks.map(check => check.name)).toEqual([
      'database',
      'migrations',
      'disk',
      'event_tail',
      'clock',
      'workers',
      'queue_age',
    ])
    expect((await checkHealth(healthDeps(), 'kernel')).checks.map(check => check.name)).toEqual([
      'database',
      'event_tail',
      'clock',
      'workers',
      'queue_age',
    ])
  })

  it('is degraded while the clock of a node is off by more than a minute, and says which way', async () => {
    const clock = { ...systemClock, now: () => new Date(Date.now() + 400 * 86_400_000) }
    node('node-a')
    node('node-b', { clock })
    await seen(now => now.nodes.length === 2)
    const report = await checkHealth(healthDeps(), 'kernel')
    expect(report.status).toBe('degraded')
    expect(report.checks.find(check => check.name === 'clock')?.detail).toMatch(/^The clock of node-b is 345\d{5} seconds ahead of/)
    expect((await snapshot({ db: test.db })).nodes.every(({ started_at }) => Date.parse(started_at) < Date.now() + 60_000)).toBe(true)
  })

  it('is never ok while documents wait and no worker is alive', async () => {
    const scope = await addScope(test.owner, await addTenant(test.owner), 'case-1')
    await queueDocuments(test.owner, scope, 3, 30)
    const report = await checkHealth(healthDeps(), 'kernel')
    expect(report.status).toBe('unavailable')
    expect([statusOf(report, 'workers'), statusOf(report, 'queue_age'), statusOf(report, 'database')]).toEqual([
      'unavailable',
      'unavailable',
      'ok',
    ])
  })

  it('calls neither a paused nor a stopped runtime a fault', async () => {
    node('node-a')
    await seen(now => now.workers.length === 2)
    let before = 0
    for (const state of ['paused', 'stopped']) {
      await test.owner.query("update runtime_states set state = $1 where tenant_id = '-'", [state])
      const scope = await addScope(test.owner, await addTenant(test.owner), 'case-1')
      await queueDocuments(test.owner, scope, 3, 3600)
      // Figures may be those that the leader saw a moment ago; they are about the new documents before long.
      const report = await healthWhen(depth => depth > before)
      expect(report.status).toBe('ok')
      before = depthIn(report)
    }
  })

  it('says when the tail lags, migrations are missing or a check fails, and goes on with the others', async () => {
    node('node-a')
    await seen(now => now.workers.length === 2)
    const report = await checkHealth(
      {
        ...healthDeps(),
        migrations: async () => ({ applied: 1, expected: 2 }),
        tailLagSeconds: async () => 10,
        isWritable: async () => true,
        dataDir: '/nowhere/at/all',
      },
      'control-plane',
    )
    expect(report.status).toBe('unavailable')
    expect(['migrations', 'disk', 'event_tail', 'database'].map(name => statusOf(report, name))).toEqual([
      'unavailable',
      'unavailable',
      'degraded',
      'ok',
    ])
    expect([diskStatus(20e9, 0.03).status, diskStatus(5e9, 0.03).status, diskStatus(10e6, 0.9).status]).toEqual([
      'ok',
      'degraded',
      'unavailable',
    ])
  })

  it('goes on beating as leader while the queue cannot be looked at', async () => {
    const engine: Database['engine'] = (work, how) => (how?.readOnly ? Promise.reject(new Error('too slow')) : test.db.engine(work, how))
    node('node-a', { db: { ...test.db, engine } })
    const now = await seen(({ nodes }) => nodes.length === 1)
    expect(now).toMatchObject({ leader: 'node-a', nodes: [{ node_id: 'node-a', status: 'alive' }], queue: { depth: 0 } })
  })

  it('shows a node that stopped beating as silent', async () => {
    node('node-a')
    await seen(now => now.nodes.length === 1)
    await running.splice(0)[0]!.stop(0)
    await test.owner.query(
      `insert into nodes (node_id, role, heartbeat_at, snapshot) values ('node-x', 'worker', clock_timestamp() - interval '10 s',
       '{"leader":true,"completion_rate":0,"busy_workers":0,"desired":1,"workers":[{"worker_id":"w","state":"busy","since":"","completed":1}],"completed":1,"busy_ms":1,"restarts":0,"circuit":"closed","circuit_reason":null}')`,
    )
    const now = await snapshot({ db: test.db })
    expect(now).toMatchObject({ leader: null, workers: [], nodes: [{ node_id: 'node-x', status: 'silent' }] })
    // A service that was killed and starts again after a month finds the row of the node it was.
    await test.owner.query("update nodes set heartbeat_at = heartbeat_at - interval '60 days'")
    expect((await snapshot({ db: test.db })).nodes).toMatchObject([{ node_id: 'node-x', status: 'silent' }])
    expect(await removeSilentNodes(test.db, 5000)).toEqual(['node-x'])
  })
})
