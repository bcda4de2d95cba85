/** What a document costs must not grow with its scope: the claims of a slot are found without reading the others. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/ids.js'
import { liveBySlots } from '../../src/store/claims/claims.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

const claims = 20_000
const tenantId = newTenantId()

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase()
  await test.owner.query(`insert into tenants (tenant_id, name) values ($1, 'large')`, [tenantId])
  await test.owner.query(
    `insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject,
       attribute, confidence, recorded_at, recorded_round, body)
     select '${tenantId}', 1, 1, n, 'clm_' || n, 'doc-' || n, 1, 0, 1, 7, '', '', 1, now(), n, '{}' from generate_series(1, ${claims}) n`,
  )
  await test.owner.query('analyze claims')
})
afterAll(() => test.close())

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** Pages read with a plan made once for all parameters, as the service's prepared statements have it. */
async function pagesFor(sql: string, hashes: readonly number[]): Promise<number> {
  await test.owner.query('set plan_cache_mode = force_generic_plan')
  await test.owner.query(`prepare probe (text, bigint, bigint, bigint[], bigint[]) as ${sql}`)
  const { rows } = await test.owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, buffers, format json) execute probe ('${tenantId}', 1, 1, '{${hashes.join(',')}}', '{}')`,
  )
  await test.owner.query('deallocate probe')
  const { Plan: plan } = rows[0]!['QUERY PLAN'][0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

it('reads some pages for a crowded slot and for slots that hold nothing', async () => {
  expect(await pagesFor(liveBySlots, [7, 8, 9, 10])).toBeLessThan(60)
})

it('would be noticed if it read the scope', async () => {
  const naive = liveBySlots
    .replace(/slot_hash >= k\.slot_hash and slot_hash <= k\.slot_hash/, 'slot_hash = k.slot_hash')
    .replace('slot_hash desc, ', '')
  expect(naive).not.toBe(liveBySlots)
  expect(await pagesFor(naive, [7, 8, 9, 10])).toBeGreaterThan(600)
})
