import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ingest } from '../../src/ingest/ingest.js'
import { pause } from '../../src/platform/deadline.js'
import type { AppError } from '../../src/platform/errors.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { withinMs } from '../support/time-bounds.js'
import { documentFor, logOf, makeTenant, openIngest, range } from './support.js'
import { startProxy, type TcpProxy } from './tcp-proxy.js'

let test: TestDatabase
let proxy: TcpProxy
let db: Database
let ingest: Ingest
beforeAll(async () => {
  test = await cloneDatabase()
  proxy = await startProxy(test.address)
  const limits = { connectTimeoutMs: 1000, statementTimeoutMs: 5000 }
  db = await openDatabase({ address: proxy.address, limits, tenantPool: 1, enginePool: 4, logger: test.logger })
  ingest = openIngest(test, { ingestDeadlineMs: deadlineMs }, { db })
})
afterAll(async () => {
  await proxy.close()
  await db.close(0)
  await test.close()
})

const deadlineMs = 1000

interface Outcome {
  accepted: number | null
  code: string | null
  retryAfter: number | undefined
  ms: number
}

async function attempt(tenantId: string): Promise<Outcome> {
  const started = performance.now()
  const ms = () => performance.now() - started
  return ingest.accept(documentFor(tenantId, 'case')).then(
    ({ response }) => ({ accepted: response.seq, code: null, retryAfter: undefined, ms: ms() }),
    (error: AppError) => ({ accepted: null, code: error.code, retryAfter: error.retryAfterSeconds, ms: ms() }),
  )
}

const ways: ['cut off' | 'silent', () => Promise<void>][] = [
  ['cut off', () => proxy.close()],
  ['silent', async () => proxy.silence()],
]

it.each(ways)('answers every request with 503 within its deadline while the database is %s, and comes back', async (_way, goAway) => {
  const tenantId = await makeTenant(test.db)
  expect((await attempt(tenantId)).accepted).toBe(0)
  await goAway()
  const outcomes: Outcome[] = []
  const away = performance.now()
  while (performance.now() - away < 3 * deadlineMs) {
    outcomes.push(...(await Promise.all(range(20).map(() => attempt(tenantId)))))
    // Clients that are refused at once wait as they are told to, only less long.
    await pause(50)
  }
  for (const { code, retryAfter, ms } of outcomes) {
    expect(code).toBe('STORAGE_UNAVAILABLE')
    expect(retryAfter).toBeGreaterThan(0)
    expect(ms).toBeLessThan(withinMs(deadlineMs + 1500))
  }
  await proxy.open()
  const back = performance.now()
  let recovered = await attempt(tenantId)
  while (recovered.accepted === null && performance.now() - back < 20_000) recovered = await attempt(tenantId)
  expect(recovered.accepted).not.toBeNull()
  expect(performance.now() - back).toBeLessThan(withinMs(deadlineMs + 2000))
  // Whatever was in doubt while it was away either is there or is not, without a gap.
  const log = await logOf(test, tenantId, 'case')
  expect(log).toEqual(range(log.length))
  expect(log).toContain(recovered.accepted)
  expect((await verifyDatabase(test.db)).broken).toEqual([])
})
