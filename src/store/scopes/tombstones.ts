/**
 * Tombstones of deleted scopes: the rows that make a scope are taken away in one transaction, and what remains says where it
 * ended. `concord_make_scope` begins there again; `reset-removal` takes away what the scope held.
 */

import { invariant } from '../../platform/errors.js'
import type { TenantTransaction } from '../server/database.js'

/** Under the scope's lock, after its reset and the events about its end: those from `keptSeq` on stay. */
export async function buryScope(tx: TenantTransaction, scopeNo: number, keptSeq: number): Promise<void> {
  const buried = await tx.touches(
    `insert into scope_tombstones (tenant_id, scope_id, scope_no, generation, version, fence, next_seq, oldest_seq, chain_hash)
     select s.tenant_id, s.scope_id, s.scope_no, s.generation, s.version, l.fence, h.next_seq, $3, s.chain_hash
     from scopes s join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
     join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no
     where s.tenant_id = $1 and s.scope_no = $2
     on conflict (tenant_id, scope_id) do update set generation = excluded.generation, version = excluded.version, fence = excluded.fence,
       next_seq = excluded.next_seq, oldest_seq = excluded.oldest_seq, chain_hash = excluded.chain_hash, deleted_at = clock_timestamp(),
       cleared = false`,
    [tx.tenantId, scopeNo, keptSeq],
  )
  invariant(buried, 'a scope that is deleted has no head or no lease')
  for (const table of ['scope_heads', 'scope_leases', 'runtime_states', 'policy_assignments', 'scopes']) {
    await tx.run(`delete from ${table} where tenant_id = $1 and scope_no = $2`, [tx.tenantId, scopeNo])
  }
}

export interface TombstoneRef {
  tenantId: string
  scopeId: string
  scopeNo: number
}

export async function findTombstone(tx: TenantTransaction, scopeId: string): Promise<TombstoneRef | null> {
  return tx.row<TombstoneRef>(
    'select tenant_id as "tenantId", scope_id as "scopeId", scope_no as "scopeNo" from scope_tombstones where tenant_id = $1 and scope_id = $2',
    [tx.tenantId, scopeId],
  )
}
