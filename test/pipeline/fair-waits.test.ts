/**
 * How long documents of small tenants wait, from accepted to indexed, beside one tenant with a hundred times the load of
 * each of them; compared with the same total load spread evenly, in turns on the same machine. PROVE=1 takes five times as
 * many documents, twice.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothingWaits, openWorld, type PipelineWorld, type RunningWorker, sampleText } from './support.js'

const small = 19
const each = process.env['PROVE'] === '1' ? 10 : 2
const total = each * (100 + small)
const rounds = process.env['PROVE'] === '1' ? 2 : 1
const scopesPerTenant = 8

let world: PipelineWorld
let workers: RunningWorker[]

beforeAll(async () => {
  world = await openWorld()
  workers = [1, 2, 3].map(() => world.startWorker({ batch: 16 }))
  // Threads and connections are there before anything is measured.
  await waits([5])
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await world.close()
})

/** Hands in so many documents for a tenant each, all at once and the largest first; answers how long theirs took, tenant by tenant. */
async function waits(loads: readonly number[]): Promise<number[][]> {
  const tenants = await Promise.all(loads.map(() => world.newTenant()))
  await world.ingest(
    loads.flatMap((load, place) =>
      Array.from({ length: load }, (_, n) => ({
        tenantId: tenants[place] as string,
        scopeId: `scope-${n % scopesPerTenant}`,
        documentId: `doc-${n}`,
        text: sampleText(n),
      })),
    ),
  )
  await world.until(nothingWaits)
  const rows = await world.rows<{ tenant_id: string; waits: number[] }>(
    `select tenant_id, array_agg(extract(epoch from finished_at - received_at)::float8 * 1000) as waits from documents
     where tenant_id = any($1) and status = 'indexed' group by tenant_id`,
    [tenants],
  )
  const byTenant = new Map(rows.map(row => [row.tenant_id, row.waits]))
  return tenants.map(tenantId => byTenant.get(tenantId) ?? [])
}

const p99 = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0

test('small tenants wait at most twice as long beside a large one as among equals', async () => {
  const even: number[] = []
  const beside: number[] = []
  const large: number[] = []
  const share = Math.floor(total / (small + 1))
  for (let round = 0; round < rounds; round++) {
    const equals = await waits(Array.from({ length: small + 1 }, () => share))
    even.push(p99(equals.slice(1).flat()))
    const [most = [], ...others] = await waits([100 * each, ...Array.from({ length: small }, () => each)])
    expect(most).toHaveLength(100 * each)
    expect(others.flat()).toHaveLength(small * each)
    beside.push(p99(others.flat()))
    large.push(p99(most))
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const ratio = mean(beside) / mean(even)
  const figures = `even_p99=${Math.round(mean(even))}ms beside_p99=${Math.round(mean(beside))}ms large_p99=${Math.round(mean(large))}ms`
  console.log(`PROVE fairness documents=${total} ${figures} ratio=${ratio.toFixed(2)}`)
  expect(ratio).toBeLessThanOrEqual(process.env['PROVE'] === '1' ? 2 : 4)
  // A queue that served in the order of arrival would let the small ones, who came last, wait as long as the large one.
  expect(mean(beside)).toBeLessThan(mean(large) * 0.75)
}, 240_000)
