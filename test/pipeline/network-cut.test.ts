/**
 * The line between a worker and the database is cut in the middle of its work: held up, half-open, or slow. Another worker
 * on a good line takes over what the first one held. Nothing happens twice, and once the line is back the first goes on
 * within five seconds. Cuts of three seconds with short time limits; PROVE=1: thirty seconds with those of the service.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../src/platform/logger.js'
import { type Database, openDatabase } from '../../src/store/server/database.js'
import { type CuttingProxy, type LineState, startCuttingProxy } from '../support/cutting-proxy.js'
import { withinMs } from '../support/time-bounds.js'
import { nothingWaits, openWorld, type PipelineWorld, sampleText } from './support.js'

const prove = process.env['PROVE'] === '1'
const cutMs = prove ? 30_000 : 3000
const limits = prove ? { connectTimeoutMs: 5000, statementTimeoutMs: 15_000 } : { connectTimeoutMs: 3000, statementTimeoutMs: 1500 }
const leaseMs = prove ? 8000 : 1500
const recoveryMs = 5000
const scopes = 4

let world: PipelineWorld
let line: CuttingProxy
let far: Database
const logger = createLogger({ level: 'silent' })

beforeAll(async () => {
  world = await openWorld()
  line = await startCuttingProxy(world.address)
  far = await openDatabase({ address: line.address, limits, tenantPool: 4, enginePool: 4, logger })
})
afterAll(async () => {
  await far.close(0)
  await line.close()
  await world.close()
})

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function indexed(tenantId: string): Promise<number> {
  const [row] = await world.rows<{ indexed: number }>(
    `select count(*)::int as indexed from documents where tenant_id = $1 and status = 'indexed'`,
    [tenantId],
  )
  return Number(row?.indexed)
}

async function expectOnceInOrder(tenantId: string, documents: number): Promise<void> {
  const twice = await world.rows(
    `select subject from events where tenant_id = $1 and type = 'document.indexed' group by scope_no, subject having count(*) > 1`,
    [tenantId],
  )
  expect(twice).toEqual([])
  const rounds = await world.rows<{ documents: string[]; rounds: number[] }>(
    `select array_agg(document_id order by round) as documents, array_agg(round::int order by round) as rounds from rounds
     where tenant_id = $1 group by scope_no`,
    [tenantId],
  )
  expect(rounds.reduce((sum, scope) => sum + scope.rounds.length, 0)).toBe(documents)
  for (const scope of rounds) {
    expect(scope.rounds).toEqual(scope.rounds.map((_, n) => n + 1))
    const numbers = scope.documents.map(name => Number(name.slice(4)))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  }
  const gaps = await world.rows(
    `select from (select seq, row_number() over (partition by scope_no order by seq) - 1 as place from events where tenant_id = $1 and scope_no > 0) e where seq <> place`,
    [tenantId],
  )
  expect(gaps).toHaveLength(0)
  const [claims] = await world.rows<{ written: number; told: number }>(
    `select (select count(*) from claims where tenant_id = $1)::int as written, (select sum(claim_count) from documents where tenant_id = $1)::int as told`,
    [tenantId],
  )
  expect(claims?.written).toBe(claims?.told)
}

test.each<LineState>(['held', 'half-open', 'slow'])(
  'a line that is %s costs time and nothing else',
  async how => {
    const tenantId = await world.newTenant()
    let made = 0
    const ingest = (count: number) =>
      world.ingest(
        Array.from({ length: count }, () => {
          const n = made++
          return { tenantId, scopeId: `scope-${n % scopes}`, documentId: `doc-${n}`, text: sampleText(n) }
        }),
      )
    const cut = world.startWorker({ db: far, leaseMs, batch: 4, logger })
    await ingest(40)
    await world.until(`select count(*) >= 4 from documents where tenant_id = $1 and status = 'indexed'`, [tenantId])
    line.become(how)
    await wait(cutMs / 2)
    const near = world.startWorker({ leaseMs, batch: 4 })
    await wait(cutMs / 2)
    // Not stopped: that would end the thread both share, and the start of a new one would be measured.
    await near.drain()
    await ingest(24)
    const before = await indexed(tenantId)
    line.become('open')
    const opened = performance.now()
    while ((await indexed(tenantId)) === before) await wait(10)
    const recoveredMs = performance.now() - opened
    console.log(`PROVE line-cut cut=${cutMs / 1000}s line=${how} documents=${made} recovered=${Math.round(recoveredMs)}ms`)
    expect(recoveredMs).toBeLessThan(withinMs(recoveryMs))
    await world.until(nothingWaits)
    await cut.stop()
    await expectOnceInOrder(tenantId, made)
  },
  240_000,
)
