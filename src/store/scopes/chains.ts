/** Chains of all scopes, in pages, for checking them: decisions of the current generation, certificates of all. */

import type { DecisionRecord } from '../../kernel/proposals.js'
import type { EngineTransaction } from '../server/database.js'
import { ofPlace } from './scopes.js'

export interface ChainedScope {
  tenant_id: string
  scope_no: number
  scope_id: string
  generation: number
  /** What the first decision attaches to; null: nothing came before. */
  chain_hash: string | null
  /** Head of the decisions as the scope keeps it; null before the first round. */
  decision_hash: string | null
}

export async function listChainedScopes(
  tx: EngineTransaction,
  page: { after: Pick<ChainedScope, 'tenant_id' | 'scope_no'> | null; limit: number },
): Promise<ChainedScope[]> {
  return tx.rows<ChainedScope>(
    `select s.tenant_id, s.scope_no, s.scope_id, s.generation, s.chain_hash, st.decision_hash
     from scopes s join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null
     left join scope_states st on st.tenant_id = s.tenant_id and st.scope_no = s.scope_no and st.generation = s.generation
     where $1::text is null or (s.tenant_id, s.scope_no) > ($1, $2::bigint)
     order by s.tenant_id, s.scope_no limit $3`,
    [page.after?.tenant_id ?? null, page.after?.scope_no ?? 0, page.limit],
  )
}

export async function readDecisionRecords(
  tx: EngineTransaction,
  scope: ChainedScope,
  page: { after: number; limit: number },
): Promise<DecisionRecord[]> {
  return tx.rows<DecisionRecord>(
    `select seq, proposal_digest, state_digest, policy_hash, outcome, policies, reasons, reasons_digest, salt, obligations, prev_hash, hash
     from decisions where ${ofPlace} and seq > $4 order by seq limit $5`,
    [scope.tenant_id, scope.scope_no, scope.generation, page.after, page.limit],
  )
}

/** Hashes of single decisions, by their seq. */
export async function readDecisionHashes(
  tx: EngineTransaction,
  scope: ChainedScope,
  seqs: readonly number[],
): Promise<Map<number, string>> {
  const rows = await tx.rows<{ seq: number; hash: string }>(
    `select seq, hash from decisions where ${ofPlace} and seq = any ($4::bigint[])`,
    [scope.tenant_id, scope.scope_no, scope.generation, seqs],
  )
  return new Map(rows.map(({ seq, hash }) => [seq, hash]))
}
