import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHints } from '../../src/events/hints.js'
import { systemClock } from '../../src/platform/clock.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { attachCommand, emptyModel, ingestCommand, type Real, resetCommand, triggerCommand } from './scope-model.js'
import { makeTenant, openIngest } from './support.js'

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ tenantPool: 4, enginePool: 6 })
})
afterAll(() => test.close())

const sequences = process.env['PROVE'] === '1' ? 5000 : 30
const name = fc.constantFrom('a', 'b', 'c')
const text = fc.constantFrom('one', 'two', 'three')

const ingesting = fc
  .record({
    documentId: fc.option(name, { nil: undefined }),
    text,
    key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined }),
    times: fc.constantFrom(1, 1, 1, 3),
  })
  .map(ingestCommand)
const commands = fc.commands(
  [
    ingesting,
    ingesting,
    fc.tuple(name, text).map(([id, content]) => attachCommand(id, content)),
    fc.option(fc.uniqueArray(name, { minLength: 1 }), { nil: undefined }).map(triggerCommand),
    fc.constant(null).map(resetCommand),
  ],
  { maxCommands: 25 },
)

async function newReal(): Promise<Real> {
  const hints = createHints({ logger: test.logger })
  const scopes: ScopesDeps = {
    db: test.db,
    hints,
    clock: systemClock,
    config: { scopeAutocreate: true },
    logger: test.logger,
    certify: () => Promise.reject(new Error('nothing here is certified')),
  }
  const ingests = [1, 2].map(() => openIngest(test, {}, { hints }))
  return { tenantId: await makeTenant(test.db), scopeId: 'case', ingests, scopes }
}

async function logOf(real: Real): Promise<{ seq: number; type: string; subject: string | null }[]> {
  const { rows } = await test.db.engineQuery<{ seq: number; type: string; subject: string | null }>(
    'select seq, type, subject from events where tenant_id = $1 and scope_no > 0 order by seq',
    [real.tenantId],
  )
  return rows
}

it(
  `answers and appends as the model of a scope does, in ${sequences} random sequences`,
  async () => {
    await fc.assert(
      fc.asyncProperty(commands, async acts => {
        const model = emptyModel()
        const real = await newReal()
        await fc.asyncModelRun(() => ({ model, real }), acts)
        expect(await logOf(real)).toEqual(model.log.map((event, seq) => ({ seq, ...event })))
      }),
      { numRuns: sequences, endOnFailure: true },
    )
    const { broken, documents } = await verifyDatabase(test.db)
    expect(broken).toEqual([])
    expect(documents).toBeGreaterThan(sequences)
  },
  sequences * 1000,
)
