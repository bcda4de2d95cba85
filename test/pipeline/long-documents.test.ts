/**
 * A short document of one tenant beside many long ones of another, with the workers and threads of one process. PROVE=1 takes
 * 256 documents of 99 KB and measures how long short ones take from accepted to indexed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLeaseFinder } from '../../src/pipeline/leasing/lease-finder.js'
import { createReader, type Reader } from '../../src/pipeline/threads/reader.js'
import { systemClock } from '../../src/platform/clock.js'
import { openWorld, type PipelineWorld, type RunningWorker, sampleText } from './support.js'

const full = process.env['PROVE'] === '1'
const long = full ? { documents: 256, bytes: 99_000, scopes: 16 } : { documents: 10, bytes: 40_000, scopes: 10 }
const shortDocuments = full ? 100 : 3
const workerCount = full ? 8 : 3

let world: PipelineWorld
let reader: Reader
let workers: RunningWorker[]

beforeAll(async () => {
  world = await openWorld()
  reader = createReader({ threads: full ? 2 : 1, timeoutMs: 60_000 })
  const leasesPerTenant = Math.min(2 * reader.threads, workerCount - 1)
  const finder = createLeaseFinder({ db: world.db, clock: systemClock, logger: world.logger, leaseMs: 60_000, batch: 32, leasesPerTenant })
  workers = Array.from({ length: workerCount }, () => world.startWorker({ reader, finder, leaseMs: 60_000 }))
  // Both threads are there before anything is measured: a long document takes the first, a short one the other.
  const warm = await world.newTenant()
  await world.ingest([
    { tenantId: warm, scopeId: 'long', documentId: 'long', text: longText(0, 40_000) },
    { tenantId: warm, scopeId: 'short', documentId: 'short', text: sampleText(0) },
  ])
  await world.until('select bool_and(status = $2) from documents where tenant_id = $1', [warm, 'indexed'])
})

afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await reader.close()
  await world.close()
})

function longText(n: number, bytes: number): string {
  const lines: string[] = []
  for (let size = 0, line = 0; size < bytes; line++) {
    const text = `The supply of part ${n}-${line} to the plant in Lyon was delayed by ${1 + (line % 90)} days in March 2025, as the carrier told the office.`
    lines.push(text)
    size += text.length + 1
  }
  return lines.join('\n')
}

test('short documents of a tenant do not wait for the long ones of another', async () => {
  const [heavy, light] = [await world.newTenant(), await world.newTenant()]
  await world.ingest(
    Array.from({ length: long.documents }, (_, n) => ({
      tenantId: heavy,
      scopeId: `scope-${n % long.scopes}`,
      documentId: `doc-${n}`,
      text: longText(n, long.bytes),
    })),
  )
  await world.until(`select count(*) > 0 from documents where tenant_id = $1 and status = 'processing'`, [heavy])
  const ahead: number[] = []
  for (let n = 0; n < shortDocuments; n++) {
    await world.ingest([{ tenantId: light, scopeId: 'scope', documentId: `doc-${n}`, text: sampleText(n) }])
    await world.until(`select status = 'indexed' from documents where tenant_id = $1 and document_id = $2`, [light, `doc-${n}`])
    const [row] = await world.rows<{ ahead: string }>(
      `select count(*) as ahead from documents l join documents s on s.tenant_id = $2 and s.document_id = $3
       where l.tenant_id = $1 and l.finished_at between s.received_at and s.finished_at`,
      [heavy, light, `doc-${n}`],
    )
    ahead.push(Number(row?.ahead))
  }
  // At most what was in hand already comes before the first of them, and little more before each other.
  expect(ahead[0]).toBeLessThanOrEqual(4)
  if (!full) return
  const [left] = await world.rows<{ count: string }>(
    `select count(*) as count from documents where tenant_id = $1 and status in ('queued', 'processing')`,
    [heavy],
  )
  const rows = await world.rows<{ ms: number }>(
    'select extract(epoch from finished_at - received_at)::float8 * 1000 as ms from documents where tenant_id = $1 order by 1',
    [light],
  )
  const p99 = rows[Math.ceil(rows.length * 0.99) - 1]?.ms ?? 0
  const median = rows[Math.floor(rows.length / 2)]?.ms ?? 0
  console.log(
    `PROVE long long=${long.documents}x${long.bytes} short=${rows.length} median=${Math.round(median)}ms p99=${Math.round(p99)}ms`,
  )
  expect(Number(left?.count), 'long documents left when the last short one was done').toBeGreaterThan(0)
  expect(p99).toBeLessThanOrEqual(2000)
}, 600_000)
