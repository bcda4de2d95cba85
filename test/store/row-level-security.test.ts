import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

interface TableFacts {
  name: string
  secured: boolean
  forced: boolean
  policies: string[]
  leads: boolean
}

/** Every table of ours that has a tenant_id, with what protects it. */
const tenantTables = `
  select relname as name, relrowsecurity as secured, relforcerowsecurity as forced,
    array(select distinct rolname::text from pg_policy cross join unnest(polroles) as role join pg_roles on pg_roles.oid = role where polrelid = pg_class.oid order by 1) as policies,
    coalesce((select indkey[0] = attnum from pg_index where indrelid = pg_class.oid and indisprimary), false) as leads
  from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  order by relname`

describe('row-level security', () => {
  let test: TestDatabase
  let tables: TableFacts[]

  beforeAll(async () => {
    test = await cloneDatabase()
    tables = (await test.owner.query<TableFacts>(tenantTables)).rows
  })

  afterAll(() => test.close())

  it('is forced on every table a tenant may touch', async () => {
    expect(tables.length).toBeGreaterThan(5)
    const { rows } = await test.owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege('concord_tenant', oid, 'select, insert, update, delete')
         and not (relrowsecurity and relforcerowsecurity) and not relispartition`,
    )
    const withTenant = rows.filter(row => tables.some(table => table.name === row.name))
    expect(withTenant).toEqual([])
  })

  it('has a policy for each role on every table it is forced on', () => {
    for (const table of tables.filter(({ forced }) => forced)) {
      expect(table.policies, table.name).toEqual(['concord_engine', 'concord_tenant'])
    }
  })

  it('finds tenant_id first in the key of every table it is forced on', () => {
    expect(tables.filter(({ forced, leads }) => forced && !leads).map(({ name }) => name)).toEqual([])
  })

  it('shows a tenant itself and no other', async () => {
    const names = ['ten_aaaaaaaaaaaaaaaaaaaaaa', 'ten_bbbbbbbbbbbbbbbbbbbbbb']
    for (const name of names) await test.db.engineQuery('insert into tenants (tenant_id, name) values ($1, $1)', [name])
    for (const name of names) {
      await test.db.inTenant(name, tx => tx.query({ text: "insert into scopes (tenant_id, scope_id) values ($1, 'case')", values: [name] }))
    }
    const seen = await test.db.inTenant(names[0]!, tx => tx.query({ text: 'select tenant_id from scopes' }))
    expect(seen.rows).toEqual([{ tenant_id: names[0] }])
    const foreign = test.db.inTenant(names[0]!, tx =>
      tx.query({ text: "insert into scopes (tenant_id, scope_id) values ($1, 'other')", values: [names[1]] }),
    )
    await expect(foreign).rejects.toMatchObject({ code: '42501' })
  })

  it("shows no tenant's row of any table to a transaction inside a tenant that does not exist", async () => {
    // Rows of the service itself ('-'), such as its runtime state, concern everyone.
    const readable = tables.filter(({ forced }) => forced)
    const counts = await test.db.inTenant('ten_0000000000000000000000', async tx => {
      const found: [string, number][] = []
      for (const { name } of readable) {
        const { rows } = await tx.query<{ n: number }>({ text: `select count(*) as n from ${name} where tenant_id <> '-'` })
        found.push([name, rows[0]?.n ?? -1])
      }
      return found
    })
    expect(counts).toEqual(readable.map(({ name }) => [name, 0]))
  })

  it('keeps partitions of a protected table out of reach', async () => {
    const { rows } = await test.owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relispartition and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)
         and (has_table_privilege('concord_tenant', oid, 'select') or has_table_privilege('concord_tenant', oid, 'insert'))`,
    )
    expect(rows).toEqual([])
  })
})
