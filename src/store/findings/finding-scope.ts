/** In which scope something lies that is named by an id alone. */

import type { TenantTransaction } from '../server/database.js'

/** Null when nothing of the tenant has the id. */
export async function scopeOfFinding(tx: TenantTransaction, id: string): Promise<string | null> {
  const of = (table: string, column: string) =>
    `select s.scope_id from ${table} x join scopes s on s.tenant_id = x.tenant_id and s.scope_no = x.scope_no where x.tenant_id = $1 and x.${column} = $2`
  return tx.value<string | null>(
    [
      of('contradictions', 'contradiction_id'),
      of('possible_conflicts', 'possible_conflict_id'),
      of('supersessions', 'supersession_id'),
      of('decisions', 'decision_id'),
    ].join(' union all '),
    [tx.tenantId, id],
  )
}
