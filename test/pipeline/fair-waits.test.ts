/**
 * How documents of small tenants fare beside one tenant with a hundred times the load of each of them: they come to their turn
 * before most of the large one's. PROVE=1 takes five times as many documents, twice, and compares how long they wait, from
 * accepted to indexed, with the same total load spread evenly, in turns on the same machine.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothingWaits, openWorld, type PipelineWorld, type RunningWorker, sampleText } from './support.js'

const prove = process.env['PROVE'] === '1'
const small = 19
const each = prove ? 10 : 2
const total = each * (100 + small)
const rounds = 2
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

/** The large tenant's documents come in first. */
async function waitsBeside(): Promise<{ large: number[]; others: number[] }> {
  const [large = [], ...others] = await waits([100 * each, ...Array.from({ length: small }, () => each)])
  expect(large).toHaveLength(100 * each)
  expect(others.flat()).toHaveLength(small * each)
  return { large, others: others.flat() }
}

test('small tenants are served before most of a large one, which came first', async () => {
  const { large, others } = await waitsBeside()
  // A queue that served in the order of arrival would be through with all of it.
  const before = large.filter(wait => wait < Math.max(...others)).length
  expect(before / large.length).toBeLessThan(0.75)
  if (prove) await expectShortWaits()
}, 480_000)

/** Small tenants wait at most twice as long beside a large one as among equals. */
async function expectShortWaits(): Promise<void> {
  const even: number[] = []
  const beside: number[] = []
  const large: number[] = []
  const share = Math.floor(total / (small + 1))
  for (let round = 0; round < rounds; round++) {
    const equals = await waits(Array.from({ length: small + 1 }, () => share))
    even.push(p99(equals.slice(1).flat()))
    const seen = await waitsBeside()
    beside.push(p99(seen.others))
    large.push(p99(seen.large))
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const ratio = mean(beside) / mean(even)
  const figures = `even_p99=${Math.round(mean(even))}ms beside_p99=${Math.round(mean(beside))}ms large_p99=${Math.round(mean(large))}ms`
  console.log(`PROVE fairness documents=${total} ${figures} ratio=${ratio.toFixed(2)}`)
  expect(ratio).toBeLessThanOrEqual(2)
  expect(mean(beside)).toBeLessThan(mean(large) * 0.75)
}
