import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/platform/config.js'
import { isAppError, messageOf } from '../../src/platform/errors.js'
import { createLogger } from '../../src/platform/logger.js'
import { type Database, openDatabase, type Transaction } from '../../src/store/server/database.js'
import { failureCode } from '../../src/store/server/failures.js'
import { connectAsOwner } from '../../src/store/server/migrate.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'
import { startCuttingProxy } from '../support/cutting-proxy.js'
import { testLimits } from '../support/limits.js'
import { withOpenHandles } from '../support/sabotaged-database.js'

describe('database', () => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await cloneDatabase()
    await test.owner.query(`
      create table notes (tenant_id text not null, note_id int8 not null, body text not null, primary key (tenant_id, note_id));
      alter table notes enable row level security;
      alter table notes force row level security;
      create policy own on notes to concord_tenant
        using (tenant_id = nullif(current_setting('concord.tenant', true), ''))
        with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
      create policy everything on notes to concord_engine using (true) with check (true);
      grant select, insert, update, delete on notes to concord_tenant, concord_engine;
    `)
  })

  // Before each attempt: a test that is repeated finds nothing of the time before.
  beforeEach(() => test.owner.query('truncate notes'))

  afterAll(() => test.close())

  const add = (tenant: string, id: number, owner = tenant) =>
    test.db.inTenant(tenant, tx => tx.query({ text: 'insert into notes values ($1, $2, $3)', values: [owner, id, `note ${id}`] }))

  it('shows a tenant its own rows alone, whatever the statement forgets', async () => {
    await add('ten_a', 1)
    await add('ten_b', 1)
    const seen = await test.db.inTenant('ten_a', tx => tx.query<{ tenant_id: string }>({ text: 'select tenant_id from notes' }))
    expect(seen.rows).toEqual([{ tenant_id: 'ten_a' }])
    const changed = await test.db.inTenant('ten_a', tx => tx.query({ text: "update notes set body = 'taken'" }))
    expect(changed.rowCount).toBe(1)
  })

  it('refuses to write a row of another tenant', async () => {
    const failure = await add('ten_a', 2, 'ten_b').catch(failureCode)
    expect(failure).toBe('42501')
  })

  it('forgets the tenant after the transaction', async () => {
    await add('ten_c', 1)
    const pool = await test.db.inTenant('ten_c', tx => tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' }))
    expect(pool.rows).toHaveLength(1)
    const settings = await test.db.engineQuery<{ tenant: string | null }>("select current_setting('concord.tenant', true) as tenant")
    expect(settings.rows[0]?.tenant ?? '').toBe('')
  })

  it('leaves connections to others where one tenant waits for a lock with everything it has', async () => {
    const db = await openDatabase({ address: test.address, limits: testLimits, tenantPool: 4, enginePool: 2, logger: test.logger })
    const holder = await connectAsOwner(test.address, testLimits)
    try {
      await holder.query('select pg_advisory_lock(7)')
      const acts = Array.from({ length: 8 }, () => db.inTenant('ten_a', tx => tx.rows('select pg_advisory_xact_lock(7)')))
      await expect
        .poll(async () => (await holder.query("select from pg_locks where locktype = 'advisory' and objid = 7 and not granted")).rowCount)
        .toBe(3)
      expect(await db.inTenant('ten_b', tx => tx.value('select 1'))).toBe(1)
      expect((await db.health()).ok).toBe(true)
      await holder.query('select pg_advisory_unlock(7)')
      expect(await Promise.all(acts)).toHaveLength(8)
    } finally {
      await holder.end()
      await db.close(0)
    }
  })

  // Windows cannot stop a process for a while.
  it.runIf(process.platform !== 'win32')(
    'is closed once the server has ended its connections: stopped right then, it cuts none off',
    async () => {
      const db = await openDatabase({ address: test.address, limits: testLimits, tenantPool: 1, enginePool: 1, logger: test.logger })
      const backend = await db.inTenant('ten_a', tx => tx.value<number>('select pg_backend_pid()'))
      process.kill(backend, 'SIGSTOP')
      const closing = db.close(60_000).then(() => 'closed')
      try {
        expect(await Promise.race([closing, wait(200, 'still open')])).toBe('still open')
      } finally {
        process.kill(backend, 'SIGCONT')
      }
      expect(await closing).toBe('closed')
    },
  )

  it('lets the engine cross tenants', async () => {
    await add('ten_a', 1)
    await add('ten_b', 1)
    const { rows } = await test.db.engineQuery<{ tenants: number }>('select count(distinct tenant_id) as tenants from notes')
    expect(rows[0]?.tenants).toBe(2)
  })

  it('runs under roles that are neither superuser nor owner nor free of row-level security', async () => {
    const { rows } = await test.owner.query(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, (select count(*) from pg_class where relowner = pg_roles.oid) as owned
       from pg_roles where rolname like 'concord\\_tenant' or rolname like 'concord\\_engine' order by 1`,
    )
    expect(rows).toEqual(
      ['concord_engine', 'concord_tenant'].map(rolname => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
      })),
    )
  })

  it('refuses writes in a read-only transaction', async () => {
    const failure = await test.db
      .inTenant('ten_a', tx => tx.query({ text: "update notes set body = 'x'" }), { readOnly: true })
      .catch((error: unknown) => (isAppError(error) ? failureCode(error.cause) : failureCode(error)))
    expect(failure).toBe('25006')
  })

  it('keeps one snapshot where asked to', async () => {
    const counts = await test.db.engine(
      async tx => {
        const count = () => tx.query<{ n: number }>({ text: 'select count(*) as n from notes' })
        const before = await count()
        await add('ten_d', 1)
        return [before.rows[0]?.n, (await count()).rows[0]?.n]
      },
      { readOnly: true, snapshot: true },
    )
    expect(counts[0]).toBe(counts[1])
  })

  it('repeats both sides of a deadlock until each has done its work once', async () => {
    await test.db.engine(tx => tx.query({ text: "insert into notes values ('ten_l', 1, '0'), ('ten_l', 2, '0')" }))
    const raise = (tx: Parameters<Parameters<typeof test.db.engine>[0]>[0], id: number) =>
      tx.query({ text: "update notes set body = (body::int + 1)::text where tenant_id = 'ten_l' and note_id = $1", values: [id] })
    let waiting = 2
    let meet: () => void = () => undefined
    const met = new Promise<void>(resolve => {
      meet = resolve
    })
    const both = (first: number, second: number) =>
      test.db.engine(async tx => {
        await raise(tx, first)
        if (--waiting === 0) meet()
        await met
        await raise(tx, second)
      })
    await Promise.all([both(1, 2), both(2, 1)])
    const { rows } = await test.db.engineQuery<{ body: string }>("select body from notes where tenant_id = 'ten_l' order by note_id")
    expect(rows.map(row => row.body)).toEqual(['2', '2'])
  })

  it('repeats a single statement that collided', async () => {
    // A number that was given out stays so although its statement came to nothing.
    await test.owner.query(`
      drop sequence if exists tries cascade;
      create sequence tries;
      grant usage on sequence tries to public;
      create or replace function collide_once() returns bigint language plpgsql as $$
      declare n bigint := nextval('tries');
      begin
        if n = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return n;
      end $$`)
    const { rows } = await test.db.engineQuery<{ n: number }>('select collide_once() as n')
    expect(rows).toEqual([{ n: 2 }])
  })

  it('does not pretend to have committed when an error was swallowed', async () => {
    const work = test.db.engine(async tx => {
      await tx.query({ text: "insert into notes values ('ten_s', 1, '')" })
      await tx.query({ text: 'select 1/0' }).catch((error: unknown) => error)
    })
    await expect(work).rejects.toThrow('rolled back')
    const { rows } = await test.db.engineQuery("select 1 from notes where tenant_id = 'ten_s'")
    expect(rows).toEqual([])
  })

  it('fails every statement behind a failed one with the error of that one', async () => {
    const failures: (string | undefined)[] = []
    const work = test.db.engine(async tx => {
      const statements = ['select 1', 'select 1/0', 'select 1', 'select 1'].map(text => tx.query({ text }))
      for (const each of await Promise.allSettled(statements)) if (each.status === 'rejected') failures.push(failureCode(each.reason))
      await tx.query({ text: 'select 1' })
    })
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(failures).toEqual(['22012', '22012', '22012'])
  })

  /** What becomes of a statement that is started when its transaction has ended, well or not. */
  async function lateStatements(db: Database): Promise<string[]> {
    const kept: Transaction['query'][] = []
    await db.engine(async tx => kept.push(tx.query))
    const failed = db.inTenant('ten_a', tx => {
      kept.push(tx.query)
      return Promise.reject(new Error('on purpose'))
    })
    await expect(failed).rejects.toThrow('on purpose')
    const late = kept.map(query => query({ text: 'select 1' }).then(() => 'done', messageOf))
    return Promise.all(late)
  }

  it('refuses a statement of a transaction that has ended, well or not', async () => {
    const refused = 'a statement was started after the end of its transaction'
    expect(await lateStatements(test.db)).toEqual([refused, refused])
    expect(await lateStatements(withOpenHandles(test.db)), 'sabotaged').toEqual(['done', 'done'])
  })

  it('goes on with the same connection after a failed prepared statement', async () => {
    const single = await cloneDatabase({ enginePool: 2, tenantPool: 1 })
    try {
      const divide = (by: number) =>
        single.db.inTenant('ten_a', tx => tx.query<{ n: number }>({ prepared: true, text: 'select 6 / $1::int as n', values: [by] }))
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
      const broken = single.db.inTenant('ten_a', tx =>
        Promise.all([tx.query({ text: 'select 1/0' }), tx.query({ prepared: true, text: 'select 1 as n' })]),
      )
      await expect(broken).rejects.toMatchObject({ code: '22012' })
      const after = await single.db.inTenant('ten_a', tx => tx.query({ prepared: true, text: 'select 1 as n' }))
      expect(after.rows).toEqual([{ n: 1 }])
      expect((await divide(3)).rows).toEqual([{ n: 2 }])
    } finally {
      await single.close()
    }
  })

  it('answers STORAGE_UNAVAILABLE for a statement that takes too long', async () => {
    const work = test.db.engine(tx => tx.query({ text: 'select pg_sleep(30)' }), { statementTimeoutMs: 50 })
    await expect(work).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: 1 })
  })

  it('answers STORAGE_UNAVAILABLE when the connection dies in the middle, and works again afterwards', async () => {
    const work = test.db.engine(async tx => {
      const { rows } = await tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
      await test.db.engineQuery('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
      await tx.query({ text: 'select 1' })
    })
    await expect(work).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect((await test.db.health()).ok).toBe(true)
  })

  it('tries a login again that was not through in its time, at its start and later', async () => {
    const line = await startCuttingProxy(test.address)
    /** Both pools begin a login that nobody answers, and find the line open when they try again. */
    const onceUnanswered = async <T>(work: () => Promise<T>, logins = 2): Promise<T> => {
      line.become('half-open')
      const under = work()
      await line.swallowed(logins)
      line.become('open')
      return under
    }
    // Those of the service: a second login must not depend on a time that a slow first one has used up.
    const service = loadConfig({}, { readFile: () => undefined })
    if (!service.ok) throw new Error('the service does not start without settings')
    const limits = { ...testLimits, connectTimeoutMs: service.config.databaseConnectTimeoutMs }
    const opening = () =>
      openDatabase({
        address: line.address,
        limits,
        tenantPool: 1,
        enginePool: 1,
        logger: createLogger({ level: 'fatal' }),
      })
    const impatient = { ...testLimits, connectTimeoutMs: 2000 }
    const [db, owner] = await onceUnanswered(() => Promise.all([opening(), connectAsOwner(line.address, impatient)]), 3)
    await owner.end()
    try {
      const { rows } = await test.owner.query(
        `select count(pg_terminate_backend(pid, 5000)) as ended from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      expect(Number(rows[0].ended)).toBeGreaterThanOrEqual(2)
      const answers = await onceUnanswered(() =>
        Promise.all([db.engineQuery('select 1 as one'), db.inTenant('ten_a', tx => tx.query({ text: 'select 1 as one' }))]),
      )
      expect(answers.map(answer => answer.rows)).toEqual([[{ one: 1 }], [{ one: 1 }]])
    } finally {
      await db.close(0)
      await line.close()
    }
  })

  it('reads int8 as a number, times as UTC with milliseconds, and refuses what a number cannot hold', async () => {
    const { rows } = await test.db.engineQuery(
      "select 9007199254740991::int8 as big, '2026-01-31 12:00:00.5+02'::timestamptz as at, array[1, null]::int8[] as many, '2026-01-31'::date as day, 1.50::numeric as exact",
    )
    expect(rows).toEqual([{ big: 9007199254740991, at: '2026-01-31T10:00:00.500Z', many: [1, null], day: '2026-01-31', exact: '1.50' }])
    await expect(test.db.engineQuery('select 9007199254740993::int8 as n')).rejects.toThrow('more than a number can')
  })

  it('sends statements that are started together in one round trip, in order', async () => {
    const rows = await test.db.engine(async tx => {
      const [, second] = await Promise.all([
        tx.query({ text: "insert into notes values ('ten_p', 1, '')" }),
        tx.query<{ n: number }>({ text: "select count(*) as n from notes where tenant_id = 'ten_p'" }),
      ])
      return second.rows
    })
    expect(rows).toEqual([{ n: 1 }])
  })
})
