import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { listSchema } from '../../scripts/schema-listing.js'
import { pause } from '../../src/platform/deadline.js'
import { randomBase62 } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import { type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { openDatabase } from '../../src/store/server/database.js'
import { connectAsOwner, knownMigrations, type Migration, migrate, schemaVersion } from '../../src/store/server/migrate.js'
import { createEmptyDatabase, dropDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { testServer } from '../support/test-server.js'

const run = promisify(execFile)
const logger = createLogger({ level: 'silent' })

function migration(number: number, sql: string): Migration {
  return { number, name: `${String(number).padStart(4, '0')}_test`, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

describe('migrate', () => {
  let address: DatabaseAddress

  beforeEach(async () => {
    address = await createEmptyDatabase()
  })

  afterEach(() => dropDatabase(address))

  const apply = (migrations: Migration[], as = address) =>
    migrate({ address: as, limits: testLimits, logger, migrations, wait: () => pause(50) })
  const asOwner = async <T>(work: (owner: pg.Client) => Promise<T>, of = address): Promise<T> => {
    const owner = await connectAsOwner(of, testLimits)
    return await work(owner).finally(() => owner.end())
  }
  const query = (sql: string) => asOwner(async owner => (await owner.query(sql)).rows)
  const tables = async () =>
    (await query("select tablename from pg_tables where schemaname = 'public' order by 1")).map(row => row.tablename)

  it('applies each migration once, by one of five processes that start at the same time', async () => {
    const script = fileURLToPath(new URL('../support/migrate-child.mjs', import.meta.url))
    const start = () =>
      run(process.execPath, [script, JSON.stringify({ address, limits: testLimits })], { env: { PATH: process.env['PATH'] } })
    const results = await Promise.all(Array.from({ length: 5 }, start))
    const counts = results.map(({ stdout }) => Number(stdout)).sort((a, b) => a - b)
    expect(counts).toEqual([0, 0, 0, 0, knownMigrations().length])
  })

  it('goes on from where it was, and does nothing the second time', async () => {
    const [first, second] = [migration(1, 'create table one (id int)'), migration(2, 'create table two (id int)')]
    expect((await apply([first])).applied).toEqual([first])
    expect((await apply([first, second])).applied).toEqual([second])
    expect((await apply([first, second])).applied).toEqual([])
    expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
  })

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    const broken = migration(2, 'create table two (id int);\nselect nonsense from nowhere')
    await expect(apply([migration(1, 'create table one (id int)'), broken])).rejects.toThrow(/0002_test failed: .*nowhere.*\(line 2\)/)
    expect(await tables()).toEqual(['one', 'schema_migrations'])
  })

  it('repeats a migration that a node at work was in a circle with', async () => {
    const tables = migration(1, 'create table one (id int); create table two (id int)')
    await apply([tables])
    await asOwner(async node => {
      await node.query('begin; lock table two')
      const applied = apply([tables, migration(2, 'alter table one add note text; alter table two add note text')])
      await expect.poll(() => query("select from pg_locks where relation = 'two'::regclass and not granted")).toHaveLength(1)
      // The migration waited first, so it is the one that the server ends, unless this took a second to be sent.
      await node.query('lock table one; commit').catch(() => node.query('rollback'))
      expect((await applied).applied).toHaveLength(1)
    })
  })

  it('makes way for those who wait behind it for a table, and tries again', async () => {
    const table = migration(1, 'create table one (id int)')
    await apply([table])
    await asOwner(async backup => {
      await backup.query('begin; select from one')
      const applied = apply([table, migration(2, 'alter table one add note text')])
      await expect.poll(() => query("select from pg_locks where relation = 'one'::regclass and not granted")).toHaveLength(1)
      // A node that reads the table waits for the migration, not for the backup.
      expect(await query('select count(*)::int as rows from one')).toEqual([{ rows: 0 }])
      await backup.query('commit')
      expect((await applied).applied).toHaveLength(1)
    })
  })

  it('makes way in every step of a migration in steps, and goes on with that step', async () => {
    const table = migration(1, 'create table one (id int); insert into one values (1), (2), (3)')
    await apply([table])
    const steps = migration(
      2,
      `-- In steps.
create table if not exists two (id int);
alter table one add column if not exists note text;
create index concurrently if not exists one_id on one (id);
-- repeat
update one set note = 'seen' where ctid = any (array(select ctid from one where note is null limit 2))`,
    )
    await asOwner(async backup => {
      await backup.query('begin; select from one')
      const waits: number[] = []
      const wait = async (ms: number) => {
        waits.push(ms)
        // A node that reads the table waits for the migration, not for the backup.
        expect(await query('select count(*)::int as rows from one')).toEqual([{ rows: 3 }])
        await backup.query('commit')
      }
      const { applied } = await migrate({ address, limits: testLimits, logger, migrations: [table, steps], wait })
      expect(applied).toEqual([steps])
      expect(waits).toEqual([10_000])
    })
    expect(await query("select count(*)::int as rows from one where note = 'seen'")).toEqual([{ rows: 3 }])
  })

  it('counts deadlocks alone, and lets others work for longer than it waited for a table', async () => {
    // A sequence keeps count through a rollback.
    const contended = migration(
      2,
      `do $$ begin
         if nextval('tries') <= 12 then raise exception 'lock timeout' using errcode = '55P03'; end if;
         if currval('tries') <= 21 then raise exception 'deadlock' using errcode = '40P01'; end if;
       end $$; create table one (id int)`,
    )
    const first = migration(1, 'create sequence tries')
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    await migrate({ address, limits: testLimits, logger, migrations: [first, contended], wait })
    expect(await tables()).toEqual(['one', 'schema_migrations'])
    expect(waits).toEqual([...Array.from({ length: 12 }, () => 10_000), ...Array.from({ length: 9 }, () => 250)])
    const another = migration(3, 'do $$ begin raise exception using errcode = $s$40P01$s$; end $$')
    await expect(apply([first, contended, another])).rejects.toThrow('0003_test failed')
  })

  it('goes on with a migration in steps that was interrupted, and builds its indexes anew', async () => {
    const first = migration(1, 'create table one (id int, note text); insert into one select n / 2 from generate_series(1, 10) n')
    const steps = migration(
      2,
      `-- In steps. A reason.
create table if not exists two (id int);
-- repeat
update one set note = 'seen' where ctid = any (array(select ctid from one where note is null limit 3));
create unique index concurrently if not exists one_id on one (id);
drop table two`,
    )
    await expect(apply([first, steps])).rejects.toThrow(/0002_test failed: .*one_id/)
    expect(await query('select indisvalid as valid from pg_index where indexrelid = $$one_id$$::regclass')).toEqual([{ valid: false }])
    expect(await query('select count(*)::int as left from one where note is null')).toEqual([{ left: 0 }])
    await query('delete from one a using one b where a.id = b.id and a.ctid > b.ctid')
    expect((await apply([first, steps])).applied).toEqual([steps])
    expect(await query('select indisvalid as valid from pg_index where indexrelid = $$one_id$$::regclass')).toEqual([{ valid: true }])
    expect(await tables()).toEqual(['one', 'schema_migrations'])
  })

  it('builds an index concurrently while others wait for their turn to migrate', async () => {
    const all = [
      migration(1, 'create table one (id int)'),
      migration(2, '-- In steps.\ncreate index concurrently if not exists one_id on one (id)'),
    ]
    const applied = await Promise.all(Array.from({ length: 4 }, () => apply(all)))
    expect(applied.map(result => result.applied.length).sort()).toEqual([0, 0, 0, 2])
  })

  it('refuses a schema newer than it knows', async () => {
    const known = migration(1, 'create table one (id int)')
    await apply([known, migration(2, 'create table two (id int)')])
    await expect(apply([known])).rejects.toThrow('Start the newer version instead')
  })

  it('takes a newer schema whose further migrations all say that they only expand', async () => {
    const known = migration(1, 'create table one (id int)')
    const further = [
      migration(2, '-- Expands: a table.\ncreate table two (id int)'),
      migration(3, '-- In steps: an index.\n-- Expands.\ncreate index concurrently if not exists one_id on one (id)'),
    ]
    await apply([known, ...further])
    expect(await apply([known])).toEqual({ applied: [], version: 3 })
    await expect(apply([migration(1, 'create table one (id bigint)')])).rejects.toThrow('0001_test was edited')
    // What stands below the first statement is no promise.
    await apply([known, ...further, migration(4, 'drop table two;\n-- Expands.\ncreate table three (id int)')])
    await expect(apply([known])).rejects.toThrow('The database is at migration 0004_test')
  })

  it('refuses what 0.1.0 made, whose register said less', async () => {
    await query('create table schema_migrations (number integer primary key, name text not null, checksum text not null)')
    await query("insert into schema_migrations values (1, '0001_first', '')")
    await expect(apply([migration(1, 'create table one (id int)')])).rejects.toThrow('made by an older version of Concord')
  })

  it('refuses a migration that was edited after it was applied', async () => {
    await apply([migration(1, 'create table one (id int)')])
    await expect(apply([migration(1, 'create table one (id bigint)')])).rejects.toThrow('0001_test was edited')
  })

  it('refuses a new migration with a number before an applied one', async () => {
    await apply([migration(2, 'create table two (id int)')])
    await expect(apply([migration(1, 'create table one (id int)'), migration(2, 'create table two (id int)')])).rejects.toThrow(
      'only ever added at the end',
    )
    await apply([migration(2, 'create table two (id int)'), migration(4, '-- Expands.\ncreate table four (id int)')])
    await expect(apply([migration(2, 'create table two (id int)'), migration(3, 'create table three (id int)')])).rejects.toThrow(
      '0004_test was applied without 0003_test',
    )
  })

  it('refuses a database that another baseline made, and leaves it as it is', async () => {
    const before = [migration(1, 'create table one (id int)'), migration(140, 'create table two (id int)')]
    await apply(before)
    await expect(migrate({ address, limits: testLimits, logger })).rejects.toThrow(
      'made by an older version of Concord (its schema begins with 0001_test, not 0001_baseline)',
    )
    expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
  })

  it('makes the same of a database that the version before left, and lets that one start on it', async () => {
    const known = knownMigrations()
    const before = known.slice(0, -1)
    await apply(before)
    expect((await apply(known)).applied).toEqual(known.slice(-1))
    expect(await asOwner(listSchema)).toBe(await templateListing())
    expect((await apply(before)).applied).toEqual([])
  })

  it('adds a migration to the baseline without touching what is there', async () => {
    const next = migration(knownMigrations().length + 1, 'alter table tenants add column next_version text')
    await migrate({ address, limits: testLimits, logger })
    await query('update runtime_states set run = 7')
    expect((await apply([...knownMigrations(), next])).applied).toEqual([next])
    expect(await query('select r.run, t.next_version from runtime_states r join tenants t using (tenant_id)')).toEqual([
      { run: 7, next_version: null },
    ])
    await expect(migrate({ address, limits: testLimits, logger })).rejects.toThrow('Start the newer version instead')
  })

  it('tells the version to health, under a role that cannot change it', async () => {
    await apply([migration(7, 'create table seven (id int)')])
    const db = await openDatabase({ address, limits: testLimits, tenantPool: 1, enginePool: 2, logger })
    try {
      expect(await schemaVersion(db)).toBe(7)
      await expect(db.engineQuery('delete from schema_migrations')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await db.close()
    }
  })

  it('gives the same schema to an owner that is no superuser', async () => {
    const user = `owner_${randomBase62(8).toLowerCase()}`
    const admin = await connectAsOwner(testServer(), testLimits)
    try {
      await admin.query(`create role ${user} login createrole password 'owner password'`)
      // Both roles exist already: an owner that did not make them needs the right to change them.
      await admin.query(`grant concord_tenant, concord_engine to ${user} with admin option`)
      await admin.query(`grant ${user} to current_user`)
      await admin.query(`alter database ${address.database} owner to ${user}`)
      const role = { ...withDatabase(testServer(), address.database), user, password: 'owner password' }
      await migrate({ address: role, limits: testLimits, logger })
      const owner = await connectAsOwner(role, testLimits)
      const { rows } = await owner.query('select rolsuper from pg_roles where rolname = current_user')
      const listing = await listSchema(owner).finally(() => owner.end())
      expect(rows).toEqual([{ rolsuper: false }])
      expect(listing).toBe(await templateListing())
    } finally {
      await dropDatabase(address)
      await admin.query(`drop role if exists ${user}`)
      await admin.end()
    }
  })

  async function templateListing(): Promise<string> {
    const clone = await createEmptyDatabase(inject('template'))
    const listing = await asOwner(listSchema, clone)
    await dropDatabase(clone)
    return listing
  }
})
