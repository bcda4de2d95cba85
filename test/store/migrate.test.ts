import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { listSchema } from '../../scripts/schema-listing.js'
import { pause } from '../../src/platform/deadline.js'
import { newTenantId, randomBase62 } from '../../src/platform/ids.js'
import { createLogger } from '../../src/platform/logger.js'
import { storable } from '../../src/platform/storable-text.js'
import { slotHash } from '../../src/store/claims/slot-hash.js'
import { lastOfBaseline } from '../../src/store/server/baseline.js'
import { type DatabaseAddress, withDatabase } from '../../src/store/server/connection.js'
import { openDatabase } from '../../src/store/server/database.js'
import {
  connectAsOwner,
  knownMigrations,
  type Migration,
  migrate,
  pendingMigrations,
  schemaVersion,
} from '../../src/store/server/migrate.js'
import { createEmptyDatabase, dropDatabase } from '../support/clone-database.js'
import { testLimits } from '../support/limits.js'
import { testServer } from '../support/test-server.js'

const run = promisify(execFile)
const logger = createLogger({ level: 'silent' })
/** The migrations of a database made before the baseline; never edited. */
const beforeBaseline = fileURLToPath(new URL('./before-baseline/', import.meta.url))

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

  it('takes a database that has the first form of the one migration that was rewritten', () => {
    const known = knownMigrations()
    const first = '55f598e4ea1833186577bb76364c3d43c6352d74c9cd6c3cf9e4111b51ce7e21'
    const applied = (checksum: string) => known.map(each => (each.name === '0031_slot_hash' ? { ...each, checksum } : each))
    expect(pendingMigrations(known, applied(first))).toEqual([])
    expect(() => pendingMigrations(known, applied('another'))).toThrow('0031_slot_hash was edited')
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

  it('refuses a migration that was edited after it was applied', async () => {
    await apply([migration(1, 'create table one (id int)')])
    await expect(apply([migration(1, 'create table one (id bigint)')])).rejects.toThrow('0001_test was edited')
  })

  it('refuses a new migration with a number before an applied one', async () => {
    await apply([migration(2, 'create table two (id int)')])
    await expect(apply([migration(1, 'create table one (id int)'), migration(2, 'create table two (id int)')])).rejects.toThrow(
      'only ever added at the end',
    )
  })

  it('adopts a schema made by the files before the baseline, with its rows', async () => {
    await apply(knownMigrations(beforeBaseline))
    await query('update runtime_states set run = 7')
    expect((await migrate({ address, limits: testLimits, logger })).applied.map(({ number }) => number)).not.toContain(lastOfBaseline)
    expect(await asOwner(listSchema)).toBe(await templateListing())
    expect(await query('select run from runtime_states')).toEqual([{ run: 7 }])
    expect(await query('select number, name, checksum from schema_migrations order by number')).toEqual(
      knownMigrations().map(({ number, name, checksum }) => ({ number, name, checksum })),
    )
    expect((await migrate({ address, limits: testLimits, logger })).applied).toEqual([])
  })

  it('refuses a schema made by some of the files before the baseline', async () => {
    await apply(knownMigrations(beforeBaseline).slice(0, 5))
    await expect(migrate({ address, limits: testLimits, logger })).rejects.toThrow('0005_scopes of a version before the baseline')
  })

  it('finds slots of an older schema by the hash of today', async () => {
    await apply(knownMigrations().filter(({ number }) => number <= 30))
    const tenant = newTenantId()
    const key = 'meridian foods|umsatz für q1'
    // What a key cut inside a surrogate pair, or a decoded escape, leaves; and values whose text only looks like such an escape.
    const keys = [key, '\0 \ud83d "\\ud83d', key, key]
    const values = ['', '', '\ud83d\0', '\\u0000 \\ud83d "slotKey":"x"']
    const claims = keys.map((slotKey, no) => `(${no}, 7, '${JSON.stringify({ valueText: values[no], slotKey })}')`)
    await query(`
      insert into tenants (tenant_id, name) values ('${tenant}', 'older');
      insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject,
        attribute, confidence, recorded_at, recorded_round, body)
      select '${tenant}', 1, 1, no, 'c' || no, 'd', 1, 0, 1, hash, '', '', 1, now(), 1, body::json
      from (
        values ${claims}, (4, 0, '{}')
        union all select n, 7, '{"slotKey":"' || n || '"}' from generate_series(5, 20005) n
      ) as c (no, hash, body);
      insert into contradictions (tenant_id, scope_no, generation, contradiction_no, contradiction_id, status, kind, severity, slot_hash,
        slot_key, reason, detected_at, detected_round) values ('${tenant}', 1, 1, 0, 'x', 'open', 'numeric', 'low', 7, '${key}', '', now(), 1);
      insert into slot_crowds (tenant_id, scope_no, generation, slot_hash, slot_key, live, best_micros) values ('${tenant}', 1, 1, 7, '${key}', 64, 1)`)
    await migrate({ address, limits: testLimits, logger })
    const hashes = async (table: string) => (await query(`select slot_hash::float8 as hash from ${table}`)).map(row => row.hash).sort()
    // More than one batch.
    const more = Array.from({ length: 20_001 }, (_, index) => `${index + 5}`)
    expect(await hashes('claims')).toEqual([0, ...[...keys, ...more].map(each => slotHash(storable(each)))].sort())
    expect(await hashes('contradictions')).toEqual([slotHash(key)])
    const unhashed = 'select count(*)::int as claims from claims where subject_hash is distinct from concord_subject_hash(subject)'
    expect(await query(unhashed)).toEqual([{ claims: 0 }])
    expect(await hashes('slot_crowds')).toEqual([slotHash(key)])
  })

  it('goes on counting scopes behind the deleted ones, and never back', async () => {
    const tested = knownMigrations().find(({ name }) => name.endsWith('numbers_of_deleted_scopes'))!
    await apply(knownMigrations().filter(({ number }) => number < tested.number))
    const tenant = newTenantId()
    const given = async () => (await query("select nextval('scopes_scope_no_seq')::int as no"))[0]?.no
    await query(`
      insert into tenants (tenant_id, name) values ('${tenant}', 'restored');
      insert into scopes (tenant_id, scope_id) values ('${tenant}', 'kept');
      insert into scope_tombstones (tenant_id, scope_id, scope_no, generation, version, fence, next_seq, oldest_seq)
      values ('${tenant}', 'gone', 5, 2, 0, 0, 1, 0)`)
    await migrate({ address, limits: testLimits, logger })
    expect(await given()).toBe(6)
    await asOwner(owner => owner.query(tested.sql))
    expect(await given()).toBe(7)
  })

  it('repairs claims that could not be read, and marks their documents', async () => {
    const tested = knownMigrations().find(({ name }) => name.endsWith('unreadable_claims'))!
    await apply(knownMigrations().filter(({ number }) => number < tested.number))
    const tenant = newTenantId()
    const texts = ['plain 😀', 'half \ud83d', '\0\ud83d\ud83d\ude00', '\\ud83d \\u0000 "', '\\\ud83d']
    const claims = texts.map((valueText, no) => `(${no}, '${JSON.stringify({ valueText, slotKey: `key ${valueText}` })}', 'revenue')`)
    await query(`
      insert into tenants (tenant_id, name) values ('${tenant}', 'older');
      insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject,
        attribute, confidence, recorded_at, recorded_round, body)
      select '${tenant}', 1, 1, no, 'c' || no, 'd' || no, 1, 0, 1, 7, '', attribute, 1, now(), 1, body::json
      from (
        values ${claims}, (5, '{"slotKey":"x"}', repeat('a', 119) || chr(65533))
        union all select n, '{"slotKey":"' || n || '"}', '' from generate_series(6, 20006) n
      ) as c (no, body, attribute);
      insert into documents (tenant_id, scope_no, generation, document_id, revision, current, status, name, type, profile)
      select '${tenant}', 1, 1, 'd' || no, 1, false, 'indexed', '', 'txt', '{"reader":"13"}' from generate_series(0, 6) no`)
    await migrate({ address, limits: testLimits, logger })
    const repaired = await query(
      "select claim_no::int, body->>'valueText' as text, slot_hash::float8 as hash from claims order by claim_no limit 5",
    )
    expect(repaired).toEqual(
      texts.map((text, no) => {
        const isChanged = storable(text) !== text
        return { claim_no: no, text: storable(text), hash: isChanged ? slotHash(`key ${storable(text)}`) : 7 }
      }),
    )
    expect(await query('select count(*)::int as claims from claims where slot_hash = 7')).toEqual([{ claims: 20_004 }])
    const marked = await query('select document_id as id from documents where profile = \'{"reader":"13","repaired":true}\' order by id')
    expect(marked.map(row => row.id)).toEqual(['d1', 'd2', 'd4', 'd5'])
  })

  it('withdraws what a document replaced that was erased, and tells the lists of certificates', async () => {
    const tested = knownMigrations().find(({ name }) => name.endsWith('erased_corrections'))!
    await apply(knownMigrations().filter(({ number }) => number < tested.number))
    const tenant = newTenantId()
    await query(`
      insert into tenants (tenant_id, name) values ('${tenant}', 'older');
      insert into claims (tenant_id, scope_no, generation, claim_no, claim_id, document_id, revision, start_at, end_at, slot_hash, subject,
        attribute, confidence, recorded_at, recorded_round, body)
      select '${tenant}', 1, 1, no, 'c' || no, case when no = 1 then 'erased' else 'kept' end, 1, 0, 1, 7, '', '', 1, now(), 1, '{}'
      from generate_series(0, 2) no;
      insert into documents (tenant_id, scope_no, generation, document_id, revision, current, status, name, type, erased_at)
      values ('${tenant}', 1, 1, 'erased', 1, true, 'indexed', '', 'txt', now()), ('${tenant}', 1, 1, 'kept', 1, true, 'indexed', '', 'txt', null);
      insert into certificate_lists (tenant_id, scope_no, generation, list, sum, counts)
      values ('${tenant}', 1, 1, 'supersessions', decode(repeat('00', 2048), 'hex'), '{}');
      insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason,
        detected_at, detected_round, objection)
      values ('${tenant}', 1, 1, 0, 's0', 'standing', 'words', 0, 1, '', now(), 1, null), ('${tenant}', 1, 1, 1, 's1', 'standing', 'words', 0, 2, '', now(), 1, null),
        ('${tenant}', 1, 1, 2, 's2', 'objected', 'words', 2, 1, '', now(), 1, '{}'), ('${tenant}', 1, 1, 3, 's3', 'standing', 'revision', 1, 1, '', now(), 1, null)`)
    await query('delete from certificate_changes')
    // Migrations behind it change the lists of certificates in their own way.
    await apply(knownMigrations().filter(({ number }) => number <= tested.number))
    const states = await query('select supersession_id as id, status from supersessions order by supersession_no')
    expect(states.map(row => row.status)).toEqual(['withdrawn', 'standing', 'objected', 'standing'])
    const changes = await query(`select counted, member->>'id' as id, added from certificate_changes`)
    expect(changes).toEqual([{ counted: 'standing', id: 's0', added: false }])
    const [left] = await query(`select count(*)::int as forced from pg_class where relname in
      ('claims', 'documents', 'supersessions', 'certificate_lists', 'certificate_changes') and relforcerowsecurity`)
    expect(left).toEqual({ forced: 5 })
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
