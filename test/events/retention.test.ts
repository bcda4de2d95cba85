import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runRetention } from '../../src/events/retention.js'
import { documentFor, logOf, makeTenant, openIngest, range } from '../ingest/support.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { eventsOf, openRaw, type StreamServer, startStreamServer } from './support.js'

let test: TestDatabase
let stream: StreamServer
// For each attempt: how much goes and what is oldest is a matter of everything in the database.
beforeEach(async () => {
  test = await cloneDatabase()
  stream = await startStreamServer(test)
})
afterEach(async () => {
  await stream.close()
  await test.close()
})

it('removes events past their time from the old end, and readers that come too late are told', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test, {}, { hints: stream.hints })
  const early = openRaw(stream.port, '/kernel?after=-1')
  await Promise.all(range(700).map(() => ingest.accept(documentFor(tenantId, 'case'))))
  const cursor = eventsOf(await early.until(frames => eventsOf(frames).length > 10))[10]?.id as string
  early.close()
  await test.owner.query(`update events set time = time - interval '40 days' where tenant_id = $1 and (scope_no = 0 or seq < 600)`, [
    tenantId,
  ])
  const config = { eventRetentionDays: 30, idempotencyRetentionHours: 48 }
  expect(await runRetention({ db: test.db, config })).toEqual({ events: 601, idempotencyKeys: 0, more: false })
  expect(await logOf(test, tenantId, 'case')).toEqual(range(100).map(n => n + 600))

  const late = openRaw(stream.port, `/scopes/${tenantId}/case?after=17`)
  const [gap, next] = eventsOf(await late.until(frames => eventsOf(frames).length === 101))
  expect(gap).toMatchObject({ event: 'stream.gap', data: { data: { requested: 17, oldest: 600, newest: 699 } } })
  expect(next?.id).toBe('600')
  late.close()

  const lateKernel = openRaw(stream.port, `/kernel?after=${cursor}`)
  const frames = eventsOf(await lateKernel.until(all => eventsOf(all).length === 101))
  expect(frames.map(frame => frame.event)).toEqual(['stream.gap', ...range(100).map(() => 'document.queued')])
  expect(frames[0]).toMatchObject({ data: { data: { requested: cursor, oldest: frames[1]?.id, newest: frames.at(-1)?.id } } })
  lateKernel.close()

  // An older transaction, of any database of the server, keeps the newest event back and not from being named.
  await test.owner.query('begin')
  await test.owner.query('select pg_current_xact_id()')
  await ingest.accept(documentFor(tenantId, 'case'))
  const waiting = openRaw(stream.port, `/kernel?after=${cursor}`)
  const [told] = eventsOf(await waiting.until(all => eventsOf(all).length === 101))
  await test.owner.query('rollback')
  const last = eventsOf(await waiting.until(all => eventsOf(all).length === 102)).at(-1)
  expect(told).toMatchObject({ event: 'stream.gap', data: { data: { newest: last?.id } } })
  waiting.close()
})

it('keeps everything when no time is set, and forgets keys after theirs', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  const request = documentFor(tenantId, 'case', { key: 'k' })
  await ingest.accept(request)
  const config = { eventRetentionDays: undefined, idempotencyRetentionHours: 24 }
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 0, idempotencyKeys: 0 })
  expect(await ingest.accept(request)).toMatchObject({ replayed: true })
  await test.owner.query("update idempotency_keys set created_at = created_at - interval '2 days' where tenant_id = $1", [tenantId])
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 0, idempotencyKeys: 1 })
  expect(await ingest.accept(request)).toMatchObject({ replayed: false, response: { seq: 1 } })
})

it('goes by the clock of the database when the clock of the node is 400 days ahead', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  const request = documentFor(tenantId, 'case', { key: 'k' })
  await ingest.accept(request)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 })
  try {
    const config = { eventRetentionDays: 30, idempotencyRetentionHours: 24 }
    expect(await runRetention({ db: test.db, config })).toEqual({ events: 0, idempotencyKeys: 0, more: false })
  } finally {
    vi.useRealTimers()
  }
  expect(await ingest.accept(request)).toMatchObject({ replayed: true })
})

it('removes nothing behind an event that is younger: such came with a tenant from elsewhere', async () => {
  const [here, moved] = [await makeTenant(test.db), await makeTenant(test.db)]
  const ingest = openIngest(test)
  await ingest.accept(documentFor(here, 'case'))
  await ingest.accept(documentFor(moved, 'case'))
  await test.owner.query("update events set time = time - interval '40 days' where tenant_id = $1", [moved])
  const config = { eventRetentionDays: 30, idempotencyRetentionHours: 24 }
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 0, more: false })
  expect([await logOf(test, here, 'case'), await logOf(test, moved, 'case')]).toEqual([[0], [0]])
})

it('goes by the events around one whose time is ahead', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  for (const _ of range(701)) await ingest.accept(documentFor(tenantId, 'case'))
  const config = { eventRetentionDays: 30, idempotencyRetentionHours: 24 }
  const moveTime = (by: string, seqs: string) =>
    test.owner.query(`update events set time = time ${by} where tenant_id = $1 and ${seqs}`, [tenantId])
  // More than one batch of them and the event of the scope, then one that is young.
  await moveTime("+ interval '1 year'", 'seq < 600')
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 0 })
  await moveTime("- interval '40 days'", 'seq = 600')
  await moveTime("+ interval '1 year'", 'seq = 601')
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 602 })
  expect(await logOf(test, tenantId, 'case')).toEqual(range(100).map(n => n + 601))
})

it('goes on behind the events of a busy case, however many of others are due', async () => {
  const [other, busy] = [await makeTenant(test.db), await makeTenant(test.db)]
  const ingest = openIngest(test)
  await ingest.accept(documentFor(busy, 'case'))
  await Promise.all(range(1200).map(() => ingest.accept(documentFor(other, 'case'))))
  await test.owner.query("update events set time = time - interval '40 days' where tenant_id in ($1, $2)", [other, busy])
  await test.owner.query('begin')
  await test.owner.query('select pg_advisory_xact_lock(scope_no) from scopes where tenant_id = $1', [busy])
  const config = { eventRetentionDays: 30, idempotencyRetentionHours: 24 }
  expect(await runRetention({ db: test.db, config })).toMatchObject({ more: false })
  expect([await logOf(test, other, 'case'), await logOf(test, busy, 'case')]).toEqual([[], [0]])
  await test.owner.query('rollback')
  await runRetention({ db: test.db, config })
})

it('waits for no case in which somebody is long at work while it has others, and then for that alone', async () => {
  const [other, busy] = [await makeTenant(test.db), await makeTenant(test.db)]
  const ingest = openIngest(test)
  await ingest.accept(documentFor(other, 'case'))
  await ingest.accept(documentFor(busy, 'case'))
  await test.owner.query("update events set time = time - interval '40 days'")
  const config = { eventRetentionDays: 30, idempotencyRetentionHours: 24 }
  await test.owner.query('begin')
  await test.owner.query('select pg_advisory_xact_lock(scope_no) from scopes where tenant_id = $1', [busy])
  expect(await runRetention({ db: test.db, config })).toMatchObject({ events: 3, more: false })
  expect([await logOf(test, other, 'case'), await logOf(test, busy, 'case')]).toEqual([[], [0]])
  const waiting = runRetention({ db: test.db, config })
  const isWaiting =
    "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())"
  await vi.waitFor(async () => expect((await test.db.engineQuery(isWaiting)).rowCount).toBe(1))
  expect((await ingest.accept(documentFor(other, 'case'))).response.seq).toBe(1)
  await test.owner.query('rollback')
  expect(await waiting).toMatchObject({ events: 1 })
  expect([await logOf(test, other, 'case'), await logOf(test, busy, 'case')]).toEqual([[1], []])
})
