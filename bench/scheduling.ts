/**
 * How long it takes to find the next scope to lease beside many that wait: 10,000 tenants with a scope each, the first
 * of which rest or fail, then one tenant with 100,000 scopes, then the same with most of them paused or in backoff. Prints one line a world, in milliseconds.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../src/platform/logger.js'
import { findCandidates } from '../src/store/leases/leases.js'
import type { ScopeKey } from '../src/store/scopes/scopes.js'
import { type Database, openDatabase } from '../src/store/server/database.js'
import { startEmbedded } from '../src/store/server/embedded.js'
import { connectAsOwner, migrate } from '../src/store/server/migrate.js'

const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 600_000 }
const logger = createLogger({ level: 'error' })
const looks = 200

/** Documents are not needed to find a scope: a place in the backlog is. */
const queue = `
  insert into scope_heads (tenant_id, scope_no) select s.tenant_id, s.scope_no from scopes s on conflict do nothing;
  insert into scope_leases (tenant_id, scope_no) select s.tenant_id, s.scope_no from scopes s on conflict do nothing;
  insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
    select s.tenant_id, s.scope_no, 0, 1, 'doc', 1 from scopes s on conflict do nothing;
  update scope_heads set has_backlog = true where not has_backlog;
  analyze`

interface World {
  name: string
  sql: string
  /** Tenants whose scope is in backoff in the process that looks. */
  failing?: number
}

const worlds: World[] = [
  { name: 'nothing waits', sql: '' },
  {
    name: '10,000 tenants wait',
    sql: `insert into tenants (tenant_id, name) select 'ten_' || lpad(n::text, 22, '0'), 'n' from generate_series(1, 10000) n;
      insert into scopes (tenant_id, scope_id) select tenant_id, 'scope' from tenants where tenant_id <> '-';${queue}`,
  },
  { name: 'and the first 1,000 of them fail', sql: '', failing: 1000 },
  {
    name: 'and the first 1,000 of them rest',
    sql: `update scope_heads set rest_until = clock_timestamp() + interval '1 hour', turn_at = clock_timestamp() + interval '1 hour'
        where tenant_id <= 'ten_' || lpad('1000', 22, '0');
      select concord_settle_turns(array(select tenant_id from tenants where tenant_id <= 'ten_' || lpad('1000', 22, '0')));
      analyze tenant_turns`,
  },
  {
    name: '100,000 scopes of one tenant wait too',
    sql: `insert into scopes (tenant_id, scope_id) select 'ten_' || lpad('7', 22, '0'), 'scope-' || n from generate_series(1, 100000) n;${queue}`,
  },
  {
    name: 'all tenants but that one are paused',
    sql: `insert into runtime_states (tenant_id, scope_no, state) select tenant_id, 0, 'paused' from tenants
      where tenant_id not in ('-', 'ten_' || lpad('7', 22, '0'))`,
  },
  {
    name: 'and 99,000 of its scopes, and 900 in backoff',
    sql: `insert into runtime_states (tenant_id, scope_no, state) select tenant_id, scope_no, 'paused' from scopes
        where tenant_id = 'ten_' || lpad('7', 22, '0') order by scope_no limit 99000;
      update scope_heads set turn_at = clock_timestamp() + interval '1 hour' where (tenant_id, scope_no) in (
        select tenant_id, scope_no from scope_heads where turn_at is not null and not halted and tenant_id = 'ten_' || lpad('7', 22, '0') limit 900)`,
  },
]

async function measure(db: Database, avoided: readonly ScopeKey[]): Promise<{ median: number; p99: number; found: number }> {
  const times: number[] = []
  let found = 0
  for (let look = 0; look < looks; look++) {
    const started = performance.now()
    found = (await findCandidates(db, 32, avoided)).length
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return { median: times[looks / 2] ?? 0, p99: times[Math.floor(looks * 0.99)] ?? 0, found }
}

const folder = mkdtempSync(join(tmpdir(), 'concord-scheduling-'))
const server = await startEmbedded({ dataDir: join(folder, 'data'), logger, settings: { fsync: 'off' } })
try {
  await migrate({ address: server.address, limits, logger })
  const db = await openDatabase({ address: server.address, limits, tenantPool: 1, enginePool: 1, logger })
  const owner = await connectAsOwner(server.address, limits)
  for (const { name, sql, failing = 0 } of worlds) {
    await owner.query(sql)
    const { rows } = await owner.query<ScopeKey>(
      'select tenant_id as "tenantId", scope_no as "scopeNo" from scope_heads order by tenant_id limit $1',
      [failing],
    )
    const { median, p99, found } = await measure(db, rows)
    process.stdout.write(`${name}: ${median.toFixed(1)} ms, 99th percentile ${p99.toFixed(1)} ms, ${found} candidates\n`)
  }
  await owner.end()
  await db.close()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
