import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Chore, hatcheryChores, runChores } from '../../src/hatchery/chores.js'
import { systemClock } from '../../src/platform/clock.js'
import { type Lease, takeLease } from '../../src/store/leases/leases.js'
import { type Leadership, startLeadership } from '../../src/store/runtime/leader.js'
import { readNodes, writeHeartbeat } from '../../src/store/runtime/nodes.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { withinMs } from '../support/time-bounds.js'
import { addScope, addTenant, queueDocuments } from './fixture.js'

let test: TestDatabase
const standing: Leadership[] = []

beforeAll(async () => {
  test = await cloneDatabase()
})
afterEach(async () => {
  await Promise.all(standing.splice(0).map(each => each.stop()))
})
afterAll(() => test.close())

/** A candidate, and a promise for each time it begins to lead. */
function candidate(everyMs = 1000) {
  const begun: (() => void)[] = []
  const signals: AbortSignal[] = []
  const leadership = startLeadership({
    address: test.address,
    limits: testLimits,
    logger: test.logger.child({}, { level: 'silent' }),
    everyMs,
    lead: signal =>
      new Promise(resolve => {
        signals.push(signal)
        for (const tell of begun.splice(0)) tell()
        signal.addEventListener('abort', () => resolve())
      }),
  })
  standing.push(leadership)
  const leads = () => (leadership.leads() ? Promise.resolve() : new Promise<void>(resolve => begun.push(resolve)))
  return { leadership, leads, signals }
}

const leaderPids = async () =>
  (
    await test.owner.query(
      "select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = 3 and granted and database = (select oid from pg_database where datname = current_database())",
    )
  ).rows.map(row => row.pid as number)

describe('leader', () => {
  it('is one among several, and another takes over when it stops', async () => {
    const all = [candidate(), candidate(), candidate()]
    await Promise.race(all.map(each => each.leads()))
    expect(all.filter(each => each.leadership.leads())).toHaveLength(1)
    const first = all.find(each => each.leadership.leads())!
    const others = all.filter(each => each !== first)
    const next = Promise.race(others.map(each => each.leads()))
    const begunMs = performance.now()
    await first.leadership.stop()
    expect(first.signals[0]!.aborted).toBe(true)
    await next
    expect(performance.now() - begunMs).toBeLessThan(withinMs(5000))
    expect(all.filter(each => each.leadership.leads())).toHaveLength(1)
  })

  it('stops leading when its connection is cut, and another leads within five seconds', async () => {
    const first = candidate()
    await first.leads()
    const second = candidate()
    const [pid] = await leaderPids()
    const ended = new Promise<void>(resolve => first.signals[0]!.addEventListener('abort', () => resolve()))
    const begunMs = performance.now()
    await test.owner.query('select pg_terminate_backend($1)', [pid])
    await ended
    await Promise.race([second.leads(), first.leads()])
    expect(performance.now() - begunMs).toBeLessThan(withinMs(5000))
    expect(Number(first.leadership.leads()) + Number(second.leadership.leads())).toBe(1)
  })
})

describe('a frozen leader', () => {
  it('loses the lock when it gives no sign of life, and another leads within five seconds', async () => {
    const frozen = candidate(3_600_000)
    await frozen.leads()
    const begunMs = performance.now()
    const next = candidate()
    await next.leads()
    expect(performance.now() - begunMs).toBeLessThan(withinMs(5000))
    expect(frozen.leadership.leads()).toBe(false)
  })
})

describe('chores', () => {
  it('runs each at its pace, goes on after a failure, and ends with the signal', async () => {
    const stop = new AbortController()
    const runs = { good: 0, bad: 0 }
    const enough = new Promise<void>(resolve => {
      const note = (which: 'good' | 'bad') => {
        runs[which]++
        if (runs.good > 2 && runs.bad > 2) resolve()
        return undefined
      }
      const chores: Chore[] = [
        { name: 'good', everyMs: 1, run: async () => note('good') },
        {
          name: 'bad',
          everyMs: 1,
          run: async () => {
            note('bad')
            throw new Error('on purpose')
          },
        },
        { name: 'endless', everyMs: 1, run: () => new Promise(() => undefined) },
      ]
      void runChores(chores, { logger: test.logger.child({}, { level: 'silent' }), clock: systemClock }, stop.signal).then(() =>
        ended.resolve(),
      )
    })
    const ended = deferred()
    await enough
    stop.abort()
    await ended.promise
  })

  it('runs one that leaves more behind again at once, and then at its pace', async () => {
    const stop = new AbortController()
    const left = [true, true, false]
    const done = deferred()
    const chore: Chore = {
      name: 'retention',
      everyMs: 3_600_000,
      run: async () => {
        const more = left.shift() as boolean
        if (!more) done.resolve()
        return { more }
      },
    }
    const ended = runChores([chore], { logger: test.logger, clock: systemClock }, stop.signal)
    await done.promise
    stop.abort()
    await ended
    expect(left).toEqual([])
  })

  it('removes silent nodes, finishes a stop left halfway, and takes back what a dead process held of a paused scope', async () => {
    await writeHeartbeat(test.db, { nodeId: 'node-gone', role: 'worker', uptimeMs: 0, report: {} }, 4000)
    await writeHeartbeat(test.db, { nodeId: 'node-here', role: 'worker', uptimeMs: 0, report: {} }, 4000)
    await test.owner.query("update nodes set heartbeat_at = clock_timestamp() - interval '61 minutes' where node_id = 'node-gone'")
    const scope = await addScope(test.owner, await addTenant(test.owner), 'case-1')
    await queueDocuments(test.owner, scope, 2)
    const lease = (await takeLease(test.db, scope, { owner: 'w', leaseMs: 60_000, batch: 10 })) as Lease
    const paused = await addScope(test.owner, await addTenant(test.owner), 'case-2')
    await queueDocuments(test.owner, paused, 2)
    await takeLease(test.db, paused, { owner: 'w', leaseMs: 60_000, batch: 10 })
    await test.owner.query("update scope_leases set leased_until = clock_timestamp() - interval '1 s' where scope_no = $1", [
      paused.scopeNo,
    ])
    await test.owner.query("insert into runtime_states (tenant_id, scope_no, state) values ($1, 0, 'paused')", [paused.tenantId])
    // The state is stopped, the effects are missing: what a process leaves that dies between the two.
    await test.owner.query("insert into runtime_states (tenant_id, scope_no, state) values ($1, 0, 'stopped')", [scope.tenantId])
    for (const chore of hatcheryChores({ db: test.db, logger: test.logger.child({}, { level: 'silent' }) }))
      await chore.run(new AbortController().signal)
    const nodes = await test.db.engine(tx => readNodes(tx))
    expect(nodes.map(node => node.node_id)).toEqual(['node-here'])
    const { rows } = await test.owner.query('select fence::int, owner from scope_leases where scope_no = $1', [scope.scopeNo])
    expect(rows).toEqual([{ fence: lease.fence + 1, owner: null }])
    const { rows: heads } = await test.owner.query('select queued::int, processing::int from scope_heads where scope_no = $1', [
      paused.scopeNo,
    ])
    expect(heads).toEqual([{ queued: 2, processing: 0 }])
  })
})

function deferred() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
