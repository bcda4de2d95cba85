/**
 * What row-level security costs ingest: the same group commits with it forced and with it switched off, in turns on one
 * database, so that whatever else the machine does falls on both. Prints the ratio of the medians.
 */

import { createHints } from '../src/events/hints.js'
import { createIngest } from '../src/ingest/ingest.js'
import { systemClock } from '../src/platform/clock.js'
import { newTenantId } from '../src/platform/ids.js'
import { openOwnDatabase } from './support/own-database.js'

const rounds = process.argv.includes('--full') ? 40 : 12
const roundMs = 1500
const waiting = 128

const { db, owner, logger, close } = await openOwnDatabase({ enginePool: 6, statementTimeoutMs: 30_000 })
try {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity",
  )
  const switchTo = async (on: boolean) => {
    for (const { name } of rows) await owner.query(`alter table ${name} ${on ? 'enable' : 'disable'} row level security`)
  }
  await measure()
  const figures: Record<'on' | 'off', number[]> = { on: [], off: [] }
  for (let round = 0; round < rounds; round++) {
    for (const way of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await switchTo(way === 'on')
      figures[way].push(await measure())
    }
  }
  const [on, off] = [median(figures.on), median(figures.off)]
  console.log(
    `ingest with row-level security ${on.toFixed(0)}/s, without ${off.toFixed(0)}/s: cost ${((1 - on / off) * 100).toFixed(1)} % (${rows.length} tables, ${rounds} rounds each)`,
  )
  console.log(`RESULT ${JSON.stringify({ rls_cost: Number((1 - on / off).toFixed(3)) })}`)
} finally {
  await close()
}

/** Documents accepted per second, with so many waiting all the time. */
async function measure(): Promise<number> {
  const tenantId = newTenantId()
  await db.engineQuery('insert into tenants (tenant_id, name) values ($1, $1)', [tenantId])
  const config = {
    ingestFlushRows: 128,
    ingestFlushesInFlight: 2,
    ingestQueueLimit: 4096,
    ingestQueueBytes: 2 ** 27,
    ingestDeadlineMs: 10_000,
    scopeAutocreate: true,
    databaseEnginePool: 6,
  }
  const hints = createHints({ logger })
  const ingest = createIngest({ db, config, hints, clock: systemClock, logger })
  const text = 'The revenue for FY2025 was EUR 41.2M. '.repeat(100)
  let accepted = 0
  const started = performance.now()
  const lane = async (lane: number) => {
    for (let n = 0; performance.now() - started < roundMs; n++) {
      const body = { scope_id: `case-${(lane + n) % 32}`, name: 'Report', type: 'txt', text }
      await ingest.accept({ tenantId, body, idempotencyKey: `${lane}-${n}` })
      accepted++
    }
  }
  await Promise.all(Array.from({ length: waiting }, (_none, n) => lane(n)))
  const seconds = (performance.now() - started) / 1000
  await ingest.close()
  await hints.close()
  return accepted / seconds
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
