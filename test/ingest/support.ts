/** Tenants and an ingest over a cloned database, with what tests ask about the rows behind it. */

import { createHints, type Hints } from '../../src/events/hints.js'
import { createIngest, type Ingest, type IngestConfig, type IngestInput } from '../../src/ingest/ingest.js'
import { systemClock } from '../../src/platform/clock.js'
import { newTenantId } from '../../src/platform/ids.js'
import type { Database } from '../../src/store/server/database.js'
import type { TestDatabase } from '../support/clone-database.js'

export const ingestConfig: IngestConfig = {
  ingestFlushRows: 128,
  ingestFlushesInFlight: 2,
  ingestQueueLimit: 4096,
  ingestQueueBytes: 128 * 1024 * 1024,
  ingestDeadlineMs: 10_000,
  scopeAutocreate: true,
  databaseEnginePool: 6,
}

export async function makeTenant(db: Database, limits: object = {}): Promise<string> {
  const tenantId = newTenantId()
  await db.engineQuery('insert into tenants (tenant_id, name, limits) values ($1, $2, $3)', [tenantId, 'A tenant', JSON.stringify(limits)])
  return tenantId
}

export function openIngest(test: TestDatabase, config: Partial<IngestConfig> = {}, over: { db?: Database; hints?: Hints } = {}): Ingest {
  return createIngest({
    db: over.db ?? test.db,
    config: { ...ingestConfig, ...config },
    hints: over.hints ?? createHints({ logger: test.logger }),
    clock: systemClock,
    logger: test.logger,
  })
}

export function documentFor(tenantId: string, scopeId: string, more: Partial<IngestInput['body']> & { key?: string } = {}): IngestInput {
  const { key, ...body } = more
  return {
    tenantId,
    body: { scope_id: scopeId, name: 'A report', type: 'txt', text: 'Revenue was EUR 4M.', ...body },
    idempotencyKey: key ?? null,
  }
}

/** The seqs of a scope's log, in order. */
export async function logOf(test: TestDatabase, tenantId: string, scopeId: string): Promise<number[]> {
  const { rows } = await test.db.engineQuery<{ seq: number }>(
    `select e.seq from events e join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
     where s.tenant_id = $1 and s.scope_id = $2 order by e.seq`,
    [tenantId, scopeId],
  )
  return rows.map(row => row.seq)
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_none, index) => index)
}
