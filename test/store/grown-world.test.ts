/** What is asked of all scopes reads a few pages, however many there are: counted by the server, on a tenant with thousands of scopes. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/ids.js'
import { countQuarantined } from '../../src/store/documents/quarantined-count.js'
import { readTailLagSeconds } from '../../src/store/events/events-reading.js'
import { findCandidates } from '../../src/store/leases/leases.js'
import { readQueueFigures } from '../../src/store/leases/queue-figures.js'
import { removeOldEvents } from '../../src/store/maintenance/events-retention.js'
import { removeOldTexts } from '../../src/store/maintenance/text-retention.js'
import { verifyDatabase } from '../../src/store/maintenance/verify.js'
import { countByFinality, listConvergence } from '../../src/store/scopes/summary.js'
import type { Database, EngineTransaction } from '../../src/store/server/database.js'
import { readLimits } from '../../src/store/tenants/tenants.js'
import { addUpUsage } from '../../src/store/tenants/usage.js'
import { cloneDatabase, type TestDatabase } from '../support/clone-database.js'

const scopes = 5000
const large = newTenantId()

let test: TestDatabase
beforeAll(async () => {
  // One connection, so that the second time meets what the first has warmed up.
  test = await cloneDatabase({ enginePool: 1 })
  await test.owner.query('insert into tenants (tenant_id, name) select unnest($1::text[]), $2', [
    [large, ...Array.from({ length: 200 }, newTenantId)],
    'grown',
  ])
  await test.owner.query(`
    insert into scopes (tenant_id, scope_id) select '${large}', 'scope-' || n from generate_series(1, ${scopes}) n;
    insert into scopes (tenant_id, scope_id) select tenant_id, 'scope' from tenants where tenant_id not in ('-', '${large}');
    insert into scope_states (tenant_id, scope_no, generation, next_claim_no, aggregates, decision_hash, convergence, finality)
      select tenant_id, scope_no, 1, 2, '{}', '', json_build_object('worstPressure', (scope_no * 7919 % 1000) / 1000.0),
        (array['active', 'resolved', 'review'])[1 + scope_no % 3] from scopes;
    alter table scope_heads disable trigger note_usage;
    insert into scope_heads (tenant_id, scope_no, quarantined, derived_bytes, finality, pressure)
      select tenant_id, scope_no, case scope_no % 1000 when 0 then 3 else 0 end, 1024, finality, (convergence ->> 'worstPressure')::float8 from scope_states;
    alter table scope_heads enable trigger note_usage;
    insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
      select tenant_id, count(*), sum(quarantined), 0, sum(derived_bytes), count(*) filter (where finality = 'review'),
        count(*) filter (where finality = 'resolved'), 0, 0 from scope_heads group by 1;
    insert into scope_leases (tenant_id, scope_no) select tenant_id, scope_no from scopes`)
  await test.owner.query('vacuum analyze')
})
afterAll(() => test.close())

/** Pages that the server touches for what `work` sends. The first time it also reads its catalogue. */
async function pagesOf(work: (db: Database) => Promise<unknown>, settings: readonly string[] = []): Promise<number> {
  let pages = 0
  const explained = async (tx: EngineTransaction, text: string, values: readonly unknown[] = []) => {
    for (const setting of settings) await tx.query({ text: `set local ${setting}` })
    const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }>({
      text: `explain (analyze, buffers, format json) ${text}`,
      values,
    })
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return tx.query<never>({ text, values })
  }
  const counting: Database = {
    ...test.db,
    engineQuery: (text, values) => test.db.engine(tx => explained(tx, text, values)),
    engine: (run, options) => test.db.engine(tx => run({ ...tx, query: ({ text, values }) => explained(tx, text, values) }), options),
  }
  await work(counting)
  pages = 0
  await work(counting)
  return pages
}

it('counts quarantined documents without looking at the other scopes', async () => {
  expect(await pagesOf(async db => expect(await countQuarantined(db)).toBeGreaterThan(0))).toBeLessThan(20)
})

it('knows what a tenant uses from one row, and every change of it at once', async () => {
  const used = { scopes, documents: 15, derived_bytes: 1024 * scopes, bytes: 1024 * scopes }
  expect(await pagesOf(async db => expect(await readLimits(db, large)).toMatchObject(used))).toBeLessThan(20)
  await test.owner.query(
    `update scope_heads set bytes = 7, held = 1 where tenant_id = '${large}' and scope_no = (select max(scope_no) from scopes where tenant_id = '${large}')`,
  )
  const after = { documents: 16, bytes: 1024 * scopes + 7 }
  expect(await readLimits(test.db, large)).toMatchObject(after)
  expect(await addUpUsage(test.db, 50)).toBe(1)
  expect(await readLimits(test.db, large)).toMatchObject(after)
  const { broken } = await verifyDatabase(test.db)
  expect(broken.filter(({ invariant }) => ['tenant.usage', 'head.state'].includes(invariant))).toEqual([])
})

it('looks at no text that was removed already when it looks for old ones', async () => {
  await test.owner.query(`
    insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, received_at)
      select tenant_id, scope_no, 1, 'old', 1, 'indexed', '', 'txt', now() - interval '90 days' from scopes;
    analyze documents`)
  expect(await pagesOf(async db => expect(await removeOldTexts(db, 30, 200)).toBe(0))).toBeLessThan(10)
})

it('walks past the events that a hold keeps once, not with each batch it removes', async () => {
  await test.owner.query(`
    insert into legal_holds (tenant_id, scope_no, generation, hold_no, hold_id, set_by, set_bound) values ('${large}', 1, 1, 1, 'h', 'a', true);
    insert into events (tenant_id, scope_no, seq, type, data, time)
      select '${large}', case when n <= 20000 then 1 else 2 end, n, 'document.queued', '{}', now() - interval '90 days' from generate_series(1, 20100) n`)
  await test.owner.query('vacuum analyze events')
  const { removed, isFull, from } = await removeOldEvents(test.db, 24 * 30, 5)
  expect([removed, isFull]).toEqual([5, true])
  const more = async (db: Database) => expect(await removeOldEvents(db, 24 * 30, 5, from)).toMatchObject({ isFull: true })
  expect(await pagesOf(more)).toBeLessThan(150)
  expect(await removeOldEvents(test.db, 24 * 30, 500, from)).toMatchObject({ isFull: false })
  const { rows } = await test.owner.query('select scope_no::int, count(*)::int as events from events group by 1')
  expect(rows).toEqual([{ scope_no: 1, events: 20_000 }])
  await test.owner.query('delete from events; delete from legal_holds')
})

it('lists the scopes of the worst pressure, page after page, and counts the others', async () => {
  const all = { tenantId: null, scopeId: null, finality: null }
  const list = (after: { pressure: number; tenantId: string; scopeNo: number } | null) => (db: Database) =>
    db.engine(async tx => {
      const rows = await listConvergence(tx, all, { after, limit: 20 })
      expect(rows).toHaveLength(20)
      expect(rows.map(row => row.pressure)).toEqual(rows.map(row => row.pressure).sort((a, b) => b - a))
      return rows
    })
  const last = (await test.db.engine(tx => listConvergence(tx, all, { after: null, limit: 20 }))).at(-1)!
  expect(await pagesOf(list(null))).toBeLessThan(300)
  expect(await pagesOf(list({ pressure: last.pressure, tenantId: last.tenant_id, scopeNo: last.scope_no }))).toBeLessThan(300)
  expect(
    await pagesOf(db =>
      db.engine(async tx => {
        const counts = await countByFinality(tx, all)
        expect(counts.reduce((sum, count) => sum + count.scopes, 0)).toBe(scopes + 200)
      }),
    ),
  ).toBeLessThan(40)
})

it('finds the next scope to work on among thousands that wait', async () => {
  // A trigger has planned for a few rows at a time.
  await test.owner.query('discard plans')
  await test.owner.query(`
    insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision) select tenant_id, scope_no, 0, 1, 'doc', 1 from scopes;
    update scope_heads set has_backlog = true`)
  await test.owner.query('vacuum analyze scope_heads, tenant_turns')
  expect(await pagesOf(async db => expect(await findCandidates(db, 32)).toHaveLength(32))).toBeLessThan(1500)
  // Of those whose turn is next, not of all that wait.
  expect(await pagesOf(db => findCandidates(db, 32, [], { unasked: true }))).toBeLessThan(6000)
})

it('counts what waits from the heads of its scopes, and looks few of them up', async () => {
  const waiting = scopes + 200
  const [paused, resting] = (
    await test.owner.query<{ no: string }>(`select scope_no as no from scopes where tenant_id = '${large}' limit 2`)
  ).rows
  await test.owner.query(`
    update scope_heads set queued = 3, turn_at = clock_timestamp();
    update scope_heads set queued = 1000 where scope_no = (select max(scope_no) from scopes where tenant_id = '${large}');
    update backlog set enqueued_at = clock_timestamp() - interval '1 hour' where scope_no = (select max(scope_no) from scopes where tenant_id = '${large}');
    insert into runtime_states (tenant_id, scope_no, state) values ('${large}', ${paused!.no}, 'paused');
    update scope_heads set turn_at = clock_timestamp() + interval '1 hour' where scope_no = ${resting!.no};
    update backlog set not_before = clock_timestamp() + interval '1 hour' where scope_no = ${resting!.no};
    insert into runtime_states (tenant_id, scope_no, state) select tenant_id, 0, 'stopped' from tenants where tenant_id not in ('-', '${large}') limit 10`)
  await test.owner.query('vacuum analyze scope_heads, backlog')
  const read = (db: Database) => db.engine(readQueueFigures)
  const figures = { depth: 3 * waiting + 997, runnable: 3 * (waiting - 12) + 997, runnable_scopes: waiting - 12, at_least: false }
  // One look-up is six pages.
  expect(await pagesOf(async db => expect(await read(db)).toMatchObject(figures))).toBeLessThan(500 * 6 + 1000)
  expect((await read(test.db)).oldest_age_seconds).toBeGreaterThan(3600)
  // Nobody could have worked on a scope while it rested.
  const rested = `update scope_heads set rest_until = $1 where scope_no = (select max(scope_no) from scopes where tenant_id = '${large}')`
  await test.owner.query(rested, [new Date()])
  expect((await read(test.db)).oldest_age_seconds).toBeLessThan(3000)
  await test.owner.query(rested, [null])
  await test.owner.query("update runtime_states set state = 'paused' where tenant_id = '-'")
  expect(await read(test.db)).toMatchObject({ depth: figures.depth, runnable: 0, runnable_scopes: 0, oldest_age_seconds: 0 })
  await test.owner.query("update runtime_states set state = 'running'")
})

it('reads the lag of the tail from the end of the log', async () => {
  // In no order, and as if it did not fit into memory: reading all of it looks cheaper to the server than a third by its index.
  const settings = ["effective_cache_size = '1MB'", 'enable_bitmapscan = off']
  await test.owner.query(`
    insert into events (tenant_id, scope_no, seq, xid, type, data)
      select '${large}', 1, n, (n * 7919 % 20011)::text::xid8, 'document.received', '{}' from generate_series(1, 20000) n;
    update event_horizon set xid_base = 1000000`)
  await test.owner.query('vacuum analyze events')
  expect(await pagesOf(async db => expect(await readTailLagSeconds(db)).toBe(0), settings)).toBeLessThan(20)
  await test.owner.query(`
    insert into events (tenant_id, scope_no, seq, xid, type, data, time)
      select '${large}', 1, 20000 + n, (10000000 + n)::text::xid8, 'document.received', '{}', now() - n % 50 * interval '1 minute' from generate_series(1, 100) n`)
  expect(await readTailLagSeconds(test.db)).toBeGreaterThan(49 * 60)
})

it('wakes tenants for many scopes at once in a time that grows with their number, whatever was planned before', async () => {
  // Row by row with every other the second statement would take minutes.
  await test.owner.query(`
    begin;
    set local statement_timeout = '60s';
    insert into scopes (tenant_id, scope_id) select '${large}', 'more-' || n from generate_series(1, 15000) n;
    insert into scope_heads (tenant_id, scope_no) select tenant_id, scope_no from scopes where scope_id like 'more-%';
    update scope_heads set has_backlog = true where tenant_id <> '${large}';
    update scope_heads set has_backlog = true where tenant_id = '${large}'`)
  const { rows } = await test.owner.query('select count(*)::int as due from tenant_turns where due_at is not null')
  await test.owner.query('rollback')
  expect(rows).toEqual([{ due: 201 }])
})
