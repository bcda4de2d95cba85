/** What findings hold of the words of documents, taken out when a document is erased. Under the scope's lock. */

import type { Transaction } from './database.js'
import type { ScopePlace } from './documents.js'

/** The evidence, and the reasons made from it, of every finding in which one of these claims stands. */
export async function eraseEvidence(
  tx: Transaction,
  scope: ScopePlace,
  ranges: readonly { firstClaimNo: number; count: number }[],
): Promise<void> {
  if (ranges.length === 0) return
  const values = [
    scope.tenantId,
    scope.scopeNo,
    scope.generation,
    ranges.map(range => range.firstClaimNo),
    ranges.map(range => range.firstClaimNo + range.count),
  ]
  const within = (column: string) => `exists (
    select from unnest($4::bigint[], $5::bigint[]) as k (first_no, past_no) where ${column} >= k.first_no and ${column} < k.past_no)`
  const erasing = {
    contradictions: `exists (
      select from contradiction_sides s
      where s.tenant_id = f.tenant_id and s.scope_no = f.scope_no and s.generation = f.generation and s.contradiction_no = f.contradiction_no
        and ${within('s.claim_no')})`,
    possible_conflicts: `(${within('f.claim_a')} or ${within('f.claim_b')})`,
    supersessions: `(${within('f.claim_no')} or ${within('f.by_claim_no')})`,
  }
  for (const [table, condition] of Object.entries(erasing)) {
    await tx.query({
      name: `findings-erase-${table}`,
      text: `
        update ${table} f set evidence = null, reason = 'A document of this finding was erased.'
        where f.tenant_id = $1 and f.scope_no = $2 and f.generation = $3 and ${condition}`,
      values,
    })
  }
}
