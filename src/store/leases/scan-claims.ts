/**
 * Scans that a process has in hand: their documents are queued, and not due before a time that is put off again and again. When the
 * process dies, or its scope is paused, they are due again. The database's clock alone decides about time.
 */

import { lockScopes } from '../events/events.js'
import { runnableSql } from '../runtime/runtime.js'
import type { ScopePlace } from '../scopes/scopes.js'
import { columnsOf } from '../server/columns.js'
import { across, type Database } from '../server/database.js'

export interface ScanRef extends ScopePlace {
  /** Its place in the backlog. */
  seq: number
  documentId: string
  revision: number
}

export function scanKey({ scopeNo, generation, seq }: Pick<ScanRef, 'scopeNo' | 'generation' | 'seq'>): string {
  return `${scopeNo}/${generation}/${seq}`
}

/** Answers the keys of those that still wait for their text and may go on; those of a scope that was reset do not. */
export async function extendScans(db: Database, scans: readonly ScanRef[], ms: number): Promise<Set<string>> {
  const rows = await across(db).rows<Pick<ScanRef, 'scopeNo' | 'generation' | 'seq'>>(
    `update backlog b set not_before = clock_timestamp() + $7::integer * interval '1 millisecond'
     from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::text[], $6::integer[])
       as c (tenant_id, scope_no, generation, seq, document_id, revision)
     join documents d using (tenant_id, scope_no, generation, document_id, revision)
     join scopes s using (tenant_id, scope_no, generation)
     where b.tenant_id = c.tenant_id and b.scope_no = c.scope_no and b.generation = c.generation and b.seq = c.seq
       and d.text is null and d.erased_at is null and d.status in ('queued', 'processing') and ${runnableSql('c.tenant_id', 'c.scope_no')}
     returning b.scope_no as "scopeNo", b.generation, b.seq`,
    [...columnsOf(scans, 'tenantId', 'scopeNo', 'generation', 'seq', 'documentId', 'revision'), ms],
  )
  return new Set(rows.map(scanKey))
}

/** It is due at once: its text is there, it failed, or it may not go on. */
export async function endScan(db: Database, { tenantId, scopeNo, generation, seq }: ScanRef): Promise<void> {
  await db.inTenant(tenantId, async tx => {
    await lockScopes(tx, [scopeNo])
    await tx.run("update backlog set not_before = '-infinity' where tenant_id = $1 and scope_no = $2 and generation = $3 and seq = $4", [
      tenantId,
      scopeNo,
      generation,
      seq,
    ])
    await tx.run(
      `update scope_heads set turn_at = greatest(concord_next_due(tenant_id, scope_no), rest_until)
       where tenant_id = $1 and scope_no = $2 and has_backlog`,
      [tenantId, scopeNo],
    )
  })
}
