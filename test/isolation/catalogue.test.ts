import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { tenantTables, wallFaults } from './catalogue.js'

const tenants = ['ten_aaaaaaaaaaaaaaaaaaaaaa', 'ten_bbbbbbbbbbbbbbbbbbbbbb'] as const

describe('the walls between tenants in the catalogue', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await cloneDatabase()
    for (const tenant of tenants) {
      await test.db.engineQuery('insert into tenants (tenant_id, name) values ($1, $1)', [tenant])
      await test.db.engineQuery("select concord_make_scopes(array[$1], array['case'])", [tenant])
    }
  })
  afterAll(() => test.close())

  it('have no gap', async () => {
    expect((await tenantTables(test.owner)).length).toBeGreaterThan(20)
    expect(await wallFaults(test.owner)).toEqual([])
  })

  it('hold for every table when a statement forgets its tenant', async () => {
    const seen = await test.db.inTenant(tenants[0], async tx => {
      const found: string[] = []
      for (const table of await tenantTables(test.owner)) {
        const { rows } = await tx.query<{ tenant_id: string }>({ text: `select distinct tenant_id from ${table}` })
        found.push(...rows.map(row => row.tenant_id))
      }
      return new Set(found)
    })
    // '-' is the service: its runtime state and policies concern every tenant.
    expect([...seen].filter(tenant => tenant !== '-')).toEqual([tenants[0]])
  })

  it('hold when a statement forgets its tenant while it changes or removes', async () => {
    const raised = await test.db.inTenant(tenants[0], tx =>
      tx.query({ text: 'update scopes set version = version + 1 returning tenant_id' }),
    )
    expect(raised.rows).toEqual([{ tenant_id: tenants[0] }])
    const removed = await test.db.inTenant(tenants[0], tx => tx.query({ text: 'delete from scope_leases returning tenant_id' }))
    expect(removed.rows).toEqual([{ tenant_id: tenants[0] }])
  })

  it.each(['audit_log', 'signing_keys', 'nodes', 'event_horizon', 'credential_generation'])(
    'keep %s of the service out of reach',
    async table => {
      const outside = test.db.inTenant(tenants[0], tx => tx.query({ text: `select * from ${table}` }))
      await expect(outside).rejects.toMatchObject({ code: '42501' })
    },
  )
})

describe('the same questions, put to a database with a gap', () => {
  const gaps: [gap: string, sql: string, answer: string][] = [
    ['security not forced', 'alter table documents no force row level security', 'documents: row-level security is not forced'],
    ['security switched off', 'alter table claims disable row level security', 'claims: row-level security is off'],
    [
      'a policy that lets all rows through',
      'create policy leak on events to concord_tenant using (true)',
      'events: policy leak opens true',
    ],
    [
      'a new table nobody protected',
      'create table notes (id int primary key, tenant_id text); grant select on notes to concord_tenant',
      'notes: row-level security is off',
    ],
    ['the audit log opened', 'grant select on audit_log to concord_tenant', 'audit_log: concord_tenant can reach it'],
    [
      'a function that runs as its owner',
      "create function peek() returns bigint language sql security definer as 'select count(*) from documents'",
      'function peek runs as its owner',
    ],
  ]

  let test: TestDatabase
  beforeAll(async () => {
    test = await cloneDatabase({ tenantPool: 1, enginePool: 1 })
  })
  afterAll(() => test.close())

  it.each(gaps)('finds %s', async (_gap, sql, answer) => {
    await test.owner.query('begin')
    try {
      await test.owner.query(sql)
      expect(await wallFaults(test.owner)).toContain(answer)
    } finally {
      await test.owner.query('rollback')
    }
  })
})
