/** Words between processes over a real server: put together, one statement at a time, and still heard after connections were cut. */
import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { openNotifyChannel } from '../../src/store/server/notify.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.close())

function open() {
  const { address, logger } = database
  return createHints({ logger, channel: openNotifyChannel({ address, limits: testLimits, logger }), pauseMs: 1 })
}

/** Tells until it is heard: words may be lost, and are while a connection is down. */
async function untilHeard(from: ReturnType<typeof open>, to: ReturnType<typeof open>): Promise<void> {
  let heard = false
  const unsubscribe = to.subscribe('keys', () => {
    heard = true
  })
  while (!heard) {
    from.notify('keys')
    await new Promise(resolve => setImmediate(resolve))
  }
  unsubscribe()
}

test('a flood of hints goes out one message at a time, and cut connections are made again without leaving listeners behind', async () => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
  const [one, other] = [open(), open()]
  await untilHeard(one, other)
  const signals = new Set(added.mock.contexts as AbortSignal[])
  for (let n = 0; n < 3; n++) {
    const { rowCount } = await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %' or query ilike 'select pg_notify%' and datname = current_database()`,
    )
    expect(rowCount).toBeGreaterThan(0)
    await untilHeard(one, other)
    await untilHeard(other, one)
  }
  // A pause and the connection in use listen; those of connections that were lost do not.
  for (const signal of signals) expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(2)
  added.mockRestore()
  await Promise.all([one.close(), other.close()])
})
