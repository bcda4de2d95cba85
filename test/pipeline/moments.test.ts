/** What a case was at a moment does not change once it was said: whoever is still committing is waited for, and whoever follows is later. */

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitBatch } from '../../src/pipeline/committing/commit.js'
import { walkAsOf } from '../../src/scopes/as-of.js'
import { createListDigests } from '../../src/scopes/certificates/signed-as-of.js'
import { resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { leaseNext, nothingWaits, openWorld, type PipelineWorld, planOf } from './support.js'

let world: PipelineWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const notes = ['Vela Ltd: net debt at 31 March 2025 was EUR 17.5M.', 'Vela Ltd: net debt at 31 March 2025 was EUR 12.0M.']

async function handIn(tenantId: string) {
  await world.ingest(notes.map((text, n) => ({ tenantId, scopeId: 'case', documentId: `note-${n}`, text })))
}

async function walk(tenantId: string, at: string) {
  const digests = createListDigests()
  const moment = await walkAsOf(world.scopes, { tenantId, scopeId: 'case', at }, digests.add)
  return { ...moment, ...digests.lists() }
}

/** Behind everything recorded so far: instants are whole milliseconds. */
async function passing(): Promise<string> {
  await wait(2)
  const at = new Date().toISOString()
  await wait(2)
  return at
}

/** Until the statements that somebody sends wait for a lock of that kind. */
const waitFor = (locktype: 'advisory' | 'relation') =>
  world.until(
    "select exists (select from pg_locks where database = (select oid from pg_database where datname = current_database()) and locktype = $1 and not granted and (locktype <> 'relation' or relation = 'rounds'::regclass))",
    [locktype],
  )

describe('a case as it was at a moment', () => {
  it('is the same before and after an act that was being committed then', async () => {
    const tenantId = await world.newTenant()
    await handIn(tenantId)
    const worker = world.startWorker()
    await world.until(nothingWaits)
    await worker.stop()
    const [open] = await world.rows<{ contradiction_id: string }>('select contradiction_id from contradictions where tenant_id = $1', [
      tenantId,
    ])
    await world.owner.query('begin')
    await world.owner.query('lock table rounds in share row exclusive mode')
    const said = { verdict: 'dismiss', reason: 'Two dates of booking.', by: 'Ada' } as const
    const acting = resolveContradiction(world.scopes, { tenantId, contradictionId: open?.contradiction_id ?? '', ...said })
    await waitFor('relation')
    const at = await passing()
    const asked = walk(tenantId, at)
    await Promise.race([asked, waitFor('advisory')])
    await world.owner.query('commit')
    const [first] = await Promise.all([asked, acting])
    expect(first).toEqual(await walk(tenantId, at))
    expect(first).toMatchObject({ contradictions: { count: 0 }, decisions: { count: 1 } })
  })

  it('is the same before and after documents are committed that were planned by then', async () => {
    const tenantId = await world.newTenant()
    await handIn(tenantId)
    const lease = await leaseNext(world.db, { owner: 'planner', leaseMs: 60_000, batch: 8 })
    if (lease === undefined) throw new Error('no lease')
    const plan = await planOf(world, lease)
    const at = await passing()
    const first = await walk(tenantId, at)
    expect(first).toMatchObject({ round: 0, papers: { count: 2 }, statements: { count: 0 } })
    const release = { giveBack: [], reason: 'not_begun' }
    expect(await commitBatch(world.db, { lease, plan, failures: [], certify: world.certify, release })).toBe('committed')
    expect(await walk(tenantId, at)).toEqual(first)
    expect(await walk(tenantId, await passing())).toMatchObject({ round: 2, statements: { count: 2 }, contradictions: { count: 1 } })
  })

  it('is not said before the moment is over by the clock of the database', async () => {
    const tenantId = await world.newTenant()
    await handIn(tenantId)
    const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
    await expect(walk(tenantId, ahead(60_000))).rejects.toMatchObject({ errors: [{ pointer: '/query/at' }] })
    const at = ahead(100)
    await walk(tenantId, at)
    expect(await world.rows("select date_trunc('milliseconds', clock_timestamp()) > $1 as over", [at])).toEqual([{ over: true }])
  })

  it.each([
    ['in the order it was recorded in, though the clock of the database was set back', '1 minute', true],
    ['at its own time after that clock was far ahead', '1 year', false],
  ])('has everything %s', async (_, ahead, sorted) => {
    const tenantId = await world.newTenant()
    await handIn(tenantId)
    const lease = await leaseNext(world.db, { owner: 'planner', leaseMs: 60_000, batch: 1 })
    if (lease === undefined) throw new Error('no lease')
    const release = { giveBack: [], reason: 'not_begun' }
    await commitBatch(world.db, { lease, plan: await planOf(world, lease), failures: [], certify: world.certify, release })
    const later = (table: string, column: string) =>
      world.rows(`update ${table} set ${column} = ${column} + $2::interval where tenant_id = $1`, [tenantId, ahead])
    await later('rounds', 'recorded_at')
    await later('scope_states', 'updated_at')
    const worker = world.startWorker()
    await world.until(nothingWaits)
    await worker.stop()
    const rounds = await world.rows<{ sorted: boolean }>(
      'select recorded_at >= lag(recorded_at, 1, recorded_at) over (order by round) as sorted from rounds where tenant_id = $1',
      [tenantId],
    )
    expect(rounds).toEqual([{ sorted: true }, { sorted }])
  })
})
