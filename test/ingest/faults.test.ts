import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.js'
import { AppError } from '../../src/platform/errors.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { createWriteHealth } from '../../src/store/server/write-health.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { withinMs } from '../support/time-bounds.js'
import { documentFor, logOf, makeTenant, openIngest, range } from './support.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ enginePool: 8 })
})
afterAll(() => test.close())

/** The same database, with something happening to group commits on their way. */
function withFlushes(db: Database, around: (write: () => ReturnType<Database['engineQuery']>) => Promise<unknown>): Database {
  const engineQuery = (text: string, values?: readonly unknown[]) =>
    text.includes('concord_ingest') ? around(() => db.engineQuery(text, values)) : db.engineQuery(text, values)
  return { ...db, engineQuery: engineQuery as Database['engineQuery'] }
}

it('fails a row the database cannot store, and none of its neighbours', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  // The server refuses NUL; requests with it are refused earlier, so this stands for anything unforeseen.
  const results = await Promise.allSettled(
    range(64).map(n =>
      ingest.accept(documentFor(tenantId, 'case', { document_id: `d${n}`, text: n % 20 === 7 ? 'bad \u0000 row' : 'good' })),
    ),
  )
  const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [n] : []))
  expect(failed).toEqual([7, 27, 47])
  expect(await logOf(test, tenantId, 'case')).toEqual(range(61))
})

it('answers 503 and not 202 when the connection is lost at commit, and the repetition finds what was written', async () => {
  const tenantId = await makeTenant(test.db)
  let lose = true
  const db = withFlushes(test.db, async write => {
    const result = await write()
    if (lose) throw new AppError('STORAGE_UNAVAILABLE', { retryAfterSeconds: 1, cause: new Error('Connection terminated unexpectedly') })
    return result
  })
  const ingest = openIngest(test, {}, { db })
  await openIngest(test).accept(documentFor(tenantId, 'case', { document_id: 'warm-up' }))
  const request = documentFor(tenantId, 'case', { key: 'k' })
  await expect(ingest.accept(request)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: 1 })
  lose = false
  expect(await ingest.accept(request)).toMatchObject({ replayed: true, response: { seq: 1 } })
  expect(await logOf(test, tenantId, 'case')).toEqual([0, 1])
})

it('answers within the deadline when a flush hangs, and never says yes afterwards', async () => {
  const tenantId = await makeTenant(test.db)
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const ingest = openIngest(test, { ingestDeadlineMs: 200 }, { db: withFlushes(test.db, write => held.then(write)) })
  const started = performance.now()
  const outcomes = await Promise.allSettled(range(5).map(() => ingest.accept(documentFor(tenantId, 'case'))))
  expect(performance.now() - started).toBeLessThan(withinMs(1500))
  expect(outcomes.map(outcome => (outcome.status === 'rejected' ? (outcome.reason as AppError).code : 'accepted'))).toEqual(
    range(5).map(() => 'STORAGE_UNAVAILABLE'),
  )
  release()
  await ingest.close()
})

it('never says that storage is away where somebody works in a case for longer than a statement may run', async () => {
  const limits = { ...testLimits, statementTimeoutMs: 1500 }
  const db = await openDatabase({ address: test.address, limits, tenantPool: 2, enginePool: 4, logger: test.logger })
  const ingest = openIngest(test, { ingestDeadlineMs: 60_000 }, { db })
  const health = createWriteHealth({ db, clock: systemClock })
  const tenantId = await makeTenant(test.db)
  await ingest.accept(documentFor(tenantId, 'case'))
  const holder = await connectAsOwner(test.address, testLimits)
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock(scope_no) from scopes where tenant_id = $1', [tenantId])
  const waiting = health.watch(() => ingest.accept(documentFor(tenantId, 'case')))
  // Twice as long as a statement may run, so that a patient flush has given up for sure.
  await holder.query('select pg_sleep(3)')
  expect(await health.isWritable()).toBe(true)
  await holder.query('commit')
  await holder.end()
  expect(await waiting).toMatchObject({ response: { seq: 1 } })
  await ingest.close()
  await db.close()
})

it('refuses early when too many rows or bytes wait, and recovers', async () => {
  const tenants = await Promise.all(range(10).map(() => makeTenant(test.db)))
  const tenantId = tenants[0] as string
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const config = { ingestQueueLimit: 10, ingestQueueBytes: 1000, ingestFlushRows: 2, ingestFlushesInFlight: 1 }
  const ingest = openIngest(test, config, { db: withFlushes(test.db, write => held.then(write)) })
  const first = ingest.accept(documentFor(tenantId, 'case', { text: 'x' }))
  await expect(ingest.accept(documentFor(tenantId, 'case', { text: 'x'.repeat(2000) }))).rejects.toMatchObject({ code: 'OVERLOADED' })
  const waiting = tenants.slice(1).map(each => ingest.accept(documentFor(each, 'case', { text: 'x' })))
  await expect(ingest.accept(documentFor(tenantId, 'case', { text: 'x' }))).rejects.toMatchObject({
    code: 'OVERLOADED',
    retryAfterSeconds: 1,
  })
  release()
  await Promise.all([first, ...waiting])
  await ingest.accept(documentFor(tenantId, 'case'))
  expect(ingest.stats()).toMatchObject({ waiting: 0, waitingBytes: 0 })
})

it('answers what it took before it closes, and refuses what comes later', async () => {
  const tenantId = await makeTenant(test.db)
  const ingest = openIngest(test)
  const taken = range(20).map(() => ingest.accept(documentFor(tenantId, 'case')))
  const closing = ingest.close()
  await expect(ingest.accept(documentFor(tenantId, 'case'))).rejects.toMatchObject({ code: 'OVERLOADED' })
  await closing
  expect((await Promise.all(taken)).length).toBe(20)
})

it('holds a tenant to its limits row by row, and counts a revision as no new document', async () => {
  const tenantId = await makeTenant(test.db, { documents: 3, bytes: 100, scopes: 1 })
  const ingest = openIngest(test)
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      (error: AppError) => `${error.code} ${error.detail}`,
    )
  const codes = await Promise.all([
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'a', text: 'x'.repeat(60) }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'b', text: 'x'.repeat(60) }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'c', text: 'x' }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'c', text: 'y' }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text: 'x' }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'e', text: 'x' }))),
    code(ingest.accept(documentFor(tenantId, 'case', { document_id: 'd', text: 'y' }))),
  ])
  expect(codes.map(text => text.split(' ')[0])).toEqual([
    'accepted',
    'QUOTA_EXCEEDED',
    'accepted',
    'accepted',
    'accepted',
    'QUOTA_EXCEEDED',
    'accepted',
  ])
  expect(await code(ingest.accept(documentFor(tenantId, 'second-scope')))).toContain('documents')
})

it('holds a tenant to its number of scopes', async () => {
  const tenantId = await makeTenant(test.db, { documents: 3, bytes: 100, scopes: 1 })
  const ingest = openIngest(test)
  await ingest.accept(documentFor(tenantId, 'case', { text: 'x' }))
  await expect(ingest.accept(documentFor(tenantId, 'second-scope', { text: 'x' }))).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    detail: expect.stringContaining('cases'),
  })
})

it('says of a missing scope that it is missing, also to a tenant at its limits', async () => {
  const tenantId = await makeTenant(test.db, { documents: 1 })
  await openIngest(test).accept(documentFor(tenantId, 'case'))
  const ingest = openIngest(test, { scopeAutocreate: false })
  const codeOf = (scopeId: string) => ingest.accept(documentFor(tenantId, scopeId)).catch((error: AppError) => error.code)
  expect(await Promise.all(['nowhere', 'case', 'nowhere'].map(codeOf))).toEqual(['SCOPE_NOT_FOUND', 'QUOTA_EXCEEDED', 'SCOPE_NOT_FOUND'])
})
