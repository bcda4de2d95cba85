/**
 * What is asked of a page of cases is asked of those alone, also where their tenant has a thousand times the documents of others. A
 * connection keeps its plan for a statement sent often, made while it served some tenant: for a small one it is cheap to read all.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/ids.js'
import { readExaminedCases } from '../../src/store/scopes/examined-cases.js'
import type { TenantTransaction } from '../../src/store/server/database.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

const [large, ...small] = Array.from({ length: 601 }, newTenantId) as [string, ...string[]]
const documents = 4000

let test: TestDatabase
beforeAll(async () => {
  test = await cloneDatabase({ tenantPool: 1 })
  await test.owner.query('insert into tenants (tenant_id, name) select unnest($1::text[]), $2', [[large, ...small], 'cases'])
  await test.owner.query(`
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text_hash, received_at)
      select tenant_id, 1 + n % 20, 1, 'doc-' || n, 1, 'indexed', '', 'txt', '\\x00', now()
      from tenants, lateral generate_series(1, case tenant_id when '${large}' then ${documents} else 2 end) n where tenant_id <> '-'`)
  await test.owner.query('vacuum analyze')
})
afterAll(() => test.close())

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

const rowsRead = ({ Plans = [], ...node }: PlanNode): number => Math.max(node['Actual Rows'] * node['Actual Loops'], ...Plans.map(rowsRead))

/** What the server reads for a statement, by the plan its connection keeps: the first asks it to make one. */
async function mostRead(tenantId: string, work: (tx: TenantTransaction) => Promise<unknown>): Promise<number> {
  let most = 0
  await test.db.inTenant(tenantId, async tx => {
    await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' })
    await work({
      ...tx,
      async rows(text, values = []) {
        const made = await tx.rows('select from pg_prepared_statements where name = $1', ['asked'])
        if (made.length === 0) await tx.query({ text: `prepare asked as ${text}` })
        const literals = values.map(
          value => `array[${(value as unknown[]).map(each => (typeof each === 'number' ? each : `'${each}'`)).join()}]`,
        )
        const [explained] = await tx.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) execute asked(${literals.join()})`,
        )
        most = rowsRead(explained!['QUERY PLAN'][0].Plan)
        return tx.rows(text, values)
      },
    })
  })
  return most
}

it('who examined them is read of no others', async () => {
  const casesOf = (tenantId: string) => Array.from({ length: 20 }, (_none, n) => ({ tenantId, scopeNo: 1 + n, generation: 1 }))
  await mostRead(small[0]!, tx => readExaminedCases(tx, casesOf(small[0]!)))
  expect(await mostRead(large, tx => readExaminedCases(tx, casesOf(large)))).toBeLessThanOrEqual(100)
})
