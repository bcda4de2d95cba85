/** Tenants, scopes and queued documents written directly, for tests of what happens to them. */

import type pg from 'pg'
import { newTenantId } from '../../src/platform/ids.js'

export interface FixtureScope {
  tenantId: string
  scopeId: string
  scopeNo: number
}

export async function addTenant(owner: pg.Client): Promise<string> {
  const tenantId = newTenantId()
  await owner.query('insert into tenants (tenant_id, name) values ($1, $1)', [tenantId])
  return tenantId
}

export async function addScope(owner: pg.Client, tenantId: string, scopeId: string): Promise<FixtureScope> {
  const { rows } = await owner.query('insert into scopes (tenant_id, scope_id) values ($1, $2) returning scope_no', [tenantId, scopeId])
  const scopeNo = Number(rows[0].scope_no)
  await owner.query('insert into scope_heads (tenant_id, scope_no) values ($1, $2)', [tenantId, scopeNo])
  await owner.query('insert into scope_leases (tenant_id, scope_no) values ($1, $2)', [tenantId, scopeNo])
  return { tenantId, scopeId, scopeNo }
}

/** Queues documents as ingest would, without their events: `seq` counts from the scope's next. */
export async function queueDocuments(owner: pg.Client, scope: FixtureScope, count: number, ageSeconds = 0): Promise<void> {
  const place = [scope.tenantId, scope.scopeNo]
  const { rows } = await owner.query('select next_seq from scope_heads where tenant_id = $1 and scope_no = $2', place)
  const first = Number(rows[0].next_seq)
  const queued = `select g.seq, 'doc-' || g.seq as document_id, clock_timestamp() - $4::float8 * interval '1 second' as at from generate_series($3::bigint, $3::bigint + ${count} - 1) as g(seq)`
  await owner.query(
    `insert into documents (tenant_id, scope_no, generation, document_id, revision, status, name, type, text, seq, queued_at)
     select $1, $2, 1, q.document_id, 1, 'queued', q.document_id, 'txt', 'A text.', q.seq, q.at from (${queued}) q`,
    [...place, first, ageSeconds],
  )
  await owner.query(
    `insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision, enqueued_at)
     select $1, $2, q.seq, 1, q.document_id, 1, q.at from (${queued}) q`,
    [...place, first, ageSeconds],
  )
  await owner.query(
    `insert into events (tenant_id, scope_no, seq, type, subject, data)
     select $1, $2, q.seq, 'document.queued', q.document_id, '{}' from (${queued}) q where $4::float8 is not null`,
    [...place, first, ageSeconds],
  )
  await owner.query(
    'update scope_heads set next_seq = next_seq + $3, queued = queued + $3, has_backlog = true where tenant_id = $1 and scope_no = $2',
    [...place, count],
  )
}
