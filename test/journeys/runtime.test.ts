/**
 * Pause, stop, resume, start and restart at each level under load, with two nodes that work, of which one answers, on one
 * database. What happened is read from the event log, by the database's clock. The load is on what is addressed, with a little on
 * everything else. PROVE=1 loads everything alike, takes a process for each node, and holds the service to the second within which it obeys.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pause } from '../../src/platform/deadline.js'
import { createFaultInjector } from '../../src/platform/faults.js'
import type { Database } from '../../src/store/server/database.js'
import { withFaults } from '../../src/store/server/faulty-database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { processKeys, startConcord } from '../support/concord-process.js'
import { patientFetch } from '../support/patient-fetch.js'
import { startTestService } from '../support/service.js'
import { withinMs } from '../support/time-bounds.js'

type Level = 'service' | 'tenant' | 'scope'
const levels: Level[] = ['scope', 'tenant', 'service']
const scopesPerTenant = 3
const prove = process.env['PROVE'] === '1'
/** Documents for each scope that is addressed, and for each that is not. */
const loads: Record<Level, { addressed: number; others: number }> = {
  scope: { addressed: prove ? 24 : 10, others: prove ? 24 : 1 },
  tenant: { addressed: prove ? 24 : 4, others: prove ? 24 : 1 },
  service: { addressed: prove ? 24 : 2, others: 0 },
}
/** A round is met in the middle where more than so many of its documents wait. */
const stillToDo = prove ? 10 : 4
/** For so long nothing may begin: longer than a process takes to hear of a pause, or than it takes to begin the next document. */
const quietMs = prove ? 1500 : 500

/** One document a lease, so that the work of a round takes a while on any machine. */
const workerEnv = { WORKERS: '3', BATCH_DOCUMENTS: '1', WORKER_THREADS: '1' }

/** A part of the service, in a process of its own or in this one. */
interface Node {
  url: string
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown>
}

let test: TestDatabase
let owner: TestDatabase['owner']
let nodes: Node[] = []
let tenants: { tenant_id: string; api_key: string }[]

beforeAll(async () => {
  test = await cloneDatabase({ tenantPool: 12, enginePool: 16 })
  owner = test.owner
  nodes = await Promise.all((['all', 'worker'] as const).map(prove ? startProcess : startHere))
  tenants = [(await admin('/admin/tenants', { name: 'first' })).body, (await admin('/admin/tenants', { name: 'second' })).body]
}, 120_000)

afterAll(async () => {
  await Promise.all(nodes.map(each => each.end('SIGTERM')))
  await test.close()
})

const startProcess = (role: 'all' | 'worker'): Promise<Node> => startConcord({ address: test.address, role, env: workerEnv })

/** With a database that takes its time, so that a round can be met in the middle. */
async function startHere(role: 'all' | 'worker'): Promise<Node> {
  const env = { ...workerEnv, ROLE: role, ADMIN_API_KEY: processKeys.admin, INTERNALS_API_KEY: processKeys.internals }
  const delays = createFaultInjector({ seed: 1, rate: 0.1, kinds: ['delay'] })
  const wrapDatabase = (db: Database) => withFaults(db, delays, () => undefined)
  const { url, stop } = await startTestService(env, { database: test, wrapDatabase })
  return { url, end: stop }
}

async function call(path: string, body: unknown, headers: Record<string, string>) {
  const answer = await patientFetch(nodes[0]!.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const admin = (path: string, body: unknown, tenantKey?: string) =>
  call(path, body, { authorization: `Bearer ${processKeys.admin}`, ...(tenantKey === undefined ? {} : { 'x-tenant-api-key': tenantKey }) })

/** The first scope of the first tenant, that tenant, or everything. */
async function operate(operation: string, level: Level) {
  const tenantKey = level === 'service' ? undefined : tenants[0]!.api_key
  const answer = await admin(`/admin/runtime/${operation}`, level === 'scope' ? { scope_id: 'case-0' } : {}, tenantKey)
  expect(answer.status).toBe(200)
  const { rows } = await owner.query('select clock_timestamp()::text as at')
  return { ...answer.body, at: rows[0].at as string }
}

function textOf(number: number): string {
  return `Minutes of meeting ${number}.\n\nThe chair opened the meeting and thanked everybody for coming.\nNobody asked for the floor.`
}

let round = 0
let accepted = 0

/** Hands in documents for every scope of both tenants; the scopes of a round are the same as before. */
async function load(level: Level): Promise<void> {
  round++
  const sent: Promise<{ status: number }>[] = []
  for (const tenant of tenants) {
    for (let s = 0; s < scopesPerTenant; s++) {
      const addressed = level === 'service' || (tenant === tenants[0] && (level === 'tenant' || s === 0))
      const documents = loads[level][addressed ? 'addressed' : 'others']
      accepted += documents
      for (let d = 0; d < documents; d++) {
        const document = { scope_id: `case-${s}`, name: `doc ${d}`, document_id: `r${round}-${d}`, text: textOf(round * 1000 + d) }
        sent.push(call('/api/ingest', document, { 'x-tenant-id': tenant.tenant_id }))
      }
    }
  }
  for (const answer of await Promise.all(sent)) expect(answer.status).toBe(202)
}

/** Waits until the query's first column is true. */
async function until(sql: string, values: unknown[] = []): Promise<void> {
  for (;;) {
    const { rows } = await owner.query({ text: sql, values, rowMode: 'array' })
    if (rows[0]?.[0] === true) return
    await pause(20)
  }
}

const covered: Record<Level, string> = {
  service: 'true',
  tenant: 's.tenant_id = $1',
  scope: "s.tenant_id = $1 and s.scope_id = 'case-0'",
}

const inLevel = (level: Level) => ({ where: covered[level], values: level === 'service' ? [] : [tenants[0]!.tenant_id] })

/** Events of a type in the scopes of a level, later than a time of the database's clock by so many milliseconds. */
async function eventsAfter(level: Level, type: string, at: string, ms: number): Promise<number> {
  const { where, values } = inLevel(level)
  const { rows } = await owner.query(
    `select count(*)::int as events from events e join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
     where ${where} and e.type = '${type}' and e.time > '${at}'::timestamptz + interval '${ms} ms'`,
    values,
  )
  return rows[0].events
}

/** Lets a whole round wait, sets it free, and comes back in the middle of it; where that was missed, with another round. */
async function loadAndBegin(level: Level): Promise<void> {
  const { where, values } = inLevel(level)
  const counts = `select sum(h.processing)::int as processing, sum(h.queued)::int as queued
    from scope_heads h join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no where ${where}`
  for (;;) {
    await operate('pause', 'service')
    await load(level)
    await operate('resume', 'service')
    for (let queued = Number.POSITIVE_INFINITY; queued > stillToDo; await pause(20)) {
      const { rows } = await owner.query(counts, values)
      queued = rows[0].queued
      if (queued > stillToDo && rows[0].processing > 0) return
    }
    await untilDone()
  }
}

/** Pauses in the middle of a round, and gives what waits then: nothing, where the round was over before the pause was heard of. */
async function pauseInWork(level: Level): Promise<{ at: string; waiting: number }> {
  await loadAndBegin(level)
  const paused = await operate('pause', level)
  expect(paused).toMatchObject({ state: 'paused', changed: true, addressed: { level } })
  await untilNothingBegins(level)
  return { at: paused.at, waiting: await waitingIn(level) }
}

/** Nothing is in hand any more in the scopes of a level. */
async function untilQuiet(level: Level): Promise<void> {
  const { where, values } = inLevel(level)
  await until(
    `select sum(h.processing) = 0 from scope_heads h join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no where ${where}`,
    values,
  )
}

/** Nothing is in hand and nothing begins for a while. */
async function untilNothingBegins(level: Level): Promise<void> {
  const begun = () => eventsAfter(level, 'document.processing', '-infinity', 0)
  for (let before = await begun(), now = -1; now !== before; ) {
    if (now >= 0) before = now
    await pause(quietMs)
    await untilQuiet(level)
    now = await begun()
  }
}

/** Documents that wait in the scopes of a level. */
async function waitingIn(level: Level): Promise<number> {
  const { where, values } = inLevel(level)
  const { rows } = await owner.query(
    `select sum(h.queued)::int as waiting from scope_heads h join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no where ${where}`,
    values,
  )
  return rows[0].waiting
}

const passed = (at: string, ms: number) => until(`select clock_timestamp() > '${at}'::timestamptz + interval '${ms} ms'`)

const untilDone = () => until('select sum(queued + processing) = 0 and sum(indexed) = $1 from scope_heads', [accepted])

/** Every document of every round indexed once, in the order it was queued, without a gap in any log. */
async function expectNothingLostOrRepeated(): Promise<void> {
  const { rows } = await owner.query(
    `select s.scope_id, h.next_seq::int, count(*)::int as events,
       array_agg(e.subject order by e.seq) filter (where e.type = 'document.queued') as queued,
       array_agg(e.subject order by e.seq) filter (where e.type = 'document.indexed') as indexed
     from events e join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
     join scope_heads h on h.tenant_id = e.tenant_id and h.scope_no = e.scope_no
     group by s.tenant_id, s.scope_id, h.next_seq`,
  )
  expect(rows).toHaveLength(2 * scopesPerTenant)
  expect(rows.reduce((sum, scope) => sum + scope.queued.length, 0)).toBe(accepted)
  for (const scope of rows) {
    expect(scope.indexed).toEqual(scope.queued)
    expect(scope.events).toBe(scope.next_seq)
  }
}

describe.each(levels)('at the level of the %s', level => {
  // What failed in the middle is tried once more, and must not find itself stopped.
  afterEach(async () => {
    for (const each of levels) await operate('start', each)
    await untilDone()
  })

  it('pauses within a second, lets at most the document in hand of each worker finish, and resumes without loss', async () => {
    let paused = await pauseInWork(level)
    for (let tries = 1; paused.waiting === 0 && tries < 5; tries++) {
      await operate('resume', level)
      await untilDone()
      paused = await pauseInWork(level)
    }
    expect(paused.waiting).toBeGreaterThan(0)
    if (prove) {
      expect(await eventsAfter(level, 'document.processing', paused.at, 1000)).toBe(0)
      const { rows } = await owner.query("select sum(json_array_length(snapshot->'workers'))::int as workers from nodes")
      expect(await eventsAfter(level, 'document.indexed', paused.at, 1000)).toBeLessThanOrEqual(rows[0].workers)
    }
    expect(await operate('resume', level)).toMatchObject({ state: 'running', changed: true })
    await untilDone()
    await expectNothingLostOrRepeated()
  }, 120_000)

  it('stops within a second even in the middle of documents, and starts again without loss', async () => {
    await loadAndBegin(level)
    const stopped = await operate('stop', level)
    expect(stopped).toMatchObject({ state: 'stopped', changed: true })
    await untilQuiet(level)
    const { rows } = await owner.query(`select clock_timestamp() < '${stopped.at}'::timestamptz + interval '${withinMs(1000)} ms' as soon`)
    expect(rows[0].soon).toBe(true)
    await passed(stopped.at, 1500)
    expect(await eventsAfter(level, 'document.processing', stopped.at, 1000)).toBe(0)
    expect(await eventsAfter(level, 'document.indexed', stopped.at, 1000)).toBe(0)
    expect(await operate('start', level)).toMatchObject({ previous: 'stopped', state: 'running' })
    await untilDone()
    await expectNothingLostOrRepeated()
  }, 120_000)

  it('restarts under a new run without losing or repeating anything', async () => {
    const { run } = await operate('start', level)
    await loadAndBegin(level)
    const restarted = await operate('restart', level)
    expect(restarted).toMatchObject({ state: 'running', changed: true, run: run + 1 })
    await untilDone()
    await expectNothingLostOrRepeated()
  }, 120_000)
})
