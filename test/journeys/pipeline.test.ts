/**
 * An API and two worker processes on one PostgreSQL: a hundred documents over fifty scopes of twenty tenants while a
 * worker is killed at random; and a worker that is frozen past its lease. PROVE=1 takes three workers, five
 * thousand documents, and kills every second to the end.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pause } from '../../src/platform/deadline.js'
import { type ConcordProcess, startConcord } from '../support/concord-process.js'
import { startTestService, type TestService } from '../support/service.js'
import { withinMs } from '../support/time-bounds.js'

const prove = process.env['PROVE'] === '1'
const documents = prove ? 5000 : 100
const workerCount = prove ? 3 : 2
/** A process that starts costs as much as the work it could do meanwhile. */
const mostKills = prove ? Number.POSITIVE_INFINITY : 1
const frozenDocuments = prove ? 400 : 30
const scopes = prove ? 200 : 50
const tenantCount = 20
const leaseMs = prove ? 4000 : 2500
const workerEnv = { WORKERS: '2', WORKER_THREADS: '1', LEASE_MS: String(leaseMs) }

let api: TestService
const workers: ConcordProcess[] = []
const tenants: string[] = []

beforeAll(async () => {
  api = await startTestService({ ROLE: 'api' })
  for (let n = 0; n < tenantCount; n++) tenants.push((await api.createTenant(`tenant ${n}`)).tenant_id)
}, 120_000)

afterAll(async () => {
  await Promise.all(workers.map(each => each.end('SIGKILL')))
  await api.stop()
})

const rowsOf = async (sql: string, values: unknown[] = []) => (await api.database.owner.query(sql, values)).rows

async function startWorker(): Promise<void> {
  workers.push(await startConcord({ address: api.database.address, role: 'worker', env: workerEnv }))
}

async function ingest(from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, n) => from + n)
  for (let at = 0; at < numbers.length; at += 50) {
    const answers = await Promise.all(
      numbers.slice(at, at + 50).map(n => {
        const text = `Minutes of meeting ${n}.\n\n| Figure | FY2024 |\n|---|---|\n| Output of line ${n % 7} | ${100 + n} t |\n\nNobody asked for the floor.`
        const body = { scope_id: `case-${n % scopes}`, document_id: `doc-${n}`, name: `doc ${n}`, text }
        return api.call('POST', '/api/ingest', { headers: { 'x-tenant-id': tenants[n % tenantCount]! }, body })
      }),
    )
    expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 202))
  }
}

async function countIndexed(): Promise<number> {
  const rows = await rowsOf(`select coalesce(sum(indexed), 0)::int as indexed from scope_heads`)
  return rows[0].indexed
}

async function expectEachOnceInOrder(total: number): Promise<void> {
  const twice = await rowsOf(
    `select tenant_id, subject from events where type = 'document.indexed' group by tenant_id, scope_no, subject having count(*) > 1`,
  )
  expect(twice).toEqual([])
  const order = await rowsOf(
    `select count(*)::int as rounds, count(*) filter (where not in_order)::int as wrong from (
       select d.seq > coalesce(lag(d.seq) over w, -1) and r.round = coalesce(lag(r.round) over w, 0) + 1 as in_order
       from rounds r join documents d on d.tenant_id = r.tenant_id and d.scope_no = r.scope_no and d.document_id = r.document_id and d.revision = r.revision
       window w as (partition by r.tenant_id, r.scope_no order by r.round)) o`,
  )
  expect(order[0]).toEqual({ rounds: total, wrong: 0 })
  const gaps = await rowsOf(
    `select from (select seq, row_number() over (partition by tenant_id, scope_no order by seq) - 1 as place from events where scope_no > 0) e where seq <> place`,
  )
  expect(gaps).toHaveLength(0)
}

it('indexes every document once and in order although workers are killed at random', async () => {
  await Promise.all(Array.from({ length: workerCount }, startWorker))
  const loading = ingest(0, documents)
  let kills = 0
  /** Every second in a proof; every day after each eighth of the documents, however long that takes. */
  const isDue = (indexed: number) => kills < mostKills && (prove || indexed >= ((kills + 1) * documents) / 8)
  while ((await countIndexed()) < documents) {
    await pause(prove ? 1000 : 20)
    const indexed = await countIndexed()
    if (isDue(indexed) && indexed < documents) {
      const [victim] = workers.splice(Math.floor(Math.random() * workers.length), 1)
      await victim!.end('SIGKILL')
      kills++
      await startWorker()
    }
  }
  await loading
  expect(kills).toBeGreaterThan(0)
  await expectEachOnceInOrder(documents)
  // A dead worker's lease is taken over when it has run out, at the latest with the next look.
  const rows = await rowsOf(
    `select coalesce(max(extract(epoch from e.time - p.time)), 0)::float8 as seconds from events e join lateral (
       select time from events p where p.tenant_id = e.tenant_id and p.scope_no = e.scope_no and p.subject = e.subject and p.seq < e.seq
         and p.type = 'document.processing' order by p.seq desc limit 1) p on true
     where e.type = 'document.requeued' and e.data ->> 'reason' = 'lease_expired'`,
  )
  const longest = Number(rows[0].seconds)
  console.log(`PROVE journeys documents=${documents} kills=${kills} repeated=0 out_of_order=0 longest_takeover=${longest.toFixed(1)}s`)
  expect(longest).toBeLessThan(withinMs(leaseMs + 6000) / 1000)
}, 600_000)

interface HeldLease {
  tenant_id: string
  scope_no: number
  fence: number
}

/**
 * Stops a worker while it holds leases and no transaction of it is open, and gives these: else it is let go on. The locks of
 * an open one would keep others away until the server ends it, half a minute later. Nothing when the work is over before.
 */
async function freezeInWork(worker: ConcordProcess, total: number): Promise<HeldLease[] | undefined> {
  while ((await countIndexed()) < total) {
    worker.child.kill('SIGSTOP')
    const held = await rowsOf(`select tenant_id, scope_no, fence::int as fence from scope_leases where owner is not null order by scope_no`)
    const [{ open }] = await rowsOf(
      `select count(*)::int as open from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    if (held.length > 0 && open === 0) return held
    worker.child.kill('SIGCONT')
    await pause(5)
  }
  return undefined
}

it('lets a frozen worker write nothing after its lease', async () => {
  await Promise.all(workers.splice(1).map(each => each.end('SIGKILL')))
  const frozen = workers[0]!
  let total = documents
  let held: HeldLease[] | undefined
  while (held === undefined) {
    await ingest(total, total + frozenDocuments)
    total += frozenDocuments
    held = await freezeInWork(frozen, total)
  }
  await startWorker()
  while ((await countIndexed()) < total) await pause(50)
  const before = await rowsOf('select sum(next_seq)::bigint as events from scope_heads')
  frozen.child.kill('SIGCONT')
  // It notices by its next heartbeat and, being alive, takes new work; what it held stays as the other one left it.
  await pause(leaseMs)
  const after = await rowsOf('select sum(next_seq)::bigint as events from scope_heads')
  expect(after).toEqual(before)
  for (const lease of held) {
    const rows = await rowsOf('select fence::int as fence from scope_leases where tenant_id = $1 and scope_no = $2', [
      lease.tenant_id,
      lease.scope_no,
    ])
    expect(rows[0].fence).toBeGreaterThan(lease.fence)
  }
  await expectEachOnceInOrder(total)
}, 300_000)
