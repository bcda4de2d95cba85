/**
 * Random sequences of runtime operations and leases on two tenants with two scopes each, against a model of a few
 * lines: 30 sequences, 5,000 with PROVE=1. The seed of a failure is printed.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHints, type Hints } from '../../src/events/hints.js'
import { type ControlTarget, control } from '../../src/hatchery/control.js'
import { runtimeOperations } from '../../src/hatchery/transitions.js'
import type { ControlResult } from '../../src/hatchery/types.js'
import { isAppError } from '../../src/platform/errors.js'
import { extendLease, type Lease, takeLease } from '../../src/store/leases/leases.js'
import type { RuntimeOperation, RuntimeState } from '../../src/store/runtime/runtime.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { addScope, addTenant, type FixtureScope, queueDocuments } from './fixture.js'

const sequences = process.env['PROVE'] === '1' ? 5000 : 30
const documents = 2

let test: TestDatabase
let hints: Hints
let tenants: string[]
let scopes: FixtureScope[]

beforeAll(async () => {
  test = await cloneDatabase()
  hints = createHints({ logger: test.logger })
  tenants = [await addTenant(test.owner), await addTenant(test.owner)]
  scopes = []
  for (const tenant of tenants) for (const scopeId of ['case-1', 'case-2']) scopes.push(await addScope(test.owner, tenant, scopeId))
  for (const scope of scopes) await queueDocuments(test.owner, scope, documents)
})
afterAll(() => test.close())

/** Levels: 0 the service, 1 and 2 the tenants, 3 to 6 their scopes. */
const levels = [0, 1, 2, 3, 4, 5, 6]
const levelsOf = (scope: number) => [0, 1 + Math.floor(scope / 2), 3 + scope]

interface Model {
  states: RuntimeState[]
  runs: number[]
  /** Lease in force of each scope. */
  leases: (Lease | undefined)[]
  /** Whether the documents of a scope wait for a retry in an hour. */
  waiting: boolean[]
}

type Command =
  | { kind: 'operate'; level: number; operation: RuntimeOperation }
  | { kind: 'lease'; scope: number }
  | { kind: 'fail'; scope: number }
  | { kind: 'check'; scope: number }

const scopeIndex = fc.integer({ min: 0, max: 3 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('operate' as const),
      level: fc.constantFrom(...levels),
      operation: fc.constantFrom(...runtimeOperations),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lease' as const), scope: scopeIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), scope: scopeIndex }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('check' as const), scope: scopeIndex }) },
)

it('agrees with the model over random sequences of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async commands => {
      const model = await freshModel()
      for (const each of commands) await step(model, each)
      await compare(model)
    }),
    { numRuns: sequences },
  )
}, 1_200_000)

async function freshModel(): Promise<Model> {
  await test.owner.query("update runtime_states set state = 'running', run = 1 where state <> 'running' or run <> 1")
  await test.owner.query("update backlog set attempts = 0, not_before = '-infinity' where attempts > 0 or not_before > '-infinity'")
  await test.owner.query('update scope_leases set owner = null, leased_until = null where owner is not null')
  await test.owner.query("update documents set status = 'queued' where status <> 'queued'")
  await test.owner.query('update scope_heads set queued = $1, processing = 0 where processing > 0', [documents])
  return {
    states: levels.map(() => 'running'),
    runs: levels.map(() => 1),
    leases: scopes.map(() => undefined),
    waiting: scopes.map(() => false),
  }
}

async function step(model: Model, command: Command): Promise<void> {
  if (command.kind === 'operate') return operate(model, command.level, command.operation)
  const scope = scopes[command.scope] as FixtureScope
  const place = [scope.tenantId, scope.scopeNo]
  if (command.kind === 'lease') {
    const taken = await takeLease(test.db, scope, { owner: 'w', leaseMs: 600_000, batch: 100 })
    const free = model.leases[command.scope] === undefined && !model.waiting[command.scope]
    expect(taken !== undefined).toBe(free && effective(model, command.scope) === 'running')
    if (taken !== undefined) model.leases[command.scope] = taken
  } else if (command.kind === 'fail') {
    if (model.leases[command.scope] !== undefined) return
    await test.owner.query(
      "update backlog set attempts = 3, not_before = clock_timestamp() + interval '1 hour' where tenant_id = $1 and scope_no = $2",
      place,
    )
    model.waiting[command.scope] = true
  } else {
    const held = model.leases[command.scope]
    if (held !== undefined) expect(await extendLease(test.db, held, 600_000)).toBe(true)
  }
}

async function operate(model: Model, level: number, operation: RuntimeOperation): Promise<void> {
  const before = model.states[level] as RuntimeState
  let answer: ControlResult
  try {
    answer = await control({ db: test.db, hints }, operation, targetOf(level))
  } catch (error) {
    expect(isAppError(error, 'RUNTIME_CONFLICT')).toBe(true)
    expect(before === 'stopped' && (operation === 'pause' || operation === 'resume')).toBe(true)
    return
  }
  expect(before === 'stopped' && (operation === 'pause' || operation === 'resume')).toBe(false)
  const after = operation === 'pause' ? 'paused' : operation === 'stop' ? 'stopped' : 'running'
  if (operation === 'restart') model.runs[level] = (model.runs[level] ?? 0) + 1
  model.states[level] = after
  const below = scopes.map((_, i) => i).filter(i => levelsOf(i).includes(level))
  let requeued = 0
  for (const i of below) {
    if (operation === 'restart') model.waiting[i] = false
    const held = model.leases[i]
    if (held === undefined || !(operation === 'restart' || (operation === 'stop' && before !== 'stopped'))) continue
    expect(await extendLease(test.db, held, 600_000)).toBe(false)
    model.leases[i] = undefined
    requeued += documents
  }
  expect(answer).toMatchObject({
    previous: before,
    state: after,
    changed: operation === 'restart' || before !== after,
    run: model.runs[level],
    scopes_affected: below.length,
    documents_requeued: requeued,
  })
}

async function compare(model: Model): Promise<void> {
  const { rows } = await test.owner.query(
    `select h.scope_no, concord_effective_state(h.tenant_id, h.scope_no) as state, h.queued::int, h.processing::int, h.next_seq::int,
       (select count(*)::int from events e where e.tenant_id = h.tenant_id and e.scope_no = h.scope_no) as events,
       (select count(*)::int from documents d where d.tenant_id = h.tenant_id and d.scope_no = h.scope_no and d.status = 'processing') as in_hand
     from scope_heads h order by h.scope_no`,
  )
  const seen = rows.map(({ state, queued, processing, in_hand }) => ({ state, queued, processing, in_hand }))
  expect(seen).toEqual(
    scopes.map((_, i) => {
      const processing = model.leases[i] === undefined ? 0 : documents
      return { state: effective(model, i), queued: documents - processing, processing, in_hand: processing }
    }),
  )
  // Logs are gapless: as many events as numbers given out.
  for (const row of rows) expect(row.events).toBe(row.next_seq)
}

function effective(model: Model, scope: number): RuntimeState {
  const states = levelsOf(scope).map(level => model.states[level] as RuntimeState)
  return states.includes('stopped') ? 'stopped' : states.includes('paused') ? 'paused' : 'running'
}

function targetOf(level: number): ControlTarget {
  if (level === 0) return { level: 'service' }
  if (level <= 2) return { level: 'tenant', tenantId: tenants[level - 1] as string }
  const scope = scopes[level - 3] as FixtureScope
  return { level: 'scope', tenantId: scope.tenantId, scopeId: scope.scopeId }
}
