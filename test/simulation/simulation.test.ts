import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFaultInjector } from '../../src/platform/faults.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import type { Database } from '../../src/store/server/database.js'
import { withFaults } from '../../src/store/server/faulty-database.js'
import { openWorld, type PipelineWorld } from '../pipeline/support.js'
import { dumpDatabase, tablesWith } from '../support/dump-database.js'
import { withFailingStatements } from '../support/failing-statements.js'
import { withoutStatement } from '../support/sabotaged-database.js'
import { addBystanders } from './bystanders.js'
import { waitingForNothing } from './scope-checks.js'
import { type Simulation, type SimulationResult, simulate } from './workload.js'

const given = process.env['SEED']
const seeds = given === undefined ? Number(process.env['SEEDS'] ?? (process.env['PROVE'] === '1' ? 3000 : 10)) : 1
const firstSeed = Number(given ?? 1)
const lanes = 4
const states = ['57014', '57014', '53100', '40001']

/** So many seeds share a database: what is looked for in all its tables afterwards takes longer the more there are. */
const seedsAtOnce = 250

/** A database of its own, tenants who wait in it, and workers that meet faults of their own. */
async function openFaultyWorld(): Promise<PipelineWorld> {
  const world = await openWorld()
  await addBystanders(world)
  // Lost commits, collisions, statements that fail here or on the server.
  for (const n of [1, 2]) {
    const injector = createFaultInjector({ seed: firstSeed + n, rate: 0.01, kinds: ['fail', 'collide', 'delay', 'lose'] })
    const onServer = createFaultInjector({ seed: firstSeed + n + 10, rate: 0.004, kinds: ['fail'] })
    const failing = withFailingStatements(world.db, ({ tenantId }) => {
      const fails = tenantId !== undefined && onServer.at(['fail']) !== null
      return fails ? (states[Math.floor(onServer.share() * states.length)] as string) : null
    })
    world.startWorker({
      db: withFaults(failing, injector, () => undefined),
      leaseMs: 1000,
      retryMaxAttempts: 50,
      retryBaseMs: 1,
    })
  }
  return world
}

type How = Pick<Simulation, 'sabotage' | 'acts'>

async function runSeeds(world: PipelineWorld, first: number, count: number, how: How = {}): Promise<SimulationResult[]> {
  const results: SimulationResult[] = []
  let next = first
  const lane = async () => {
    for (let seed = next++; seed < first + count; seed = next++) {
      results.push(await simulate({ world, seed, rate: 0.06, ...how }))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** Holds some seeds to their promises, and then the database behind all of them. */
async function holdSeeds(first: number, count: number): Promise<SimulationResult[]> {
  const world = await openFaultyWorld()
  try {
    const results = await runSeeds(world, first, count)
    const failed = results.filter(({ problems }) => problems.length > 0)
    expect(failed.map(({ seed, problems }) => `SEED=${seed}: ${problems.join('; ')}`).slice(0, 5)).toEqual([])
    expect(await waitingForNothing(world.db)).toEqual([])
    const erased = results.flatMap(result => result.erased)
    expect(tablesWith(await dumpDatabase(world.owner), erased)).toEqual([])
    const { broken } = await verifyDatabase(world.db)
    expect(broken).toEqual([])
    return results
  } finally {
    await world.close()
  }
}

describe('small workloads on a database where things go wrong', () => {
  it(
    `keep every promise in ${seeds} seeds`,
    async () => {
      const results: SimulationResult[] = []
      for (let done = 0; done < seeds; done += seedsAtOnce) {
        results.push(...(await holdSeeds(firstSeed + done, Math.min(seedsAtOnce, seeds - done))))
      }
      const total = results.reduce((sum, { faults }) => sum + Object.values(faults).reduce((a, b) => a + b, 0), 0)
      const repeats = results.reduce((sum, result) => sum + result.repeats, 0)
      const words = results.reduce((sum, result) => sum + result.words, 0)
      console.log(`PROVE simulation seeds=${results.length} faults=${total} repeats=${repeats} words=${words} failed=0`)
      expect(total).toBeGreaterThan(seeds)
      if (seeds >= 10) expect(words).toBeGreaterThan(0)
      // How many erasures come through hangs on the time; in few seeds it may be one or none.
      const erased = results.flatMap(result => result.erased)
      if (seeds >= 100) expect(erased.length).toBeGreaterThan(seeds / 10)
    },
    seeds * 2000 + 60_000,
  )
})

describe('the same workloads, when a promise is broken on purpose', () => {
  let world: PipelineWorld
  beforeAll(async () => {
    world = await openFaultyWorld()
  })
  afterAll(() => world.close())

  it('find a transaction that is answered for and rolled back', async () => {
    const chance = createFaultInjector({ seed: 3, rate: 0, kinds: [] }).share
    let found = false
    for (let seed = 9_000_001; seed < 9_000_001 + 12 && !found; seed += lanes) {
      const results = await runSeeds(world, seed, lanes, { sabotage: db => ({ ...db, inTenant: forgetting(db, chance) }) })
      found = results.some(({ problems }) => problems.length > 0)
    }
    expect(found).toBe(true)
  }, 120_000)

  it('find an erasure that leaves a place out', async () => {
    // A document that is erased before it was read has no claims.
    const sabotage = (db: Database) => withoutStatement(db, 'update claims set quote = null')
    const found: string[] = []
    for (let seed = 9_100_001; seed < 9_100_001 + 8 && !found.includes('claims'); seed++) {
      const results = await runSeeds(world, seed, 1, { sabotage, acts: ['ingest-personal', 'erase-read'] })
      const erased = results.flatMap(result => result.erased)
      found.push(...tablesWith(await dumpDatabase(world.owner), erased))
    }
    expect(found).toContain('claims')
  }, 300_000)
})

/** Runs a transaction, gives its result, and sometimes keeps nothing of it. */
function forgetting(db: Database, chance: () => number): Database['inTenant'] {
  return async (tenantId, work, options) => {
    if (chance() > 0.3) return db.inTenant(tenantId, work, options)
    const rollback = new Error('rolled back on purpose')
    let result: unknown
    await db
      .inTenant(
        tenantId,
        async tx => {
          result = await work(tx)
          throw rollback
        },
        options,
      )
      .catch((error: unknown) => {
        if (error !== rollback) throw error
      })
    return result as Awaited<ReturnType<typeof work>>
  }
}
