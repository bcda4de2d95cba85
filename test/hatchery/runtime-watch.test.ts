import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHints, type Hints } from '../../src/events/hints.js'
import { control } from '../../src/hatchery/control.js'
import { type RunningRuntimeWatch, startRuntimeWatch } from '../../src/hatchery/runtime-watch.js'
import { type Clock, systemClock } from '../../src/platform/clock.js'
import { type Lease, takeLease } from '../../src/store/leases/leases.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { withinMs } from '../support/time-bounds.js'
import { addScope, addTenant, queueDocuments } from './fixture.js'

let test: TestDatabase
let hints: Hints
const watches: RunningRuntimeWatch[] = []

beforeAll(async () => {
  test = await cloneDatabase()
  hints = createHints({ logger: test.logger })
})
afterAll(async () => {
  for (const watch of watches) await watch.stop()
  await test.close()
})

function watching(clock: Clock = systemClock, from = hints): RunningRuntimeWatch {
  const watch = startRuntimeWatch({ db: test.db, hints: from, clock, logger: test.logger })
  watches.push(watch)
  return watch
}

async function leased() {
  const tenantId = await addTenant(test.owner)
  const scope = await addScope(test.owner, tenantId, 'case-1')
  await queueDocuments(test.owner, scope, 2)
  const lease = (await takeLease(test.db, scope, { owner: 'w', leaseMs: 60_000, batch: 10 })) as Lease
  return { lease, target: { level: 'scope', tenantId, scopeId: 'case-1' } as const, tenantId }
}

const fired = (signal: AbortSignal) =>
  new Promise<number>(resolve => {
    const begun = performance.now()
    if (signal.aborted) return resolve(0)
    signal.addEventListener('abort', () => resolve(performance.now() - begun))
  })

async function until(condition: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  while (!(await condition())) await new Promise<void>(resolve => setImmediate(resolve))
  return performance.now() - begun
}

describe('runtime watch', () => {
  it('lets nothing begin within a second of a pause, without any hint, and lets the work in hand finish', async () => {
    const { lease, target } = await leased()
    const hold = watching(systemClock, createHints({ logger: test.logger })).hold(lease)
    expect(await hold.mayBegin()).toBe(true)
    await control({ db: test.db, hints }, 'pause', target)
    expect(await until(async () => !(await hold.mayBegin()))).toBeLessThan(withinMs(1000))
    expect(hold.signal.aborted).toBe(false)
    await control({ db: test.db, hints }, 'resume', target)
    expect(await until(() => hold.mayBegin())).toBeLessThan(withinMs(1000))
    hold.release()
    expect(await hold.mayBegin()).toBe(false)
  })

  it('ends the work in hand at once when the tenant is stopped', async () => {
    const { lease, tenantId } = await leased()
    const hold = watching().hold(lease)
    const over = fired(hold.signal)
    await control({ db: test.db, hints }, 'stop', { level: 'tenant', tenantId })
    expect(await over).toBeLessThan(withinMs(1000))
    expect(await hold.mayBegin()).toBe(false)
  })

  it('tells a holder whose lease was taken away although the scope runs again', async () => {
    const { lease, target } = await leased()
    const hold = watching().hold(lease)
    const over = fired(hold.signal)
    await control({ db: test.db, hints }, 'restart', target)
    await over
    expect(hold.signal.reason).toMatchObject({ message: 'the lease of the scope was taken away' })
  })

  it('waits for a confirmation when the last one is old, instead of guessing', async () => {
    const { lease, target } = await leased()
    const time = { ms: 0 }
    const hold = watching({ now: () => new Date(), monotonicMs: () => time.ms }, createHints({ logger: test.logger })).hold(lease)
    await control({ db: test.db, hints }, 'pause', target)
    // Nothing was polled since the pause as far as this clock knows; the answer must come from the database.
    time.ms = 5000
    expect(await hold.mayBegin()).toBe(false)
  })
})
